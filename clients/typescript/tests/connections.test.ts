/** Answers that are lost, servers that are killed: nothing happens twice, nothing is missed, nothing comes twice. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import test, { type TestContext } from "node:test";
import { CallFailed, type Client, ConnectFailed, RandomBot, ViewTracker, v1 } from "edgehill";
import { connect as connectByWeb } from "edgehill/browser";
import { all, bothSeats, failed, next, refused, sameMessage, there } from "./asking.js";
import { client as clientOf, Relay, Server } from "./running.js";

const { LegalDetail, MatchStatus } = v1;

/** A server of its own for each test, behind a relay. */
class Behind {
  readonly test: TestContext;
  readonly server: Server;
  readonly relay: Relay;
  readonly client: Client;

  private constructor(given: TestContext, server: Server, relay: Relay) {
    this.test = given;
    this.server = server;
    this.relay = relay;
    this.client = clientOf(given, relay.address);
  }

  static async start(given: TestContext): Promise<Behind> {
    const server = await Server.start(given);
    return new Behind(given, server, await Relay.start(given, server.address));
  }

  /** Kills the server, and starts it again over the same store. */
  async restart(): Promise<void> {
    await this.server.kill();
    await this.server.start();
    this.relay.moveTo(this.server.address);
  }

  /**
   * Makes a call whose answer is lost. The server is killed when `until` has seen, by a way of its own, that the call
   * went through, and is started again; then the call's repetition gets an answer.
   */
  async whileAnswersAreLost<T>(call: () => Promise<T>, until: (direct: Client) => Promise<void>): Promise<T> {
    this.relay.loseAnswers();
    const answer = call();
    await until(clientOf(this.test, this.server.address));
    await this.restart();
    return answer;
  }
}

test("apply happens once", async (t) => {
  const behind = await Behind.start(t);
  const [north] = await bothSeats(behind.client);
  const { seq } = await north.view();
  const action = there((await north.legal()).legalActions.ids[0]);
  const answer = await behind.whileAnswersAreLost(
    () => north.apply(action),
    async (direct) => {
      const watch = direct.seat(north.matchId, north.token).watchMatch({ afterSeq: seq });
      for await (const { events } of watch) if (events.length > 0) return;
    },
  );
  assert.equal(answer.applyResult?.actions, 1);
  const now = await north.view();
  assert.deepEqual([now.seq, now.view.draft], [seq + 1n, [action]]);
  // With an id of its own it would have been refused: a card is picked already.
  await refused("ILLEGAL_ACTION", north.apply(action));
});

test("create happens once", async (t) => {
  const behind = await Behind.start(t);
  await behind.client.games();
  const made = await behind.whileAnswersAreLost(
    () => behind.client.create("skirmish"),
    async (direct) => {
      while ((await all(direct.matches())).length === 0);
    },
  );
  const listed = await all(behind.client.matches());
  assert.deepEqual(
    listed.map(({ config }) => config.matchId),
    [made.match.config.matchId],
  );
});

test("join happens once", async (t) => {
  const behind = await Behind.start(t);
  const { matchId } = (await behind.client.create("skirmish")).match.config;
  const direct = clientOf(t, behind.server.address);
  // A join looks at the match first; the answer to lose is the one after that.
  const draw = t.mock.method(globalThis.crypto, "getRandomValues", (bytes: Uint8Array<ArrayBuffer>) => {
    draw.mock.restore();
    behind.relay.loseAnswers();
    return globalThis.crypto.getRandomValues(bytes);
  });
  const joining = behind.client.join(matchId);
  while (!(await direct.get(matchId)).state.seats[0]?.joined);
  await behind.restart();
  const seat = await joining;
  assert.equal(seat.number, 0);
  const { state } = await behind.client.get(matchId);
  assert.deepEqual(
    state.seats.map(({ joined }) => joined),
    [true, false],
  );
  assert.equal((await seat.get()).state.status, MatchStatus.WAITING);
});

