/** Competitions on a server with accounts: from their making to their export. */

import assert from "node:assert/strict";
import test, { after } from "node:test";
import { v1 } from "edgehill";
import { next, refused, there } from "./asking.js";
import { guarded } from "./guarded.js";
import { client as clientOf, Relay } from "./running.js";

const { server, keys } = await guarded({ after }, ["umpire", "referee"], ["ada", "player"]);
const [umpire, ada] = keys;

const settings = {
  name: "Spring cup",
  game: "skirmish",
  format: { format: { case: "roundRobin" as const, value: { cycles: 1 } } },
  policy: { houseBots: true },
};

test("an entrant finds its match, plays it, and stands in the standings", async (t) => {
  const relay = await Relay.start(t, server.address);
  const host = clientOf(t, relay.address, { key: umpire });
  const guest = clientOf(t, server.address, { key: ada });
  const { id, isMine } = await host.competitions.create(settings);
  assert.equal(isMine, true);
  assert.equal((await guest.competitions.enrol(id, { name: "Countess" })).number, 1);
  assert.equal((await host.competitions.enrol(id, { houseBot: "random", rating: 1500 })).rating, 1500);
  await refused("NOT_ALLOWED", guest.competitions.start(id));
  const news = host.competitions.watch(id);
  assert.deepEqual(
    (await next(news)).events.map(({ kind }) => kind),
    [v1.CompetitionEventKind.CREATED, v1.CompetitionEventKind.ENROLLED, v1.CompetitionEventKind.ENROLLED],
  );
  relay.cut();
  await guest.competitions.list({ phase: v1.CompetitionPhase.ENROLLING });
  await host.competitions.start(id);
  let matchId: string | undefined;
  for await (const { match } of guest.watchAccount()) {
    matchId = match?.match?.config?.matchId;
    if (matchId !== undefined) break;
  }
  await (await guest.join(there(matchId))).resign();
  // Over the cut, nothing is missed and nothing comes twice.
  const numbers = [];
  for await (const { events } of news) numbers.push(...events.map(({ number }) => number));
  assert.deepEqual(
    numbers,
    Array.from(numbers, (_, index) => BigInt(index + 4)),
  );
  assert.equal(news.event, numbers.at(-1));

  const { competition, entrants } = await guest.competitions.get(id);
  assert.equal(competition.phase, v1.CompetitionPhase.FINISHED);
  assert.deepEqual(
    entrants.map(({ name }) => name),
    ["Countess", "random"],
  );
  const { rows, crossTable } = await guest.competitions.standings(id, { crossTableOf: 2 });
  assert.deepEqual(
    rows.map(({ rank, name }) => [rank, name]),
    [
      [1, "random"],
      [2, "Countess"],
    ],
  );
  assert.deepEqual(
    crossTable.map(({ entrant }) => entrant),
    [1],
  );
  const [encounter] = await guest.competitions.encounters(id, { round: 1 });
  assert.equal(encounter?.matches[0]?.verdict?.evidence, "gave up");
  assert.equal(JSON.parse(await guest.competitions.export(id)).standings[0].name, "random");
  assert.match(await guest.competitions.export(id, { form: v1.CompetitionExport.HTML }), /^<!doctype html>/);
});

test("who looks after a competition sends away, takes back and calls off", async (t) => {
  const host = clientOf(t, server.address, { key: umpire });
  const { id } = await host.competitions.create(settings, { requestId: "spring" });
  assert.equal((await host.competitions.create(settings, { requestId: "spring" })).id, id);
  for (const name of ["a", "b", "c", "d"]) await host.competitions.enrol(id, { houseBot: "random", name });
  const left = await host.competitions.withdraw(id, 4);
  assert.equal(left.status, v1.EntrantStatus.WITHDRAWN);
  const sent = await host.competitions.disqualify(id, 3, "two heads");
  assert.deepEqual([sent.status, sent.evidence], [v1.EntrantStatus.DISQUALIFIED, "two heads"]);
  await refused("NOT_VOIDABLE", host.competitions.voidMatch(id, "1.1.1", "a fire"));
  const off = await host.competitions.cancel(id, { reason: "rain" });
  assert.deepEqual([off.phase, off.cancelReason], [v1.CompetitionPhase.CANCELLED, "rain"]);
});
