/** All that a server has shown to one observer of a match, and its signed word for it (docs/record.md, "Receipts"). */

import { clone, create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { SequenceGap, Unverified } from "./errors.js";
import { hasSigned, knownKeys } from "./signature.js";
import { type Change, type Event, EventSchema, type Receipt, ReceiptSchema } from "./v1.js";
import type { VerifyOptions } from "./verify-record.js";

const FIRST_LINE = "edgehill transcript 1";
/** The name of what a server signs, before the digest. */
const RECEIPT_KIND = "edgehill receipt v1";

/**
 * The events that were shown to an observer, from number 1 on, and receipts for them.
 *
 * `add` takes every event as it comes; `hash` is then what a receipt for the same number says.
 */
export class Transcript {
  readonly matchId: string;
  /** The observer's seat; `undefined` for a spectator. */
  readonly seat: number | undefined;
  /** The number of the last event; 0n: none. */
  seq = 0n;
  /** The running hash after that event. */
  hash: Uint8Array;
  /** Events without words, and receipts, in the order in which they came. */
  readonly shown: (Event | Receipt)[] = [];

  constructor(matchId: string, seat?: number) {
    this.matchId = matchId;
    this.seat = seat;
    this.hash = sha256(utf8ToBytes(`edgehill/stream/1\nmatch ${matchId}\nobserver ${observer(seat)}\n`));
  }

  /** Adds an event; one that is there already is passed over. Throws `SequenceGap` if there is a gap before it. */
  add(event: Event): void {
    if (event.seq > 0n && event.seq <= this.seq) return;
    if (event.seq !== this.seq + 1n) {
      throw new SequenceGap(`event ${event.seq} does not follow number ${this.seq}`);
    }
    const bare = withoutWords(event);
    const hasOwnHash = event.streamHash.length > 0;
    this.hash = hasOwnHash ? event.streamHash : sha256(concatBytes(this.hash, bytesOf(bare)));
    this.seq = event.seq;
    this.shown.push(bare);
  }

  /** Adds a receipt for all that is there by now, right or wrong. Throws `Unverified` for one of something else. */
  addReceipt(receipt: Receipt): void {
    const { matchId, seq } = receipt;
    if (matchId !== this.matchId || receipt.observer?.seat !== this.seat || seq !== this.seq) {
      throw new Unverified(`the receipt is not for this match, this observer and number ${this.seq}`);
    }
    this.shown.push(receipt);
  }

  /** Returns the text of the `.edt` file, which `edgehill verify --receipt` reads. */
  text(): string {
    const lines = this.shown.map((shown) => {
      if (shown.$typeName === "edgehill.v1.Event") return `event ${bytesToHex(bytesOf(shown))}`;
      return ["receipt", ...[shown.streamHash, shown.signer, shown.signature].map(bytesToHex)].join(" ");
    });
    return [FIRST_LINE, `match ${this.matchId}`, `observer ${observer(this.seat)}`, ...lines, ""].join("\n");
  }

  /** Reads the text of an `.edt` file. Throws `Unverified` for a line that is none of a transcript. */
  static read(text: string): Transcript {
    const lines = text.split(/\r?\n/).map((line) => line.trimEnd());
    const [first, match, who, ...rest] = lines.filter((line) => line !== "");
    if (first !== FIRST_LINE || !match?.startsWith("match ") || !who?.startsWith("observer ")) {
      throw new Unverified(`a transcript begins with "${FIRST_LINE}", its match and its observer`);
    }
    const given = who.slice("observer ".length);
    if (given !== "spectator" && !/^\d+$/.test(given)) {
      throw new Unverified(`the observer: a seat's number or "spectator" expected, found ${JSON.stringify(given)}`);
    }
    const read = new Transcript(match.slice("match ".length), given === "spectator" ? undefined : Number(given));
    for (const line of rest) {
      try {
        read.#line(line);
      } catch (error) {
        throw new Unverified(`the line ${JSON.stringify(line.slice(0, 80))} is none of a transcript`, { cause: error });
      }
    }
    return read;
  }

  #line(line: string): void {
    const [word, ...parts] = line.split(" ");
    const [first = "", signer = "", signature = ""] = parts;
    if (word === "event" && parts.length === 1) {
      const event = fromBinary(EventSchema, hexToBytes(first));
      event.seq = this.seq + 1n;
      this.add(event);
    } else if (word === "receipt" && parts.length === 3) {
      const receipt = create(ReceiptSchema, {
        matchId: this.matchId,
        observer: { seat: this.seat },
        seq: this.seq,
        streamHash: hexToBytes(first),
        signer: hexToBytes(signer),
        signature: hexToBytes(signature),
      });
      this.shown.push(receipt);
    } else {
      throw new Unverified("neither an event nor a receipt");
    }
  }
}

