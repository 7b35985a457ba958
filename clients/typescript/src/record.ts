/**
 * Records (docs/record.md), read as far as it goes without the rules: all that was settled, the draws, the result, the
 * digest of the text, the signature.
 */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { optionsHash } from "./dice.js";
import { Unverified } from "./errors.js";

const FIRST_LINE = "edgehill record 2";
const DIGEST_TAG = "edgehill/record/2";
const DRAWN = /^(dice|draw) (\d+)\/(\d+): (.+) \[[0-9a-f]{16}\]$/;

/** The name of what a host signs, before the digest. */
export const RECORD_KIND = "edgehill record v2";

/** A chance event: a roll, or something drawn. */
export interface Drawn {
  /** The stream of the seed. */
  readonly stream: number;
  /** The count within the stream; of a draw from a bag, its epoch. */
  readonly n: number;
  /** The faces of a roll, in the roll's order; empty of a draw. */
  readonly faces: readonly number[];
  /** The outcome of a draw, by its id in the catalogue; empty of a roll. */
  readonly what: string;
}

/** An act of a referee, which the rules know nothing of. */
export interface RefereeActLine {
  /** Number of the record's entries before it. */
  readonly entries: number;
  readonly kind: "time" | "replaced" | "voided" | "corrected" | "adjourned" | "resumed";
  /** The referee's reason; may be empty. */
  readonly reason: string;
  /** The seat whose clock was given time, or whose player was replaced. */
  readonly seat?: string;
  /** The milliseconds that a clock was given. */
  readonly addedMs?: number;
  /** The name of the player who was replaced. */
  readonly formerPlayer?: string;
  /** The return of each seat, instead of the result's. */
  readonly returns?: readonly number[];
  /** The longest time, in milliseconds, for which the match was adjourned. */
  readonly longestMs?: number;
}

/** A time for which the match was adjourned, which the rules know nothing of. */
export interface AdjournmentLine {
  /** Number of the record's entries before it. */
  readonly entries: number;
  readonly by: "seats" | "referee";
  /** The longest time that it was to last, in milliseconds. */
  readonly longestMs: number;
  /** The milliseconds that it lasted. `undefined`: it had not ended when the record was made. */
  readonly lastedMs?: number;
}

/** The header of a record, its chance events and its end. Seeds and hashes are `undefined` where the record has none. */
export class MatchRecord {
  game = "";
  rules = "";
  content: Uint8Array | undefined;
  /** The rules version and the content, in hex, that took it up since; empty where there are none. */
  repinned = "";
  scenario = "";
  /** Pairs of id and value. */
  options: [string, string][] = [];
  match = "";
  /** The players' names, in the order of the seats; empty for those without a name. */
  players: string[] = [];
  position = "";
  /** The source of outcomes: `committed`, `chosen`, `scripted`, `entered`, `playout`. */
  dice = "";
  group = "";
  commitment: Uint8Array | undefined;
  /** Also `undefined` while it is withheld. */
  serverSeed: Uint8Array | undefined;
  /** The salt of the options hash; also `undefined` while it is withheld. */
  salt: Uint8Array | undefined;
  /** Of a match whose seed was chosen. */
  seed: Uint8Array | undefined;
  /** By place; zeros where none was given. */
  entropies: Uint8Array[] = [];
  /** By place; of those who were bound to their entropy. */
  entropyCommitments = new Map<number, Uint8Array>();
  /** The chance events in their order. */
  drawn: Drawn[] = [];
  /** The line of the result; empty where there is none. */
  result = "";
  /** The id of the seat that gave up while the host could not play the match; empty if none did. */
  givenUp = "";
  /** The times for which the match was adjourned, in order: its host's word. */
  adjournments: AdjournmentLine[] = [];
  /** The acts of referees, in order: its host's word. */
  refereeActs: RefereeActLine[] = [];
  /** The digest of the text, which its line `end` has. */
  digest = new Uint8Array();
  /** The public key of the signature; `undefined` where there is none. */
  signer: Uint8Array | undefined;
  /** The signature of `RECORD_KIND` and the digest. */
  signature: Uint8Array | undefined;

  /** The id that commitment and seed were made for: the group or, without one, the match. */
  get id(): string {
    return this.group || this.match;
  }

  /** The hash of scenario, options and position, part of what the commitment commits to. */
  optionsHash(): Uint8Array {
    return optionsHash(this.salt ?? new Uint8Array(), this.scenario, this.options, this.position);
  }
}