test("a watch goes on behind a cut, without a gap or a repetition", async (t) => {
  const behind = await Behind.start(t);
  const [north, south] = await bothSeats(behind.client);
  const tracker = new ViewTracker();
  const seen: bigint[] = [];
  const states: v1.MatchState[] = [];
  const prompts: bigint[] = [];
  const watch = north.watchMatch({ legal: LegalDetail.IDS });
  const take = (update: v1.SeatUpdate) => {
    tracker.fold(update);
    seen.push(...update.events.map(({ seq }) => seq));
    if (update.state) states.push(update.state);
    if (update.legalActions) prompts.push(update.seq);
  };
  const follow = async (seq: bigint) => {
    while (tracker.seq < seq) take(await next(watch));
  };
  while (!tracker.view || prompts.length === 0) take(await next(watch));
  const first = tracker.seq;
  const legal = await north.legal();
  assert.deepEqual(prompts, [legal.seq]);
  await north.apply(there(legal.legalActions.ids[0]));
  await follow((await north.view()).seq);
  await behind.restart();
  // The new connection begins with a prompt and a state that were handed out before.
  await north.apply("done");
  const card = there((await south.legal({ detail: LegalDetail.NOTATION })).legalActions.notations[0]);
  behind.relay.cut();
  await south.apply(`${card}; done`);
  const now = await north.view();
  await follow(now.seq);
  assert.deepEqual(
    seen,
    Array.from({ length: Number(now.seq - first) }, (_, place) => first + BigInt(place) + 1n),
  );
  sameMessage(v1.ViewSchema, tracker.view, now.view);

  // It says so when the match is finished, and ends.
  await south.resign();
  for await (const update of watch) take(update);
  assert.equal(watch.seq, (await north.view()).seq);
  assert.equal(states.at(-1)?.status, MatchStatus.FINISHED);
  assert.equal(prompts.length, new Set(prompts).size, "no prompt comes twice");
});

test("a watch goes on behind a server that stops in order", async (t) => {
  const behind = await Behind.start(t);
  const [north] = await bothSeats(behind.client);
  await using watch = north.watchMatch();
  while (!(await next(watch)).view);
  await behind.server.stop();
  await behind.server.start();
  behind.relay.moveTo(behind.server.address);
  await north.apply(there((await north.legal()).legalActions.ids[0]));
  const update = await next(watch);
  assert.deepEqual(
    update.events.map(({ seq }) => seq),
    [(await north.view()).seq],
  );
});

test("a watch that begins before the match has its view from a later connection", async (t) => {
  const behind = await Behind.start(t);
  const { client } = behind;
  const { matchId } = (await client.create("skirmish")).match.config;
  const watch = client.watchMatch(matchId);
  const tracker = new ViewTracker();
  tracker.fold(await next(watch));
  assert.deepEqual([watch.seq, tracker.view], [undefined, undefined]);
  await behind.restart();
  const [north] = [await client.join(matchId), await client.join(matchId)];
  await there(north).resign();
  for await (const update of watch) tracker.fold(update);
  sameMessage(v1.ViewSchema, tracker.view, (await client.view(matchId)).view);
  assert.equal(tracker.state?.status, MatchStatus.FINISHED);
});

test("a watch that waits is closed", async (t) => {
  const { client } = await Behind.start(t);
  const [north] = await bothSeats(client);
  const watch = north.watchMatch();
  while (!(await next(watch)).view);
  const rest = all(watch);
  watch.close();
  assert.deepEqual(await rest, []);
});

test("seats go on through a server that is killed with every tenth call under way", async (t) => {
  const behind = await Behind.start(t);
  const seats = await bothSeats(behind.client);
  const seen = new Map<string, bigint[]>(seats.map(({ token }) => [token, []]));
  const bot = new RandomBot(3);
  await using session = behind.client.playSeats();
  const played = seats.map((seat) => session.open(seat));
  let calls = 0;
  for await (const { seat, events, legal, refused } of session) {
    assert.equal(refused, undefined);
    seen.get(seat.token)?.push(...events.map(({ seq }) => seq));
    if (!legal) continue;
    calls += 1;
    if (calls % 10 === 0) behind.relay.loseAnswers();
    seat.apply(bot.choose(seat, legal));
    if (calls % 10 === 0) await behind.restart();
  }
  assert.ok(calls > 15);
  assert.ok(session.connections > 1);
  for (const [place, seat] of seats.entries()) {
    const mine = there(played[place]);
    const now = await seat.view();
    sameMessage(v1.ViewSchema, mine.view, now.view);
    assert.equal(mine.state?.status, MatchStatus.FINISHED);
    const numbers = there(seen.get(seat.token));
    const first = now.seq - BigInt(numbers.length) + 1n;
    assert.deepEqual(
      numbers,
      numbers.map((_, event) => first + BigInt(event)),
    );
  }
});

test("a seat that is opened before the match has its view from a later connection", async (t) => {
  const behind = await Behind.start(t);
  const { client } = behind;
  const { matchId } = (await client.create("skirmish")).match.config;
  const north = await client.join(matchId);
  await using session = client.playSeats();
  const mine = session.open(north);
  assert.equal((await next(session)).seat.state?.status, MatchStatus.WAITING);
  assert.equal(mine.view, undefined);
  await behind.restart();
  const south = await client.join(matchId);
  while (!mine.legal) await next(session);
  sameMessage(v1.ViewSchema, mine.view, (await north.view()).view);
  await south.resign();
  const news = await all(session);
  assert.ok(news.at(-1)?.closed && mine.closed);
  assert.equal(mine.state?.result?.termination, v1.Termination.RESIGNATION);
  assert.throws(() => mine.resign(), /is closed/);
});

