/** The client of browsers, over gRPC-Web: the same calls and streams, and a clear word where a browser has no way. */

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import test, { after } from "node:test";
import { CallFailed, connect, InvalidOption, RandomBot, runBot, Unsupported, ViewTracker, v1 } from "edgehill/browser";
import { all, bothSeats, failed, next, refused, sameMessage, there } from "./asking.js";
import { client as clientOf, Relay, ROOT, Server } from "./running.js";

const server = await Server.start({ after });
const client = connect(server.address);
after(() => client.close());

test("a match by WatchMatch and calls", async () => {
  const [north, south] = await bothSeats(client);
  const other = runBot(client, south, new RandomBot(1));
  const tracker = new ViewTracker();
  const seen: bigint[] = [];
  for await (const update of north.watchMatch({ legal: v1.LegalDetail.IDS })) {
    tracker.fold(update);
    seen.push(...update.events.map(({ seq }) => seq));
    if (update.legalActions && seen.length > 8) await north.resign();
    else if (update.legalActions) await north.apply(there(update.legalActions.ids[0]));
  }
  assert.equal((await other).status, v1.MatchStatus.FINISHED);
  assert.equal(tracker.state?.status, v1.MatchStatus.FINISHED);
  sameMessage(v1.ViewSchema, tracker.view, (await north.view()).view);
  assert.deepEqual(
    seen,
    seen.map((_, place) => there(seen[0]) + BigInt(place)),
  );
});

test("refusals are typed", async () => {
  const [north] = await bothSeats(client);
  const card = there((await north.legal()).legalActions.ids[0]);
  await north.apply(card);
  const illegal = await refused("ILLEGAL_ACTION", north.apply([card]));
  assert.equal(illegal.ruleViolations[0]?.code, "CARD_PICKED");
  await refused("UNKNOWN_MATCH", client.watchMatch("nowhere").next());
});

test("a watch goes on behind a cut", async (t) => {
  const relay = await Relay.start(t, server.address);
  const page = connect(relay.address);
  t.after(() => page.close());
  const [north] = await bothSeats(clientOf(t, server.address));
  const watch = page.seat(north.matchId, north.token).watchMatch();
  while (!(await next(watch)).view);
  const { seq } = await north.view();
  const waiting = watch.next();
  const before = relay.connections;
  relay.cut();
  await north.apply(there((await north.legal()).legalActions.ids[0]));
  const { value } = await waiting;
  assert.deepEqual(
    value?.events.map((event) => event.seq),
    [seq + 1n],
  );
  assert.ok(relay.connections > before);
  watch.close();
  assert.deepEqual(await all(watch), []);
});

test("a stream that was a page's first call outlasts the time for connecting", async (t) => {
  const restarted = await Server.start(t);
  const relay = await Relay.start(t, restarted.address);
  const page = connect(relay.address, { retry: { connectMs: 10 } });
  t.after(() => page.close());
  const direct = clientOf(t, restarted.address);
  const { match } = await direct.create("skirmish");
  const watch = page.watchMatch(match.config.matchId);
  await next(watch);
  const waiting = watch.next();
  const before = relay.connections;
  await restarted.kill();
  // Pauses grow from 25 milliseconds on.
  await relay.reached(before + 4);
  await restarted.start();
  relay.moveTo(restarted.address);
  const again = clientOf(t, restarted.address);
  await again.join(match.config.matchId);
  const { value } = await waiting;
  assert.equal(value?.state?.seats[0]?.joined, true);
  watch.close();
});

test("PlaySeats is no matter of browsers, and says so", () => {
  assert.equal(client.canPlaySeats, false);
  assert.throws(
    () => client.playSeats(),
    (error) => error instanceof Unsupported && /no browser has: play with Seat.watchMatch/.test(error.message),
  );
  assert.throws(() => connect("https://play.example", { ca: "any" }), Unsupported);
  assert.throws(() => connect("nowhere"), InvalidOption);
});

test("a server that is none of ours is no Edgehill", async (t) => {
  const { createServer } = await import("node:http");
  const other = createServer((_, response) => response.writeHead(404).end("nothing here"));
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  t.after(() => other.close());
  const bound = other.address();
  assert.ok(bound && typeof bound === "object");
  const error = await failed(CallFailed, connect(`127.0.0.1:${bound.port}`).games());
  assert.match(error.message, /404/);
});

test("the code of browsers needs nothing of Node", () => {
  const dist = join(ROOT, "clients/typescript/dist");
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(/(?:from|import)\s*\(?"([^"]+)"/g)) {
      assert.doesNotMatch(name, /^node:|connect-node/, file);
      const path = join(dirname(file), name);
      if (name.startsWith(".") && existsSync(path)) visit(path);
    }
  };
  visit(join(dist, "browser.js"));
  assert.ok(seen.size > 30);
});