/**
 * Reads the text of an `.edg` file. Throws `Unverified` for what is no record, and where its digest is another.
 *
 * A signature is read, and not checked.
 */
export function readRecord(text: string): MatchRecord {
  const lines = unwrapped(text);
  if (lines[0] !== FIRST_LINE) {
    const found = JSON.stringify(lines[0]);
    throw new Unverified(`expected "${FIRST_LINE}", the only format that is read here, found ${found}`);
  }
  const record = new MatchRecord();
  const [, ...sealed] = readSeal(record, lines);
  // The entries come after the header, and a seat may be called as a line of it is.
  let isHeader = true;
  for (const line of sealed) {
    isHeader &&= !line.startsWith("start [");
    if (!readLine(record, line, isHeader)) {
      throw new Unverified(`the line ${JSON.stringify(line)} is none of a record`);
    }
  }
  return record;
}

/** Reads digest and signature; returns the lines that they are of. */
function readSeal(record: MatchRecord, lines: readonly string[]): readonly string[] {
  const signed = /^signer ([0-9a-f]{64})\nsignature ([0-9a-f]{128})$/.exec(lines.slice(-2).join("\n"));
  const [, signer, signature] = signed ?? [];
  if (signer && signature) {
    record.signer = hexToBytes(signer);
    record.signature = hexToBytes(signature);
  }
  const unsigned = signed ? lines.slice(0, -2) : lines;
  const end = unsigned.at(-1) ?? "";
  const sealed = unsigned.slice(0, -1);
  if (!/^end [0-9a-f]{64}$/.test(end) || sealed.length === 0) {
    const found = JSON.stringify(end);
    throw new Unverified(`a record ends with "end" and 64 digits, or with a signature after that; this with ${found}`);
  }
  record.digest = sha256(utf8ToBytes(DIGEST_TAG + sealed.map((line) => `${line}\n`).join("")));
  const digest = bytesToHex(record.digest);
  if (end !== `end ${digest}`) {
    throw new Unverified(`the digest of the text: expected ${digest}, found ${end.slice("end ".length)}`);
  }
  return sealed;
}

/**
 * The lines of the text, with those that were broken at 100 bytes joined again. Throws `Unverified` for characters that
 * no record has.
 */
export function unwrapped(text: string): string[] {
  const lines: string[] = [];
  for (const [place, raw] of text
    .replace(/[\r\n ]+$/, "")
    .split("\n")
    .entries()) {
    const line = raw.replace(/[\r ]+$/, "");
    if (!/^[ -~]*$/.test(line)) {
      throw new Unverified(`line ${place + 1} has other characters than printable ASCII`);
    }
    const last = lines.at(-1);
    if (last !== undefined && line.startsWith("  \\")) lines[lines.length - 1] = last + line.slice(3);
    else if (last !== undefined && line.startsWith("  ")) lines[lines.length - 1] = last + line.slice(1);
    else lines.push(line);
  }
  return lines;
}

/** Reads one line; returns false for one that is none of a record. */
function readLine(record: MatchRecord, line: string, isHeader: boolean): boolean {
  if (record.result !== "") return readAfterResult(record, line);
  const [, kind, stream, n, what] = DRAWN.exec(line) ?? [];
  if (kind && what) {
    const faces = kind === "dice" ? what.split(" ").map(Number) : [];
    if (faces.some((face) => !Number.isInteger(face))) return false;
    record.drawn.push({ stream: Number(stream), n: Number(n), faces, what: kind === "dice" ? "" : what });
    return true;
  }
  if (isHeader) return readHeaderLine(record, line);
  if (line.startsWith("result ")) record.result = line;
  return true;
}

function readHeaderLine(record: MatchRecord, line: string): boolean {
  const { word, rest } = split(line);
  switch (word) {
    case "game":
    case "rules":
    case "repinned":
    case "scenario":
    case "dice":
    case "position":
      record[word] = rest;
      return true;
    case "match":
    case "group": {
      const id = unquoted(rest);
      record[word] = id ?? "";
      return id !== undefined;
    }
    case "option": {
      const option = split(rest);
      record.options.push([option.word, option.rest]);
      return true;
    }
    case "seat": {
      const player = unquoted(split(rest).rest);
      record.players.push(player ?? "");
      return player !== undefined;
    }
    case "server-seed":
      return readDigits(record, "serverSeed", rest);
    case "content":
    case "commitment":
    case "seed":
    case "salt":
      return readDigits(record, word, rest);
    case "entropy":
      return readEntropy(record, line, rest.split(" "));
    default:
      return true;
  }
}

