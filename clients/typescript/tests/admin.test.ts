/** Those who look after a server, and referees: accounts and keys that end, acts on matches, and all that is kept about somebody. */

import assert from "node:assert/strict";
import test, { after } from "node:test";
import { ConnectError, createRouterTransport } from "@connectrpc/connect";
import { CallFailed, type Client, Code, v1, verifyRecord } from "edgehill";
import { clientOver } from "#dist/client.js";
import { all, failed, next, refused, there } from "./asking.js";
import { guarded } from "./guarded.js";
import { client as clientOf, Relay } from "./running.js";

const { server, keys } = await guarded({ after }, ["chief", "operator"], ["ben", "player"], ["umpire", "referee"]);
const chief = clientOf({ after }, server.address, { key: there(keys[0]) });
const ben = clientOf({ after }, server.address, { key: there(keys[1]) });
const umpire = clientOf({ after }, server.address, { key: there(keys[2]) });

/** A client with the key of an account. */
function as(key: string): Client {
  return clientOf({ after }, server.address, { key });
}

test("an account has keys that end, and is erased", async () => {
  const { admin } = chief;
  const made = await admin.createAccount("ada", [v1.AccountRole.PLAYER]);
  assert.deepEqual([made.id, made.source, made.keys], ["ada", v1.AccountSource.STORE, []]);
  await refused("ACCOUNT_EXISTS", admin.createAccount("ada", [v1.AccountRole.PLAYER]));
  const expires = new Date(Date.now() + 86_400_000);
  const first = await admin.createAccountKey("ada", { label: "laptop", expires });
  assert.deepEqual([first.accountKey.number, first.accountKey.label], [1, "laptop"]);
  assert.equal(there(first.accountKey.expireTime).seconds, BigInt(Math.floor(expires.getTime() / 1000)));
  const ada = as(first.key);
  await ada.create("skirmish");
  await refused("NOT_ALLOWED", all(ada.admin.accounts()));
  await refused("NOT_ALLOWED", ada.referee.voidMatch("any", "a fire"));
  const second = await admin.rotateAccountKey("ada", 1, { overlapMs: 3_600_000 });
  await ada.create("skirmish");
  assert.ok((await admin.revokeAccountKey("ada", 1)).revokeTime);
  await refused("BAD_TOKEN", ada.create("skirmish"));
  await refused("UNKNOWN_ACCOUNT_KEY", admin.revokeAccountKey("ada", 9));
  assert.equal((await admin.updateAccount("ada", { isSuspended: true })).isSuspended, true);
  await assert.rejects(as(second.key).create("skirmish"));
  assert.equal((await admin.setAccountQuota("ada", { streams: 3 })).quota?.streams, 3);
  assert.deepEqual(
    (await admin.account("ada")).keys.map(({ number }) => number),
    [1, 2],
  );
  await refused("ACCOUNT_IN_FILE", admin.deleteAccount("ben"));
  await refused("ACCOUNT_NOT_DELETED", admin.eraseAccountData("ada"));
  await admin.deleteAccount("ada");
  await refused("UNKNOWN_ACCOUNT", admin.account("ada"));

  const parts = (await all(admin.exportAccountData("ada"))).map(({ part }) => part);
  assert.ok(parts[0]?.case === "account" && parts[0].value.isDeleted);
  const acts = parts.flatMap((part) => (part.case === "act" ? [part.value] : []));
  assert.deepEqual((await all(admin.acts({ accountId: "ada" }))).slice(0, acts.length), acts);
  const matches = parts.flatMap((part) => (part.case === "accountMatch" ? [part.value.isCreator] : []));
  assert.deepEqual(matches, [true, true]);
  await refused("UNKNOWN_ACCOUNT", admin.exportAccountData("nobody").next());

  const erased = await admin.eraseAccountData("ada");
  // Two matches wait for their seats, and were made by the account.
  assert.deepEqual([erased.waitingMatches, erased.unreadableMatches], [2, 0]);
  const kinds = (await all(admin.acts({ accountId: erased.pseudonym }))).map(({ kind }) => kind);
  assert.deepEqual([kinds[0], kinds.at(-1)], [v1.ActKind.ACCOUNT_CREATED, v1.ActKind.DATA_ERASED]);
});

test("a call that is repeated makes the same key, and lists are read over their pages", async () => {
  const names = Array.from({ length: 101 }, (_, index) => `p${index}`);
  for (const name of names) await chief.admin.createAccount(name, [v1.AccountRole.PLAYER]);
  const options = { requestId: "one", scopes: [v1.AccountRole.PLAYER] };
  const made = [await chief.admin.createAccountKey("p0", options), await chief.admin.createAccountKey("p0", options)];
  assert.deepEqual(made[0], made[1]);
  assert.deepEqual((await all(chief.admin.acts({ accountId: "p0" }))).at(-1)?.requestId, "one");
  const listed = new Set((await all(chief.admin.accounts())).map(({ id }) => id));
  for (const name of [...names, "chief", "ben", "umpire"]) assert.ok(listed.has(name), name);
  const acts = await all(chief.admin.acts());
  assert.ok(acts.length > names.length);
  assert.deepEqual(
    acts.map(({ number }) => number),
    Array.from(acts, (_, index) => BigInt(index + 1)),
  );
  // No more is asked for than is read.
  for await (const { id } of chief.admin.accounts()) {
    assert.equal(id, "ben");
    break;
  }
});

