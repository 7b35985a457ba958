/**
 * The check that the dice of a finished match were those that its host was bound to before anyone sat down.
 *
 * The procedure is that of docs/dice.md, "Checking a match"; that each die was due is for a replay by the rules to say
 * (`edgehill verify`).
 */

import * as dice from "./dice.js";
import { Unverified } from "./errors.js";
import type { Drawn, MatchRecord } from "./record.js";
import { type DiceReveal, type Event, type MatchConfig, type MatchState, RefereeActKind, SeedOrigin } from "./v1.js";
import { type RecordPart, same, type VerifyOptions, verifyRecord } from "./verify-record.js";

/** The acts of referees as a record calls them. */
const ACTS: ReadonlyMap<RefereeActKind, string> = new Map([
  [RefereeActKind.TIME_ADDED, "time"],
  [RefereeActKind.PLAYER_REPLACED, "replaced"],
  [RefereeActKind.MATCH_VOIDED, "voided"],
  [RefereeActKind.RESULT_CORRECTED, "corrected"],
  [RefereeActKind.MATCH_ADJOURNED, "adjourned"],
  [RefereeActKind.ADJOURNMENT_ENDED, "resumed"],
]);

/** The things that were written down while the match ran, and how the game draws. */
export interface DiceOptions extends VerifyOptions {
  /** One's own entropies, by seat. */
  readonly entropies?: ReadonlyMap<number, Uint8Array>;
  /** The events that one has seen; each draw that they rest on has to be in the record. */
  readonly events?: Iterable<Event>;
  /** The sides of the dice that the game rolls; without it 6. */
  readonly sides?: number;
  /** For a stream, the ids of the cards that its bag begins with, each at the place that is its number, and "" for others. */
  readonly bags?: ReadonlyMap<number, readonly string[]>;
}

/** The outcomes that were drawn again from the seed, and are as the record has them. */
export interface DiceCheck {
  /** The seed that everything was drawn from. */
  readonly seed: Uint8Array;
  /** Number of rolls that are as the seed gives them. */
  readonly rolls: number;
  /** Number of draws from bags that are as the seed gives them. */
  readonly draws: number;
  /** Draws whose options only the rules know: choices, and bags that were not named or have been refilled. */
  readonly unchecked: readonly Drawn[];
  /** The parts of the record that could not be checked, each with the reason, as in `RecordCheck`. */
  readonly uncheckedParts: ReadonlyMap<RecordPart, string>;
}

/**
 * Checks the dice of a finished match against the things that were written down while it ran.
 *
 * `published`: the config as it was shown when the match was made. `state`, `text`: as the server has them now, from
 * `Client.get` and `Client.record`. Throws `Unverified` for the first thing that does not check.
 */
export function verifyDice(
  published: MatchConfig,
  state: MatchState,
  text: string,
  options: DiceOptions = {},
): DiceCheck {
  const checked = verifyRecord(text, options);
  const { record } = checked;
  const { reveal } = state;
  if (!reveal) throw new Unverified("the seed is not revealed: the match, or its seed group, is not finished");
  checkMatch(published, reveal, record);
  const seed = boundSeed(published, state, reveal, record);
  for (const [seat, given] of options.entropies ?? []) {
    same(`the entropy of seat ${seat}`, given, reveal.entropies[placeOf(published, seat)]);
  }
  checkEnd(state, record);
  const drawn = drawAgain(seed, record.drawn, options.sides ?? 6, options.bags ?? new Map());
  const uncheckedParts = new Map(checked.unchecked);
  if (drawn.unchecked.length > 0) {
    uncheckedParts.set("seed", `the options of ${drawn.unchecked.length} draws are for the rules to say`);
  } else {
    uncheckedParts.delete("seed");
  }
  const places = new Set(record.drawn.map(({ stream, n }) => `${stream}/${n}`));
  for (const { chanceRef, seq } of options.events ?? []) {
    const place = chanceRef && `${chanceRef.stream}/${chanceRef.n}`;
    if (place && !places.has(place)) {
      throw new Unverified(`the record lacks the draw ${place}, on which event ${seq} rests`);
    }
  }
  return { seed, ...drawn, uncheckedParts };
}

