/** The sessions of clients/conformance, on the server that EDGEHILL_SERVER names or on one of their own. */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import test, { after } from "node:test";
import {
  type Client,
  type ClientOptions,
  Code,
  EdgehillError,
  type Refused,
  type Seat,
  Transcript,
  v1,
  verifyDice,
  verifyRecord,
  verifyTranscript,
} from "edgehill";
import { failed, next, refused as refusedFor, sameMessage, there } from "./asking.js";
import { client as clientOf, fileOf, type Lasting, Relay, Server } from "./running.js";
import { Table } from "./session-table.js";

const NOBODY = "00000000-0000-0000-0000-000000000000";
const lasting: Lasting = { after };
const address = process.env["EDGEHILL_SERVER"] ?? (await Server.start(lasting)).address;
const key = process.env["EDGEHILL_KEY"];
const options: ClientOptions = key === undefined ? {} : { key };
const client = clientOf(lasting, address, options);

/** The status that each reason comes with. */
const STATUSES = new Map<string, string>(
  JSON.parse(fileOf("clients/conformance/errors.json")).reasons.map(
    ({ reason, code }: { reason: string; code: string }) => [reason, code.replaceAll("_", "").toLowerCase()],
  ),
);

/** Expects a refusal of this reason, with the status that goes with it. */
async function refused(reason: keyof typeof v1.ErrorReason, call: Promise<unknown>): Promise<Refused> {
  const refusal = await refusedFor(reason, call);
  assert.equal(Code[refusal.code].toLowerCase(), STATUSES.get(reason));
  return refusal;
}

/** The parameters that sessions have. */
interface Parameters {
  readonly unknown: string;
  readonly game: string;
  readonly forms: readonly string[];
  readonly decisions: number;
  readonly messages: number;
}
type Look = Awaited<ReturnType<Client["view"]>>;

/** The full list of a seat, of two actions or more where it has to choose. */
async function legal(seat: Seat): Promise<v1.LegalAction[]> {
  return (await seat.legal({ detail: v1.LegalDetail.FULL })).legalActions.actions;
}

async function first(seat: Seat): Promise<v1.LegalAction> {
  return there((await legal(seat))[0]);
}

/** Both seats of a match of the game for two. */
function two({ seats }: Table): [Seat, Seat] {
  return [there(seats[0]), there(seats[1])];
}

/** The cards that references name. */
function cards(refs: readonly v1.Ref[]): number[] {
  return refs.flatMap(({ what }) => (what.case === "card" ? [what.value] : []));
}

/** The cards whose faces an observer sees. */
function faces({ view }: Look): number[] {
  return (view.board?.piles ?? []).flatMap(({ cards }) => cards).sort((one, other) => one - other);
}

/** Asserts that what everybody has followed comes to what there is. */
async function followEverybody(table: Table): Promise<void> {
  for (const observer of table.everybody) {
    await observer.followToTheEnd();
    const now = await observer.now();
    const numbers = observer.events.map(({ seq }) => seq);
    assert.deepEqual(
      numbers,
      Array.from(numbers, (_, index) => BigInt(index + 1)),
    );
    assert.deepEqual([numbers.at(-1) ?? 0n, observer.tracker.seq], [now.seq, now.seq]);
    sameMessage(v1.ViewSchema, observer.tracker.view, now.view);
  }
}

