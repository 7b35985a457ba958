/**
 * The check of a record as far as it goes without the rules and without knowing how the match was made.
 *
 * `edgehill verify` has the whole of it; the parts are called as they are there (docs/record.md, "What a check shows").
 */

import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { commitment, entropyCommitment } from "./dice.js";
import { Unverified } from "./errors.js";
import { type MatchRecord, RECORD_KIND, readRecord } from "./record.js";
import { hasSigned, knownKeys, type SigningKeys } from "./signature.js";

/** A part of a record that a check may leave open. */
export type RecordPart = "rules" | "seed" | "entropy" | "end" | "names" | "host's word";

/** A record in which nothing contradicts anything. */
export interface RecordCheck {
  readonly record: MatchRecord;
  /** The parts that could not be checked, each with the reason. Whoever writes a record can write there as they like. */
  readonly unchecked: ReadonlyMap<RecordPart, string>;
}

/** The keys that are trusted. */
export interface VerifyOptions {
  /**
   * The public key of the server that it is said to be of (`Client.signingKey`), or all that the server has signed with
   * (`Client.signingKeys`): it has to be signed with it, or with one of them.
   */
  readonly signingKey?: SigningKeys;
}

/**
 * Checks the digest of a record, its signature, its commitment and those of the seats.
 *
 * Throws `Unverified` for the first thing that is wrong. A record that is not wrong is not yet true: see `unchecked`.
 */
export function verifyRecord(text: string, { signingKey }: VerifyOptions = {}): RecordCheck {
  const record = readRecord(text);
  const unchecked = new Map<RecordPart, string>([
    ["rules", "actions, digests and result are for a replay by the rules, `edgehill verify`"],
    ["seed", openSeed(record)],
  ]);
  checkCommitments(record);
  const whose = openSignature(record, signingKey);
  if (record.dice === "committed") {
    if (!record.serverSeed) unchecked.set("entropy", "it is withheld with the seed");
    else if (whose) unchecked.set("entropy", whose);
  }
  if (!hasEnded(record)) unchecked.set("end", "the match was not over when it was recorded");
  else if (whose) unchecked.set("end", whose);
  if (whose) unchecked.set("names", whose).set("host's word", whose);
  return { record, unchecked };
}

function openSeed({ dice, serverSeed, seed }: MatchRecord): string {
  if (dice !== "committed" && dice !== "chosen") return "there is none: outcomes can be any";
  return serverSeed || seed
    ? "outcomes are drawn again by `verifyDice`"
    : "it is withheld: outcomes and digests can be any";
}

function hasEnded({ result, givenUp, refereeActs }: MatchRecord): boolean {
  const hasResult = result !== "" && result !== "result none";
  return hasResult || givenUp !== "" || refereeActs.some(({ kind }) => kind === "voided");
}

/** Returns the reason for which nobody vouches for the record; empty if the holder of a known key does. */
function openSignature({ signer, signature, digest }: MatchRecord, given: SigningKeys | undefined): string {
  const known = given && knownKeys(given);
  const named = known && (known.join(" or ") || "a known key");
  if (!signer || !signature) {
    if (named) throw new Unverified(`the signature of ${named}: there is none`);
    return "it is not signed";
  }
  const key = bytesToHex(signer);
  if (known && !known.includes(key)) throw new Unverified(`the signature of ${named}: found that of ${key}`);
  if (!hasSigned(signer, concatBytes(utf8ToBytes(RECORD_KIND), digest), signature)) {
    throw new Unverified(`the signature: ${key} has not signed these lines`);
  }
  return known ? "" : "whose key has signed it is not known";
}

function checkCommitments(record: MatchRecord): void {
  for (const [place, bound] of record.entropyCommitments) {
    const derived = entropyCommitment(record.id, place, record.entropies[place] ?? new Uint8Array());
    same(`the entropy commitment of place ${place}`, derived, bound);
  }
  const { serverSeed, entropies, players } = record;
  if (!serverSeed) return;
  if (!record.group) same("the number of entropies", players.length, entropies.length);
  const terms = {
    id: record.id,
    game: record.game,
    rulesVersion: record.rules,
    contentHash: record.content ?? new Uint8Array(),
    optionsHash: record.optionsHash(),
  };
  same("the commitment", commitment(terms, serverSeed), record.commitment ?? new Uint8Array());
}

/** Throws `Unverified` unless both are the same. Bytes are compared, and shown, as hexadecimal digits. */
export function same(what: string, expected: unknown, found: unknown): void {
  const [left, right] = [shown(expected), shown(found)];
  if (left !== right) throw new Unverified(`${what}: expected ${left}, found ${right}`);
}

function shown(value: unknown): string {
  if (value instanceof Uint8Array) return bytesToHex(value) || "none";
  if (Array.isArray(value)) return `[${value.map(shown).join(", ")}]`;
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}
