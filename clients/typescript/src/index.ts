/**
 * A client of Edgehill for Node, over gRPC: `connect` gives a `Client` that makes, joins, watches and reads matches, a
 * `Seat` plays one, `runBot` has a bot play. docs/sdk-typescript.md is the manual.
 */

import { type Client, type ClientOptions, clientOver } from "./client.js";
import { nodeWire } from "./node-wire.js";
import { type Certificates, serverUrl } from "./server-url.js";

export * from "./shared.js";

/**
 * Returns a client of a server: `host:port`, `http://host:port`, or `https://host` for one behind TLS.
 *
 * The first call connects, and throws `ConnectFailed` soon if there is no server. With https, `ca` are the authorities
 * of the server's certificate instead of those that Node knows, and `cert` with `certKey` is shown to a server that asks
 * for a certificate: the content of PEM files. Throws `InvalidOption` for an address, a key or a certificate that is none.
 */
export function connect(server: string, options: ClientOptions & Certificates = {}): Client {
  return clientOver(nodeWire(serverUrl(server), options), options);
}