test("a refused call leaves the prompt", async (t) => {
  const { client } = await Behind.start(t);
  const [north, south] = await bothSeats(client);
  await using session = client.playSeats();
  const mine = session.open(north);
  let news = await next(session);
  while (!news.legal) news = await next(session);
  const card = there(news.legal.ids[0]);
  const twice = mine.apply([card, card]);
  while (!news.refused) news = await next(session);
  assert.deepEqual([news.requestId, news.legal?.ids[0]], [twice, card]);
  const once = mine.apply(card);
  while (news.requestId !== once) news = await next(session);
  assert.equal(news.applyResult?.actions, 1);
  const back = mine.undo();
  while (news.requestId !== back) news = await next(session);
  assert.equal(news.applyResult?.actions, 1);
  mine.offerDraw();
  const offers = () => mine.state?.drawOffers.length;
  while (offers() !== 1) await next(session);
  await south.declineDraw();
  while (offers() !== 0) await next(session);
  mine.close();
  const last = (await all(session)).at(-1);
  assert.deepEqual([last?.closed, last?.refused], [true, undefined]);
});

test("a seat is taken over", async (t) => {
  const { client } = await Behind.start(t);
  const [north] = await bothSeats(client);
  await using first = client.playSeats();
  await using second = client.playSeats();
  first.open(north);
  await next(first);
  const mine = second.open(north);
  await next(second);
  const last = (await all(first)).at(-1);
  assert.ok(last?.closed);
  assert.equal(last.refused?.reason, v1.ErrorReason.OPENED_ELSEWHERE);
  assert.equal(mine.closed, false);
});

test("repetition ends", async (t) => {
  const behind = await Behind.start(t);
  const [north] = await bothSeats(behind.client);
  const hasty = clientOf(t, behind.relay.address, { retry: { deadlineMs: 0 } });
  await hasty.games();
  await behind.server.kill();
  behind.relay.cut();
  const error = await failed(CallFailed, hasty.games());
  assert.ok(!(error instanceof ConnectFailed));
  await failed(CallFailed, hasty.watchMatch(north.matchId).next());
  await using session = hasty.playSeats();
  session.open(north);
  await failed(CallFailed, session.next());
});

test("a client that is closed makes no calls, and those under way end", async (t) => {
  const { client } = await Behind.start(t);
  const [north] = await bothSeats(client);
  const watch = north.watchMatch();
  while (!(await next(watch)).view);
  const waiting = watch.next();
  client.close();
  assert.match((await failed(CallFailed, waiting)).message, /closed/);
  await failed(CallFailed, client.games());
});

test("a server that is none, or is silent, is told soon", async (t) => {
  const silent = createServer();
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  const bound = silent.address();
  assert.ok(bound && typeof bound === "object");
  const quiet = `127.0.0.1:${bound.port}`;
  const free = createServer();
  free.listen(0, "127.0.0.1");
  await once(free, "listening");
  const unbound = free.address();
  assert.ok(unbound && typeof unbound === "object");
  free.close();
  const absent = `127.0.0.1:${unbound.port}`;
  t.after(() => silent.close());
  const retry = { connectMs: 300 };
  for (const address of [absent, quiet]) {
    const calls = [
      (client: Client) => client.games(),
      (client: Client) => client.watchMatch("match").next(),
      (client: Client) => {
        const session = client.playSeats();
        session.open("ehs_any");
        return session.next();
      },
    ];
    for (const call of calls) {
      const error = await failed(ConnectFailed, call(clientOf(t, address, { retry })));
      assert.equal(error.url, `http://${address}`);
      assert.ok(error.message.startsWith(`no server answers at http://${address}: `));
      assert.match(error.message, /`make run`/);
      if (address === absent) assert.match(error.message, /ECONNREFUSED/);
    }
  }
  const web = connectByWeb(absent, { retry });
  const error = await failed(ConnectFailed, web.games());
  assert.equal(error.url, `http://${absent}`);
  assert.match(error.message, /web\.origins/);
  await failed(ConnectFailed, web.watchMatch("match").next());
});

test("a server that comes in time is found", async (t) => {
  const { server, relay } = await Behind.start(t);
  await server.kill();
  const client = clientOf(t, relay.address, { retry: { connectMs: 200 } });
  await failed(ConnectFailed, client.games());
  await server.start();
  relay.moveTo(server.address);
  assert.ok((await client.games()).length > 0);
});
