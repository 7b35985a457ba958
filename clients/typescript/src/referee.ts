/** Acts of a referee on matches: time, players, adjournments, results. */

import { durationFromMs } from "@bufbuild/protobuf/wkt";
import type { CallOptions as AttemptOptions } from "@connectrpc/connect";
import { type OpenedSeat, type WholeMatch, wholeMatch, withMatch } from "./answers.js";
import type { ChangeOptions, Connection, Services } from "./connection.js";
import type { Match } from "./v1.js";

/** An act with its reason. */
export interface ActOptions extends ChangeOptions {
  /** The reason, which everybody sees: 0 to 256 bytes. */
  readonly reason?: string;
}

/** The player who goes on in the place of another. */
export interface ReplacementOptions extends ActOptions {
  /** The account that alone may take the seat, with its key; without it, whoever has the invitation. */
  readonly accountId?: string;
  /** The new player's name for others, until they give one themselves: 0 to 64 bytes. */
  readonly player?: string;
}

/**
 * The calls of referees, on any match. Each needs the key of an account with the role `AccountRole.REFEREE`, and throws `Refused` without
 * it: NOT_ALLOWED, or BAD_TOKEN for a key that is none.
 *
 * Everybody sees what was done in `MatchState.refereeActs`, with its reason, and it stands in the log of acts (`Admin.acts`). A match
 * takes at most 32 acts (LIMIT_REACHED); one that is to be voided can always be. All throw UNKNOWN_MATCH for a match that is not there,
 * and INVALID_FIELD for what is out of bounds; those that need a match that is played throw MATCH_NOT_STARTED and MATCH_FINISHED.
 */
export class Referee {
  readonly #connection: Connection;
  readonly #key: string | undefined;
  readonly #nextId: () => string;

  /** @internal */
  constructor(connection: Connection, key: string | undefined, nextId: () => string) {
    this.#connection = connection;
    this.#key = key;
    this.#nextId = nextId;
  }

  /**
   * Adds whole milliseconds to a seat's clock, up to ten years: to its bank, if there is one, and to the limit of its question or, without
   * one, of its next. NO_CLOCKS for a match without.
   */
  addMatchTime(matchId: string, seat: number, addedMs: number, options: ActOptions = {}): Promise<WholeMatch> {
    const request = { ...this.#act(matchId, options), seat, added: durationFromMs(addedMs) };
    return this.#changed(({ referee }, tried) => referee.addMatchTime(request, tried), options);
  }

  /**
   * Takes a seat from its player, for another one to go on with: for `Client.join` with the answer's invitation, or with the key of the
   * account that is named. The player's token is void at once, and their streams end; the clock runs on. UNKNOWN_ACCOUNT for an account
   * that may not play.
   */
  async replaceMatchPlayer(matchId: string, seat: number, options: ReplacementOptions = {}): Promise<OpenedSeat> {
    const { accountId, player } = options;
    const request = { ...this.#act(matchId, options), seat, accountId, player };
    return withMatch(await this.#call(({ referee }, tried) => referee.replaceMatchPlayer(request, tried), options));
  }

  /**
   * Adjourns a match with clocks for at most so many whole milliseconds, from a minute to 30 days: until a referee ends that or its time
   * is over. NO_CLOCKS for a match without, ADJOURNED for one that is adjourned already.
   */
  adjournMatch(matchId: string, adjournForMs: number, options: ActOptions = {}): Promise<WholeMatch> {
    const request = { ...this.#act(matchId, options), adjournFor: durationFromMs(adjournForMs) };
    return this.#changed(({ referee }, tried) => referee.adjournMatch(request, tried), options);
  }

  /** Ends the adjournment of a match, whoever has adjourned it. The match goes on. NOT_ADJOURNED for one that is not. */
  endAdjournment(matchId: string, options: ActOptions = {}): Promise<WholeMatch> {
    const request = this.#act(matchId, options);
    return this.#changed(({ referee }, tried) => referee.endAdjournment(request, tried), options);
  }

  /** Ends a match that is played; it does not count. The reason, of 1 to 256 bytes, is for everybody to see. */
  voidMatch(matchId: string, reason: string, options: ChangeOptions = {}): Promise<WholeMatch> {
    const request = this.#act(matchId, { ...options, reason });
    return this.#changed(({ referee }, tried) => referee.voidMatch(request, tried), options);
  }

  /**
   * Corrects the result of a match that is finished: what each seat gets, in seat order, from -1,000,000 to 1,000,000. The result itself
   * stays as it was, and the last correction holds (`MatchState.correctedReturns`). The reason, of 1 to 256 bytes, is for everybody to
   * see. MATCH_RUNNING for a match that is not finished.
   */
  correctMatchResult(
    matchId: string,
    returns: readonly number[],
    reason: string,
    options: ChangeOptions = {},
  ): Promise<WholeMatch> {
    const request = { ...this.#act(matchId, { ...options, reason }), returns: [...returns] };
    return this.#changed(({ referee }, tried) => referee.correctMatchResult(request, tried), options);
  }

  #act(matchId: string, { requestId, reason }: ActOptions) {
    return { matchId, reason, requestId: requestId ?? this.#nextId() };
  }

  async #changed(
    attempt: (services: Services, options: AttemptOptions) => Promise<{ match?: Match }>,
    options: ChangeOptions,
  ): Promise<WholeMatch> {
    return wholeMatch((await this.#call(attempt, options)).match);
  }

  #call<T>(
    attempt: (services: Services, options: AttemptOptions) => Promise<T>,
    { signal }: ChangeOptions,
  ): Promise<T> {
    return this.#connection.call(attempt, this.#key, signal);
  }
}
