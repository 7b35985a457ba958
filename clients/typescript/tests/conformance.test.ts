/** clients/conformance, and the vectors of the dice: each of them, by this client. */

import assert from "node:assert/strict";
import { createServer } from "node:http2";
import test, { after } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { create, equals, fromBinary, fromJson, type JsonValue, toJson } from "@bufbuild/protobuf";
import { base64Decode } from "@bufbuild/protobuf/wire";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import {
  CallFailed,
  connect,
  fold,
  leastPauseMs,
  Refused,
  SequenceGap,
  Transcript,
  UnknownChange,
  Unverified,
  ViewTracker,
  v1,
  verifyRecord,
  verifyTranscript,
} from "edgehill";
import * as dice from "edgehill/dice";
import { failed, sameMessage } from "./asking.js";
import { fileOf } from "./running.js";
import {
  codeOf,
  type ReasonVector,
  type RetryVector,
  reasonVectors,
  retryVectors,
  type StatusVector,
} from "./vectors/errors.js";
import { type FoldVector, type TrackerVector, trackerVectors } from "./vectors/folds.js";
import type { TranscriptFault, TranscriptVector } from "./vectors/receipts.js";
import { type RecordFault, type RecordVector, recordVectors } from "./vectors/records.js";

/** Reads a file of vectors, which has to be of this format. */
function vectors<T>(path: string, format: string): T {
  const read = JSON.parse(fileOf(path));
  assert.equal(read.format, format);
  return read;
}

/** The words in which this client tells the faults of records. */
const RECORD_FAULTS: Readonly<Record<RecordFault, RegExp>> = {
  format: /the only format that is read here/,
  characters: /other characters than printable ASCII/,
  end: /^a record ends with "end"/,
  digest: /^the digest of the text/,
  line: /is none of a record$/,
  unsigned: /^the signature of .*: there is none/,
  signer: /^the signature of .*: found that of/,
  signature: /has not signed these lines$/,
  commitment: /^the commitment/,
  entropy_commitment: /^the entropy commitment of place/,
  entropies: /^the number of entropies/,
};

/** The words in which it tells those of transcripts. */
const TRANSCRIPT_FAULTS: Readonly<Record<TranscriptFault, RegExp>> = {
  text: /^(a transcript begins with|the observer: |the line .* is none of a transcript)/,
  events: /is for other events, or for another order$/,
  signature: /is not signed by/,
  signer: /found the signature of/,
};

const { records } = vectors<{ records: RecordVector[] }>(
  "clients/conformance/records.json",
  "edgehill-record-vectors/1",
);
const errors = vectors<{ reasons: ReasonVector[]; statuses: StatusVector[]; retries: RetryVector[] }>(
  "clients/conformance/errors.json",
  "edgehill-error-vectors/1",
);
const { folds, trackers } = vectors<{ folds: FoldVector[]; trackers: TrackerVector[] }>(
  "clients/conformance/folds.json",
  "edgehill-fold-vectors/1",
);
const { transcripts } = vectors<{ transcripts: TranscriptVector[] }>(
  "clients/conformance/receipts.json",
  "edgehill-receipt-vectors/1",
);

test("the vectors follow from the documents as they are", () => {
  const lists = [
    [records, recordVectors()],
    [errors.reasons, reasonVectors()],
    [errors.retries, retryVectors()],
    [trackers, trackerVectors()],
  ];
  for (const [written, made] of lists)
    assert.ok(isDeepStrictEqual(written, made), "`npm run vectors` writes them anew");
});

for (const { name, text, signing_keys, unchecked, fault, read } of records) {
  test(`record: ${name}`, () => {
    const signingKey = signing_keys?.map((key) => hexToBytes(key));
    if (fault) {
      assert.throws(
        () => verifyRecord(text, { signingKey }),
        (error) => error instanceof Unverified && RECORD_FAULTS[fault].test(error.message),
      );
      return;
    }
    const checked = verifyRecord(text, { signingKey });
    assert.deepEqual([...checked.unchecked.keys()].sort(), [...(unchecked ?? [])].sort());
    const { game, match, players, drawn, givenUp, adjournments, refereeActs } = checked.record;
    const found: Record<string, unknown> = {
      game,
      match,
      players,
      draws: drawn.filter(({ faces }) => faces.length === 0).length,
      rolls: drawn.filter(({ faces }) => faces.length > 0).length,
      given_up: givenUp,
      adjournments: adjournments.map(({ entries, by, longestMs, lastedMs }) => {
        return { entries, by, longest_ms: longestMs, lasted_ms: lastedMs ?? null };
      }),
      referee_acts: refereeActs.map(({ entries, kind, reason }) => ({ entries, kind, reason })),
    };
    for (const [field, expected] of Object.entries(read ?? {})) assert.deepEqual(found[field], expected, field);
  });
}

