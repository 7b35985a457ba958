/** Somebody to play with, over as many connections as it takes. */

import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { type CallOptions as AttemptOptions, Code } from "@connectrpc/connect";
import { type FoundSeat, withMatch } from "./answers.js";
import type { ChangeOptions, Connection, Services } from "./connection.js";
import { CallFailed, type EdgehillError } from "./errors.js";
import { type SharedTerms, sharedFields } from "./match-terms.js";
import { ResumedStream, type StreamSession } from "./resumed-stream.js";
import type { SeekCount, SeekMatchResponse } from "./v1.js";

/** The match that is sought. */
export interface SeekOptions extends SharedTerms, ChangeOptions {
  /** The seat to play; without it, any. */
  readonly seat?: number;
  /** The longest time to seek, in milliseconds; without it, as long as the server allows. */
  readonly waitMs?: number;
}

/** The caller of a seek, and the id of the call. */
export interface Seeker {
  readonly clientSecret: Uint8Array;
  readonly requestId: string;
}

class SeekSession implements StreamSession<SeekMatchResponse, SeekCount> {
  readonly #game: string;
  readonly #options: SeekOptions;
  readonly #seeker: Seeker;
  #ends: number | undefined;
  result: FoundSeat | undefined;

  constructor(game: string, options: SeekOptions, seeker: Seeker) {
    this.#game = game;
    this.#options = options;
    this.#seeker = seeker;
  }

  /** The same request each time, for as much time as is left. */
  open({ matches }: Services, options: AttemptOptions): AsyncIterable<SeekMatchResponse> {
    const { seat, waitMs } = this.#options;
    const shared = { ...sharedFields(this.#game, this.#options), ...this.#seeker, seat };
    if (waitMs === undefined) return matches.seekMatch(shared, options);
    const now = performance.now();
    this.#ends ??= now + waitMs;
    const wait = durationFromMs(Math.max(1, Math.round(this.#ends - now)));
    return matches.seekMatch({ ...shared, wait }, options);
  }

  take({ paired, seeking }: SeekMatchResponse): SeekCount | undefined {
    this.result = paired && withMatch(paired);
    return seeking;
  }

  isOver(): boolean {
    return this.result !== undefined;
  }

  endedBy(): EdgehillError {
    return new CallFailed(Code.Unavailable, "the stream ended before the pairing");
  }
}

/**
 * The number of those who seek, until the seek is paired or closed; `result` is the seat then.
 *
 * The seek is open while it is iterated or waited for. A lost connection is opened again with the same request id:
 * nobody is paired twice, and who was paired meanwhile has their seat. `close` takes the seek back.
 */
export class Seek extends ResumedStream<SeekMatchResponse, SeekCount> {
  readonly #seek: SeekSession;

  /** @internal */
  constructor(connection: Connection, key: string | undefined, game: string, options: SeekOptions, seeker: Seeker) {
    const session = new SeekSession(game, options, seeker);
    super(connection, session, key, options.signal);
    this.#seek = session;
  }

  /** The seat, for `Client.join`, once the seek was paired. */
  get result(): FoundSeat | undefined {
    return this.#seek.result;
  }

  /** Waits until the seek is paired. Throws `Refused` (SEEK_EXPIRED) if nobody comes in time. */
  async paired(): Promise<FoundSeat> {
    for await (const _ of this);
    if (!this.result) throw new CallFailed(Code.Canceled, "the seek is closed");
    return this.result;
  }
}
