/** The client: the catalogue, and matches as a caller without a seat has to do with them. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { CallOptions as AttemptOptions, Transport } from "@connectrpc/connect";
import { Admin } from "./admin.js";
import { answered, type CreatedMatch, type Look, looked, type WholeMatch, wholeMatch, withMatch } from "./answers.js";
import { Competitions } from "./competitions.js";
import type { CallOptions, ChangeOptions, Services, Wire } from "./connection.js";
import { Connection } from "./connection.js";
import { entropyCommitment } from "./dice.js";
import { InvalidOption } from "./errors.js";
import { chosenSeed, type MatchTerms, matchFields } from "./match-terms.js";
import { pages } from "./pages.js";
import { PlaySession } from "./play-session.js";
import { Referee } from "./referee.js";
import { randomBytes, requestIds } from "./request-ids.js";
import { DEFAULT_RETRY, type RetryPolicy } from "./retry.js";
import { type Response, Seat, type ViewOptions } from "./seat.js";
import { Seek, type SeekOptions } from "./seek.js";
import { checkedToken } from "./server-url.js";
import {
  type ActionDef,
  EntropyMode,
  type Game,
  type GameSummary,
  type GroupPlanSchema,
  type LimitName,
  type MatchPlan,
  type MatchState,
  MatchStatus,
  type Receipt,
  SeatKind,
  type SeedGroupSchema,
  SeedOrigin,
} from "./v1.js";
import { AccountWatch, Watch, type WatchOptions } from "./watch.js";

/** The caller, and how patient they are. */
export interface ClientOptions {
  /** An account's key, where the server asks for accounts. */
  readonly key?: string;
  /**
   * 32 bytes that tell this client's requests from others' where there are no accounts: who repeats a request with them
   * after a restart is given the same. Without them they are drawn.
   */
  readonly clientSecret?: Uint8Array;
  /** The times for connecting, and for repeating calls that got no answer; those not named have their defaults. */
  readonly retry?: Partial<RetryPolicy>;
}

/** The game, and its content. */
export interface GameQuery extends CallOptions {
  /** The hash of the content of a match that was begun before the server's changed; without it, that of new matches. */
  readonly contentHash?: Uint8Array;
}

/** The match that is made. */
export interface CreateOptions extends MatchTerms, ChangeOptions {
  /** A seed group: one of its own, or one that is there, by its id. */
  readonly group?: MessageInitShape<typeof SeedGroupSchema>;
}

/** The seat that is taken. */
export interface JoinOptions extends ChangeOptions {
  /** The seat; without it, the first open one or the invitation's. */
  readonly seat?: number;
  /** The seat's invitation. */
  readonly invitation?: string;
  /** The player's name for others. */
  readonly player?: string;
  /** 32 bytes for the dice; without them they are drawn. Empty: none are given. */
  readonly entropy?: Uint8Array;
  /** The parts of the answer beside the least. */
  readonly response?: Response;
}

/** The matches that are listed: those that satisfy all that is given. */
export interface MatchQuery extends CallOptions {
  readonly game?: string;
  readonly statuses?: readonly MatchStatus[];
  /** Those that have a seat which is open to anyone. */
  readonly openSeats?: boolean;
  /** Those of this seed group. */
  readonly groupId?: string;
  /** Those with a seat that is kept for the client's account, and that it can still take. */
  readonly invited?: boolean;
  /** Number of matches that are asked for at once. */
  readonly pageSize?: number;
}

/** The record of a match, as the server gives it. */
export interface ExportedRecord {
  /** The text of the `.edg` file. */
  readonly text: string;
  /** True if the match is finished. */
  readonly complete: boolean;
}

/**
 * A server, as one caller has it: an account, by its key, or a caller without a name. `connect` makes one.
 *
 * Calls that get no answer are repeated with their request ids, as `retry` says.
 */
export class Client implements AsyncDisposable {
  /** Tells this client's requests from others' where there are no accounts. */
  readonly clientSecret: Uint8Array;
  /** The calls of those who look after the server, which need an operator's key. */
  readonly admin: Admin;
  /** The calls of competitions, which need an account's key. */
  readonly competitions: Competitions;
  /** The calls of referees, which need the key of one. */
  readonly referee: Referee;
  readonly #connection: Connection;
  readonly #key: string | undefined;
  readonly #nextId = requestIds();

