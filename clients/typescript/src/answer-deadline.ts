/** The time that a seat has left for its question, by this machine's own clock. */

import { durationMs } from "@bufbuild/protobuf/wkt";
import type { SeatUpdate } from "./v1.js";

/** The moment until which a seat may answer its question, kept up to date by its updates. */
export class AnswerDeadline {
  #at: number | undefined;

  /** Takes an update that has just come, at `now` by `performance.now()`: it says all that there is to know. */
  take({ timeLeft }: SeatUpdate, now: number = performance.now()): void {
    this.#at = timeLeft?.left && now + durationMs(timeLeft.left);
  }

  /** Takes note that nothing is asked of the seat. */
  clear(): void {
    this.#at = undefined;
  }

  /** Returns the milliseconds that are left at `now`, at least 0. `undefined`: nothing is asked, or no clock runs for it. */
  leftMs(now: number = performance.now()): number | undefined {
    return this.#at === undefined ? undefined : Math.max(0, this.#at - now);
  }
}
