/**
 * A client of Edgehill for browsers, over gRPC-Web: as that for Node, without `Client.playSeats`. docs/sdk-typescript.md
 * is the manual.
 */

import { type Client, type ClientOptions, clientOver } from "./client.js";
import { Unsupported } from "./errors.js";
import { type Certificates, serverUrl } from "./server-url.js";
import { webWire } from "./web-wire.js";

export * from "./shared.js";

/**
 * Returns a client of a server: `host:port`, `http://host:port` or `https://host`, such as `location.origin`.
 *
 * A server answers pages of its own machine and of the origins in its configuration. Throws `InvalidOption` for an
 * address or a key that is none, and `Unsupported` for certificates, which are the browser's own affair.
 */
export function connect(server: string, options: ClientOptions & Certificates = {}): Client {
  const { ca, cert, certKey } = options;
  if (ca !== undefined || cert !== undefined || certKey !== undefined) {
    throw new Unsupported("a browser has certificates of its own: ca, cert and certKey are for Node");
  }
  return clientOver(webWire(serverUrl(server)), options);
}
