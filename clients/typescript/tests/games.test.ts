/** Whole matches of every game between bots, and all that follows from them: the fold law, the record, the dice. */

import assert from "node:assert/strict";
import test, { after } from "node:test";
import { clone } from "@bufbuild/protobuf";
import {
  type BotSeat,
  type DiceOptions,
  type GameOptions,
  type Look,
  RandomBot,
  runBots,
  type Seat,
  Unverified,
  ViewTracker,
  v1,
  verifyDice,
  verifyRecord,
} from "edgehill";
import { sameMessage, there } from "./asking.js";
import { resealed } from "./forging.js";
import { client as clientOf, Server } from "./running.js";

const server = await Server.start({ after });
const client = clientOf({ after }, server.address);

/** Options that keep a game of bots short. */
const SHORT: Readonly<Record<string, GameOptions>> = { "english-civil-war-iia": { max_seasons: 2 } };

/** Plays at random, and keeps all events and the view that the stream kept for it. */
class Follower extends RandomBot {
  override readonly omitEvents = false;
  readonly events: v1.Event[] = [];
  view: v1.View | undefined;
  state: v1.MatchState | undefined;

  onEvent(_seat: BotSeat, event: v1.Event): void {
    this.events.push(event);
  }

  onFinished({ view, state }: BotSeat): void {
    this.view = view;
    this.state = state;
  }
}

interface Played {
  readonly config: v1.MatchConfig;
  readonly seats: readonly Seat[];
  readonly bots: readonly Follower[];
}

/** Plays a match of a game to its end over one stream, a bot at each seat. */
async function played(game: string, entropyMode = v1.EntropyMode.OPEN): Promise<Played> {
  const { match } = await client.create(game, { options: SHORT[game], entropyMode });
  const seats: Seat[] = [];
  for (const number of match.state.seats.keys()) {
    seats.push(await client.join(match.config.matchId, { player: ["Ann", "Jörg"][number] }));
  }
  const bots = seats.map((_, number) => new Follower(number + 1));
  const reports = await runBots(
    client,
    seats.map((seat, number) => [seat, there(bots[number])]),
  );
  for (const [number, seat] of seats.entries()) {
    const report = there(reports.get(seat));
    assert.deepEqual([report.matchId, report.seat], [match.config.matchId, number]);
    assert.equal(report.status, v1.MatchStatus.FINISHED);
    assert.equal(report.result, bots[number]?.state?.result);
    assert.ok(report.actions > 0);
  }
  return { config: match.config, seats, bots };
}

/** The view at the start with all events folded over it is the view now, as a message. */
async function folds(start: Look, now: Look, updates: AsyncIterable<v1.SeatUpdate>): Promise<void> {
  const tracker = new ViewTracker(start);
  const seen: bigint[] = [];
  for await (const update of updates) {
    tracker.fold(update);
    seen.push(...update.events.map(({ seq }) => seq));
  }
  assert.deepEqual(
    seen,
    Array.from({ length: Number(now.seq) }, (_, place) => BigInt(place + 1)),
  );
  sameMessage(v1.ViewSchema, tracker.view, now.view);
  assert.equal(tracker.seq, now.seq);
}

for (const { id: game } of await client.games()) {
  test(`bots play ${game}, and every view folds`, async () => {
    const { config, seats, bots } = await played(game);
    const { matchId } = config;
    const { state } = await client.get(matchId);
    for (const [number, seat] of seats.entries()) {
      const bot = there(bots[number]);
      const now = await seat.view();
      sameMessage(v1.MatchResultSchema, bot.state?.result, state.result);
      sameMessage(v1.ViewSchema, bot.view, now.view);
      await folds(await seat.view({ atSeq: 0n }), now, seat.watchMatch({ afterSeq: 0n }));
    }
    const start = await client.view(matchId, { atSeq: 0n });
    await folds(start, await client.view(matchId), client.watchMatch(matchId, { afterSeq: 0n }));

    const record = await client.record(matchId);
    assert.ok(record.complete);
    const signingKey = await client.signingKey();
    const { unchecked } = verifyRecord(record.text, { signingKey });
    assert.deepEqual([...unchecked.keys()], ["rules", "seed"]);
    const entropies = new Map(seats.map(({ entropy }, number) => [number, there(entropy)]));
    const events = bots.flatMap((bot) => bot.events);
    const checked = verifyDice(config, state, record.text, { entropies, events, signingKey });
    assert.equal(checked.rolls, record.text.match(/^dice \d/gm)?.length ?? 0);
  });
}

test("every die of a skirmish is drawn again, and no other one", async () => {
  // The bots reveal their entropy, too. A match may end before there were two rolls.
  let match = await played("skirmish", v1.EntropyMode.COMMIT_REVEAL);
  const record = async () => (await client.record(match.config.matchId)).text;
  let text = await record();
  while ((text.match(/^dice 3\//gm)?.length ?? 0) < 2) {
    match = await played("skirmish", v1.EntropyMode.COMMIT_REVEAL);
    text = await record();
  }
  const { config, seats, bots } = match;
  const { state } = await client.get(config.matchId);
  const cards = (await client.game("skirmish")).cards.map(({ id }) => id);
  // The stretches of the deck: six cards of dawn, and six of dusk.
  const bags = new Map([
    [0, cards.slice(0, 6)],
    [1, [...Array<string>(6).fill(""), ...cards.slice(6)]],
  ]);
  const entropies = new Map(seats.map(({ entropy }, number) => [number, there(entropy)]));
  for (const { events } of bots) {
    const checked = verifyDice(config, state, text, { entropies, events, bags });
    assert.equal(checked.draws, text.match(/^draw [01]\//gm)?.length);
    assert.equal(checked.rolls, text.match(/^dice \d/gm)?.length);
    // The back that is meant among several is a choice among those that the rules know.
    assert.equal(checked.unchecked.length, text.match(/^draw 3\//gm)?.length ?? 0);
  }

  const refuses = (what: RegExp, forged: string, options: DiceOptions = {}, published = config) => {
    assert.throws(
      () => verifyDice(published, state, forged, options),
      (error) => error instanceof Unverified && what.test(error.message),
    );
  };
  const other = clone(v1.MatchConfigSchema, config);
  there(other.dice).commitment = new Uint8Array(32);
  refuses(/commitment/, text, {}, other);
  refuses(/entropy of seat 1/, text, { entropies: new Map([[1, new Uint8Array(32)]]) });
  refuses(/draw 0\/0/, text, { bags: new Map([[0, cards.slice(6)]]) });
  refuses(/the digest of the text/, text.replace("game skirmish", "game chess"));
  refuses(/the commitment/, resealed(text.replace("game skirmish", "game chess")));
  refuses(/the names/, resealed(text.replace("Ann", "Annx")));
  const [line = "", place = "", face = ""] = /^dice (\d+\/\d+): (\d)/m.exec(text) ?? [];
  const changed = `${line.slice(0, -1)}${(Number(face) % 6) + 1}`;
  refuses(new RegExp(`the dice ${place}`), resealed(text.replace(line, changed)));
  refuses(/the number of the dice/, resealed(text.replace(/^dice \d.*\n/m, "")));
  const unseen = {
    ...there(bots[0]?.events[0]),
    seq: 7n,
    chanceRef: { $typeName: "edgehill.v1.ChanceRef" as const, stream: 3, n: 999 },
  };
  refuses(/draw 3\/999/, text, { events: [unseen] });
});

test("of a running match there is no die to check", async () => {
  const { match } = await client.create("skirmish");
  assert.throws(() => verifyDice(match.config, match.state, "edgehill record 2"), Unverified);
});
