/** A seat that this client has taken, and the calls of its player. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import type { CallOptions as AttemptOptions } from "@connectrpc/connect";
import { type ActionLike, type ActionsLike, actionBatch, actionMessage, type BatchOptions } from "./actions.js";
import {
  answered,
  type Legal,
  type Look,
  listed,
  looked,
  type Rematch,
  type WholeMatch,
  wholeMatch,
  withMatch,
} from "./answers.js";
import type { CallOptions, ChangeOptions, Connection, Services } from "./connection.js";
import { requestIds } from "./request-ids.js";
import { checkedToken } from "./server-url.js";
import {
  type Action,
  type ExplainActionResponse,
  type JoinMatchResponse,
  LegalDetail,
  type Receipt,
  type RefSchema,
  type ResponseOptionsSchema,
  type RevealEntropyResponse,
  type SeatUpdate,
  type StandingPassSchema,
} from "./v1.js";
import { type SeatWatchOptions, Watch } from "./watch.js";

/** The parts of the answer of a call that changes something; without it the least is sent. */
export type Response = MessageInitShape<typeof ResponseOptionsSchema>;

/** View, legal actions and events in the answer of a call. */
export const FULL: Response = { includeView: true, includeEvents: true, legal: LegalDetail.IDS };

/** A call that changes something, and is answered with an update. */
export interface UpdateOptions extends ChangeOptions {
  /** The parts of the answer; `FULL` has all. */
  readonly response?: Response;
}

/** The view that is asked for. */
export interface ViewOptions extends CallOptions {
  /** 0n: the view of the beginning. Without it: the view now. */
  readonly atSeq?: bigint;
  /** Sends phrases in words, too. */
  readonly includeText?: boolean;
}

/** The legal actions that are asked for. */
export interface LegalOptions extends CallOptions {
  /** The detail of each; without it its id. */
  readonly detail?: LegalDetail;
  /** Only those of these verbs. */
  readonly verbs?: readonly string[];
  /** Only those about all of these things. */
  readonly refs?: readonly MessageInitShape<typeof RefSchema>[];
}

/**
 * A seat of a match, by its token. The holder of the token plays the seat, so it is a secret.
 *
 * Each call that changes something takes a new request id and keeps it in every repetition.
 */
export class Seat {
  /** The match. */
  readonly matchId: string;
  /** The secret that plays the seat. */
  readonly token: string;
  /** The answer to `Client.join`. `undefined` for a seat that was taken up by its token alone. */
  readonly joined: JoinMatchResponse | undefined;
  /** The entropy that `Client.join` gave for the dice. `undefined`: none. */
  readonly entropy: Uint8Array | undefined;
  readonly #connection: Connection;
  readonly #nextId = requestIds();

  /** @internal */
  constructor(
    connection: Connection,
    matchId: string,
    token: string,
    joined?: JoinMatchResponse,
    entropy?: Uint8Array,
  ) {
    this.#connection = connection;
    this.matchId = matchId;
    this.token = checkedToken(token);
    this.joined = joined;
    this.entropy = entropy;
  }

  /** The seat's number, from 0. `undefined` for a seat that was taken up by its token alone. */
  get number(): number | undefined {
    return this.joined?.seat;
  }

  /** Gets the match's config and state, with the last number of this seat's sequence. */
  async get({ signal }: CallOptions = {}): Promise<WholeMatch> {
    const request = { matchId: this.matchId };
    const { match } = await this.#call(({ matches }, options) => matches.getMatch(request, options), signal);
    return wholeMatch(match);
  }

