/** Aborting: pauses that end early, and signals that follow others for as long as a call lasts. */

/** The callbacks of signals: one listener a signal, since platforms warn of a signal that has many. */
const callbacksOf = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls back when the signal is aborted, until the function that is returned is called. */
function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const there = callbacksOf.get(signal);
  const callbacks = there ?? new Set<() => void>();
  if (!there) {
    callbacksOf.set(signal, callbacks);
    const listen = () => {
      for (const call of [...callbacks]) call();
    };
    signal.addEventListener("abort", listen, { once: true });
  }
  callbacks.add(callback);
  return () => callbacks.delete(callback);
}

/** Resolves after so many milliseconds; rejects with the signal's reason as soon as that is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const timer = setTimeout(() => {
      release();
      resolve();
    }, ms);
    const release = onAbort(signal, () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** A signal that is aborted by itself, or with the first of others. */
export interface Following {
  readonly signal: AbortSignal;
  /** Aborts it. */
  abort(reason?: unknown): void;
  /** Ends the following. Without it a signal that lives on, such as a program's own, would keep each of its calls. */
  release(): void;
}

/** Follows signals, of which some may be absent. */
export function follow(...signals: readonly (AbortSignal | undefined)[]): Following {
  const controller = new AbortController();
  const releases = signals.flatMap((signal) => {
    if (!signal) return [];
    if (signal.aborted) controller.abort(signal.reason);
    return [onAbort(signal, () => controller.abort(signal.reason))];
  });
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release: () => {
      for (const release of releases) release();
    },
  };
}
