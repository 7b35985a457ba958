/** Streams at what a server says rarely, or what a newer one says: against a server that is a few lines of this test. */

import assert from "node:assert/strict";
import test from "node:test";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code, createRouterTransport, type ServiceImpl } from "@connectrpc/connect";
import { type Bot, type Client, RandomBot, runBot, v1 } from "edgehill";
import { clientOver } from "#dist/client.js";
import { all, next, there } from "./asking.js";

const { ErrorReason, MatchStatus } = v1;

type Sent = MessageInitShape<typeof v1.PlaySeatsResponseSchema>;
type Play = (requests: AsyncIterator<v1.PlaySeatsRequest>, connection: number) => AsyncGenerator<Sent>;

/** A client of a server that plays so; each connection is counted, from 1. */
function clientOf(play: Play, others: Partial<ServiceImpl<typeof v1.MatchService>> = {}): Client {
  let connections = 0;
  const transport = createRouterTransport(({ service }) => {
    service(v1.MatchService, {
      ...others,
      playSeats: (requests) => {
        connections += 1;
        return play(requests[Symbol.asyncIterator](), connections);
      },
    });
  });
  const retry = { pauseMinMs: 1 };
  return clientOver(
    { transport, url: new URL("http://fake:7400"), duplex: true, advice: "", close: () => {} },
    { retry },
  );
}

const match = { config: { matchId: "match" }, seq: 3n };

/** Answers an opening with the view at number 3. */
function opened(channel = 1): Sent {
  return { channel, message: { case: "opened", value: { match, view: { draft: [1] } } } };
}

function update(value: MessageInitShape<typeof v1.SeatUpdateSchema>, requestId = ""): Sent {
  return { channel: 1, requestId, message: { case: "update", value: { status: MatchStatus.RUNNING, ...value } } };
}

function refusal(reason: v1.ErrorReason, code: Code, requestId = ""): Sent {
  return { channel: 1, requestId, message: { case: "refusal", value: { reason, code } } };
}

function closed(reason?: v1.ErrorReason, code?: Code): Sent {
  const value = reason === undefined ? {} : { refusal: { reason, code } };
  return { channel: 1, message: { case: "closed", value } };
}

/** Reads a request that has to be there. */
async function request(requests: AsyncIterator<v1.PlaySeatsRequest>): Promise<v1.PlaySeatsRequest> {
  return there((await requests.next()).value);
}

const prompt = { seq: 3n, toAct: true, legalActions: { ids: [5] } };

test("a view is asked for where events do not give it", async () => {
  const looked: string[] = [];
  const client = clientOf(
    async function* (requests) {
      await request(requests);
      yield opened();
      yield update({ seq: 4n, events: [{ seq: 4n, changes: [{}] }] });
      yield closed();
    },
    {
      getView: ({ matchId }) => {
        looked.push(matchId);
        return { seq: 4n, view: { draft: [1, 4] }, match };
      },
    },
  );
  const session = client.playSeats();
  const mine = session.open("ehs_any");
  await next(session);
  assert.deepEqual([looked, mine.view?.draft, mine.seq], [["match"], [1, 4], 4n]);
  assert.ok((await all(session)).at(-1)?.closed);
});

test("a server that stops is called anew, and the call that has no answer made again", async () => {
  const applied: string[] = [];
  const cursors: (bigint | undefined)[] = [];
  const client = clientOf(async function* (requests, connection) {
    const { call } = await request(requests);
    assert.ok(call.case === "open");
    cursors.push(call.value.afterSeq);
    yield opened();
    if (connection === 1) yield update(prompt);
    const { requestId } = await request(requests);
    applied.push(requestId);
    if (connection === 1) yield closed(ErrorReason.DRAINING, Code.Unavailable);
    // A stream that ends before its seats are closed is lost as well.
    if (connection < 3) return;
    yield update({ seq: 3n, applyResult: { actions: 1 } }, requestId);
    yield closed();
  });
  const session = client.playSeats();
  const mine = session.open("ehs_any");
  assert.deepEqual((await next(session)).legal?.ids, [5]);
  const id = mine.apply(5);
  const news = await next(session);
  assert.deepEqual([news.requestId, news.applyResult?.actions], [id, 1]);
  assert.deepEqual(applied, [id, id, id]);
  assert.deepEqual(cursors, [undefined, 3n, 3n]);
  assert.equal(session.connections, 3);
});

