/** Any number of seats over one stream, opened again where it was when the connection is lost. */

import { Code } from "@connectrpc/connect";
import { type Following, follow, pause } from "./abort.js";
import { authorization, type CallOptions, type Connection } from "./connection.js";
import { CallFailed, EdgehillError, failureOf, Refused, Unsupported } from "./errors.js";
import { Outbox } from "./outbox.js";
import { type OpenOptions, type PlayEvent, PlayedSeat } from "./played-seat.js";
import { leastPauseMs, Outage } from "./retry.js";
import { checkedToken } from "./server-url.js";
import { ErrorReason, type PlaySeatsRequest, type PlaySeatsResponse } from "./v1.js";

/**
 * A stream for any number of seats, of as many matches as one likes: an async iterator of their news.
 *
 * The iteration ends when no seat is open any more. After a lost connection each seat goes on from its last event, and
 * calls that were not answered are sent again as they were: no event is missed or repeated, and no call happens twice.
 */
export class PlaySession implements AsyncIterableIterator<PlayEvent, undefined>, AsyncDisposable {
  readonly #connection: Connection;
  readonly #key: string | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #closing = new AbortController();
  readonly #seats = new Map<number, PlayedSeat>();
  readonly #stale: PlayedSeat[] = [];
  readonly #outage: Outage;
  readonly #refusals: Outage;
  #news: PlayEvent[] = [];
  #channels = 0;
  #caller: Following | undefined;
  #outbox: Outbox<PlaySeatsRequest> | undefined;
  #stream: AsyncIterator<PlaySeatsResponse> | undefined;
  /** Number of the connections so far. */
  connections = 0;

  /** @internal */
  constructor(connection: Connection, key: string | undefined, { signal }: CallOptions) {
    if (!connection.wire.duplex) {
      throw new Unsupported(
        "PlaySeats needs a stream in two directions, which no browser has: play with Seat.watchMatch and Seat.apply, or runBot",
      );
    }
    this.#connection = connection;
    this.#key = key;
    this.#signal = signal;
    this.#outage = new Outage(connection.policy);
    this.#refusals = new Outage(connection.policy);
  }

