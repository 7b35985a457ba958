/** The parts without I/O: actions, addresses, retries, the tracker, one name space of messages. */

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { create, fromBinary } from "@bufbuild/protobuf";
import { CallFailed, Code, ConnectFailed, connect, InvalidOption, RandomBot, Refused, v1 } from "edgehill";
import { actionList, actionMessage } from "#dist/actions.js";
import { AnswerDeadline } from "#dist/answer-deadline.js";
import { IS_RUNNING } from "#dist/connection.js";
import { Outage } from "#dist/retry.js";
import { serverUrl } from "#dist/server-url.js";
import { fileOf, ROOT } from "./running.js";

const fife = create(v1.LegalActionSchema, { id: 4, verb: "card", refs: [{ what: { case: "card", value: 0 } }] });

test("ids, in every form", () => {
  const idsOf = (given: Parameters<typeof actionList>[0]) => {
    const { encoding } = actionList(given);
    assert.equal(encoding.case, "ids");
    return encoding.value.values;
  };
  assert.deepEqual(idsOf(7), [7]);
  assert.deepEqual(idsOf(fife), [4]);
  assert.deepEqual(idsOf([1, fife, create(v1.ActionDefSchema, { id: 9 })]), [1, 4, 9]);
  assert.deepEqual(idsOf(new Set([3, 5])), [3, 5]);
  assert.deepEqual(idsOf(Uint32Array.of(1, 2)), [1, 2]);
  assert.deepEqual(idsOf([]), []);
  assert.deepEqual(actionMessage(3).encoding, { case: "id", value: 3 });
  assert.deepEqual(actionMessage(fife).encoding, { case: "id", value: 4 });
});

test("notations, structures, lines", () => {
  assert.deepEqual(actionList("card fife; done").encoding, { case: "line", value: "card fife; done" });
  const { encoding } = actionList(["card fife", "done"]);
  assert.ok(encoding.case === "notations");
  assert.deepEqual(encoding.value.values, ["card fife", "done"]);
  for (const given of [{ verb: "done" }, [{ verb: "done" }, create(v1.ActionStructureSchema, { verb: "done" })]]) {
    const list = actionList(given).encoding;
    assert.ok(list.case === "structures");
    assert.equal(list.value.values[0]?.verb, "done");
  }
  const whole = create(v1.ActionListSchema, { encoding: { case: "line", value: "done" } });
  assert.equal(actionList(whole), whole);
  assert.deepEqual(actionMessage("done").encoding, { case: "notation", value: "done" });
});

test("things that are no action", () => {
  const wrong: unknown[] = [true, [1, false], null, [{}], {}, undefined];
  for (const given of wrong) {
    // @ts-expect-error -- callers in JavaScript have no types.
    assert.throws(() => actionList(given), /an action is/);
  }
  assert.throws(() => actionList([1, "done"]), /one encoding/);
  for (const number of [-1, 2 ** 32, 1.5, Number.NaN]) assert.throws(() => actionList(number), /from 0/);
});

test("time that is left", () => {
  const deadline = new AnswerDeadline();
  assert.equal(deadline.leftMs(0), undefined);
  const left = (seconds: bigint, nanos = 0) => create(v1.SeatUpdateSchema, { timeLeft: { left: { seconds, nanos } } });
  deadline.take(left(10n, 250_000_000), 1_000);
  assert.deepEqual(
    [1_000, 3_250, 11_250, 60_000].map((now) => deadline.leftMs(now)),
    [10_250, 8_000, 0, 0],
  );
  deadline.take(left(3n), 2_000);
  assert.equal(deadline.leftMs(2_000), 3_000);
  // An update without it: nothing is asked of the seat, or no clock runs for it.
  deadline.take(create(v1.SeatUpdateSchema), 2_500);
  assert.equal(deadline.leftMs(2_500), undefined);
  deadline.take(left(3n), 2_000);
  deadline.clear();
  assert.equal(deadline.leftMs(2_000), undefined);
});

test("addresses", () => {
  const origins = {
    "localhost:7400": "http://localhost:7400",
    "[::1]:7400": "http://[::1]:7400",
    "http://localhost:7400/": "http://localhost:7400",
    "https://play.example": "https://play.example",
    "https://play.example:7400": "https://play.example:7400",
  };
  for (const [given, origin] of Object.entries(origins)) assert.equal(serverUrl(given).origin, origin);
  const wrong = ["ftp://play.example", "http://", "https://play.example/edgehill", "localhost", "localhost:", ":7400"];
  for (const given of [...wrong, "localhost:0", "localhost:99999", "http://localhost:99999", "a b:7400", ""]) {
    assert.throws(
      () => connect(given),
      (error) => error instanceof InvalidOption && /host:port/.test(error.message),
      given,
    );
  }
});

