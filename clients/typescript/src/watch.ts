/** Streams of what comes: an observer's updates of a match, and the matches of an account. */

import { clone, equals } from "@bufbuild/protobuf";
import type { CallOptions as AttemptOptions } from "@connectrpc/connect";
import type { CallOptions, Connection, Services } from "./connection.js";
import { ResumedStream, type StreamSession } from "./resumed-stream.js";
import {
  type LegalActions,
  LegalActionsSchema,
  type LegalDetail,
  type MatchState,
  MatchStateSchema,
  type SeatUpdate,
  SeatUpdateSchema,
  type WatchAccountResponse,
  type WatchMatchResponse,
} from "./v1.js";

/** The beginning of a stream of updates. */
export interface WatchOptions extends CallOptions {
  /** The cursor: the stream begins with the event after it. Without it, with the present view. */
  readonly afterSeq?: bigint;
  /** Sends phrases and events in words, too. */
  readonly includeText?: boolean;
}

/** The beginning of a stream of a seat's updates. */
export interface SeatWatchOptions extends WatchOptions {
  /** Sends the legal actions, in this detail, whenever the seat comes to be to act. */
  readonly legal?: LegalDetail;
}

/** One observer's stream, over as many connections as it takes. */
export class WatchSession implements StreamSession<WatchMatchResponse, SeatUpdate> {
  readonly #matchId: string;
  readonly #options: SeatWatchOptions;
  #state: MatchState | undefined;
  #prompt: { readonly seq: bigint; readonly legal: LegalActions } | undefined;
  /** The cursor. `undefined`: there is none yet. */
  seq: bigint | undefined;

  constructor(matchId: string, options: SeatWatchOptions) {
    this.#matchId = matchId;
    this.#options = options;
    this.seq = options.afterSeq;
  }

  open({ matches }: Services, options: AttemptOptions): AsyncIterable<WatchMatchResponse> {
    const { includeText, legal } = this.#options;
    return matches.watchMatch({ matchId: this.#matchId, afterSeq: this.seq, includeText, legal }, options);
  }

  /** A connection begins with all that may be known: what the reader has is left out. */
  take({ update }: WatchMatchResponse): SeatUpdate | undefined {
    if (!update) return undefined;
    // Before the match has begun there is no number to go on from: a new connection is to bring the view.
    if (this.seq !== undefined || update.view || update.events.length > 0) this.seq = update.seq;
    const { state, legalActions, seq } = update;
    const knownState = state && this.#state && equals(MatchStateSchema, state, this.#state);
    const prompt = this.#prompt;
    const knownPrompt = legalActions && prompt?.seq === seq && equals(LegalActionsSchema, legalActions, prompt.legal);
    if (state) this.#state = state;
    if (legalActions) this.#prompt = { seq, legal: legalActions };
    if (!knownState && !knownPrompt) return update;
    const news = clone(SeatUpdateSchema, update);
    if (knownState) news.state = undefined;
    if (knownPrompt) news.legalActions = undefined;
    return news.view || news.events.length > 0 || news.state || news.legalActions ? news : undefined;
  }
}

/**
 * The updates of an observer, which end after the last event of a match that has come to its end.
 *
 * `ViewTracker.fold` takes them. A lost connection is opened again with the number of the last event as its cursor, so
 * nothing is missed and nothing comes twice.
 */
export class Watch extends ResumedStream<WatchMatchResponse, SeatUpdate> {
  readonly #watch: WatchSession;

  /** @internal */
  constructor(connection: Connection, token: string | undefined, matchId: string, options: SeatWatchOptions) {
    const session = new WatchSession(matchId, options);
    super(connection, session, token, options.signal);
    this.#watch = session;
  }

  /** The cursor: the number of the last event that was taken from the stream. `undefined`: there is none yet. */
  get seq(): bigint | undefined {
    return this.#watch.seq;
  }
}

/**
 * The matches of an account as they stand, until it is closed.
 *
 * Each response about a match is complete: the last one holds. A lost connection is opened again with the cursor of the
 * last response: results since then come, and all that is not over comes again.
 */
export class AccountWatch extends ResumedStream<WatchAccountResponse, WatchAccountResponse> {
  readonly #position: { cursor: string };

  /** @internal */
  constructor(connection: Connection, key: string | undefined, cursor: string, signal: AbortSignal | undefined) {
    const position = { cursor };
    const session: StreamSession<WatchAccountResponse, WatchAccountResponse> = {
      open: ({ matches }, options) => matches.watchAccount({ cursor: position.cursor }, options),
      take: (response) => {
        position.cursor = response.cursor;
        return response;
      },
    };
    super(connection, session, key, signal);
    this.#position = position;
  }

  /** The cursor of the last response that was taken from the stream; empty: there is none yet. */
  get cursor(): string {
    return this.#position.cursor;
  }
}
