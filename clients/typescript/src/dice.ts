/** Edgehill's dice, from docs/dice.md: derive every outcome, compare, done. */

import { chacha20 } from "@noble/ciphers/chacha.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";

const TWO_64 = 1n << 64n;

/** The hash of what a match begins from, part of its commitment. `options`: pairs of id and value, sorted by id. */
export function optionsHash(
  salt: Uint8Array,
  scenario: string,
  options: readonly (readonly [string, string])[],
  position: string,
): Uint8Array {
  const listed = options.flatMap(([id, value]) => [text(id), text(value)]);
  return hash("edgehill/options/2", salt, text(scenario), le32(options.length), ...listed, text(position));
}

/** The terms that a host commits to before anybody sits down. */
export interface Terms {
  /** The id of the match or, where several share a seed, of their group. */
  readonly id: string;
  readonly game: string;
  /** The rules version, as it is written. */
  readonly rulesVersion: string;
  readonly contentHash: Uint8Array;
  readonly optionsHash: Uint8Array;
}

/** The hash by which a host binds itself to its server seed. */
export function commitment(terms: Terms, serverSeed: Uint8Array): Uint8Array {
  const { id, game, rulesVersion, contentHash, optionsHash } = terms;
  return hash("edgehill/commit/1", text(id), text(game), text(rulesVersion), contentHash, optionsHash, serverSeed);
}

/** The hash by which a seat binds itself to its entropy. `seat`: its place, from 0. */
export function entropyCommitment(id: string, seat: number, entropy: Uint8Array): Uint8Array {
  return hash("edgehill/entropy/1", text(id), le32(seat), entropy);
}

/** The seed that every event is drawn from. `entropies`: one a place, zeros where none was given. */
export function matchSeed(id: string, serverSeed: Uint8Array, entropies: readonly Uint8Array[]): Uint8Array {
  return hash("edgehill/seed/1", text(id), serverSeed, le32(entropies.length), ...entropies);
}

/** The server seed of match `n`, from 0, of an account in a rated series. */
export function seriesSeed(series: Uint8Array, account: string, n: number): Uint8Array {
  return hash("edgehill/series/1", series, text(account), le32(n));
}

/** The bytes that the event at a place takes, from its first one on; without end. */
export function* keyStream(seed: Uint8Array, stream: number, n: number): Generator<number, never, undefined> {
  const nonce = concatBytes(new Uint8Array(4), le32(stream), le32(n));
  for (let block = 0; ; block++) {
    yield* chacha20(seed, nonce, new Uint8Array(64), undefined, block);
  }
}

/** The faces of so many equal dice at a place, from 1. */
export function roll(seed: Uint8Array, stream: number, n: number, dice: number, sides: number): number[] {
  const source = keyStream(seed, stream, n);
  const faces: number[] = [];
  while (faces.length < dice) {
    const { value } = source.next();
    if (value < 256 - (256 % sides)) faces.push((value % sides) + 1);
  }
  return faces;
}

/** The place of the chosen weight, from 0, of a choice at a place. */
export function choice(seed: Uint8Array, stream: number, n: number, weights: readonly number[]): number {
  const source = keyStream(seed, stream, n);
  const total = BigInt(weights.reduce((sum, weight) => sum + weight, 0));
  let drawn: bigint;
  do {
    drawn = 0n;
    for (let place = 0n; place < 64n; place += 8n) drawn |= BigInt(source.next().value) << place;
  } while (drawn >= (TWO_64 / total) * total);
  const point = Number(drawn % total);
  let reached = 0;
  return weights.findIndex((weight) => {
    reached += weight;
    return reached > point;
  });
}

/** The card that is drawn from a bag, by its number. */
export function bag(seed: Uint8Array, stream: number, epoch: number, cards: Iterable<number>): number {
  let first: { readonly card: number; readonly rank: bigint } | undefined;
  for (const card of cards) {
    const hashed = hash("edgehill/bag/1", seed, le32(stream), le32(epoch), le32(card));
    const rank = hashed.subarray(0, 16).reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
    if (!first || rank < first.rank || (rank === first.rank && card < first.card)) first = { card, rank };
  }
  if (!first) throw new RangeError("the bag is empty");
  return first.card;
}

function hash(tag: string, ...parts: readonly Uint8Array[]): Uint8Array {
  return sha256(concatBytes(utf8ToBytes(tag), ...parts));
}

function text(value: string): Uint8Array {
  const bytes = utf8ToBytes(value);
  return concatBytes(le32(bytes.length), bytes);
}

function le32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}
