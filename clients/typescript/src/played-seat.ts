/** One seat in a `PlaySession`: the view of it, its prompt, and its calls that are not answered yet. */

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { type ActionsLike, actionBatch, type BatchOptions } from "./actions.js";
import { AnswerDeadline } from "./answer-deadline.js";
import { EdgehillError, FoldError, type Refused } from "./errors.js";
import { requestIds } from "./request-ids.js";
import { Outage, type RetryPolicy } from "./retry.js";
import {
  type ApplyResult,
  ErrorReason,
  type Event,
  type GetViewResponse,
  type LegalActions,
  LegalDetail,
  type MatchConfig,
  type MatchState,
  type PlaySeatsRequest,
  PlaySeatsRequestSchema,
  type PlaySeatsResponse_Opened,
  type SeatUpdate,
  type StandingPassSchema,
  type View,
} from "./v1.js";
import { ViewTracker } from "./view-tracker.js";

/** The refusals of a choice that something else came before, such as a resignation: the prompt is void. */
export const OVERTAKEN: ReadonlySet<ErrorReason> = new Set([
  ErrorReason.NOT_YOUR_TURN,
  ErrorReason.MATCH_FINISHED,
  ErrorReason.ADJOURNED,
]);

/** The refusals of what came behind an opening that was refused: it goes with the next one. */
const BEHIND: ReadonlySet<ErrorReason> = new Set([ErrorReason.RATE_LIMITED, ErrorReason.UNKNOWN_CHANNEL]);

/** The news for a seat. */
export interface PlayEvent {
  /** The seat whose news it is. */
  readonly seat: PlayedSeat;
  /** The events published to it, in order; folded into `seat.view` already. */
  readonly events: readonly Event[];
  /** The prompt: the seat is to act, and these are the legal actions. `undefined`: nothing is asked of it now. */
  readonly legal?: LegalActions;
  /** The result of a call of it that took actions, or took them back. */
  readonly applyResult?: ApplyResult;
  /** The refusal of a call or, with `closed`, of the seat: it was not opened, or the server has closed it. */
  readonly refused?: Refused;
  /** True if it is closed, and this is its last news: the match has ended, `close` was called, or see `refused`. */
  readonly closed: boolean;
  /** The call that this answers; empty for all that comes by itself. */
  readonly requestId: string;
}

/** The way in which a seat is opened. */
export interface OpenOptions {
  /** The detail of the legal actions in prompts; without it ids. */
  readonly legal?: LegalDetail;
  /** No events are sent and no view is kept, for a player that goes by the legal actions alone. */
  readonly omitEvents?: boolean;
  /** Phrases and events in words, too. */
  readonly includeText?: boolean;
}

/** A call's request id, if it is one of the caller's own. */
export interface SentOptions {
  readonly requestId?: string;
}

type SeatCall = MessageInitShape<typeof PlaySeatsRequestSchema>["call"];

/**
 * A seat that is open in a `PlaySession`.
 *
 * Each call returns its request id at once; the answer comes as `PlayEvent`. It is sent again with its id when the
 * stream was lost before the answer.
 */
export class PlayedSeat {
  /** The seat's token. */
  readonly token: string;
  /** Its number in the stream. */
  readonly channel: number;
  /** The seat's number in its match. `undefined`: the server has not answered yet. */
  number: number | undefined;
  /** The match's config. `undefined`: the server has not answered yet. */
  config: MatchConfig | undefined;
  /** The legal actions of the prompt that is outstanding. `undefined`: nothing is asked of the seat. */
  legal: LegalActions | undefined;
  /** True if it was closed. */
  closed = false;
  readonly #options: OpenOptions;
  readonly #send: (message: PlaySeatsRequest) => void;
  readonly #nextId = requestIds();
  readonly #tracker = new ViewTracker();
  readonly #haste: Outage;
  readonly #deadline = new AnswerDeadline();
  #cursor: bigint | undefined;
  #pending: PlaySeatsRequest[] = [];
  #opensAgain = false;

  /** @internal */
  constructor(
    channel: number,
    token: string,
    options: OpenOptions,
    send: (message: PlaySeatsRequest) => void,
    policy: RetryPolicy,
  ) {
    this.channel = channel;
    this.token = token;
    this.#options = options;
    this.#send = send;
    this.#haste = new Outage(policy);
    this.#cursor = options.omitEvents ? 0n : undefined;
  }

