/** Bots: the choice is theirs, everything else is the runner's. */

import type { ActionsLike } from "./actions.js";
import type { PlayedSeat } from "./played-seat.js";
import type { Event, LegalActions, LegalDetail, MatchResult, MatchStatus } from "./v1.js";

/** A seat as its bot sees it. */
export type BotSeat = Readonly<Pick<PlayedSeat, "number" | "config" | "state" | "view" | "seq" | "timeLeftMs">>;

/** A player. It says which actions it takes, and may take note of events. */
export interface Bot {
  /** The detail of each legal action that the bot is given; without it ids. */
  readonly detail?: LegalDetail;
  /** True if the bot goes by the legal actions alone: no events are sent, and no view is kept for it. */
  readonly omitEvents?: boolean;
  /**
   * Chooses what the seat does now: one of `legal`, or several actions from there. It may wait for others, such as a
   * model's service; meanwhile other seats play on. `signal` is aborted when the choice is not needed any more.
   */
  choose(seat: BotSeat, legal: LegalActions, signal: AbortSignal): ActionsLike | Promise<ActionsLike>;
  /** Takes note of an event; `seat.view` has it already. */
  onEvent?(seat: BotSeat, event: Event): void;
  /** Takes note of the end; `seat.state` has the result. */
  onFinished?(seat: BotSeat): void;
}

/** The outcome for a bot. */
export interface BotReport {
  /** The match. */
  readonly matchId: string;
  /** The bot's seat, from 0. */
  readonly seat: number;
  /** The status of the match: finished, or stopped. */
  readonly status: MatchStatus;
  /** The result; `undefined` if there is none. */
  readonly result: MatchResult | undefined;
  /** Number of actions that the bot took. */
  readonly actions: number;
}
