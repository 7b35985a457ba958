/** A server that asks for accounts: keys, seats that are kept for an account, and all matches of an account. */

import assert from "node:assert/strict";
import test, { after } from "node:test";
import { accountSeat, v1 } from "edgehill";
import { all, next, refused } from "./asking.js";
import { guarded } from "./guarded.js";
import { client as clientOf, Relay } from "./running.js";

const { server, keys } = await guarded({ after }, ["ada", "player"], ["ben", "player"]);
const [ada, ben] = keys;

test("a caller without a key is refused", async () => {
  await refused("BAD_TOKEN", clientOf({ after }, server.address).create("skirmish"));
});

test("an account is told how its matches stand, behind a cut as well", async (t) => {
  const relay = await Relay.start(t, server.address);
  const host = clientOf(t, server.address, { key: ada });
  const guest = clientOf(t, relay.address, { key: ben });
  const { match } = await host.create("skirmish", { seats: [accountSeat("ben")] });
  const { matchId } = match.config;
  const invited = (await all(guest.matches({ invited: true }))).map(({ config }) => config.matchId);
  assert.deepEqual(invited, [matchId]);

  const watch = guest.watchAccount();
  const untilIts = async (is: (match: v1.WatchedMatch) => boolean | undefined) => {
    for (;;) {
      const response = await next(watch);
      if (response.match?.match?.config?.matchId === matchId && is(response.match)) return response;
    }
  };
  await untilIts(({ seats }) => seats[0]?.isInvited);
  const north = await guest.join(matchId);
  const south = await host.join(matchId);
  const turn = await untilIts(({ seats }) => seats[0]?.toAct);
  relay.cut();
  await south.resign();
  await untilIts((seen) => seen.match?.state?.result?.termination === v1.Termination.RESIGNATION);
  assert.notEqual(watch.cursor, "");
  watch.close();

  // From the cursor of before, the result comes again.
  await using later = guest.watchAccount({ cursor: turn.cursor });
  const told = await next(later);
  assert.equal(told.match?.match?.config?.matchId, matchId);
  let last = told;
  while (!last.caughtUp) last = await next(later);
  assert.equal(north.matchId, matchId);
});