test("no flipped bit of a signed record goes unnoticed", () => {
  const [signed] = records;
  assert.ok(signed);
  const signingKey = signed.signing_keys?.map((key) => hexToBytes(key));
  const whole = verifyRecord(signed.text, { signingKey }).record;
  for (let place = 0; place < signed.text.length; place++) {
    for (let bit = 0; bit < 7; bit++) {
      const flipped = String.fromCharCode(signed.text.charCodeAt(place) ^ (1 << bit));
      const forged: string = signed.text.slice(0, place) + flipped + signed.text.slice(place + 1);
      try {
        // Another form of the same text, such as a blank for the last line feed.
        assert.deepEqual(verifyRecord(forged, { signingKey }).record, whole);
      } catch (error) {
        assert.ok(error instanceof Unverified, `bit ${bit} at ${place}`);
      }
    }
  }
});

test("every reason has the number that the wire gives it", () => {
  const numbers = new Map(errors.reasons.map(({ reason, number }) => [reason, number]));
  for (const [name, number] of Object.entries(v1.ErrorReason)) {
    if (typeof number === "number" && number !== 0) assert.equal(numbers.get(name), number, name);
  }
  for (const { reason, number, code } of errors.reasons) {
    const refused = new Refused(create(v1.RefusalSchema, { reason: number, code: codeOf(code) }));
    assert.deepEqual([refused.reasonName, refused.code], [reason, codeOf(code)]);
  }
});