  /** The view of the seat, after the last news. `undefined` before the match begins, or with `omitEvents`. */
  get view(): View | undefined {
    return this.#tracker.view;
  }

  /** The number of the last event. */
  get seq(): bigint {
    return this.#tracker.seq;
  }

  /** The match's state. `undefined`: the server has not answered yet. */
  get state(): MatchState | undefined {
    return this.#tracker.state;
  }

  /**
   * The milliseconds that are left for the decision that the seat is asked for, at least 0: what the server has told, less what has
   * passed since it came. `undefined`: nothing is asked of the seat, or no clock runs for it.
   */
  get timeLeftMs(): number | undefined {
    return this.#deadline.leftMs();
  }

  /** Takes actions, as `Seat.apply`. */
  apply(actions: ActionsLike, options: BatchOptions & SentOptions = {}): string {
    return this.#call({ case: "apply", value: actionBatch(actions, options) }, options);
  }

  /** Takes back the last action of the draft, or all but the first `keepDraftActions`. */
  undo(options: Omit<BatchOptions, "untilReveal"> & SentOptions = {}): string {
    const { expectedSeq, keepDraftActions } = options;
    return this.#call({ case: "undo", value: { expectedSeq, keepDraftActions } }, options);
  }

  /** Gives up. The match is finished. */
  resign(options: SentOptions = {}): string {
    return this.#call({ case: "resign", value: {} }, options);
  }

  /** Offers a draw, until the seat's next action is final. */
  offerDraw(options: SentOptions = {}): string {
    return this.#call({ case: "offerDraw", value: {} }, options);
  }

  /** Accepts the draw that all other seats offer. The match is finished. */
  acceptDraw(options: SentOptions = {}): string {
    return this.#call({ case: "acceptDraw", value: {} }, options);
  }

  /** Declines the draw that other seats offer. Their offers lapse. */
  declineDraw(options: SentOptions = {}): string {
    return this.#call({ case: "declineDraw", value: {} }, options);
  }

  /** Offers to adjourn the match for at most so many milliseconds, until the seat's next action is final. */
  offerAdjournment(adjournForMs: number, options: SentOptions = {}): string {
    return this.#call({ case: "offerAdjournment", value: { adjournFor: durationFromMs(adjournForMs) } }, options);
  }

  /** Accepts the adjournment that all other seats offer, as `Seat.acceptAdjournment`. */
  acceptAdjournment(options: SentOptions & { readonly adjournForMs?: number } = {}): string {
    const { adjournForMs } = options;
    const adjournFor = adjournForMs === undefined ? undefined : durationFromMs(adjournForMs);
    return this.#call({ case: "acceptAdjournment", value: { adjournFor } }, options);
  }

  /** Declines the adjournment that other seats offer. Their offers lapse. */
  declineAdjournment(options: SentOptions = {}): string {
    return this.#call({ case: "declineAdjournment", value: {} }, options);
  }

  /** Asks for the match, which the seats have adjourned, to go on. It does when every seat has asked. */
  resume(options: SentOptions = {}): string {
    return this.#call({ case: "resume", value: {} }, options);
  }

  /** Replaces the windows that the server declines for the seat; an empty list takes all back. */
  setStandingPasses(
    standingPasses: readonly MessageInitShape<typeof StandingPassSchema>[],
    options: SentOptions = {},
  ): string {
    return this.#call({ case: "setStandingPasses", value: { standingPasses: [...standingPasses] } }, options);
  }

  /** Closes the seat here. It keeps its place, its draft and its token. */
  close(): void {
    this.#call({ case: "close", value: {} }, { requestId: "" });
  }

  #call(call: SeatCall, { requestId }: SentOptions): string {
    if (this.closed) throw new EdgehillError("the seat is closed in this stream");
    const id = requestId ?? this.#nextId();
    const request = create(PlaySeatsRequestSchema, { channel: this.channel, requestId: id, call });
    this.#pending.push(request);
    // A call that would come before the seat is open goes with its opening.
    if (!this.#opensAgain) this.#send(request);
    return id;
  }

  // The methods that follow are called by the session alone.

