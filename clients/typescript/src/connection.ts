/** The connection to one server: calls are repeated as they are until they are answered or refused. */

import {
  type CallOptions as AttemptOptions,
  type Client as ClientOf,
  Code,
  createClient,
  type Transport,
} from "@connectrpc/connect";
import { follow, pause } from "./abort.js";
import { CallFailed, ConnectFailed, type EdgehillError, failureOf, Refused } from "./errors.js";
import { Outage, type RetryPolicy } from "./retry.js";
import { AdminService, CatalogService, CompetitionService, MatchService, RefereeService } from "./v1.js";

/** The first thing to look at where no server answers. */
export const IS_RUNNING = "is the server running? `make run` starts one on 127.0.0.1:7400";

/** The way to a server, which Node and browsers have each their own of. */
export interface Wire {
  readonly transport: Transport;
  /** The URL of the server. */
  readonly url: URL;
  /** True if streams go in both directions, which `PlaySeats` needs. */
  readonly duplex: boolean;
  /** The things to look at where no server answers. */
  readonly advice: string;
  /** Attempts a connection: resolves if there is a server, rejects with the fault. Absent where no call can tell. */
  probe?(signal: AbortSignal): Promise<void>;
  /** Ends the connections. */
  close(): void;
}

/** The services that a client calls. */
export interface Services {
  readonly admin: ClientOf<typeof AdminService>;
  readonly catalog: ClientOf<typeof CatalogService>;
  readonly competitions: ClientOf<typeof CompetitionService>;
  readonly matches: ClientOf<typeof MatchService>;
  readonly referee: ClientOf<typeof RefereeService>;
}

/** The part of every call: its caller may give it up. */
export interface CallOptions {
  /** Gives the call up: it then rejects with the signal's reason. Nobody knows whether the server has carried it out. */
  readonly signal?: AbortSignal;
}

/** The part of every call that changes something. */
export interface ChangeOptions extends CallOptions {
  /** An id of one's own, for programs that write down what they are about to do. The same call with it happens once. */
  readonly requestId?: string;
}

/** One connection to one server. */
export class Connection {
  readonly wire: Wire;
  readonly policy: RetryPolicy;
  readonly services: Services;
  readonly #closing = new AbortController();
  #answered = false;

  constructor(wire: Wire, policy: RetryPolicy) {
    this.wire = wire;
    this.policy = policy;
    this.services = {
      admin: createClient(AdminService, wire.transport),
      catalog: createClient(CatalogService, wire.transport),
      competitions: createClient(CompetitionService, wire.transport),
      matches: createClient(MatchService, wire.transport),
      referee: createClient(RefereeService, wire.transport),
    };
  }

  /** Aborted when the client is closed. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Ends all calls and streams. */
  close(): void {
    this.#closing.abort(new CallFailed(Code.Canceled, "the client is closed"));
    this.wire.close();
  }

  /** Makes a call: `attempt` is called with the options of each try, and has the same request in each. */
  async call<T>(
    attempt: (services: Services, options: AttemptOptions) => Promise<T>,
    token: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const outage = this.outage();
    for (;;) {
      await this.connect(signal);
      const caller = follow(this.closing, signal);
      let failure: EdgehillError;
      try {
        const options = { headers: authorization(token), timeoutMs: this.policy.attemptMs, signal: caller.signal };
        const answer = await attempt(this.services, options);
        this.answered();
        return answer;
      } catch (error) {
        if (caller.signal.aborted) throw caller.signal.reason;
        failure = failureOf(error);
      } finally {
        caller.release();
      }
      await this.pauseAfter(failure, outage, signal);
    }
  }

  /** Returns the outage of a call or stream that begins: it is short until there was a server, where no probe tells of one. */
  outage(): Outage {
    const { connectMs, deadlineMs } = this.policy;
    return new Outage(this.policy, () => (this.#isFirst() ? connectMs : deadlineMs));
  }

  /** Takes note that there is a server. */
  answered(): void {
    this.#answered = true;
  }

  /** Waits as long as an outage asks for after a failure; throws the failure if nothing is to be tried any more. */
  async pauseAfter(failure: EdgehillError, outage: Outage, signal: AbortSignal | undefined): Promise<void> {
    if (failure instanceof Refused) this.answered();
    const isFirst = this.#isFirst() && failure instanceof CallFailed && failure.code === Code.Unavailable;
    const ms = outage.pauseMs(isFirst ? this.#connectFailed(failure.message, failure) : failure);
    const caller = follow(this.closing, signal);
    try {
      await pause(ms, caller.signal);
    } finally {
      caller.release();
    }
  }

  #connectFailed(details: string, cause: unknown): ConnectFailed {
    const { url, advice } = this.wire;
    return new ConnectFailed(url.origin, details, advice, cause);
  }

  #isFirst(): boolean {
    return !this.#answered && !this.wire.probe;
  }

  /** Waits for the first connection; throws `ConnectFailed` if there is none in time. */
  async connect(signal: AbortSignal | undefined): Promise<void> {
    this.closing.throwIfAborted();
    signal?.throwIfAborted();
    if (this.#answered || !this.wire.probe) return;
    const { connectMs } = this.policy;
    const caller = follow(this.closing, signal);
    const timer = setTimeout(() => caller.abort(), connectMs);
    let fault: unknown;
    try {
      for (;;) {
        try {
          await this.wire.probe(caller.signal);
          this.#answered = true;
          return;
        } catch (error) {
          if (!caller.signal.aborted) fault = error;
        }
        // Time for several attempts, and never more than a second between two.
        await pause(Math.min(1000, connectMs / 5), caller.signal);
      }
    } catch {
      this.closing.throwIfAborted();
      signal?.throwIfAborted();
      const details = fault instanceof Error ? fault.message : `no answer within ${connectMs} ms`;
      throw this.#connectFailed(details, fault);
    } finally {
      clearTimeout(timer);
      caller.release();
    }
  }
}

/** Returns the headers that name a call's caller: an account's key or a seat's token. */
export function authorization(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}
