/** Bots at the seats of matches, until the matches have ended. */

import { equals } from "@bufbuild/protobuf";
import { type Following, follow } from "./abort.js";
import { AnswerDeadline } from "./answer-deadline.js";
import type { Bot, BotReport, BotSeat } from "./bot.js";
import type { Client } from "./client.js";
import type { CallOptions } from "./connection.js";
import { EdgehillError, FoldError, Refused } from "./errors.js";
import { OVERTAKEN, type PlayEvent, type PlayedSeat } from "./played-seat.js";
import type { Seat } from "./seat.js";
import { EntropyState, type LegalActions, LegalActionsSchema, LegalDetail, MatchStatus } from "./v1.js";
import { ViewTracker } from "./view-tracker.js";

/** The statuses at which nothing more is to be played, beside FINISHED. */
const STOPPED: ReadonlySet<MatchStatus> = new Set([
  MatchStatus.UNPLAYABLE,
  MatchStatus.QUARANTINED,
  MatchStatus.ABORTED,
  MatchStatus.EXPIRED,
]);

/** Plays a seat until its match has ended. See `runBots`. */
export async function runBot(client: Client, seat: Seat, bot: Bot, options: CallOptions = {}): Promise<BotReport> {
  const report = (await runBots(client, [[seat, bot]], options)).get(seat);
  if (!report) throw new EdgehillError("the seat has no report");
  return report;
}

/**
 * Plays seats, of one match or of many, until all their matches have ended: on Node over one stream, in a browser with
 * a `WatchMatch` for each.
 *
 * Where seats commit to their entropy, it is revealed when all have joined. Throws `Refused` where a bot chooses an
 * action that is not legal, or its seat was opened elsewhere.
 */
export async function runBots(
  client: Client,
  bots: Iterable<readonly [Seat, Bot]>,
  { signal }: CallOptions = {},
): Promise<Map<Seat, BotReport>> {
  const players = Array.from(bots, ([seat, bot]) => new Player(seat, bot));
  const playing = follow(signal);
  try {
    if (client.canPlaySeats) await playOverOneStream(client, players, playing);
    else await Promise.all(players.map((player) => playByCalls(player, playing.signal)));
  } finally {
    playing.abort();
    playing.release();
  }
  return new Map(players.map((player) => [player.seat, player.report()]));
}

/** A bot at its seat. */
class Player {
  readonly seat: Seat;
  readonly bot: Bot;
  actions = 0;
  #place: BotSeat | undefined;
  #hasRevealed = false;
  #choice: { readonly seq: bigint; readonly legal: LegalActions; readonly asked: AbortController } | undefined;

  constructor(seat: Seat, bot: Bot) {
    this.seat = seat;
    this.bot = bot;
  }

  report(): BotReport {
    const { number, state } = this.#place ?? {};
    return {
      matchId: this.seat.matchId,
      seat: number ?? this.seat.number ?? 0,
      status: state?.status ?? MatchStatus.UNSPECIFIED,
      result: state?.result,
      actions: this.actions,
    };
  }

  /** Takes news of a stream: the bot takes note of it, and so does the report. Throws the end of the bot's play. */
  take({ seat, refused, closed, events, applyResult }: PlayEvent): void {
    this.#place = seat;
    if (refused && (closed || !OVERTAKEN.has(refused.reason))) throw refused;
    for (const event of events) this.bot.onEvent?.(seat, event);
    this.actions += applyResult?.actions ?? 0;
    if (closed) this.finish(seat);
    else if (seat.state && STOPPED.has(seat.state.status)) seat.close();
  }

  finish(place: BotSeat): void {
    this.#place = place;
    this.stopChoosing();
    this.bot.onFinished?.(place);
  }

  /** Reveals the seat's entropy, if it is to be revealed now; once, since a state may be late. */
  async revealEntropy({ number, state }: BotSeat, signal: AbortSignal): Promise<void> {
    if (this.#hasRevealed || !this.seat.entropy || number === undefined) return;
    if (state?.status !== MatchStatus.REVEALING) return;
    if (state.seats[number]?.entropy !== EntropyState.COMMITTED) return;
    this.#hasRevealed = true;
    await this.seat.revealEntropy({ signal });
  }

  /** Has the bot choose, beside everything else; a choice that is not needed any more is dropped. */
  beginChoosing(seat: PlayedSeat, legal: LegalActions, playing: Following): void {
    const choice = this.#choice;
    // A stream that was opened again repeats the prompt that is thought about.
    if (choice?.seq === seat.seq && equals(LegalActionsSchema, choice.legal, legal)) return;
    this.stopChoosing();
    const asked = new AbortController();
    this.#choice = { seq: seat.seq, legal, asked };
    const choose = async () => {
      try {
        const actions = await this.bot.choose(seat, legal, asked.signal);
        if (asked.signal.aborted) return;
        this.#choice = undefined;
        seat.apply(actions);
      } catch (error) {
        if (!asked.signal.aborted) playing.abort(error);
      }
    };
    void choose();
  }

  stopChoosing(): void {
    this.#choice?.asked.abort();
    this.#choice = undefined;
  }
}

async function playOverOneStream(client: Client, players: readonly Player[], playing: Following): Promise<void> {
  const session = client.playSeats({ signal: playing.signal });
  const seats = new Map<PlayedSeat, Player>();
  for (const player of players) {
    const { detail, omitEvents } = player.bot;
    seats.set(session.open(player.seat, { legal: detail, omitEvents }), player);
  }
  try {
    for await (const news of session) {
      const player = seats.get(news.seat);
      player?.take(news);
      await player?.revealEntropy(news.seat, playing.signal);
      if (news.legal) player?.beginChoosing(news.seat, news.legal, playing);
    }
  } finally {
    for (const player of players) player.stopChoosing();
  }
}

async function playByCalls(player: Player, signal: AbortSignal): Promise<void> {
  const { seat, bot } = player;
  const { config } = await seat.get({ signal });
  const tracker = new ViewTracker();
  const deadline = new AnswerDeadline();
  const place: BotSeat = {
    config,
    get number() {
      return seat.number ?? tracker.view?.observer?.seat;
    },
    get state() {
      return tracker.state;
    },
    get view() {
      return tracker.view;
    },
    get seq() {
      return tracker.seq;
    },
    get timeLeftMs() {
      return deadline.leftMs();
    },
  };
  for await (const update of seat.watchMatch({ legal: bot.detail ?? LegalDetail.IDS, signal })) {
    deadline.take(update);
    try {
      tracker.fold(update);
    } catch (error) {
      if (!(error instanceof FoldError)) throw error;
      tracker.look(await seat.view({ signal }));
    }
    for (const event of update.events) bot.onEvent?.(place, event);
    if (STOPPED.has(tracker.status)) break;
    await player.revealEntropy(place, signal);
    if (update.legalActions) player.actions += await act(player, place, update.legalActions, signal);
  }
  player.finish(place);
}

/** Has a bot choose, and takes its choice. Returns the number of actions; a choice that something came before takes none. */
async function act({ seat, bot }: Player, place: BotSeat, legal: LegalActions, signal: AbortSignal): Promise<number> {
  const actions = await bot.choose(place, legal, signal);
  try {
    return (await seat.apply(actions, { signal })).applyResult?.actions ?? 0;
  } catch (error) {
    if (error instanceof Refused && OVERTAKEN.has(error.reason)) return 0;
    throw error;
  }
}
