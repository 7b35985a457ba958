/** A client that asks faster than a server lets it. */

import assert from "node:assert/strict";
import test, { after } from "node:test";
import { bothSeats, next, there } from "./asking.js";
import { client as clientOf, Server } from "./running.js";

const MATCHES = 12;

/** Lets a caller make a few calls at once, and then forty a second. */
const SLOW = { EDGEHILL_CAPACITY__CALLS_PER_SECOND: "40", EDGEHILL_CAPACITY__CALLS_BURST: "5" };

test("more seats and calls at once than a caller may make wait their turn on one stream", async () => {
  const server = await Server.start({ after }, SLOW);
  const client = clientOf({ after }, server.address);
  const seats = (await Promise.all(Array.from({ length: MATCHES }, () => bothSeats(client)))).flat();
  await using session = client.playSeats();
  const played = seats.map((seat) => session.open(seat));
  const acted = new Set<number>();
  while (acted.size < seats.length) {
    const { seat, legal, refused, applyResult } = await next(session);
    assert.equal(refused, undefined);
    if (legal && !acted.has(seat.channel)) seat.apply(there(legal.ids[0]));
    if (applyResult) acted.add(seat.channel);
  }
  // The call that opens the stream may come too fast as well.
  assert.ok(session.connections <= 3);
  assert.deepEqual(
    played.map(({ number }) => number),
    seats.map(({ number }) => number),
  );
});