  /** Opens a seat, given itself or its token. Wherever else it is open, it is closed there. */
  open(seat: { readonly token: string } | string, options: OpenOptions = {}): PlayedSeat {
    const token = checkedToken(typeof seat === "string" ? seat : seat.token);
    const send = (message: PlaySeatsRequest) => this.#outbox?.put(message);
    const played = new PlayedSeat(++this.#channels, token, options, send, this.#connection.policy);
    this.#seats.set(played.channel, played);
    // Without a connection it goes with the next one, since seats keep all that is not answered.
    for (const message of played.toSend()) send(message);
    return played;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Waits for the next news. One caller waits at a time. */
  async next(): Promise<IteratorResult<PlayEvent, undefined>> {
    const waiting = follow(this.#closing.signal, this.#signal);
    try {
      while (!this.#closing.signal.aborted) {
        this.#signal?.throwIfAborted();
        await this.#look(waiting.signal);
        const value = this.#news.shift();
        if (value) return { done: false, value };
        if (this.#seats.size === 0) break;
        await this.#connection.connect(waiting.signal);
        await this.#receive(waiting.signal);
      }
    } catch (error) {
      this.#hangUp();
      if (!this.#closing.signal.aborted) throw error;
    } finally {
      waiting.release();
    }
    this.#hangUp();
    return { done: true, value: undefined };
  }

  /** Ends the stream, as leaving a `for await` does. */
  async return(): Promise<IteratorReturnResult<undefined>> {
    this.close();
    return { done: true, value: undefined };
  }

  /** Ends the stream, and an iteration that waits. The seats keep their places. */
  close(): void {
    this.#closing.abort();
    this.#hangUp();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  /** Asks for the views of seats whose events do not give them. */
  async #look(signal: AbortSignal): Promise<void> {
    for (let seat = this.#stale.at(-1); seat; seat = this.#stale.at(-1)) {
      const request = { matchId: seat.config?.matchId, includeText: seat.includeText };
      const found = await this.#connection.call(
        ({ matches }, options) => matches.getView(request, options),
        seat.token,
        signal,
      );
      seat.looked(found);
      this.#stale.pop();
    }
  }

  /** Takes the next message of the stream, or opens the stream again. */
  async #receive(signal: AbortSignal): Promise<void> {
    const response = await this.#read();
    if (response instanceof EdgehillError) {
      this.#hangUp();
      await this.#connection.pauseAfter(response, this.#outage, signal);
      return;
    }
    this.#connection.answered();
    this.#outage.end();
    const ms = this.#take(response);
    if (ms === undefined) return;
    this.#hangUp();
    await pause(ms, signal);
  }

  /** Returns the next message, or the failure of the stream. */
  async #read(): Promise<PlaySeatsResponse | EdgehillError> {
    try {
      this.#stream ??= this.#open();
      const { done, value } = await this.#stream.next();
      return done ? new CallFailed(Code.Unavailable, "the server has ended the stream") : value;
    } catch (error) {
      if (this.#caller?.signal.aborted) throw this.#caller.signal.reason;
      return failureOf(error);
    }
  }

  #open(): AsyncIterator<PlaySeatsResponse> {
    const outbox = new Outbox<PlaySeatsRequest>();
    this.#outbox = outbox;
    this.connections += 1;
    for (const seat of this.#seats.values()) {
      for (const message of seat.toSend()) outbox.put(message);
    }
    // A seat's token lets in as well as a key where accounts are asked for.
    const [first] = this.#seats.values();
    this.#caller = follow(this.#connection.closing, this.#closing.signal, this.#signal);
    const options = { headers: authorization(this.#key ?? first?.token), signal: this.#caller.signal };
    return this.#connection.services.matches.playSeats(outbox, options)[Symbol.asyncIterator]();
  }

  #hangUp(): void {
    this.#outbox?.end();
    this.#caller?.abort();
    this.#caller?.release();
    this.#caller = undefined;
    this.#outbox = undefined;
    this.#stream = undefined;
  }

  /** Takes a message. Returns the milliseconds after which the stream has to be opened again, if it has to. */
  #take({ channel, requestId, message }: PlaySeatsResponse): number | undefined {
    const seat = this.#seats.get(channel);
    if (!seat) return undefined;
    switch (message.case) {
      case "opened":
        seat.opened(message.value);
        return undefined;
      case "update": {
        if (requestId !== "") this.#refusals.end();
        const { news, stale } = seat.updated(requestId, message.value);
        this.#news.push(news);
        if (stale) this.#stale.push(seat);
        return undefined;
      }
      case "refusal":
        return this.#refused(seat, requestId, new Refused(message.value));
      case "closed": {
        const refused = message.value.refusal && new Refused(message.value.refusal);
        if (refused?.code === Code.Unavailable) return this.#refusals.pauseMs(refused);
        this.#end(seat, refused);
        return undefined;
      }
      default:
        return undefined;
    }
  }

  /**
   * Returns the pause if the call is to be repeated with a new stream, and hands the refusal on otherwise. A call that
   * came too fast is repeated with this one.
   */
  #refused(seat: PlayedSeat, requestId: string, refused: Refused): number | undefined {
    if (seat.cameBehind(requestId, refused)) return undefined;
    if (refused.reason === ErrorReason.RATE_LIMITED) {
      const again = seat.again(requestId, refused);
      if (again && this.#outbox) {
        this.#outbox.putLater(again.ms, again.messages);
        return undefined;
      }
    } else if (leastPauseMs(refused, this.#refusals.failures + 1) !== undefined) {
      return this.#refusals.pauseMs(refused);
    }
    if (requestId !== "") {
      this.#news.push(seat.refused(requestId, refused));
    } else if (seat.isClosing() && refused.reason === ErrorReason.UNKNOWN_CHANNEL) {
      // There was nothing to close: a server that closes a channel itself may say so instead of `closed`.
      this.#end(seat, undefined);
    } else {
      this.#end(seat, refused);
    }
    return undefined;
  }

  #end(seat: PlayedSeat, refused: Refused | undefined): void {
    this.#seats.delete(seat.channel);
    this.#news.push(seat.ended(refused));
  }
}
