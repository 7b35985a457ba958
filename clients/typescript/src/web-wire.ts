/** The way to a server from a browser: gRPC-Web, over whatever HTTP the browser speaks. */

import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { IS_RUNNING, type Wire } from "./connection.js";

/** Returns the way to the server of this origin. Certificates are the browser's own affair. */
export function webWire(url: URL): Wire {
  return {
    transport: createGrpcWebTransport({ baseUrl: url.origin }),
    url,
    duplex: false,
    // A browser does not tell a page the one from the other.
    advice: `${IS_RUNNING}; does its configuration name this page's origin (web.origins)?`,
    close: () => {},
  };
}
