/** The calls one by one: the catalogue, lists, refusals, drafts, draws, standing passes, ends. */

import assert from "node:assert/strict";
import test, { after } from "node:test";
import { Code, FULL, houseBot, invitedSeat, matchPlan, openSeat, ViewTracker, v1 } from "edgehill";
import { entropyCommitment } from "edgehill/dice";
import { all, bothSeats, next, refused, sameMessage, there } from "./asking.js";
import { client as clientOf, Server } from "./running.js";

const { LegalDetail, MatchStatus } = v1;
const server = await Server.start({ after });
const client = clientOf({ after }, server.address);

test("the catalogue", async () => {
  const games = new Map((await client.games()).map((game) => [game.id, game]));
  const bare = await client.game("skirmish");
  sameMessage(v1.GameSummarySchema, bare.summary, games.get("skirmish"));
  assert.equal(bare.rules.length, 0);
  assert.ok((await client.game("skirmish", { includeRules: true })).rules.length > 0);
  const limits = await client.limits();
  assert.equal(limits.get(v1.LimitName.LIST_ACTIONS), 256n);
  const names = Object.values(v1.LimitName).filter((name) => typeof name === "number" && name !== 0);
  assert.deepEqual(new Set(limits.keys()), new Set(names));
  const key = await client.signingKey();
  assert.equal(key.length, 32);
  assert.deepEqual(await client.signingKeys(), [key]);
});

test("the action table is whole", async () => {
  const game = await client.game("skirmish");
  const table = await client.actionDefs("skirmish");
  assert.deepEqual(
    table.map(({ id }) => id),
    Array.from({ length: game.actionCount }, (_, id) => id),
  );
  const [north] = await bothSeats(client);
  const { ids, notations } = (await north.legal({ detail: LegalDetail.NOTATION })).legalActions;
  const first = there(table[there(ids[0])]);
  assert.equal(first.notation, notations[0]);
  // Entries of the table are actions, too.
  const taken = await north.apply([first], { response: FULL });
  assert.deepEqual(taken.view?.draft, [first.id]);
});

test("a list goes through all pages", async () => {
  const made: string[] = [];
  for (let count = 0; count < 7; count++) made.unshift((await client.create("skirmish")).match.config.matchId);
  const waiting = { game: "skirmish", statuses: [MatchStatus.WAITING], pageSize: 3 };
  const found = (await all(client.matches(waiting))).map(({ config }) => config.matchId);
  assert.deepEqual(
    found.filter((id) => made.includes(id)),
    made,
  );
  await refused("INVALID_FIELD", client.matches({ pageSize: 100_000 }).next());
});

test("refusals are typed", async () => {
  const unknown = await refused("UNKNOWN_GAME", client.create("chess"));
  assert.equal(unknown.code, Code.NotFound);
  const bot = await refused("UNKNOWN_BOT", client.create("skirmish", { seats: [openSeat(), houseBot("clever")] }));
  assert.deepEqual(
    bot.fieldViolations.map(({ field }) => field),
    ["seats[1].bot"],
  );
  assert.match(bot.message, /random/);

  const [north] = await bothSeats(client);
  const card = there((await north.legal()).legalActions.ids[0]);
  const { seq } = await north.apply(card);
  const illegal = await refused("ILLEGAL_ACTION", north.apply([card]));
  const [violation] = illegal.ruleViolations;
  assert.deepEqual([illegal.index, violation?.code, violation?.rule], [0, "CARD_PICKED", "2.3"]);
  assert.ok(illegal.message.includes(there(violation).text));
  const stale = await refused("STALE_SEQUENCE", north.apply("done", { expectedSeq: seq - 1n }));
  assert.equal(stale.seq, seq);
  assert.equal(stale.retryAfterMs, undefined);
  await refused("MATCH_RUNNING", client.record(north.matchId));
  await refused("BAD_TOKEN", client.seat(north.matchId, "ehs_nothing").view());
  await refused("UNSUPPORTED_MOMENT", north.view({ atSeq: seq }));
  await refused("NO_ACCOUNTS", client.watchAccount().next());
});

