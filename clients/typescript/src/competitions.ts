/** Competitions: for those who organise them, take part in them, or follow them. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import { equals } from "@bufbuild/protobuf";
import type { CallOptions as AttemptOptions } from "@connectrpc/connect";
import { answered } from "./answers.js";
import type { CallOptions, ChangeOptions, Connection, Services } from "./connection.js";
import { type Page, pages } from "./pages.js";
import { ResumedStream, type StreamSession } from "./resumed-stream.js";
import {
  type Competition,
  type CompetitionExport,
  type CompetitionPhase,
  CompetitionSchema,
  type CompetitionSettingsSchema,
  type Encounter,
  type Entrant,
  type GetStandingsResponse,
  type WatchCompetitionResponse,
} from "./v1.js";

/** A competition with all who enrolled in it. */
export interface ShownCompetition {
  readonly competition: Competition;
  /** By number. */
  readonly entrants: Entrant[];
}

/** The entrant that is enrolled: without a name of somebody else, the client's own account. */
export interface EnrolOptions extends ChangeOptions {
  /** The entrant's name; without it the account's id, or the house bot's name. */
  readonly name?: string;
  /** The rating to seed it by, which organizers alone may give. */
  readonly rating?: number;
  /** Another account, which organizers alone may enrol. */
  readonly accountId?: string;
  /** A house bot, which organizers alone may enrol. */
  readonly houseBot?: string;
}

/**
 * The calls of competitions, which need an account's key. Entrants find their matches with `Client.watchAccount`, as seats that
 * are kept for them.
 */
export class Competitions {
  readonly #connection: Connection;
  readonly #key: string | undefined;
  readonly #nextId: () => string;

  /** @internal */
  constructor(connection: Connection, key: string | undefined, nextId: () => string) {
    this.#connection = connection;
    this.#key = key;
    this.#nextId = nextId;
  }

  /** Makes a competition, in which entrants may enrol. For referees. */
  async create(
    settings: MessageInitShape<typeof CompetitionSettingsSchema>,
    options: ChangeOptions = {},
  ): Promise<Competition> {
    const request = { settings, requestId: this.#id(options) };
    const made = await this.#call(({ competitions }, tried) => competitions.createCompetition(request, tried), options);
    return answered(made.competition);
  }

  /** Gets a competition with its entrants. */
  async get(competitionId: string, options: CallOptions = {}): Promise<ShownCompetition> {
    const request = { competitionId };
    const shown = await this.#call(({ competitions }, tried) => competitions.getCompetition(request, tried), options);
    return { competition: answered(shown.competition), entrants: shown.entrants };
  }

  /** Lists the competitions of the server in a phase, or in all; last made first. */
  async list(options: CallOptions & { readonly phase?: CompetitionPhase } = {}): Promise<Competition[]> {
    const { phase } = options;
    return this.#pages(async (pageToken) => {
      const request = { phase, pageToken };
      const page = await this.#call(
        ({ competitions }, tried) => competitions.listCompetitions(request, tried),
        options,
      );
      return { items: page.competitions, next: page.nextPageToken };
    });
  }

  /** Enrols the client's own account; an organizer enrols other accounts and house bots, and gives ratings. */
  async enrol(competitionId: string, options: EnrolOptions = {}): Promise<Entrant> {
    const { name, rating, accountId, houseBot } = options;
    const request = { competitionId, name, rating, accountId, houseBot, requestId: this.#id(options) };
    const made = await this.#call(({ competitions }, tried) => competitions.enrolEntrant(request, tried), options);
    return answered(made.entrant);
  }

  /** Lets an entrant leave, by its number. */
  async withdraw(competitionId: string, entrant: number, options: ChangeOptions = {}): Promise<Entrant> {
    const request = { competitionId, entrant, requestId: this.#id(options) };
    const left = await this.#call(({ competitions }, tried) => competitions.withdrawEntrant(request, tried), options);
    return answered(left.entrant);
  }

  /** Sends an entrant away, by its number; the grounds are for everybody to see. */
  async disqualify(
    competitionId: string,
    entrant: number,
    evidence: string,
    options: ChangeOptions = {},
  ): Promise<Entrant> {
    const request = { competitionId, entrant, evidence, requestId: this.#id(options) };
    const left = await this.#call(({ competitions }, tried) => competitions.disqualifyEntrant(request, tried), options);
    return answered(left.entrant);
  }

  /** Ends enrolment, and begins to play. */
  async start(competitionId: string, options: ChangeOptions = {}): Promise<Competition> {
    const request = { competitionId, requestId: this.#id(options) };
    const begun = await this.#call(({ competitions }, tried) => competitions.startCompetition(request, tried), options);
    return answered(begun.competition);
  }

  /** Calls a competition off; the reason is for everybody to see. */
  async cancel(
    competitionId: string,
    options: ChangeOptions & { readonly reason?: string } = {},
  ): Promise<Competition> {
    const request = { competitionId, reason: options.reason, requestId: this.#id(options) };
    const off = await this.#call(({ competitions }, tried) => competitions.cancelCompetition(request, tried), options);
    return answered(off.competition);
  }

  /** Takes a match back by its place, such as `2.5.1`; with `replay` to be played again. */
  async voidMatch(
    competitionId: string,
    slot: string,
    evidence: string,
    options: ChangeOptions & { readonly replay?: boolean } = {},
  ): Promise<Competition> {
    const request = { competitionId, slot, evidence, replay: options.replay, requestId: this.#id(options) };
    const now = await this.#call(
      ({ competitions }, tried) => competitions.voidCompetitionMatch(request, tried),
      options,
    );
    return answered(now.competition);
  }

  /** Gets the standings as they are now; with `crossTableOf` the matches of this entrant against each other, too. */
  async standings(
    competitionId: string,
    options: CallOptions & { readonly crossTableOf?: number } = {},
  ): Promise<GetStandingsResponse> {
    const request = { competitionId, crossTableOf: options.crossTableOf };
    return this.#call(({ competitions }, tried) => competitions.getStandings(request, tried), options);
  }

  /** Lists the encounters of a round, or of all, with the verdicts of their matches. */
  async encounters(
    competitionId: string,
    options: CallOptions & { readonly round?: number } = {},
  ): Promise<Encounter[]> {
    const { round } = options;
    return this.#pages(async (pageToken) => {
      const request = { competitionId, round, pageToken };
      const page = await this.#call(({ competitions }, tried) => competitions.listEncounters(request, tried), options);
      return { items: page.encounters, next: page.nextPageToken };
    });
  }

  /** Streams what happens in a competition, behind an event or from its beginning on, until it is over. */
  watch(
    competitionId: string,
    { afterEvent, signal }: CallOptions & { readonly afterEvent?: bigint } = {},
  ): CompetitionWatch {
    return new CompetitionWatch(this.#connection, this.#key, competitionId, afterEvent ?? 0n, signal);
  }

  /** Exports a competition as a page, a table or a document: JSON, unless `form` says otherwise. */
  async export(
    competitionId: string,
    options: CallOptions & { readonly form?: CompetitionExport } = {},
  ): Promise<string> {
    const request = { competitionId, form: options.form };
    return this.#call(async ({ competitions }, tried) => {
      let text = "";
      for await (const part of competitions.exportCompetition(request, tried)) text += part.chunk;
      return text;
    }, options);
  }

  #id({ requestId }: ChangeOptions): string {
    return requestId ?? this.#nextId();
  }

  #call<T>(attempt: (services: Services, options: AttemptOptions) => Promise<T>, { signal }: CallOptions): Promise<T> {
    return this.#connection.call(attempt, this.#key, signal);
  }

  async #pages<T>(page: (token: string) => Promise<Page<T>>): Promise<T[]> {
    const listed: T[] = [];
    for await (const item of pages(page)) listed.push(item);
    return listed;
  }
}

