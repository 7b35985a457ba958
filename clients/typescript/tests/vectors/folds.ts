/**
 * The vectors of folds: the beginnings of matches as a server has shown them to their observers, and updates that need
 * care, from the tests of the client for Python.
 */

import { type JsonValue, toBinary } from "@bufbuild/protobuf";
import { base64Encode } from "@bufbuild/protobuf/wire";
import { type Client, type GameOptions, type Look, RandomBot, type Seat, v1, type Watch } from "edgehill";
import { there } from "../asking.js";

/** A view of a match's beginning, all events since, and the view then: messages in base64. */
export interface FoldVector {
  readonly game: string;
  /** The seat that sees it; `null`: a spectator. */
  readonly observer: number | null;
  readonly start: string;
  readonly events: readonly string[];
  readonly end: string;
}

/** Updates after a view, and the outcome: protobuf's JSON. */
export interface TrackerVector {
  readonly name: string;
  /** The last number that is in the view. */
  readonly seq: string;
  readonly view: JsonValue;
  readonly updates: readonly JsonValue[];
  readonly expected: { readonly seq: string; readonly view: JsonValue } | { readonly fault: "gap" | "unknown_change" };
}

/** Number of events that a seat has to have seen: by then every kind of change has come, in one game or another. */
const EVENTS_MIN = 80n;

/** The game whose spectators are recorded, too. */
const WATCHED = "skirmish";

/** Records the beginnings of matches of every game. */
export async function foldVectors(client: Client): Promise<FoldVector[]> {
  const vectors: FoldVector[] = [];
  for (const { id: game } of await client.games()) {
    const options: GameOptions = game === "english-civil-war-iia" ? { max_seasons: 2 } : {};
    const { match } = await client.create(game, { options, chosenSeed: new Uint8Array(32).fill(7) });
    const { matchId } = match.config;
    const seats: Seat[] = [];
    for (const _ of match.state.seats) seats.push(await client.join(matchId));
    await playOn(seats);
    const [north] = seats;
    const last = await there(north).view();
    const watch = there(north).watchMatch({ afterSeq: 0n });
    vectors.push(await recorded(game, 0, await there(north).view({ atSeq: 0n }), last, watch));
    if (game !== WATCHED) continue;
    const now = await client.view(matchId);
    const all = client.watchMatch(matchId, { afterSeq: 0n });
    vectors.push(await recorded(game, null, await client.view(matchId, { atSeq: 0n }), now, all));
  }
  return vectors;
}

/** Plays until the first seat has seen enough, or the match is over. */
async function playOn(seats: readonly Seat[]): Promise<void> {
  const bots = seats.map((_, place) => new RandomBot(place + 1));
  for (;;) {
    for (const [place, seat] of seats.entries()) {
      const { toAct, legalActions, seq } = await seat.legal();
      if (place === 0 && seq >= EVENTS_MIN) return;
      const place_ = {
        number: place,
        config: undefined,
        state: undefined,
        view: undefined,
        seq,
        timeLeftMs: undefined,
      };
      if (toAct) await seat.apply(there(bots[place]).choose(place_, legalActions));
    }
  }
}

async function recorded(
  game: string,
  observer: number | null,
  start: Look,
  end: Look,
  watch: Watch,
): Promise<FoldVector> {
  const events: string[] = [];
  for await (const update of watch) {
    events.push(...update.events.map((event) => base64Encode(toBinary(v1.EventSchema, event))));
    if (update.seq >= end.seq) break;
  }
  const viewOf = ({ view }: Look) => base64Encode(toBinary(v1.ViewSchema, view));
  return { game, observer, start: viewOf(start), events: events.slice(0, Number(end.seq)), end: viewOf(end) };
}

/** Updates that a tracker has to be careful with. */
export function trackerVectors(): TrackerVector[] {
  const event = (seq: number) => ({ seq: `${seq}`, changes: [{ draft: { keep: 1, add: [seq] } }] });
  const update = (...numbers: readonly number[]) => {
    return { seq: `${numbers.at(-1)}`, status: "MATCH_STATUS_RUNNING", toAct: true, events: numbers.map(event) };
  };
  const from = { seq: "3", view: { draft: [1] } };
  const comesTo = (seq: number, draft: readonly number[]) => ({ seq: `${seq}`, view: { draft: [...draft] } });
  return [
    {
      name: "events that the view has already are passed over",
      ...from,
      updates: [update(3, 4), update(4, 5), update(4)],
      expected: comesTo(5, [1, 5]),
    },
    {
      name: "a view replaces, and its events are in it",
      ...from,
      updates: [{ seq: "9", status: "MATCH_STATUS_RUNNING", view: { draft: [7] } }],
      expected: comesTo(9, [7]),
    },
    { name: "an event is missing", ...from, updates: [update(5)], expected: { fault: "gap" } },
    { name: "events are left out", ...from, updates: [{ seq: "4" }], expected: { fault: "gap" } },
    {
      name: "a change of a newer server",
      ...from,
      updates: [{ seq: "4", events: [{ seq: "4", changes: [{}] }] }],
      expected: { fault: "unknown_change" },
    },
  ];
}