test("a seat, call by call", async () => {
  const [north, south] = await bothSeats(client);
  const legal = await north.legal({ detail: LegalDetail.FULL });
  assert.ok(legal.toAct);
  const [first, second] = legal.legalActions.actions.map(there);
  assert.ok(first && second);
  const filtered = await north.legal({ verbs: [first.verb], refs: first.refs });
  assert.deepEqual(filtered.legalActions.ids, [first.id]);
  const taken = await north.apply({ verb: first.verb, refs: first.refs }, { response: FULL });
  assert.deepEqual([taken.view?.draft, taken.applyResult?.actions], [[first.id], 1]);
  assert.deepEqual(
    taken.events.map((event) => event.seq),
    [taken.seq],
  );
  for (const given of [second, second.id, second.notation, { verb: second.verb, refs: second.refs }]) {
    const explained = await north.explain(given);
    assert.deepEqual([explained.legal, explained.ruleViolations[0]?.code], [false, "CARD_PICKED"]);
  }
  const instead = await north.apply(second, { keepDraftActions: 0, response: FULL });
  assert.deepEqual(instead.view?.draft, [second.id]);
  assert.equal((await north.undo()).applyResult?.actions, 1);
  const until = await north.apply(`${first.notation}; done; ${second.notation}`, { untilReveal: true });
  assert.deepEqual([until.applyResult?.actions, until.applyResult?.line], [2, `${first.notation}; done`]);
  // The same id and the same call: the same outcome. The same id and another call: refused.
  const card = there((await south.legal()).legalActions.ids[0]);
  for (const _ of [1, 2]) {
    const again = await south.apply([card], { requestId: "mine" });
    assert.equal(again.applyResult?.actions, 1);
  }
  await refused("REQUEST_ID_REUSED", south.apply("done", { requestId: "mine" }));
  const { view } = await client.view(north.matchId);
  sameMessage(v1.ViewSchema, (await north.view({ spectator: true })).view, view);
});

test("updates of calls are folded", async () => {
  const [north, south] = await bothSeats(client);
  const tracker = new ViewTracker(await north.view());
  const response = { includeEvents: true };
  const card = there((await north.legal()).legalActions.ids[0]);
  for (const _ of [1, 2]) {
    tracker.fold(await north.apply(card, { expectedSeq: tracker.seq, response }));
    tracker.fold(await north.undo({ expectedSeq: tracker.seq, response }));
  }
  const before = tracker.view;
  tracker.fold(await north.apply([card], { expectedSeq: tracker.seq, response }));
  assert.deepEqual([before?.draft, tracker.view?.draft], [[], [card]], "a view that was given out stays as it is");
  tracker.fold(await north.apply("done", { expectedSeq: tracker.seq, response }));
  const now = await north.view();
  sameMessage(v1.ViewSchema, tracker.view, now.view);
  assert.deepEqual([tracker.seq, tracker.toAct], [now.seq, false]);
  tracker.fold(await south.resign());
});

test("draws and standing passes", async () => {
  const [north, south] = await bothSeats(client);
  await north.setStandingPasses([{ window: "interception", scope: v1.PassScope.ALWAYS }]);
  assert.deepEqual(
    (await north.view()).standingPasses.map(({ window }) => window),
    ["interception"],
  );
  assert.deepEqual((await south.view()).standingPasses, []);
  await refused("NO_OFFER", south.acceptDraw());
  await refused("NO_OFFER", south.declineDraw());
  assert.deepEqual((await north.offerDraw()).state.drawOffers, [0]);
  assert.deepEqual((await south.declineDraw()).state.drawOffers, []);
  await north.offerDraw();
  assert.equal((await south.acceptDraw()).status, MatchStatus.FINISHED);
  const { result } = (await client.get(north.matchId)).state;
  assert.deepEqual([result?.returns, result?.termination], [[0, 0], v1.Termination.AGREEMENT]);
  await refused("MATCH_FINISHED", north.resign());
});

test("a seat is given back", async () => {
  const made = await client.create("skirmish");
  const { matchId } = made.match.config;
  const north = await client.join(matchId, { player: "Ann" });
  assert.equal(north.number, 0);
  assert.equal((await north.leave()).state.seats[0]?.joined, false);
  await refused("BAD_TOKEN", north.view());
  assert.equal((await client.join(matchId)).number, 0);
  const south = await client.join(matchId);
  await refused("MATCH_STARTED", south.leave());
  await refused("MATCH_STARTED", client.abort(matchId, { creatorToken: made.creatorToken }));
});

test("a match is taken back", async () => {
  const made = await client.create("skirmish");
  const { matchId } = made.match.config;
  const watching = client.watchMatch(matchId);
  assert.equal((await next(watching)).state?.status, MatchStatus.WAITING);
  const aborted = await client.abort(matchId, { creatorToken: made.creatorToken });
  assert.equal(aborted.state.status, MatchStatus.ABORTED);
  assert.equal((await all(watching)).at(-1)?.state?.status, MatchStatus.ABORTED);
});

test("a record is joined", async () => {
  const [north] = await bothSeats(client);
  await north.resign();
  const record = await client.record(north.matchId);
  assert.ok(record.complete);
  assert.ok(record.text.startsWith("edgehill record 2\ngame skirmish\n"));
  assert.ok(record.text.includes(`match "${north.matchId}"\n`));
  assert.ok(record.text.endsWith("\n"));
});