test("tokens", () => {
  const client = connect("localhost:7400", { key: "ehk_good" });
  for (const wrong of ["", "ehs_a b", "ehs_line\n", "ehs_ü"]) {
    assert.throws(
      () => client.seat("match", wrong),
      (error) => error instanceof InvalidOption && !error.message.includes("ehs_"),
    );
  }
  assert.throws(() => connect("localhost:7400", { key: "\n" }), InvalidOption);
});

test("a reason of a newer server has a number", () => {
  const newer = new Refused(fromBinary(v1.RefusalSchema, Uint8Array.of(0x08, 0x8f, 0x4e, 0x10, 0x09)));
  assert.deepEqual([newer.reason, newer.reasonName, newer.code], [9999, "9999", Code.FailedPrecondition]);
});

test("a refusal says everything once", () => {
  const said = (refusal: Parameters<typeof create<typeof v1.RefusalSchema>>[1]) => {
    return new Refused(create(v1.RefusalSchema, refusal)).message;
  };
  const turn = { code: "NOT_YOUR_TURN", rule: "contract", text: "seat 1 is to act" };
  const one = { reason: v1.ErrorReason.NOT_YOUR_TURN, message: "seat 1 is to act", ruleViolations: [turn] };
  assert.equal(said(one), "NOT_YOUR_TURN: seat 1 is to act");
  const card = { code: "CARD_PICKED", rule: "2.3", text: "A card is picked already" };
  const two = { reason: v1.ErrorReason.ILLEGAL_ACTION, message: "not legal", ruleViolations: [card] };
  assert.equal(said(two), "ILLEGAL_ACTION: not legal; A card is picked already (rule 2.3)");
});

test("pauses grow, and repetition has a deadline", () => {
  let now = 0;
  const retry = { connectMs: 0, attemptMs: 0, deadlineMs: 3_600_000, pauseMinMs: 10, pauseMaxMs: 1000 };
  const lost = new CallFailed(Code.Unavailable, "no connection");
  const outage = new Outage(retry, undefined, () => now);
  const pauses = Array.from({ length: 12 }, () => outage.pauseMs(lost));
  assert.ok((pauses[0] ?? 99) <= 10);
  for (const ms of pauses.slice(8)) assert.ok(ms >= 500 && ms <= 1000);
  now = retry.deadlineMs;
  assert.throws(() => outage.pauseMs(lost), lost);
  // After a quiet time longer than the deadline and an attempt it begins anew.
  now *= 3;
  assert.ok(outage.pauseMs(lost) <= 10);
  assert.throws(() => new Outage({ ...retry, deadlineMs: 0 }).pauseMs(lost), lost);
  const retryAfter = { seconds: 7200n };
  const far = new Refused(create(v1.RefusalSchema, { code: Code.Unavailable, retryAfter }));
  assert.throws(() => new Outage(retry).pauseMs(far), far);
});

test("a host that is silent is given up, however long an attempt may take", () => {
  let now = 0;
  const retry = { connectMs: 0, attemptMs: 30_000, deadlineMs: 5_000, pauseMinMs: 10, pauseMaxMs: 1000 };
  const late = new CallFailed(Code.DeadlineExceeded, "no answer");
  const outage = new Outage(retry, undefined, () => now);
  assert.ok(outage.pauseMs(late) <= 10);
  now += retry.attemptMs;
  assert.throws(() => outage.pauseMs(late), late);
});

test("a server that is not there is told with what to try", () => {
  const { message } = new ConnectFailed("http://localhost:7401", "connect ECONNREFUSED", IS_RUNNING);
  assert.match(message, /no server answers at http:\/\/localhost:7401: connect ECONNREFUSED/);
  assert.match(message, /is the server running\? `make run` starts one on 127\.0\.0\.1:7400/);
});

test("the choices of a bot follow from its seed", () => {
  const legal = create(v1.LegalActionsSchema, { ids: Array.from({ length: 100 }, (_, id) => id) });
  const choices = (bot: RandomBot) => {
    const seat = { number: 0, config: undefined, state: undefined, view: undefined, seq: 0n, timeLeftMs: undefined };
    return Array.from({ length: 200 }, () => bot.choose(seat, legal));
  };
  assert.deepEqual(choices(new RandomBot(7)), choices(new RandomBot(7)));
  assert.notDeepEqual(choices(new RandomBot(7)), choices(new RandomBot(8)));
  assert.ok(new Set(choices(new RandomBot(7))).size > 60);
});

test("every file of the wire is in one name space", () => {
  const generated = fileOf("clients/typescript/src/v1.ts");
  for (const file of readdirSync(join(ROOT, "proto/edgehill/v1"))) {
    assert.ok(generated.includes(`"./gen/edgehill/v1/${file.replace(".proto", "_pb.js")}"`), file);
  }
});