test("while a call has no answer, no prompt is handed on", async () => {
  const client = clientOf(async function* (requests) {
    await request(requests);
    yield opened();
    yield update(prompt);
    const { requestId } = await request(requests);
    yield update(prompt);
    yield update({ seq: 3n, applyResult: { actions: 1 } }, requestId);
    yield closed();
  });
  const session = client.playSeats();
  const mine = session.open("ehs_any");
  await next(session);
  mine.apply(5);
  const prompts = (await all(session)).map(({ legal }) => legal);
  assert.deepEqual(prompts, [undefined, undefined, undefined]);
});

test("a channel that the server has closed is closed", async () => {
  const play: Play = async function* (requests) {
    await request(requests);
    yield opened();
    yield update(prompt);
    const { call } = await request(requests);
    assert.equal(call.case, "close");
    yield refusal(ErrorReason.UNKNOWN_CHANNEL, Code.FailedPrecondition);
  };
  const session = clientOf(play).playSeats();
  const mine = session.open("ehs_any");
  await next(session);
  mine.close();
  // That there is nothing to close is no failure.
  const last = (await all(session)).at(-1);
  assert.deepEqual([last?.closed, last?.refused], [true, undefined]);
});

for (const reason of [ErrorReason.NOT_YOUR_TURN, ErrorReason.MATCH_FINISHED, ErrorReason.ADJOURNED]) {
  test(`a choice that something came before is no error of the bot: ${ErrorReason[reason]}`, async () => {
    const result = { code: "resigned", returns: [1, -1] };
    const client = clientOf(async function* (requests) {
      await request(requests);
      yield opened();
      yield update(prompt);
      const { requestId } = await request(requests);
      yield refusal(reason, Code.FailedPrecondition, requestId);
      yield update({ seq: 3n, state: { status: MatchStatus.FINISHED, result } });
      yield closed();
    });
    const report = await runBot(client, client.seat("match", "ehs_any"), new RandomBot());
    assert.deepEqual([report.status, report.result?.code, report.actions], [MatchStatus.FINISHED, "resigned", 0]);
  });
}

test("the time for a decision is there as long as the decision is", async () => {
  const timeLeft = { left: { seconds: 90n } };
  const play: Play = async function* (requests) {
    await request(requests);
    yield opened();
    yield update({ ...prompt, timeLeft });
    const first = await request(requests);
    yield update({ seq: 3n, toAct: false }, first.requestId);
    yield update({ ...prompt, timeLeft });
    const second = await request(requests);
    yield refusal(ErrorReason.ILLEGAL_ACTION, Code.InvalidArgument, second.requestId);
    const third = await request(requests);
    yield refusal(ErrorReason.NOT_YOUR_TURN, Code.FailedPrecondition, third.requestId);
    yield update({ ...prompt, timeLeft });
    yield closed();
  };
  const session = clientOf(play).playSeats();
  const mine = session.open("ehs_any");
  const seen = [];
  for await (const { requestId } of session) {
    seen.push(mine.timeLeftMs !== undefined && mine.timeLeftMs <= 90_000);
    if (!mine.closed && (requestId === "" || seen.length === 4)) mine.apply(5);
  }
  assert.deepEqual(seen, [true, false, true, true, false, true, false]);
});

test("a match that was stopped is left", async () => {
  for (const status of [MatchStatus.QUARANTINED, MatchStatus.UNPLAYABLE]) {
    const client = clientOf(async function* (requests) {
      await request(requests);
      yield opened();
      yield update({ seq: 3n, status, state: { status } });
      const { call } = await request(requests);
      assert.equal(call.case, "close");
      yield closed();
    });
    const report = await runBot(client, client.seat("match", "ehs_any"), new RandomBot());
    assert.deepEqual([report.status, report.result], [status, undefined]);
  }
});

test("a prompt that comes once more is thought about once", async () => {
  let asked = 0;
  let choose: () => void = () => {};
  const chosen = new Promise<void>((resolve) => {
    choose = resolve;
  });
  const bot: Bot = {
    choose: async () => {
      asked += 1;
      await chosen;
      return 5;
    },
  };
  const client = clientOf(async function* (requests, connection) {
    await request(requests);
    yield opened();
    yield update(prompt);
    if (connection === 1) return;
    // The bot has taken the prompt of this connection when it asks for more.
    choose();
    const { requestId } = await request(requests);
    yield update({ seq: 3n, applyResult: { actions: 1 } }, requestId);
    yield closed();
  });
  const report = await runBot(client, client.seat("match", "ehs_any"), bot);
  assert.equal(report.actions, 1);
  assert.equal(asked, 1);
});
