/** Addresses and credentials, checked before anything is tried. */

import { InvalidOption } from "./errors.js";

const EXPECTED = "a server is host:port, http://host:port or https://host";
const HOST_AND_PORT = /^(\[[0-9A-Fa-f:.]+\]|[^\s:/[\]@?#]+):(\d+)$/;

/** Reads `localhost:7400`, `http://localhost:7400`, `https://play.example`; returns the origin of the server. */
export function serverUrl(server: string): URL {
  const wrong = () => new InvalidOption(`${EXPECTED}; found ${JSON.stringify(server)}`);
  if (!server.includes("://")) {
    const port = Number(HOST_AND_PORT.exec(server)?.[2]);
    if (!(port > 0 && port < 1 << 16)) throw wrong();
  }
  let url: URL;
  try {
    url = new URL(server.includes("://") ? server : `http://${server}`);
  } catch {
    throw wrong();
  }
  const isPlain = url.pathname === "/" && !url.search && !url.hash && !url.username && !url.password;
  if (!/^https?:$/.test(url.protocol) || !url.hostname || url.port === "0" || !isPlain) throw wrong();
  return url;
}

/** Returns an account's key or a seat's token, if it is one that a header takes. */
export function checkedToken(token: string): string {
  // The text stays out of the message: it may be a secret with a line feed at its end.
  if (!/^[!-~]+$/.test(token)) {
    throw new InvalidOption("a key or token is printable ASCII without blanks, at least one character");
  }
  return token;
}

/** The content of a PEM file, as text or as the bytes that were read. */
export type Pem = string | Uint8Array;

/** The certificates that a client trusts and shows. */
export interface Certificates {
  /** The authorities that the server's certificate may be of, instead of those that Node knows. */
  readonly ca?: Pem;
  /** The client's own certificate, for a server that asks for one. */
  readonly cert?: Pem;
  /** The private key of `cert`. */
  readonly certKey?: Pem;
}

/** Returns certificates as text; refuses those that are none, or that lack their key, or that go with no TLS. */
export function checkedCertificates(url: URL, given: Certificates): { ca?: string; cert?: string; key?: string } {
  const [ca, cert, certKey] = [textOf(given.ca), textOf(given.cert), textOf(given.certKey)];
  if ((cert === undefined) !== (certKey === undefined)) {
    throw new InvalidOption("a certificate goes with its key: cert and certKey");
  }
  for (const [name, pem] of Object.entries({ ca, cert })) {
    if (pem !== undefined && !pem.includes("-----BEGIN CERTIFICATE-----")) {
      throw new InvalidOption(`${name} holds no certificate in PEM`);
    }
  }
  if (certKey !== undefined && !certKey.includes("PRIVATE KEY-----")) {
    throw new InvalidOption("certKey holds no private key in PEM");
  }
  if (url.protocol === "http:" && (ca !== undefined || cert !== undefined)) {
    throw new InvalidOption("certificates go with https://");
  }
  return { ca, cert, key: certKey };
}

function textOf(pem: Pem | undefined): string | undefined {
  return pem instanceof Uint8Array ? new TextDecoder().decode(pem) : pem;
}
