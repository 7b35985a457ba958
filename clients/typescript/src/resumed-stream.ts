/** A stream that goes on behind a lost connection. */

import type { CallOptions as AttemptOptions } from "@connectrpc/connect";
import { type Following, follow } from "./abort.js";
import { authorization, type Connection, type Services } from "./connection.js";
import { type EdgehillError, failureOf } from "./errors.js";
import type { Outage } from "./retry.js";

/** A stream without its I/O: all that is left of it between two connections. */
export interface StreamSession<Response, News> {
  /** Opens the next connection, behind what the reader has. */
  open(services: Services, options: AttemptOptions): AsyncIterable<Response>;
  /** Returns the news of a message; `undefined` if all of it is known. */
  take(response: Response): News | undefined;
  /** Returns true if nothing comes after what was taken. */
  isOver?(): boolean;
  /** Returns false if a stream that is lost can't go on where it was: its failure is thrown. */
  canResume?(): boolean;
  /** Returns the failure of a stream that the server has ended; `undefined` if that is its end. */
  endedBy?(): EdgehillError | undefined;
}

/**
 * An async iterator of what a server sends, over as many connections as it takes.
 *
 * Leaving a `for await`, `close`, `await using` and the signal it was opened with each end it.
 */
export class ResumedStream<Response, News> implements AsyncIterableIterator<News, undefined>, AsyncDisposable {
  readonly #connection: Connection;
  readonly #session: StreamSession<Response, News>;
  readonly #token: string | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #outage: Outage;
  readonly #closing = new AbortController();
  #caller: Following | undefined;
  #stream: AsyncIterator<Response> | undefined;
  #isLost = false;

  /** @internal */
  constructor(
    connection: Connection,
    session: StreamSession<Response, News>,
    token: string | undefined,
    signal: AbortSignal | undefined,
  ) {
    this.#connection = connection;
    this.#session = session;
    this.#token = token;
    this.#signal = signal;
    this.#outage = connection.outage();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Waits for the next news. One caller waits at a time. */
  async next(): Promise<IteratorResult<News, undefined>> {
    const waiting = follow(this.#closing.signal, this.#signal);
    try {
      while (!this.#closing.signal.aborted && !this.#isLost && !this.#session.isOver?.()) {
        this.#signal?.throwIfAborted();
        const news = await this.#receive(waiting.signal);
        if (news !== undefined) return { done: false, value: news };
      }
    } catch (error) {
      this.#hangUp();
      if (!this.#closing.signal.aborted) throw error;
    } finally {
      waiting.release();
    }
    this.close();
    return { done: true, value: undefined };
  }

  /** Ends it, as leaving a `for await` does. */
  async return(): Promise<IteratorReturnResult<undefined>> {
    this.close();
    return { done: true, value: undefined };
  }

  /** Ends it. An iteration that waits ends as well. */
  close(): void {
    this.#closing.abort();
    this.#hangUp();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  /** Takes the next message of the stream, or opens the stream again. */
  async #receive(signal: AbortSignal): Promise<News | undefined> {
    await this.#connection.connect(signal);
    let failure: EdgehillError;
    try {
      this.#stream ??= this.#open();
      const { done, value } = await this.#stream.next();
      if (!done) {
        this.#connection.answered();
        this.#outage.end();
        return this.#session.take(value);
      }
      const lost = this.#session.endedBy?.();
      if (!lost) {
        this.#closing.abort();
        return undefined;
      }
      failure = lost;
    } catch (error) {
      if (this.#caller?.signal.aborted) throw this.#caller.signal.reason;
      failure = failureOf(error);
    }
    this.#isLost = this.#session.canResume?.() === false;
    if (this.#isLost) throw failure;
    this.#hangUp();
    await this.#connection.pauseAfter(failure, this.#outage, signal);
    return undefined;
  }

  #open(): AsyncIterator<Response> {
    this.#caller = follow(this.#connection.closing, this.#closing.signal, this.#signal);
    const options = { headers: authorization(this.#token), signal: this.#caller.signal };
    return this.#session.open(this.#connection.services, options)[Symbol.asyncIterator]();
  }

  #hangUp(): void {
    this.#caller?.abort();
    this.#caller?.release();
    this.#caller = undefined;
    this.#stream = undefined;
  }
}