for (const { name, status, details, refusal } of errors.statuses) {
  test(`status: ${name}`, async (t) => {
    // A server that knows nothing but this answer.
    const server = createServer();
    server.on("stream", (stream) => {
      stream.respond(
        { "content-type": "application/grpc", "grpc-status": String(status), "grpc-status-details-bin": details },
        { endStream: true },
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const bound = server.address();
    assert.ok(bound && typeof bound === "object");
    const client = connect(`127.0.0.1:${bound.port}`);
    t.after(() => {
      client.close();
      server.close();
    });
    const refused = await failed(Refused, client.games());
    assert.deepEqual(toJson(v1.RefusalSchema, refused.refusal), refusal);
    assert.equal(refused.code, status);
  });
}

for (const { name, code, refused, retry_after_ms, failures, pause_ms } of errors.retries) {
  test(`repetition: ${name}`, () => {
    const retryAfter = retry_after_ms === null ? undefined : durationFromMs(retry_after_ms);
    const error = refused
      ? new Refused(create(v1.RefusalSchema, { code: codeOf(code), retryAfter }))
      : new CallFailed(codeOf(code), "no answer");
    assert.equal(leastPauseMs(error, failures) ?? null, pause_ms);
  });
}

const folded = new Set<string | undefined>();
for (const { game, observer, start, events, end } of folds) {
  test(`fold: ${game}, ${observer === null ? "spectator" : `seat ${observer}`}`, () => {
    const first = fromBinary(v1.ViewSchema, base64Decode(start));
    const facts = events.map((event) => fromBinary(v1.EventSchema, base64Decode(event)));
    for (const { changes } of facts) for (const { entry } of changes) folded.add(entry.case);
    const last = facts.reduce(fold, first);
    sameMessage(v1.ViewSchema, last, fromBinary(v1.ViewSchema, base64Decode(end)));
    sameMessage(v1.ViewSchema, first, fromBinary(v1.ViewSchema, base64Decode(start)));
    assert.ok(!equals(v1.ViewSchema, first, last));
    // Folding is replacing: a second time it changes nothing that was not changed since.
    sameMessage(v1.ViewSchema, facts.slice(-1).reduce(fold, last), last);
  });
}

test("the folds have every kind of change", () => {
  const kinds = v1.ChangeSchema.oneofs[0]?.fields.map(({ localName }) => localName);
  assert.deepEqual(
    kinds?.filter((kind) => !folded.has(kind)),
    [],
  );
});

for (const { name, seq, view, updates, expected } of trackers) {
  test(`tracker: ${name}`, () => {
    const tracker = new ViewTracker();
    tracker.begin(fromJson(v1.ViewSchema, view), BigInt(seq));
    const foldAll = () => {
      for (const update of updates) tracker.fold(fromJson(v1.SeatUpdateSchema, update));
    };
    if ("fault" in expected) {
      assert.throws(foldAll, expected.fault === "gap" ? SequenceGap : UnknownChange);
      assert.equal(tracker.view, undefined);
      return;
    }
    foldAll();
    sameMessage(v1.ViewSchema, tracker.view, fromJson(v1.ViewSchema, expected.view));
    assert.equal(tracker.seq, BigInt(expected.seq));
  });
}

for (const { name, text, signing_keys, fault, ...expected } of transcripts) {
  test(`transcript: ${name}`, () => {
    const signingKey = signing_keys?.map((key) => hexToBytes(key));
    if (fault) {
      assert.throws(
        () => verifyTranscript(Transcript.read(text), { signingKey }),
        (error) => error instanceof Unverified && TRANSCRIPT_FAULTS[fault].test(error.message),
      );
      return;
    }
    const transcript = Transcript.read(text);
    assert.equal(transcript.text(), text);
    const { receipts, unproven, complete } = verifyTranscript(transcript, { signingKey });
    const ranges = unproven.map(({ first, last }) => [Number(first), Number(last)]);
    assert.deepEqual({ receipts, unproven: ranges, complete }, expected);
  });
}

/** A vector of the dice: its fields are those of docs/dice.md. */
interface DiceVector {
  readonly [field: string]: JsonValue;
}

/** Each list of the vectors of the dice, and the value that this client derives for an entry of it. */
const DICE: Readonly<Record<string, (vector: DiceVector) => void>> = {
  key_streams: ({ seed, stream, n, bytes }) => {
    const source = dice.keyStream(bytesOf(seed), Number(stream), Number(n));
    const found = Array.from({ length: bytesOf(bytes).length }, () => source.next().value);
    assert.equal(bytesToHex(Uint8Array.from(found)), bytes);
  },
  options_hashes: ({ salt, scenario, options, position, options_hash }) => {
    const pairs = listOf(options).map((option): [string, string] => {
      const [id, value] = listOf(option);
      return [String(id), String(value)];
    });
    const found = dice.optionsHash(bytesOf(salt), String(scenario), pairs, String(position));
    assert.equal(bytesToHex(found), options_hash);
  },
  commitments: ({ id, game, rules_version, content_hash, options_hash, server_seed, commitment }) => {
    const terms = {
      id: String(id),
      game: String(game),
      rulesVersion: String(rules_version),
      contentHash: bytesOf(content_hash),
      optionsHash: bytesOf(options_hash),
    };
    assert.equal(bytesToHex(dice.commitment(terms, bytesOf(server_seed))), commitment);
  },
  entropy_commitments: ({ id, seat, entropy, commitment }) => {
    assert.equal(bytesToHex(dice.entropyCommitment(String(id), Number(seat), bytesOf(entropy))), commitment);
  },
  seeds: ({ id, server_seed, entropies, seed }) => {
    const given = listOf(entropies).map((entropy) => (entropy === null ? new Uint8Array(32) : bytesOf(entropy)));
    assert.equal(bytesToHex(dice.matchSeed(String(id), bytesOf(server_seed), given)), seed);
  },
  series: ({ series_seed, account, n, server_seed }) => {
    assert.equal(bytesToHex(dice.seriesSeed(bytesOf(series_seed), String(account), Number(n))), server_seed);
  },
  rolls: ({ seed, stream, n, dice: count, sides, faces }) => {
    assert.deepEqual(dice.roll(bytesOf(seed), Number(stream), Number(n), Number(count), Number(sides)), faces);
  },
  choices: ({ seed, stream, n, weights, index }) => {
    assert.equal(dice.choice(bytesOf(seed), Number(stream), Number(n), listOf(weights).map(Number)), index);
  },
  bags: ({ seed, stream, epoch, cards, order }) => {
    const left = new Set(listOf(cards).map(Number));
    for (const card of listOf(order)) {
      assert.equal(dice.bag(bytesOf(seed), Number(stream), Number(epoch), left), card);
      left.delete(Number(card));
    }
    assert.equal(left.size, 0);
  },
};

const drawn = vectors<Record<string, DiceVector[]>>("engine/tests/data/dice_vectors.json", "edgehill-dice-vectors/1");
for (const [list, entries] of Object.entries(drawn)) {
  if (list === "format") continue;
  test(`dice: ${list}`, () => {
    const check = DICE[list];
    assert.ok(check, "a list that no test knows");
    assert.ok(entries.length > 0);
    for (const entry of entries) check(entry);
  });
}

function bytesOf(digits: JsonValue | undefined): Uint8Array {
  return hexToBytes(String(digits));
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  assert.ok(Array.isArray(value));
  return value;
}

after(() => assert.equal(Object.keys(drawn).length, Object.keys(DICE).length + 1));