/** Numbers of events, from the first to the last. */
export interface EventRange {
  readonly first: bigint;
  readonly last: bigint;
}

/** A transcript in which nothing contradicts anything. */
export interface TranscriptCheck {
  /** Number of receipts. */
  readonly receipts: number;
  /** Events that no receipt proves. */
  readonly unproven: readonly EventRange[];
  /** True if the holder of a known key has signed all receipts. */
  readonly signed: boolean;
  /** True if a known server has signed for every event. */
  readonly complete: boolean;
}

/**
 * Checks the receipts of a transcript against the events before them.
 *
 * Throws `Unverified` for the first receipt that is wrong. `edgehill verify --receipt`, which has the rules, compares
 * the events with a record.
 */
export function verifyTranscript(transcript: Transcript, { signingKey }: VerifyOptions = {}): TranscriptCheck {
  const known = signingKey && knownKeys(signingKey);
  const again = new Transcript(transcript.matchId, transcript.seat);
  const unproven: EventRange[] = [];
  let [receipts, proven, jump] = [0, 0n, 0n];
  for (const shown of transcript.shown) {
    if (shown.$typeName === "edgehill.v1.Event") {
      again.add(shown);
      if (shown.streamHash.length > 0) jump = again.seq;
      continue;
    }
    checkReceipt(shown, again, known);
    receipts += 1;
    if (jump > proven) unproven.push({ first: proven + 1n, last: jump });
    proven = again.seq;
  }
  if (proven < again.seq) unproven.push({ first: proven + 1n, last: again.seq });
  const signed = known !== undefined;
  return { receipts, unproven, signed, complete: signed && receipts > 0 && unproven.length === 0 };
}

function checkReceipt(receipt: Receipt, events: Transcript, known: readonly string[] | undefined): void {
  const what = `the receipt for number ${events.seq}`;
  const key = bytesToHex(receipt.signer);
  if (bytesToHex(receipt.streamHash) !== bytesToHex(events.hash)) {
    throw new Unverified(`${what} is for other events, or for another order`);
  }
  if (known && !known.includes(key)) throw new Unverified(`${what}: found the signature of ${key}`);
  const signed = concatBytes(utf8ToBytes(RECEIPT_KIND), receiptDigest(receipt));
  if (!hasSigned(receipt.signer, signed, receipt.signature)) {
    throw new Unverified(`${what} is not signed by ${key}`);
  }
}

/** Returns the digest that a receipt's signature is of. */
export function receiptDigest({ matchId, observer: whose, seq, streamHash }: Receipt): Uint8Array {
  const about = `match ${matchId}\nobserver ${observer(whose?.seat)}\nseq ${seq}\nstream-hash ${bytesToHex(streamHash)}\n`;
  return sha256(utf8ToBytes(`edgehill/receipt/1\n${about}`));
}

function observer(seat: number | undefined): string {
  return seat === undefined ? "spectator" : String(seat);
}

/** Returns the bytes of an event without its number: fields in the order of theirs, as protobuf's libraries write them. */
function bytesOf(event: Event): Uint8Array {
  return toBinary(EventSchema, { ...event, seq: 0n });
}

function withoutWords(event: Event): Event {
  const bare = clone(EventSchema, event);
  bare.text = "";
  for (const phrase of bare.changes.flatMap(phrasesOf)) phrase.text = "";
  return bare;
}

function phrasesOf({ entry }: Change) {
  if (entry.case === "known") return entry.value.known.flatMap(({ facts }) => facts);
  if (entry.case !== "turnState") return [];
  const { prompt, warnings, entitlements } = entry.value;
  const owed = entitlements.flatMap(({ what }) => what ?? []);
  return [...(prompt ? [prompt] : []), ...warnings, ...owed];
}