function readDigits(
  record: MatchRecord,
  field: "content" | "commitment" | "serverSeed" | "seed" | "salt",
  digits: string,
): boolean {
  const mayBeWithheld = field !== "content" && field !== "commitment";
  if (digits === "withheld" && mayBeWithheld) return true;
  record[field] = bytesOf(digits);
  return record[field] !== undefined;
}

function readEntropy(record: MatchRecord, line: string, [place, given, word, bound]: readonly string[]): boolean {
  if (Number(place) !== record.entropies.length) {
    throw new Unverified(`entropy of place ${record.entropies.length} was expected, found ${JSON.stringify(line)}`);
  }
  const entropy = given === "absent" ? new Uint8Array(32) : bytesOf(given);
  if (!entropy) return false;
  record.entropies.push(entropy);
  if (word === undefined) return true;
  const commitment = bytesOf(bound);
  if (word !== "committed" || !commitment) return false;
  record.entropyCommitments.set(Number(place), commitment);
  return true;
}

function readAfterResult(record: MatchRecord, line: string): boolean {
  const { word, rest } = split(line);
  if (word === "given-up") {
    const isFirst = record.givenUp === "" && record.adjournments.length === 0 && record.refereeActs.length === 0;
    record.givenUp = rest;
    return isFirst && record.result === "result none" && /^[^ ]+$/.test(rest);
  }
  if (word === "adjourned") {
    const found = /^(\d+) by (seats|referee) for (\d+)(?: lasted (\d+))?$/.exec(rest);
    if (!found) return false;
    const [, entries, by, longest, lasted] = found;
    const lastedMs = lasted === undefined ? undefined : Number(lasted);
    const whose = by === "referee" ? "referee" : "seats";
    record.adjournments.push({ entries: Number(entries), by: whose, longestMs: Number(longest), lastedMs });
    return true;
  }
  const act = word === "referee" ? refereeAct(rest) : undefined;
  if (act) record.refereeActs.push(act);
  return act !== undefined;
}

/** Reads the line of an act; its words in quotes are JSON. */
function refereeAct(rest: string): RefereeActLine | undefined {
  const found = /^(\d+) (.*?) ?reason ("(?:[^"\\]|\\.)*")$/.exec(rest);
  const reason = unquoted(found?.[3] ?? "");
  if (!found || reason === undefined) return undefined;
  const entries = Number(found[1]);
  const act = found[2] ?? "";
  if (act === "voided" || act === "resumed") return { entries, kind: act, reason };
  const [, seat, addedMs] = /^time ([^ "]+) (-?\d+)$/.exec(act) ?? [];
  if (seat && addedMs) return { entries, kind: "time", reason, seat, addedMs: Number(addedMs) };
  const [, longestMs] = /^adjourned (\d+)$/.exec(act) ?? [];
  if (longestMs) return { entries, kind: "adjourned", reason, longestMs: Number(longestMs) };
  const [, returns] = /^corrected (-?\d+(?: -?\d+)*)$/.exec(act) ?? [];
  if (returns) return { entries, kind: "corrected", reason, returns: returns.split(" ").map(Number) };
  const [, replaced, former] = /^replaced ([^ "]+) ("(?:[^"\\]|\\.)*")$/.exec(act) ?? [];
  const formerPlayer = unquoted(former ?? "");
  if (replaced && formerPlayer !== undefined)
    return { entries, kind: "replaced", reason, seat: replaced, formerPlayer };
  return undefined;
}

/** Splits a line behind its first word. */
function split(line: string): { word: string; rest: string } {
  const blank = line.indexOf(" ");
  return blank < 0 ? { word: line, rest: "" } : { word: line.slice(0, blank), rest: line.slice(blank + 1) };
}

/** Returns the text of a JSON string; `undefined` for anything else. */
function unquoted(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the bytes of 64 hexadecimal digits; `undefined` for anything else. */
function bytesOf(digits: string | undefined): Uint8Array | undefined {
  return digits !== undefined && /^[0-9a-f]{64}$/.test(digits) ? hexToBytes(digits) : undefined;
}
