/** The terms of matches that are made or sought. */

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type ClockConfigSchema,
  EntropyMode,
  type GroupPlaceSchema,
  type MatchPlan,
  MatchPlanSchema,
  type OptionValueSchema,
  type RulesVersionSchema,
  type SeatConfig,
  type SpectatorDelaySchema,
} from "./v1.js";

/** Options of a scenario by their ids: words, whole numbers, truth values. */
export type GameOptions = Readonly<Record<string, string | number | boolean>>;

/** The terms that those who seek the same have in common. */
export interface SharedTerms {
  /** The scenario's id; without it the game's first. */
  readonly scenario?: string;
  /** Options by their ids; those not named have their defaults. */
  readonly options?: GameOptions;
  /** The rules that the caller knows: refused with RULES_CHANGED if the server plays others. */
  readonly rules?: MessageInitShape<typeof RulesVersionSchema>;
  /** The way in which seats give entropy; without it OPEN. */
  readonly entropyMode?: EntropyMode;
  /** A bank, or a limit for each question; without it nobody's time runs out. */
  readonly clock?: MessageInitShape<typeof ClockConfigSchema>;
}

/** The terms of a match. */
export interface MatchTerms extends SharedTerms {
  /** The callers that may take each seat, in order (`openSeat`, `invitedSeat`, `accountSeat`, `houseBot`); the rest is open. */
  readonly seats?: readonly SeatConfig[];
  /** The position that it begins from, as JSON of the game's own; without it as the scenario says. */
  readonly positionJson?: string;
  /** 32 bytes from which all dice come. Everybody is told, and the match is never rated. Excludes `group`. */
  readonly chosenSeed?: Uint8Array;
  /** The delay of spectators; without it they see the match as it is. */
  readonly spectatorDelay?: MessageInitShape<typeof SpectatorDelaySchema>;
}

/** The terms of one match of several that are made together. */
export interface PlanTerms extends MatchTerms {
  /** Its place in a seed group of the same call, by the group's index, with the entrant of each seat. */
  readonly group?: MessageInitShape<typeof GroupPlaceSchema>;
}

/** Returns a match for `Client.createAll`. */
export function matchPlan(game: string, terms: PlanTerms = {}): MatchPlan {
  return create(MatchPlanSchema, {
    ...matchFields(game, terms),
    seed: terms.group ? { case: "group", value: terms.group } : chosenSeed(terms),
  });
}

/** @internal Returns the fields that a single match and a match of several have in common. */
export function matchFields(game: string, terms: MatchTerms) {
  const { seats, positionJson, spectatorDelay } = terms;
  return { ...sharedFields(game, terms), seats: [...(seats ?? [])], positionJson, spectatorDelay };
}

/** @internal Returns the fields that a match and a seek have in common. */
export function sharedFields(game: string, { scenario, options, rules, entropyMode, clock }: SharedTerms) {
  return {
    game,
    scenario,
    rules,
    clock,
    entropyMode: entropyMode ?? EntropyMode.OPEN,
    options: writtenOptions(options),
  };
}

/** @internal Returns a seed that somebody chose, as a field of the wire. */
export function chosenSeed({ chosenSeed }: MatchTerms) {
  return chosenSeed && { case: "chosenSeed" as const, value: chosenSeed };
}

function writtenOptions(options: GameOptions = {}): MessageInitShape<typeof OptionValueSchema>[] {
  return Object.entries(options).map(([id, value]) => ({ id, value: String(value) }));
}