  /** @internal A new connection's first requests: the seat with its cursor, and the calls that were not answered. */
  toSend(): readonly PlaySeatsRequest[] {
    if (this.closed) return [];
    const { legal, omitEvents, includeText } = this.#options;
    const value = {
      seatToken: this.token,
      afterSeq: this.#cursor,
      legal: legal ?? LegalDetail.IDS,
      omitEvents,
      includeText,
    };
    const opening = create(PlaySeatsRequestSchema, { channel: this.channel, call: { case: "open", value } });
    return [opening, ...this.#pending];
  }

  /** @internal True if `close` was called. */
  isClosing(): boolean {
    return this.#pending.some(({ call }) => call.case === "close");
  }

  /** @internal True for the refusal of a call that came behind an opening which is made again, and goes with it. */
  cameBehind(requestId: string, refused: Refused): boolean {
    return requestId !== "" && this.#opensAgain && BEHIND.has(refused.reason);
  }

  /**
   * @internal The time after which something that came too fast is sent once more, and what; `undefined` if that can't
   * be. Made again, a call would come after those that were made after it: so only the last one is.
   */
  again(requestId: string, refused: Refused): { ms: number; messages: () => readonly PlaySeatsRequest[] } | undefined {
    const last = this.#pending.at(-1);
    if (requestId !== "" && last?.requestId !== requestId) return undefined;
    let ms: number;
    try {
      ms = this.#haste.pauseMs(refused);
    } catch {
      return undefined;
    }
    if (requestId === "" || !last) {
      this.#opensAgain = true;
      return { ms, messages: () => this.toSend() };
    }
    return { ms, messages: () => (this.#pending.includes(last) ? [last] : []) };
  }

  /** @internal */
  opened({ seat, match, view }: PlaySeatsResponse_Opened): void {
    this.#haste.end();
    this.#opensAgain = false;
    this.number = seat;
    this.config = match?.config;
    if (view && match) {
      this.#tracker.begin(view, match.seq);
      this.#cursor = match.seq;
    }
  }

  /** @internal Takes an update; `stale` if a view has to be asked for since the events do not give it. */
  updated(requestId: string, update: SeatUpdate): { news: PlayEvent; stale: boolean } {
    this.#deadline.take(update);
    let stale = false;
    try {
      this.#tracker.fold(update);
    } catch (error) {
      if (!(error instanceof FoldError)) throw error;
      stale = true;
    }
    // Before the match has begun there is no number to go on from: a new connection is to bring the view.
    if (this.#cursor !== undefined || this.view) this.#cursor = this.seq;
    if (requestId !== "") {
      this.#answered(requestId);
      this.legal = undefined;
    }
    // The seat is asked anew when the match goes on.
    if (update.state?.adjournment) this.legal = undefined;
    if (update.legalActions) this.legal = update.legalActions;
    // While a call has no answer, a prompt may be out of date.
    const legal = update.legalActions && this.#pending.length === 0 ? this.legal : undefined;
    const { events, applyResult } = update;
    return { news: { seat: this, events, legal, applyResult, closed: false, requestId }, stale };
  }

  /** @internal */
  looked({ view, seq }: GetViewResponse): void {
    this.#tracker.begin(view, seq);
    this.#cursor = seq;
  }

  /** @internal The text that views are asked for with. */
  get includeText(): boolean {
    return this.#options.includeText ?? false;
  }

  /** @internal Takes the refusal of a call: the prompt stands, unless something else came before. */
  refused(requestId: string, refused: Refused): PlayEvent {
    this.#answered(requestId);
    if (OVERTAKEN.has(refused.reason)) {
      this.legal = undefined;
      this.#deadline.clear();
    }
    const legal = this.#pending.length === 0 ? this.legal : undefined;
    return { seat: this, events: [], legal, refused, closed: false, requestId };
  }

  /** @internal */
  ended(refused: Refused | undefined): PlayEvent {
    this.closed = true;
    this.legal = undefined;
    this.#deadline.clear();
    this.#pending = [];
    return { seat: this, events: [], refused, closed: true, requestId: "" };
  }

  #answered(requestId: string): void {
    this.#haste.end();
    const place = this.#pending.findIndex((call) => call.requestId === requestId);
    if (place >= 0) this.#pending.splice(place, 1);
  }
}
