/** A bot that chooses at random. */

import type { Bot, BotSeat } from "./bot.js";
import type { LegalActions } from "./v1.js";

/** Takes any legal action, each as likely as the others. */
export class RandomBot implements Bot {
  readonly omitEvents: boolean = true;
  readonly #random: () => number;

  /** `seed`: a whole number from which all choices follow; without it every game is another. */
  constructor(seed?: number) {
    this.#random = seed === undefined ? Math.random : numbersOf(seed);
  }

  choose(_seat: BotSeat, { ids }: LegalActions): number {
    const chosen = ids[Math.floor(this.#random() * ids.length)];
    if (chosen === undefined) throw new RangeError("there is no legal action");
    return chosen;
  }
}

/** Numbers from 0 to 1 that follow from a seed: Mulberry32, which is good enough to choose with. */
function numbersOf(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