  /** Gets the view of the seat or, with `spectator`, of a spectator; now or at the beginning of the match. */
  async view({
    atSeq,
    spectator,
    includeText,
    signal,
  }: ViewOptions & { readonly spectator?: boolean } = {}): Promise<Look> {
    const request = { matchId: this.matchId, atSeq, includeText, observer: spectator ? {} : undefined };
    return looked(await this.#call(({ matches }, options) => matches.getView(request, options), signal));
  }

  /** Gets the server's signed word for all that it has published to the seat: the hash of a `Transcript` of it. */
  async receipt({ signal }: CallOptions = {}): Promise<Receipt> {
    const request = { matchId: this.matchId };
    const { receipt } = await this.#call(({ matches }, options) => matches.getReceipt(request, options), signal);
    return answered(receipt);
  }

  /** Lists the actions that the seat may take now. */
  async legal({ detail, verbs, refs, signal }: LegalOptions = {}): Promise<Legal> {
    const request = {
      matchId: this.matchId,
      detail: detail ?? LegalDetail.IDS,
      verbs: [...(verbs ?? [])],
      refs: [...(refs ?? [])],
    };
    return listed(await this.#call(({ matches }, options) => matches.listLegalActions(request, options), signal));
  }

  /** Explains why the seat may not take an action now. A text is the action's notation. */
  explain(action: ActionLike | Action, { signal }: CallOptions = {}): Promise<ExplainActionResponse> {
    const request = { matchId: this.matchId, action: actionMessage(action) };
    return this.#call(({ matches }, options) => matches.explainAction(request, options), signal);
  }

  /** Takes actions, as one. `applyResult` of the update says how many were taken. */
  async apply(actions: ActionsLike, options: BatchOptions & UpdateOptions = {}): Promise<SeatUpdate> {
    const request = { ...this.#change(options), batch: actionBatch(actions, options) };
    const call = await this.#call(({ matches }, tried) => matches.applyActions(request, tried), options.signal);
    return answered(call.update);
  }

  /** Takes back the last action of the draft, or all but the first `keepDraftActions`. */
  async undo(options: Omit<BatchOptions, "untilReveal"> & UpdateOptions = {}): Promise<SeatUpdate> {
    const { expectedSeq, keepDraftActions } = options;
    const request = { ...this.#change(options), span: { expectedSeq, keepDraftActions } };
    const call = await this.#call(({ matches }, tried) => matches.undoActions(request, tried), options.signal);
    return answered(call.update);
  }

  /** Gives up. The match is finished. */
  async resign(options: UpdateOptions = {}): Promise<SeatUpdate> {
    const request = this.#change(options);
    const call = await this.#call(({ matches }, tried) => matches.resignMatch(request, tried), options.signal);
    return answered(call.update);
  }

  /** Gives the seat back before the match has begun. Its token is void from then on. */
  async leave(options: ChangeOptions = {}): Promise<WholeMatch> {
    const request = this.#change(options);
    const { match } = await this.#call(({ matches }, tried) => matches.leaveMatch(request, tried), options.signal);
    return wholeMatch(match);
  }

  /**
   * Makes the match that follows this one, which is finished: the same players with their sides swapped.
   *
   * It is made once, whoever asks first. `Client.join` takes the new seat by `match.config.matchId`, `seat` and
   * `invitation`.
   */
  async rematch(options: ChangeOptions = {}): Promise<Rematch> {
    const request = this.#change(options);
    return withMatch(await this.#call(({ matches }, tried) => matches.rematchMatch(request, tried), options.signal));
  }

  /** Offers a draw, until the seat's next action is final. */
  async offerDraw(options: ChangeOptions = {}): Promise<WholeMatch> {
    const request = this.#change(options);
    const { match } = await this.#call(({ matches }, tried) => matches.offerDraw(request, tried), options.signal);
    return wholeMatch(match);
  }

  /** Accepts the draw that all other seats offer. The match is finished. */
  async acceptDraw(options: UpdateOptions = {}): Promise<SeatUpdate> {
    const request = this.#change(options);
    const call = await this.#call(({ matches }, tried) => matches.acceptDraw(request, tried), options.signal);
    return answered(call.update);
  }

  /** Declines the draw that other seats offer. Their offers lapse. */
  async declineDraw(options: ChangeOptions = {}): Promise<WholeMatch> {
    const request = this.#change(options);
    const { match } = await this.#call(({ matches }, tried) => matches.declineDraw(request, tried), options.signal);
    return wholeMatch(match);
  }

  /**
   * Offers to adjourn the match, until the seat's next action is final. House bots agree at once.
   *
   * `adjournForMs`: the longest time that it may last, from a minute to 30 days, in milliseconds.
   */
  async offerAdjournment(adjournForMs: number, options: ChangeOptions = {}): Promise<WholeMatch> {
    const request = { ...this.#change(options), adjournFor: durationFromMs(adjournForMs) };
    const { match } = await this.#call(
      ({ matches }, tried) => matches.offerAdjournment(request, tried),
      options.signal,
    );
    return wholeMatch(match);
  }

  /**
   * Accepts the adjournment that all other seats offer: no clock runs, and nobody is to act.
   *
   * `adjournForMs`: the longest time that it may last for this seat; the least that was named holds.
   */
  async acceptAdjournment(options: ChangeOptions & { readonly adjournForMs?: number } = {}): Promise<WholeMatch> {
    const { adjournForMs, signal } = options;
    const adjournFor = adjournForMs === undefined ? undefined : durationFromMs(adjournForMs);
    const request = { ...this.#change(options), adjournFor };
    const { match } = await this.#call(({ matches }, tried) => matches.acceptAdjournment(request, tried), signal);
    return wholeMatch(match);
  }

  /** Declines the adjournment that other seats offer. Their offers lapse. */
  async declineAdjournment(options: ChangeOptions = {}): Promise<WholeMatch> {
    const request = this.#change(options);
    const { match } = await this.#call(
      ({ matches }, tried) => matches.declineAdjournment(request, tried),
      options.signal,
    );
    return wholeMatch(match);
  }

  /** Asks for the match, which the seats have adjourned, to go on. It does when every seat has asked. */
  async resume(options: ChangeOptions = {}): Promise<WholeMatch> {
    const request = this.#change(options);
    const { match } = await this.#call(({ matches }, tried) => matches.resumeMatch(request, tried), options.signal);
    return wholeMatch(match);
  }

  /** Replaces the windows that the server declines for the seat; an empty list takes all back. */
  async setStandingPasses(
    standingPasses: readonly MessageInitShape<typeof StandingPassSchema>[],
    options: UpdateOptions = {},
  ): Promise<SeatUpdate> {
    const request = { ...this.#change(options), standingPasses: [...standingPasses] };
    const call = await this.#call(({ matches }, tried) => matches.setStandingPasses(request, tried), options.signal);
    return answered(call.update);
  }

  /** Reveals the entropy that `Client.join` has committed to: due once all have joined (COMMIT_REVEAL). */
  revealEntropy(options: UpdateOptions = {}): Promise<RevealEntropyResponse> {
    const request = { ...this.#change(options), entropy: this.entropy };
    return this.#call(({ matches }, tried) => matches.revealEntropy(request, tried), options.signal);
  }

  /** Streams the seat's updates as they come: after a cursor or, without one, from the present view on. */
  watchMatch(options: SeatWatchOptions = {}): Watch {
    return new Watch(this.#connection, this.token, this.matchId, options);
  }

  #change({ requestId, response }: UpdateOptions) {
    return { matchId: this.matchId, requestId: requestId ?? this.#nextId(), responseOptions: response };
  }

  #call<T>(
    attempt: (services: Services, options: AttemptOptions) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    return this.#connection.call(attempt, this.token, signal);
  }
}