test("what is kept about an account is asked for anew once the stream is lost", async (t) => {
  const relay = await Relay.start(t, server.address);
  const far = clientOf(t, relay.address, { key: there(keys[0]) });
  relay.loseAnswers();
  const waiting = far.admin.exportAccountData("ben");
  const first = next(waiting);
  await relay.reached(1);
  relay.moveTo(server.address);
  // Before the first part it is opened again.
  assert.equal((await first).part.case, "account");
  const controller = new AbortController();
  const given = new Error("not needed any more");
  controller.abort(given);
  await assert.rejects(far.admin.exportAccountData("ben", { signal: controller.signal }).next(), given);
});

test("a player is replaced, and a result corrected", async () => {
  const { match } = await ben.create("skirmish");
  const { matchId } = match.config;
  const seats = [await ben.join(matchId, { player: "Ann" }), await ben.join(matchId, { player: "Ben" })];
  const { referee } = umpire;
  await refused("NO_CLOCKS", referee.addMatchTime(matchId, 0, 300_000, { reason: "so" }));
  await refused("NO_CLOCKS", referee.adjournMatch(matchId, 60_000));
  await refused("UNKNOWN_MATCH", referee.endAdjournment("00000000-0000-0000-0000-000000000000"));
  await refused("MATCH_RUNNING", referee.correctMatchResult(matchId, [0, 0], "too soon"));
  const opened = await referee.replaceMatchPlayer(matchId, 1, { player: "Cat", reason: "ill" });
  assert.equal(opened.match.state.seats[1]?.joined, false);
  await refused("BAD_TOKEN", there(seats[1]).resign());
  const cat = await ben.join(matchId, { invitation: opened.invitation });
  await cat.resign();
  const { state } = await referee.correctMatchResult(matchId, [0, 0], "they had agreed on a draw");
  assert.deepEqual(
    [state.result?.returns, state.correctedReturns],
    [
      [1, -1],
      [0, 0],
    ],
  );
  const { record } = verifyRecord((await ben.record(matchId)).text);
  assert.deepEqual(
    record.refereeActs.map(({ kind, reason }) => [kind, reason]),
    [
      ["replaced", "ill"],
      ["corrected", "they had agreed on a draw"],
    ],
  );
});

test("time is added, a match adjourned, and voided", async () => {
  const clock = { bank: { seconds: 600n } };
  const { match } = await ben.create("skirmish", { clock });
  const { matchId } = match.config;
  const [north] = [await ben.join(matchId), await ben.join(matchId)];
  const { referee } = umpire;
  const options = { reason: "the bell rang", requestId: "bell" };
  for (const _ of [1, 2]) {
    const { state } = await referee.addMatchTime(matchId, 0, 3_600_000, options);
    assert.equal(state.clocks[0]?.bank?.seconds, 4_200n);
  }
  await refused("NOT_ADJOURNED", referee.endAdjournment(matchId));
  const adjourned = await referee.adjournMatch(matchId, 60_000, { reason: "a fire" });
  assert.equal(adjourned.state.adjournment?.byReferee, true);
  await refused("ADJOURNED", referee.adjournMatch(matchId, 60_000));
  await refused("ADJOURNED", north.resume());
  assert.equal((await referee.endAdjournment(matchId)).state.adjournment, undefined);
  const voided = await referee.voidMatch(matchId, "a fire");
  assert.equal(voided.state.result?.termination, v1.Termination.VOID);
  await refused("MATCH_FINISHED", referee.voidMatch(matchId, "a fire"));
  const acts = (await all(chief.admin.acts({ accountId: "umpire" }))).filter((act) => act.matchId === matchId);
  assert.deepEqual(
    acts.map(({ kind }) => kind),
    [v1.ActKind.TIME_ADDED, v1.ActKind.MATCH_ADJOURNED, v1.ActKind.ADJOURNMENT_ENDED, v1.ActKind.MATCH_VOIDED],
  );
});

test("a stream of parts that is lost behind the first one fails", async () => {
  let opened = 0;
  const transport = createRouterTransport(({ service }) => {
    service(v1.AdminService, {
      exportAccountData: async function* () {
        opened += 1;
        yield { part: { case: "account" as const, value: { id: "ada" } } };
        throw new ConnectError("the connection broke", Code.Unavailable);
      },
    });
  });
  const wire = { transport, url: new URL("http://fake:7400"), duplex: true, advice: "", close: () => {} };
  const parts = clientOver(wire, {}).admin.exportAccountData("ada");
  assert.equal((await next(parts)).part.case, "account");
  const { code } = await failed(CallFailed, parts.next());
  assert.deepEqual([code, opened], [Code.Unavailable, 1]);
  assert.equal((await parts.next()).done, true);
});
