/** Transcripts and receipts: the hash that a client reckons over its events is the one that the server signs. */

import assert from "node:assert/strict";
import test, { after } from "node:test";
import { create } from "@bufbuild/protobuf";
import {
  type Client,
  houseBot,
  SequenceGap,
  Transcript,
  Unverified,
  v1,
  verifyDice,
  verifyRecord,
  verifyTranscript,
} from "edgehill";
import { bothSeats, there } from "./asking.js";
import { client as clientOf, Server } from "./running.js";

const server = await Server.start({ after });
const client = clientOf({ after }, server.address);

/** Makes a match of house bots, and returns its id when it is over. */
async function botMatch(asked: Client, game: string): Promise<v1.MatchConfig> {
  const { seats } = await asked.game(game);
  return (await asked.create(game, { seats: seats.map(() => houseBot()) })).match.config;
}

/** All that a spectator is shown of a match, with the receipt for it. */
async function shown(asked: Client, matchId: string, includeText = false): Promise<Transcript> {
  const transcript = new Transcript(matchId);
  for await (const { events } of asked.watchMatch(matchId, { afterSeq: 0n, includeText })) {
    for (const event of events) transcript.add(event);
  }
  transcript.addReceipt(await asked.receipt(matchId));
  return transcript;
}

const signingKey = await client.signingKey();
for (const { id: game } of await client.games()) {
  test(`a spectator of ${game} reckons the hash that the server signs`, async () => {
    const { matchId } = await botMatch(client, game);
    const transcript = await shown(client, matchId);
    assert.ok(transcript.seq > 10n);
    const checked = verifyTranscript(transcript, { signingKey });
    assert.deepEqual([checked.receipts, checked.unproven, checked.complete], [1, [], true]);
    const words = await shown(client, matchId, true);
    assert.equal(words.text(), transcript.text());
    const again = Transcript.read(transcript.text());
    assert.equal(again.text(), transcript.text());
    assert.deepEqual(verifyTranscript(again, { signingKey }), checked);
  });
}

test("a seat reckons the hash that the server signs", async () => {
  const [north, south] = await bothSeats(client);
  await north.apply(there((await north.legal()).legalActions.ids[0]));
  await north.undo();
  const transcript = new Transcript(north.matchId, 0);
  const receipt = await north.receipt();
  for await (const { events } of north.watchMatch({ afterSeq: 0n })) {
    for (const event of events) transcript.add(event);
    if (transcript.seq >= receipt.seq) break;
  }
  assert.deepEqual(transcript.hash, receipt.streamHash);
  const others = await south.receipt();
  assert.throws(() => transcript.addReceipt(others), /not for this match, this observer/);
  transcript.addReceipt(receipt);
  assert.ok(verifyTranscript(transcript, { signingKey }).complete);
});

test("a transcript that was changed is refused", async () => {
  const { matchId } = await botMatch(client, "skirmish");
  const text = (await shown(client, matchId)).text();
  const lines = text.trimEnd().split("\n");
  const swapped = [...lines.slice(0, 3), lines[4], lines[3], ...lines.slice(5)].join("\n");
  const dropped = [...lines.slice(0, 5), ...lines.slice(6)].join("\n");
  for (const forged of [swapped, dropped]) {
    assert.throws(() => verifyTranscript(Transcript.read(forged)), /is for other events/);
  }
  const flipped = text.replace(/(.)(.{127}\n)$/, (_, digit: string, rest: string) => {
    return `${(Number.parseInt(digit, 16) ^ 1).toString(16)}${rest}`;
  });
  assert.throws(() => verifyTranscript(Transcript.read(flipped)), /is not signed by/);
  const options = { signingKey: new Uint8Array(32) };
  assert.throws(() => verifyTranscript(Transcript.read(text), options), /found the signature of/);
});

test("events that no receipt proves are told", async () => {
  const { matchId } = await botMatch(client, "skirmish");
  const transcript = await shown(client, matchId);
  const last = transcript.seq;
  assert.equal(verifyTranscript(transcript).complete, false, "whose key it is, nobody has said");
  transcript.add(create(v1.EventSchema, { seq: last + 1n, code: "more", streamHash: new Uint8Array(32) }));
  transcript.add(create(v1.EventSchema, { seq: last + 2n, code: "more" }));
  assert.deepEqual(verifyTranscript(transcript).unproven, [{ first: last + 1n, last: last + 2n }]);
});

test("texts that are none of a transcript", () => {
  assert.throws(() => new Transcript("m").add(create(v1.EventSchema, { seq: 2n })), SequenceGap);
  const whole = new Transcript("m", 1).text();
  const wrong = [
    "",
    whole.replace("script 1", "script 2"),
    whole.replace("match", "game"),
    whole.replace("observer 1", "observer north"),
    `${whole}event 1G\n`,
    `${whole}event 07\n`,
    `${whole}receipt 00 00\n`,
    `${whole}recipe\n`,
  ];
  for (const text of wrong) assert.throws(() => Transcript.read(text), Unverified, text);
});

test("a key that was rotated is good until it is forgotten", async (t) => {
  const rotated = await Server.start(t);
  let asked = clientOf(t, rotated.address);
  const config = await botMatch(asked, "skirmish");
  const transcript = await shown(asked, config.matchId);
  const { text } = await asked.record(config.matchId);
  const first = await asked.signingKey();
  await rotated.rotateKey();
  asked = clientOf(t, rotated.address);
  const keys = await asked.signingKeys();
  assert.deepEqual([keys.length, keys[1], keys[0]], [2, first, await asked.signingKey()]);
  assert.deepEqual([...verifyRecord(text, { signingKey: keys }).unchecked.keys()], ["rules", "seed"]);
  verifyDice(config, (await asked.get(config.matchId)).state, text, { signingKey: keys });
  // Receipts of both keys in one transcript.
  transcript.addReceipt(await asked.receipt(config.matchId));
  assert.ok(verifyTranscript(transcript, { signingKey: keys }).complete);
  for (const one of keys) {
    assert.throws(() => verifyTranscript(transcript, { signingKey: one }), /found the signature of/);
  }
  assert.throws(() => verifyRecord(text, { signingKey: there(keys[0]) }), /found that of/);
  await rotated.rotateKey("--forget");
  asked = clientOf(t, rotated.address);
  assert.deepEqual(await asked.signingKeys(), keys.slice(0, 1));
});
