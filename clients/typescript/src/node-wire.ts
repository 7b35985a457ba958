/** The way to a server from Node: gRPC over HTTP/2. */

import * as http2 from "node:http2";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { IS_RUNNING, type Wire } from "./connection.js";
import { type Certificates, checkedCertificates } from "./server-url.js";

/** A connection that died without a word is noticed in half a minute, also by a client that only listens. */
const PINGS = { pingIntervalMs: 20_000, pingTimeoutMs: 10_000 };

/** Returns the way to the server of this origin. */
export function nodeWire(url: URL, certificates: Certificates): Wire {
  const session: http2.SecureClientSessionOptions = checkedCertificates(url, certificates);
  const sessionManager = new Http2SessionManager(url.origin, PINGS, session);
  return {
    transport: createGrpcTransport({ baseUrl: url.origin, sessionManager, acceptCompression: [] }),
    url,
    duplex: true,
    advice: IS_RUNNING,
    probe: (signal) => settingsOf(url, session, signal),
    close: () => sessionManager.abort(),
  };
}

/** Resolves when the server has said that it speaks HTTP/2. One that only takes the connection is silent. */
function settingsOf(url: URL, options: http2.SecureClientSessionOptions, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const session = http2.connect(url.origin, options);
    const end = (settle: () => void) => {
      signal.removeEventListener("abort", stop);
      settle();
      session.destroy();
    };
    const stop = () => end(() => reject(signal.reason));
    session.on("error", (error) => end(() => reject(error)));
    session.once("close", () => end(() => reject(new Error("the connection was closed"))));
    session.once("remoteSettings", () => end(resolve));
    signal.addEventListener("abort", stop, { once: true });
  });
}
