/** A match for the sessions of clients/conformance: all seats are taken, and every observer follows it. */

import assert from "node:assert/strict";
import { create } from "@bufbuild/protobuf";
import { type ActionsLike, type Client, type CreatedMatch, type Seat, ViewTracker, v1, type Watch } from "edgehill";
import { next, sameMessage } from "./asking.js";

export const FORMS: Readonly<Record<string, (action: v1.LegalAction) => ActionsLike>> = {
  id: ({ id }) => id,
  entry: (action) => action,
  structure: ({ verb, refs }) => create(v1.ActionStructureSchema, { verb, refs }),
  notation: ({ notation }) => [notation],
  line: ({ notation }) => notation,
};

type Look = Awaited<ReturnType<Client["view"]>>;
type Turn = { readonly number: number; readonly seq: bigint; readonly actions: v1.LegalAction[] };

/** Somebody who sees a match from its beginning on: a seat, or a spectator. */
export class Observer {
  /** The seat; `undefined` for a spectator. */
  readonly seat: number | undefined;
  readonly tracker: ViewTracker;
  /** All that was watched, in order. */
  readonly events: v1.Event[] = [];
  readonly now: () => Promise<Look>;
  readonly #watch: Watch;

  constructor(seat: number | undefined, start: Look, watch: Watch, now: () => Promise<Look>) {
    this.seat = seat;
    this.tracker = new ViewTracker(start);
    this.now = now;
    this.#watch = watch;
  }

  /** Reads what comes, up to an event. */
  async follow(seq: bigint): Promise<void> {
    while (this.tracker.seq < seq) this.#take(await next(this.#watch));
  }

  /** Reads what comes, until the match is over. */
  async followToTheEnd(): Promise<void> {
    for await (const update of this.#watch) this.#take(update);
  }

  #take(update: v1.SeatUpdate): void {
    this.events.push(...update.events);
    this.tracker.fold(update);
  }
}

/** A match of a game. */
export class Table {
  readonly client: Client;
  /** The match, as it was told when it was made. */
  readonly made: CreatedMatch;
  readonly seats: readonly Seat[];
  /** Those of the seats. */
  readonly observers: readonly Observer[];
  readonly spectator: Observer;

  private constructor(client: Client, made: CreatedMatch, seats: Seat[], observers: Observer[], spectator: Observer) {
    this.client = client;
    this.made = made;
    this.seats = seats;
    this.observers = observers;
    this.spectator = spectator;
  }

  /** Makes the match, and seats everybody. */
  static async of(client: Client, game: string): Promise<Table> {
    const made = await client.create(game);
    const { matchId } = made.match.config;
    const seats: Seat[] = [];
    for (const [seat] of made.match.state.seats.entries()) {
      seats.push(await client.join(matchId, { player: `player ${seat}` }));
    }
    const observers = seats.map(async (seat, number) => {
      const start = await seat.view({ atSeq: 0n });
      return new Observer(number, start, seat.watchMatch({ afterSeq: 0n }), () => seat.view());
    });
    const start = await client.view(matchId, { atSeq: 0n });
    const watch = client.watchMatch(matchId, { afterSeq: 0n });
    const spectator = new Observer(undefined, start, watch, () => client.view(matchId));
    return new Table(client, made, seats, await Promise.all(observers), spectator);
  }

  get matchId(): string {
    return this.made.match.config.matchId;
  }

  /** Seats and spectator. */
  get everybody(): readonly Observer[] {
    return [...this.observers, this.spectator];
  }

  /** The first seat that is to act, with its full list; `undefined` if the match is over. */
  async toAct(): Promise<Turn | undefined> {
    const { state } = await this.client.get(this.matchId);
    if (state.status === v1.MatchStatus.FINISHED) return undefined;
    for (const [number, seat] of this.seats.entries()) {
      const { seq, legalActions } = await seat.legal({ detail: v1.LegalDetail.FULL });
      if (legalActions.actions.length > 0) return { number, seq, actions: legalActions.actions };
    }
    throw new Error("nobody is to act");
  }

  /** Takes the choice so many times, from the decision `first` on, or to the end of the match. */
  async play(decisions: number, form = "id", first = 0): Promise<void> {
    for (let decision = first; decision < first + decisions; decision += 1) {
      const turn = await this.toAct();
      if (!turn) return;
      const { number, seq, actions } = turn;
      const [action, encode] = [actions[(7 * decision) % actions.length], FORMS[form]];
      const [observer, seat] = [this.observers[number], this.seats[number]];
      if (!action || !encode || !observer || !seat) throw new Error(`there is no form ${form}`);
      await observer.follow(seq);
      observer.tracker.fold(await seat.apply(encode(action), { expectedSeq: seq, response: { includeEvents: true } }));
      const now = await seat.view();
      assert.equal(observer.tracker.seq, now.seq);
      sameMessage(v1.ViewSchema, observer.tracker.view, now.view);
    }
  }

  /** Has a seat give up, unless the match is over. */
  async end(): Promise<void> {
    const turn = await this.toAct();
    if (turn) await this.seats[turn.number]?.resign();
  }
}