test("entropy that is committed to", async () => {
  const entropyMode = v1.EntropyMode.COMMIT_REVEAL;
  const made = await client.create("skirmish", { entropyMode, seats: [openSeat(), invitedSeat()] });
  const { matchId } = made.match.config;
  const invitation = there(made.invitations[0]).invitation;
  await assert.rejects(client.join(matchId, { invitation }), /name it with `seat`/);
  const seats = [await client.join(matchId), await client.join(matchId, { seat: 1, invitation })];
  const { state } = await client.get(matchId);
  assert.equal(state.status, MatchStatus.REVEALING);
  for (const [number, { entropy }] of seats.entries()) {
    const bound = entropyCommitment(matchId, number, there(entropy));
    assert.deepEqual(state.seats[number]?.entropyCommitment, bound);
  }
  await there(seats[0]).revealEntropy();
  assert.ok((await there(seats[1]).revealEntropy({ response: FULL })).update?.toAct);
});

test("a mirrored pair and a match beside it are made in one call", async () => {
  const places = [
    { group: 0, seatEntrants: [0, 1] },
    { group: 0, seatEntrants: [1, 0] },
  ];
  const plans = places.map((group) => matchPlan("skirmish", { group }));
  plans.push(matchPlan("english-civil-war-iia", { options: { max_seasons: 3 }, seats: [invitedSeat()] }));
  const options = { groups: [{ entrants: 2 }], requestId: "pairings-1" };
  const made = await client.createAll(plans, options);
  const configs = made.map(({ match }) => match.config);
  assert.deepEqual(
    configs.map(({ game }) => game),
    ["skirmish", "skirmish", "english-civil-war-iia"],
  );
  assert.deepEqual(configs[0]?.dice?.commitment, configs[1]?.dice?.commitment);
  assert.equal(configs[2]?.options.find(({ id }) => id === "max_seasons")?.value, "3");
  assert.deepEqual(
    made.map(({ invitations }) => invitations.length),
    [0, 0, 1],
  );
  assert.deepEqual(await client.createAll(plans, options), made);
  const call = client.createAll([matchPlan("skirmish", { seats: [houseBot("clever")] })]);
  const unknown = await refused("UNKNOWN_BOT", call);
  assert.ok(unknown.fieldViolations.some(({ field }) => field === "matches[0].seats[0].bot"));
});

test("a rematch has the sides swapped", async () => {
  const [north, south] = await bothSeats(client);
  await refused("MATCH_RUNNING", north.rematch());
  await north.resign();
  const offered = [await south.rematch(), await north.rematch()];
  assert.deepEqual(
    offered.map(({ seat }) => seat),
    [0, 1],
  );
  const { matchId } = there(offered[0]).match.config;
  assert.equal(offered[1]?.match.config.matchId, matchId);
  for (const { seat, invitation } of offered) {
    assert.equal((await client.join(matchId, { seat, invitation })).number, seat);
  }
  assert.equal((await client.get(matchId)).state.status, MatchStatus.RUNNING);
});

test("clocks, and adjournments", async () => {
  const clock = { bank: { seconds: 600n }, increment: { seconds: 5n } };
  const { match } = await client.create("skirmish", { clock });
  assert.equal(match.config.clock?.atEnd, v1.TimeoutRule.DEFAULT_ACTION);
  const { matchId } = match.config;
  const [north, south] = [await client.join(matchId), await client.join(matchId)];
  const card = there((await north.legal()).legalActions.ids[0]);
  const { timeLeft } = await north.apply(card);
  assert.ok(there(timeLeft?.left).seconds > 500n);
  const hour = 3_600_000;
  assert.equal((await north.offerAdjournment(8 * hour)).state.adjournmentOffers.length, 1);
  assert.equal((await south.declineAdjournment()).state.adjournmentOffers.length, 0);
  await north.offerAdjournment(8 * hour);
  const adjourned = await south.acceptAdjournment({ adjournForMs: hour });
  const { adjournTime, resumeTime } = there(adjourned.state.adjournment);
  assert.equal(there(resumeTime).seconds - there(adjournTime).seconds, 3600n);
  await refused("ADJOURNED", north.apply("done"));
  assert.deepEqual((await north.resume()).state.adjournment?.resumeRequests, [0]);
  assert.equal((await south.resume()).state.adjournment, undefined);
  await north.apply("done");
});

test("a call that is given up rejects with the signal's reason", async () => {
  const given = new Error("not needed any more");
  const signal = AbortSignal.abort(given);
  await assert.rejects(client.games({ signal }), given);
  await assert.rejects(client.watchMatch("any", { signal }).next(), given);
  const controller = new AbortController();
  const [north] = await bothSeats(client);
  const watch = north.watchMatch({ signal: controller.signal });
  while (!(await next(watch)).view);
  const waiting = watch.next();
  controller.abort(given);
  await assert.rejects(waiting, given);
});