  /** @internal */
  constructor(wire: Wire, { key, clientSecret, retry }: ClientOptions) {
    this.#key = key === undefined ? undefined : checkedToken(key);
    this.clientSecret = clientSecret ?? randomBytes(32);
    this.#connection = new Connection(wire, { ...DEFAULT_RETRY, ...retry });
    this.admin = new Admin(this.#connection, this.#key, this.#nextId);
    this.competitions = new Competitions(this.#connection, this.#key, this.#nextId);
    this.referee = new Referee(this.#connection, this.#key, this.#nextId);
  }

  /** The transport, for clients of generated services: what they call is not repeated, and has no key unless they give it. */
  get transport(): Transport {
    return this.#connection.wire.transport;
  }

  /** True if `playSeats` is there: on Node, and not in browsers. */
  get canPlaySeats(): boolean {
    return this.#connection.wire.duplex;
  }

  /** Ends all calls and streams. */
  close(): void {
    this.#connection.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  /** Lists the games that the server plays. */
  async games({ signal }: CallOptions = {}): Promise<GameSummary[]> {
    const listed: GameSummary[] = [];
    let pageToken = "";
    do {
      const request = { pageToken };
      const page = await this.#call(({ catalog }, options) => catalog.listGames(request, options), signal);
      listed.push(...page.games);
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    return listed;
  }

  /** Gets the static half of a game; with `includeRules` its rules ledger, too. Keep it. */
  async game(game: string, options: GameQuery & { readonly includeRules?: boolean } = {}): Promise<Game> {
    const { includeRules, contentHash, signal } = options;
    const request = { game, includeRules, contentHash };
    const found = await this.#call(({ catalog }, tried) => catalog.getGame(request, tried), signal);
    return answered(found.game);
  }

  /** Lists a game's whole action table: the place of each entry is its id. Keep it. */
  async actionDefs(game: string, { contentHash, signal }: GameQuery = {}): Promise<ActionDef[]> {
    const listed: ActionDef[] = [];
    let pageToken = "";
    do {
      const request = { game, contentHash, pageToken };
      const page = await this.#call(({ catalog }, options) => catalog.listActionDefs(request, options), signal);
      listed.push(...page.actionDefs);
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    return listed;
  }

  /** Gets the limits of this server, in the units that `LimitName` says. */
  async limits({ signal }: CallOptions = {}): Promise<Map<LimitName, bigint>> {
    const { limits } = await this.#call(({ catalog }, options) => catalog.getLimits({}, options), signal);
    return new Map(limits.map(({ name, value }) => [name, value]));
  }

  /** Gets the public key with which the server signs records. Keep it: `verifyRecord` and `verifyDice` take it. */
  async signingKey({ signal }: CallOptions = {}): Promise<Uint8Array> {
    return (await this.#call(({ catalog }, options) => catalog.getSigningKey({}, options), signal)).signingKey;
  }

  /**
   * Gets all public keys that the server has signed with and still vouches for: that of now, then the last replaced.
   * `verifyRecord`, `verifyDice` and `verifyTranscript` take them in the place of one.
   */
  async signingKeys({ signal }: CallOptions = {}): Promise<Uint8Array[]> {
    const found = await this.#call(({ catalog }, options) => catalog.getSigningKey({}, options), signal);
    return [found.signingKey, ...found.formerSigningKeys.map(({ signingKey }) => signingKey)];
  }

  /** Makes a match. Keep `match.config`: after the match its dice are verified against it. */
  async create(game: string, options: CreateOptions = {}): Promise<CreatedMatch> {
    const { group, requestId, signal } = options;
    const request = {
      ...matchFields(game, options),
      ...this.#caller(requestId),
      seed: group ? { case: "group" as const, value: group } : chosenSeed(options),
    };
    return withMatch(await this.#call(({ matches }, tried) => matches.createMatch(request, tried), signal));
  }

  /**
   * Makes several matches, all of them or none. They come in the order in which they were named.
   *
   * `plans`: each as `matchPlan` gives it. `groups`: new seed groups; the matches of each are those that name its index
   * (`matchPlan(game, { group: { group: 0, seatEntrants: [0, 1] } })`).
   */
  async createAll(
    plans: readonly MatchPlan[],
    options: ChangeOptions & { readonly groups?: readonly MessageInitShape<typeof GroupPlanSchema>[] } = {},
  ): Promise<CreatedMatch[]> {
    const { groups, requestId, signal } = options;
    const request = { ...this.#caller(requestId), matches: [...plans], groups: [...(groups ?? [])] };
    const { created } = await this.#call(({ matches }, tried) => matches.createMatches(request, tried), signal);
    return created.map(withMatch);
  }

  /**
   * Takes a match back before it has begun.
   *
   * `creatorToken`: the one that `create` gave; not needed by the account that made the match.
   */
  async abort(matchId: string, options: ChangeOptions & { readonly creatorToken?: string } = {}): Promise<WholeMatch> {
    const { creatorToken, requestId, signal } = options;
    const request = { matchId, creatorToken, requestId: requestId ?? this.#nextId() };
    const { match } = await this.#call(({ matches }, tried) => matches.abortMatch(request, tried), signal);
    return wholeMatch(match);
  }

  /**
   * Takes a seat: `seat`, the invitation's, or the first that is open.
   *
   * Entropy is made here, after the match's commitment was seen, so that no host can choose the dice. Where seats commit
   * to it (COMMIT_REVEAL), `Seat.revealEntropy` is due once all have joined, and an invitation's `seat` has to be named.
   * In a seed group an entrant gives the same `entropy` in all its matches.
   */
  async join(matchId: string, options: JoinOptions = {}): Promise<Seat> {
    const { invitation, player, response, requestId, signal } = options;
    const { config, state } = await this.get(matchId, { signal });
    let { seat, entropy } = options;
    if (config.dice?.origin === SeedOrigin.CHOSEN) entropy ??= new Uint8Array();
    // Of a seat that was another player's the part in the dice stays.
    if (state.status === MatchStatus.RUNNING) entropy = new Uint8Array();
    entropy ??= randomBytes(32);
    const commits = config.dice?.entropyMode === EntropyMode.COMMIT_REVEAL && entropy.length > 0;
    if (commits) seat ??= firstOpen(state, invitation);
    const given = commits
      ? { seat, entropyCommitment: entropyCommitment(matchId, seat ?? 0, entropy) }
      : { seat, entropy };
    const request = { ...this.#caller(requestId), ...given, matchId, invitation, player, responseOptions: response };
    const joined = await this.#call(({ matches }, tried) => matches.joinMatch(request, tried), signal);
    return new Seat(this.#connection, matchId, joined.seatToken, joined, entropy.length > 0 ? entropy : undefined);
  }

  /** Returns a seat that was taken before, by its token. */
  seat(matchId: string, token: string): Seat {
    return new Seat(this.#connection, matchId, token);
  }

  /** Gets a match's config and state. */
  async get(matchId: string, { signal }: CallOptions = {}): Promise<WholeMatch> {
    const { match } = await this.#call(({ matches }, options) => matches.getMatch({ matchId }, options), signal);
    return wholeMatch(match);
  }

  /** Lists matches, newest first; each page is asked for when it is needed. */
  async *matches(query: MatchQuery = {}): AsyncGenerator<WholeMatch, void, undefined> {
    const { statuses, signal, ...filters } = query;
    yield* pages(async (pageToken) => {
      const request = { ...filters, statuses: [...(statuses ?? [])], pageToken };
      const page = await this.#call(({ matches }, options) => matches.listMatches(request, options), signal);
      return { items: page.matches.map(wholeMatch), next: page.nextPageToken };
    });
  }

  /** Gets the view of a spectator. A seat's view is `Seat.view`. */
  async view(matchId: string, { atSeq, includeText, signal }: ViewOptions = {}): Promise<Look> {
    const request = { matchId, atSeq, includeText };
    return looked(await this.#call(({ matches }, options) => matches.getView(request, options), signal));
  }

  /** Gets the server's signed word for all that it has published to spectators: the hash of a `Transcript` of it. */
  async receipt(matchId: string, { signal }: CallOptions = {}): Promise<Receipt> {
    const { receipt } = await this.#call(({ matches }, options) => matches.getReceipt({ matchId }, options), signal);
    return answered(receipt);
  }

  /** Gets the record of a match that is finished, whole; of a running one it is the referee's. */
  async record(matchId: string, { signal }: CallOptions = {}): Promise<ExportedRecord> {
    return this.#call(async ({ matches }, options) => {
      const record = { text: "", complete: false };
      for await (const part of matches.exportRecord({ matchId }, options)) {
        record.text += part.text;
        record.complete ||= part.complete;
      }
      return record;
    }, signal);
  }

  /** Streams a spectator's updates as they come: after a cursor or, without one, from the present view on. */
  watchMatch(matchId: string, options: WatchOptions = {}): Watch {
    return new Watch(this.#connection, this.#key, matchId, options);
  }

  /**
   * Streams how the matches stand in which the client's account has a part, as they change. First come the results since
   * the cursor, if there is one, and all matches that are not over; then the response with `caughtUp`.
   */
  watchAccount({ cursor, signal }: CallOptions & { readonly cursor?: string } = {}): AccountWatch {
    return new AccountWatch(this.#connection, this.#key, cursor ?? "", signal);
  }

  /**
   * Seeks somebody who wants to play the same. Nothing is asked before the result is waited for. `join` takes the seat
   * that comes of it, by its number and its invitation.
   */
  seek(game: string, options: SeekOptions = {}): Seek {
    return new Seek(this.#connection, this.#key, game, options, this.#caller(options.requestId));
  }

  /**
   * Returns a stream for any number of seats, which are opened with `PlaySession.open`. On Node alone: throws
   * `Unsupported` in a browser, where `Seat.watchMatch` and the calls of a seat play.
   */
  playSeats(options: CallOptions = {}): PlaySession {
    return new PlaySession(this.#connection, this.#key, options);
  }

  #caller(requestId: string | undefined) {
    return { requestId: requestId ?? this.#nextId(), clientSecret: this.clientSecret };
  }

  #call<T>(
    attempt: (services: Services, options: AttemptOptions) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    return this.#connection.call(attempt, this.#key, signal);
  }
}

/** Returns a client of the server that a wire leads to. */
export function clientOver(wire: Wire, options: ClientOptions): Client {
  return new Client(wire, options);
}

/** Returns the first seat that is open to anyone; the entropy commitment is made for it. */
function firstOpen(state: MatchState, invitation: string | undefined): number {
  const open = state.seats.findIndex(({ kind, joined }) => kind === SeatKind.OPEN && !joined);
  if (invitation || open < 0)
    throw new InvalidOption("an entropy commitment is made for one seat: name it with `seat`");
  return open;
}
