/** Ed25519 signatures (RFC 8032). */

import { ed25519 } from "@noble/curves/ed25519.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/** A public key, or several of which each will do. */
export type SigningKeys = Uint8Array | readonly Uint8Array[];

/** Public keys, in hexadecimal digits. */
export function knownKeys(given: SigningKeys): readonly string[] {
  return (given instanceof Uint8Array ? [given] : given).map((key) => bytesToHex(key));
}

/** Returns true if the holder of a public key has signed a message. A key of small order signs nothing. */
export function hasSigned(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    return ed25519.verify(signature, message, key, { zip215: false });
  } catch {
    // Bytes that are no key, or no signature.
    return false;
  }
}
