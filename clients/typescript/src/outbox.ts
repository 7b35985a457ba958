/** The messages that one connection sends, now and later. */
export class Outbox<T> implements AsyncIterableIterator<T, undefined> {
  readonly #ready: T[] = [];
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  #ended = false;
  #wake: () => void = () => {};

  /** Appends a message. */
  put(message: T): void {
    this.#ready.push(message);
    this.#wake();
  }

  /** Appends all that there is to send after so many milliseconds. */
  putLater(ms: number, messages: () => readonly T[]): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      for (const message of messages()) this.put(message);
    }, ms);
    this.#timers.add(timer);
  }

  /** Ends it: nothing of what is left is sent. */
  end(): void {
    this.#ended = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#wake();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<T, undefined>> {
    while (!this.#ended) {
      const value = this.#ready.shift();
      if (value !== undefined) return { done: false, value };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.end();
    return { done: true, value: undefined };
  }

  /** The connection's way to say that it takes no more. */
  async throw(): Promise<IteratorReturnResult<undefined>> {
    return this.return();
  }
}