const SESSIONS: Readonly<Record<string, (parameters: Parameters) => Promise<void>>> = {
  async catalogue({ unknown }) {
    const listed = await client.games();
    assert.ok(listed.length > 0);
    for (const summary of listed) {
      const game = await client.game(summary.id);
      sameMessage(v1.GameSummarySchema, game.summary, summary);
      const ids = (await client.actionDefs(summary.id)).map(({ id }) => id);
      assert.deepEqual(ids, [...Array(game.actionCount).keys()]);
    }
    await refused("UNKNOWN_GAME", client.game(unknown));
  },

  async forms({ forms, decisions }) {
    const signingKey = await client.signingKey();
    for (const { id } of await client.games()) {
      for (const form of forms) {
        const table = await Table.of(client, id);
        await table.play(decisions, form);
        await table.end();
        await followEverybody(table);
        const { text, complete } = await client.record(table.matchId);
        assert.equal(complete, true);
        const open = [...verifyRecord(text, { signingKey }).unchecked.keys()];
        assert.deepEqual(open.sort(), ["rules", "seed"]);
        const entropies = new Map(table.seats.map(({ entropy }, number) => [number, there(entropy)]));
        const { state } = await client.get(table.matchId);
        const dice = verifyDice(table.made.match.config, state, text, { entropies, signingKey });
        for (const part of dice.uncheckedParts.keys()) assert.ok(part === "rules" || part === "seed", part);
      }
    }
  },

  async refusals({ game }) {
    const table = await Table.of(client, game);
    const [north] = two(table);
    const before = await north.view();
    const [card, second] = await legal(north);
    await refused("UNKNOWN_MATCH", client.get(NOBODY));
    await refused("BAD_TOKEN", client.seat(table.matchId, "nobody".repeat(8)).apply(there(card)));
    const illegal = await refused("ILLEGAL_ACTION", north.apply([there(card), there(second)]));
    assert.equal(illegal.index, 1);
    assert.ok(illegal.ruleViolations[0]?.rule);
    await refused("CURSOR_AHEAD", north.apply(there(card), { expectedSeq: before.seq + 1n }));
    await refused("NOTHING_TO_UNDO", north.undo());
    const now = await north.view();
    assert.equal(now.seq, before.seq);
    sameMessage(v1.ViewSchema, now.view, before.view);
  },

  async undo({ game }) {
    const [north] = two(await Table.of(client, game));
    const [before, actions] = [await north.view(), await legal(north)];
    const action = there(actions[0]);
    const taken = await north.apply(action);
    assert.ok(taken.seq > before.seq);
    assert.deepEqual((await north.view()).view.draft, [action.id]);
    assert.notDeepEqual(await legal(north), actions);
    const undone = await north.undo({ expectedSeq: taken.seq });
    assert.ok(undone.seq > taken.seq);
    assert.deepEqual((await north.view()).view.draft, []);
    assert.deepEqual(await legal(north), actions);
  },

  async batch({ game }) {
    const [north, south] = two(await Table.of(client, game));
    const action = await first(north);
    const taken = await north.apply([action.notation, "done"]);
    assert.deepEqual([taken.applyResult?.actions, taken.toAct], [2, false]);
    assert.deepEqual(await legal(north), []);
    await refused("NOT_YOUR_TURN", north.apply(action));
    await refused("COMMITTED", north.undo());
    const card = await first(south);
    await south.apply(card);
    const done = there((await legal(south)).find(({ notation }) => notation === "done"));
    await south.undo();
    assert.equal((await south.apply([card.id, done.id])).applyResult?.actions, 2);
  },

  async reveal({ game }) {
    const table = await Table.of(client, game);
    const [north, south] = two(table);
    const [before, action] = [await north.view(), await first(north)];
    const across = [action.notation, "done", action.notation];
    await refused("LIST_CROSSES_REVEAL", north.apply(across));
    assert.equal((await north.view()).seq, before.seq);
    const taken = await north.apply(across, { untilReveal: true });
    assert.equal(taken.applyResult?.actions, 2);
    assert.deepEqual(faces(await table.spectator.now()), []);
    const card = await first(south);
    await south.apply([card.notation, "done"]);
    const chosen = [...cards(action.refs), ...cards(card.refs)].sort((one, other) => one - other);
    assert.deepEqual(faces(await table.spectator.now()), chosen);
    assert.ok((await north.view()).seq > taken.seq);
    await refused("STALE_SEQUENCE", north.apply(action, { expectedSeq: taken.seq }));
  },

  async redaction({ game }) {
    const table = await Table.of(client, game);
    const hands: number[][] = [];
    for (const seat of table.seats) {
      const hand = (await legal(seat)).flatMap(({ refs }) => cards(refs)).sort((one, other) => one - other);
      assert.ok(hand.length > 1);
      assert.deepEqual(faces(await seat.view()), hand);
      hands.push(hand);
    }
    assert.deepEqual(faces(await table.spectator.now()), []);
    for (const seat of table.seats) await seat.apply([(await first(seat)).notation, "done"]);
    await table.end();
    await followEverybody(table);
    // The cards that were not played stay in the hands, and nobody else is told them.
    const played = faces(await table.spectator.now());
    for (const { seat, events } of table.everybody) {
      const known = new Set([...(seat === undefined ? [] : there(hands[seat])), ...played]);
      for (const { refs, changes } of events) {
        for (const card of cards(refs)) assert.ok(known.has(card));
        for (const { entry } of changes) {
          if (entry.case === "pile") for (const card of entry.value.cards) assert.ok(known.has(card));
        }
      }
    }
  },

  async repetition({ game }) {
    const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
    const made = await client.create(game, { requestId: first });
    const { matchId } = made.match.config;
    const again = await client.create(game, { requestId: first });
    assert.equal(again.match.config.matchId, matchId);
    const join = { seat: 0, entropy: new Uint8Array(32), requestId: second };
    const [{ token }, repeated] = [await client.join(matchId, join), await client.join(matchId, join)];
    assert.equal(repeated.token, token);
    await client.join(matchId);
    const north = client.seat(matchId, token);
    const [card, other] = await legal(north);
    const taken = await north.apply(there(card), { requestId: third });
    assert.equal((await north.apply(there(card), { requestId: third })).seq, taken.seq);
    assert.deepEqual((await north.view()).view.draft, [there(card).id]);
    await refused("REQUEST_ID_REUSED", north.apply(there(other), { requestId: third }));
  },

  async cut({ game, decisions, messages }) {
    const table = await Table.of(client, game);
    const relay = await Relay.start(lasting, address);
    const watch = clientOf(lasting, relay.address, options).watchMatch(table.matchId, { afterSeq: 0n });
    const seen: bigint[] = [];
    let [updates, cuts] = [0, 0];
    for (let decision = 0; decision <= decisions; decision += 1) {
      // One decision behind, so that something is under way when the relay breaks.
      const { seq } = await table.spectator.now();
      await (decision < decisions ? table.play(1, "id", decision) : table.end());
      while ((watch.seq ?? 0n) < seq) {
        seen.push(...(await next(watch)).events.map((event) => event.seq));
        updates += 1;
        if (updates % messages === 0) {
          relay.cut();
          cuts += 1;
        }
      }
    }
    for await (const { events } of watch) seen.push(...events.map(({ seq }) => seq));
    assert.ok(cuts > 1);
    assert.deepEqual(
      seen,
      Array.from(seen, (_, index) => BigInt(index + 1)),
    );
    assert.equal(seen.at(-1), (await table.spectator.now()).seq);
  },

  async receipts({ game, decisions }) {
    const signingKey = await client.signingKeys();
    const table = await Table.of(client, game);
    await table.play(decisions);
    await table.end();
    for (const observer of table.everybody) {
      await observer.followToTheEnd();
      const { seat, events } = observer;
      const receipt = await (seat === undefined ? client.receipt(table.matchId) : there(table.seats[seat]).receipt());
      const transcript = new Transcript(table.matchId, seat);
      for (const event of events) transcript.add(event);
      transcript.addReceipt(receipt);
      assert.equal(verifyTranscript(transcript, { signingKey }).complete, true);
      const lossy = async () => {
        const transcript = new Transcript(table.matchId, seat);
        for (const event of events.slice(1)) transcript.add(event);
        transcript.addReceipt(receipt);
      };
      await failed(EdgehillError, lossy());
    }
  },
};

const { format, sessions } = JSON.parse(fileOf("clients/conformance/sessions.json"));
assert.equal(format, "edgehill-sessions/1");
for (const { name, ...parameters } of sessions) {
  // A server that is named may be far away.
  test(`the session ${name}`, { timeout: 600_000 }, () => there(SESSIONS[name])(parameters));
}
