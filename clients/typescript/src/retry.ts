/** The decision to repeat a call, and when. Every call may be repeated: its request id makes it happen once. */

import { Code } from "@connectrpc/connect";
import { CallFailed, type EdgehillError, Refused } from "./errors.js";

/** The times within which a client connects, and repeats what got no answer, in milliseconds. */
export interface RetryPolicy {
  /** For the first connection; then `ConnectFailed`. A connection that is lost later is a matter of `deadlineMs`. */
  readonly connectMs: number;
  /** The time that a call or stream may go without an answer before its error is thrown. 0: nothing is repeated. */
  readonly deadlineMs: number;
  /** The time that one attempt of a call may take. Streams have no such limit. */
  readonly attemptMs: number;
  /** The longest pause before the first repetition; each further one is up to twice as long. */
  readonly pauseMinMs: number;
  /** The longest pause of all, except where the server names one. */
  readonly pauseMaxMs: number;
}

/** The times of a client that is given none. */
export const DEFAULT_RETRY: RetryPolicy = {
  connectMs: 1500,
  deadlineMs: 60_000,
  attemptMs: 30_000,
  pauseMinMs: 50,
  pauseMaxMs: 2000,
};

const AGAIN: ReadonlySet<Code> = new Set([Code.Unavailable, Code.DeadlineExceeded]);
const ONCE_MORE: ReadonlySet<Code> = new Set([Code.Internal, Code.Unknown, Code.Canceled]);

/**
 * The failures of one call, or of a stream between two answers. After a quiet time longer than the deadline and an attempt
 * it begins anew: so long no call waits, but a stream on which nothing comes.
 */
export class Outage {
  readonly #policy: RetryPolicy;
  readonly #deadlineMs: () => number;
  readonly #now: () => number;
  #began = 0;
  #last = 0;
  /** Number of failures since it began. */
  failures = 0;

  /** `deadlineMs`: that of the policy or, at each failure, another. `now`: a clock in milliseconds that never goes back. */
  constructor(
    policy: RetryPolicy,
    deadlineMs: () => number = () => policy.deadlineMs,
    now: () => number = () => performance.now(),
  ) {
    this.#policy = policy;
    this.#deadlineMs = deadlineMs;
    this.#now = now;
  }

  /** Returns the milliseconds to wait before the next attempt; throws `error` if there is to be none. */
  pauseMs(error: EdgehillError): number {
    const now = this.#now();
    const deadlineMs = this.#deadlineMs();
    if (this.failures === 0 || now - this.#last > deadlineMs + this.#policy.attemptMs) {
      this.failures = 0;
      this.#began = now;
    }
    this.failures += 1;
    this.#last = now;
    const atLeast = leastPauseMs(error, this.failures);
    if (atLeast === undefined) throw error;
    const ceiling = this.#policy.pauseMinMs * 2 ** Math.min(this.failures - 1, 30);
    // Spread, so that the clients of a server that comes back don't all come back at once.
    const spread = (0.5 + Math.random() / 2) * Math.min(ceiling, this.#policy.pauseMaxMs);
    const chosen = Math.max(atLeast, spread);
    if (now + chosen >= this.#began + deadlineMs) throw error;
    return chosen;
  }

  /** Ends it: there was an answer. */
  end(): void {
    this.failures = 0;
  }
}

/**
 * Returns the least milliseconds before a call that has failed so many times is repeated. `undefined`: to repeat it is
 * of no use (docs/errors.md).
 */
export function leastPauseMs(error: EdgehillError, failures: number): number | undefined {
  if (error instanceof Refused) {
    if (error.code === Code.ResourceExhausted) return error.retryAfterMs;
    if (error.code === Code.Unavailable) return error.retryAfterMs ?? 0;
    return error.code === Code.Internal && failures === 1 ? 0 : undefined;
  }
  if (!(error instanceof CallFailed)) return undefined;
  if (AGAIN.has(error.code)) return 0;
  return ONCE_MORE.has(error.code) && failures === 1 ? 0 : undefined;
}
