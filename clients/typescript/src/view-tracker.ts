/** The match as an observer has it, kept up to date by the updates that the server sends. */

import { FoldError, SequenceGap } from "./errors.js";
import { fold } from "./folding.js";
import { type GetViewResponse, type MatchState, MatchStatus, type SeatUpdate, type View } from "./v1.js";

/**
 * The present view of an observer, from any updates of theirs: answers of calls, `Watch`, `PlaySession`.
 *
 * Without a view it keeps the rest: an update with a view gives one, and so does `look`.
 */
export class ViewTracker {
  /** The view after the last update: a new object after each change. `undefined`: there is none, or it could not be folded. */
  view: View | undefined;
  /** The number of the last event: what `expectedSeq` takes. */
  seq = 0n;
  /** The stage of the match's life. */
  status = MatchStatus.UNSPECIFIED;
  /** True if the seat is to act. */
  toAct = false;
  /** The match's state, as far as it was sent: streams send it, answers of calls do not. */
  state: MatchState | undefined;

  /** Begins with a view that was asked for, or without one. */
  constructor(start?: GetViewResponse) {
    if (start) this.look(start);
  }

  /** Takes a view that was asked for. */
  look({ view, seq, match }: GetViewResponse): void {
    this.state = match?.state;
    this.status = match?.state?.status ?? MatchStatus.UNSPECIFIED;
    this.begin(view, seq);
  }

  /** Goes on from a view, and the number of the last event that is in it. */
  begin(view: View | undefined, seq: bigint): void {
    this.view = view;
    this.seq = seq;
  }

  /**
   * Takes an update: a view or a state replaces the one before, events are folded over the view.
   *
   * Events that the view has already are passed over. Throws `FoldError` for events that are missing or that this client
   * does not know; the view is gone then, and `look` brings a new one.
   */
  fold(update: SeatUpdate): void {
    if (update.state) this.state = update.state;
    if (update.seq < this.seq) return;
    this.status = update.status;
    this.toAct = update.toAct;
    if (update.view) {
      this.begin(update.view, update.seq);
    } else if (!this.view) {
      this.seq = update.seq;
    } else {
      this.#foldEvents(this.view, update);
    }
  }

  #foldEvents(view: View, update: SeatUpdate): void {
    try {
      for (const event of update.events) {
        if (event.seq <= this.seq) continue;
        if (event.seq !== this.seq + 1n) {
          throw new SequenceGap(`the view is at event ${this.seq}, and ${event.seq} comes next`);
        }
        view = fold(view, event);
        this.seq = event.seq;
      }
      if (update.seq !== this.seq) {
        throw new SequenceGap(`the view is at event ${this.seq}, and the update at ${update.seq} lacks some`);
      }
      this.view = view;
    } catch (error) {
      if (error instanceof FoldError) this.begin(undefined, update.seq);
      throw error;
    }
  }
}
