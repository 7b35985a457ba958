/** Seeking somebody to play with, also through connections that break. */

import assert from "node:assert/strict";
import test, { after } from "node:test";
import { all, next, refused } from "./asking.js";
import { client as clientOf, Relay, Server } from "./running.js";

const server = await Server.start({ after });
const client = clientOf({ after }, server.address);
const other = clientOf({ after }, server.address);

test("two who seek the same play each other", async () => {
  const clock = { bank: { seconds: 600n } };
  const south = client.seek("skirmish", { seat: 1, clock, waitMs: 60_000 });
  const first = await next(south);
  assert.deepEqual([first.sameTerms, first.sameGame], [1, 1]);
  const found = await other.seek("skirmish", { clock }).paired();
  const paired = await south.paired();
  assert.deepEqual([paired.seat, found.seat], [1, 0]);
  const { matchId } = paired.match.config;
  assert.equal(found.match.config.matchId, matchId);
  assert.notEqual(paired.invitation, found.invitation);
  for (const [who, { seat, invitation }] of [
    [client, paired],
    [other, found],
  ] as const) {
    const taken = await who.join(matchId, { seat, invitation });
    assert.deepEqual([taken.number, taken.entropy?.length], [seat, 32]);
  }
});

test("a request that was paired leads to the same seat", async () => {
  const first = client.seek("skirmish", { requestId: "mine" });
  await next(first);
  await other.seek("skirmish").paired();
  const paired = await first.paired();
  const again = await client.seek("skirmish", { requestId: "mine" }).paired();
  assert.deepEqual([again.invitation, again.seat], [paired.invitation, paired.seat]);
  await refused("REQUEST_ID_REUSED", client.seek("skirmish", { requestId: "mine", seat: 0 }).paired());
});

test("a seek that finds nobody expires, and one that is closed is taken back", async () => {
  await refused("SEEK_EXPIRED", client.seek("skirmish", { waitMs: 50 }).paired());
  await refused("NO_OPPONENT", client.seek("cruel-necessity").paired());
  const seek = client.seek("skirmish", { seat: 0 });
  await next(seek);
  seek.close();
  assert.deepEqual(await all(seek), []);
  assert.equal(seek.result, undefined);
  await assert.rejects(seek.paired(), /the seek is closed/);
});

test("a seek goes on through a restart", async (t) => {
  const restarted = await Server.start(t);
  const relay = await Relay.start(t, restarted.address);
  const [ada, bob] = [clientOf(t, relay.address), clientOf(t, relay.address)];
  const seek = ada.seek("skirmish", { seat: 0 });
  await next(seek);
  await restarted.kill();
  await restarted.start();
  relay.moveTo(restarted.address);
  // The next count is the new server's, where it is the only seek again.
  assert.equal((await next(seek)).sameTerms, 1);
  const found = await bob.seek("skirmish").paired();
  const paired = await seek.paired();
  assert.deepEqual([paired.seat, found.seat], [0, 1]);
  assert.equal(paired.match.config.matchId, found.match.config.matchId);
});
