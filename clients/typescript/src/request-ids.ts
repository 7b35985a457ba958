/** Returns a source of request ids that no other run of a program uses: a random prefix and a counter. */
export function requestIds(): () => string {
  const prefix = Array.from(randomBytes(8), (byte) => byte.toString(16).padStart(2, "0")).join("");
  let count = 0;
  return () => `${prefix}-${++count}`;
}

/** Returns so many bytes from the platform's own source of randomness. */
export function randomBytes(count: number): Uint8Array {
  return globalThis.crypto.getRandomValues(new Uint8Array(count));
}