/**
 * What happens in a competition, which ends with it.
 *
 * Each response has the events since the one before it, and the competition after them; the first may have no events. A lost
 * connection is opened again with the last event as cursor, so nothing is missed and nothing comes twice.
 */
export class CompetitionWatch extends ResumedStream<WatchCompetitionResponse, WatchCompetitionResponse> {
  readonly #session: CompetitionWatchSession;

  /** @internal */
  constructor(
    connection: Connection,
    key: string | undefined,
    competitionId: string,
    afterEvent: bigint,
    signal: AbortSignal | undefined,
  ) {
    const session = new CompetitionWatchSession(competitionId, afterEvent);
    super(connection, session, key, signal);
    this.#session = session;
  }

  /** The cursor: the number of the last event that was taken from the stream; 0: none was. */
  get event(): bigint {
    return this.#session.event;
  }
}

/** One competition's stream, over as many connections as it takes. */
export class CompetitionWatchSession implements StreamSession<WatchCompetitionResponse, WatchCompetitionResponse> {
  readonly #competitionId: string;
  #competition: Competition | undefined;
  /** The cursor. */
  event: bigint;

  constructor(competitionId: string, afterEvent: bigint) {
    this.#competitionId = competitionId;
    this.event = afterEvent;
  }

  open({ competitions }: Services, options: AttemptOptions): AsyncIterable<WatchCompetitionResponse> {
    const request = { competitionId: this.#competitionId, afterEvent: this.event };
    return competitions.watchCompetition(request, options);
  }

  /** A connection begins with the competition as it is, which the reader may have. */
  take(response: WatchCompetitionResponse): WatchCompetitionResponse | undefined {
    const { events, competition } = response;
    const last = events.at(-1);
    const known = this.#competition;
    this.#competition = competition;
    if (last) this.event = last.number;
    else if (competition && known && equals(CompetitionSchema, competition, known)) return undefined;
    return response;
  }
}