/** Checks that the record is of the match that was published. */
function checkMatch(published: MatchConfig, reveal: DiceReveal, record: MatchRecord): void {
  same("the match of the record", published.matchId, record.match);
  same("the game of the record", published.game, record.game);
  same("the rules of the record", String(published.rules?.number), record.rules);
  same("the content of the record", published.rules?.contentHash, record.content);
  same("the group of the record", reveal.groupId, record.group);
  same("the commitment of the record", published.dice?.commitment, record.commitment ?? new Uint8Array());
  same("the server seed of the record", reveal.serverSeed, record.serverSeed ?? new Uint8Array());
  same("the entropies of the record", reveal.entropies, record.entropies);
}

/** Returns the seed, as far as anybody is bound to it. */
function boundSeed(published: MatchConfig, state: MatchState, reveal: DiceReveal, record: MatchRecord): Uint8Array {
  if (published.dice?.origin === SeedOrigin.CHOSEN) {
    same("the seed of the record", reveal.seed, record.seed);
    return reveal.seed;
  }
  const terms = {
    id: record.id,
    game: published.game,
    rulesVersion: String(published.rules?.number),
    contentHash: published.rules?.contentHash ?? new Uint8Array(),
    optionsHash: published.optionsHash,
  };
  same("the commitment", published.dice?.commitment, dice.commitment(terms, reveal.serverSeed));
  for (const [seat, { entropyCommitment }] of state.seats.entries()) {
    if (entropyCommitment.length === 0) continue;
    const place = placeOf(published, seat);
    const bound = dice.entropyCommitment(record.id, place, reveal.entropies[place] ?? new Uint8Array());
    same(`the entropy commitment of seat ${seat}`, entropyCommitment, bound);
  }
  const seed = dice.matchSeed(record.id, reveal.serverSeed, reveal.entropies);
  same("the seed", seed, reveal.seed);
  return seed;
}

/** Checks that the record has the players and the result that the server tells. */
function checkEnd(state: MatchState, record: MatchRecord): void {
  const players = state.seats.map(({ player }) => player);
  same("the names", players, record.players);
  const acts = record.refereeActs.map(({ kind }) => kind);
  const told = state.refereeActs.map(({ kind }) => ACTS.get(kind) ?? "");
  same("the acts of referees", told, acts);
  const corrected = record.refereeActs.findLast(({ kind }) => kind === "corrected")?.returns ?? [];
  same("the corrected result", state.correctedReturns, corrected);
  if (record.givenUp || acts.includes("voided")) {
    same("the result", "result none", record.result);
    return;
  }
  const { code = "", rule = "", returns = [], grade = "" } = state.result ?? {};
  const line = `result ${code} rule ${rule} returns ${returns.join(" ")} grade ${quoted(grade)}`;
  same("the result", line, record.result);
}

/** Draws every event again, and looks for gaps in each stream. */
function drawAgain(
  seed: Uint8Array,
  drawn: readonly Drawn[],
  sides: number,
  bags: ReadonlyMap<number, readonly string[]>,
): { rolls: number; draws: number; unchecked: Drawn[] } {
  const following = new Map<number, number>();
  const left = new Map<number, Set<number>>();
  for (const [stream, cards] of bags) {
    left.set(stream, new Set(cards.flatMap((id, number) => (id === "" ? [] : [number]))));
  }
  const found = { rolls: 0, draws: 0, unchecked: [] as Drawn[] };
  for (const event of drawn) {
    const { stream, n, faces, what } = event;
    const due = following.get(stream) ?? 0;
    const cards = left.get(stream);
    // Of a draw from a bag the number is its epoch.
    if (faces.length === 0 && cards && n === 0) {
      if (cards.size === 0) throw new Unverified(`the bag of the draw ${stream}/${n} is empty`);
      const card = dice.bag(seed, stream, 0, cards);
      cards.delete(card);
      same(`the draw ${stream}/${n}`, bags.get(stream)?.[card], what);
      found.draws += 1;
      continue;
    }
    if (faces.length > 0) {
      same(`the number of the dice ${stream}/${n}`, due, n);
      same(`the dice ${stream}/${n}`, dice.roll(seed, stream, n, faces.length, sides), faces);
      found.rolls += 1;
    } else {
      found.unchecked.push(event);
    }
    if (n === due) following.set(stream, due + 1);
  }
  return found;
}

/** Returns the place of a seat's entropy: in a seed group, its entrant's place. */
function placeOf({ dice: source }: MatchConfig, seat: number): number {
  return source?.group ? (source.group.seatEntrants[seat] ?? seat) : seat;
}

/** Returns a JSON string as records write it: in ASCII, and without two blanks together. */
function quoted(text: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(text).replace(/[^ -~]|(?<= ) /g, escaped);
}
