/** Bots: their choices, the refusals of these, and all that comes before a choice. */

import assert from "node:assert/strict";
import test, { after, describe } from "node:test";
import { type Bot, type BotSeat, type Client, RandomBot, Refused, runBot, runBots, v1 } from "edgehill";
import { connect as connectByWeb } from "edgehill/browser";
import { bothSeats, failed, refused, there } from "./asking.js";
import { client as clientOf, Server } from "./running.js";

const server = await Server.start({ after });
const web = connectByWeb(server.address);
after(() => web.close());
const clients: Readonly<Record<string, Client>> = { Node: clientOf({ after }, server.address), "a browser": web };

/** Takes whole actions, at random. */
class Chooser implements Bot {
  readonly detail = v1.LegalDetail.FULL;
  readonly #random = new RandomBot(1);

  choose(seat: BotSeat, legal: v1.LegalActions): v1.LegalAction {
    assert.ok(seat.view && seat.config);
    const id = this.#random.choose(seat, legal);
    return there(legal.actions.find((action) => action.id === id));
  }
}

/** Never chooses; `asked` resolves when it should. */
class Never implements Bot {
  readonly asked: Promise<void>;
  wasGivenUp = false;
  #ask: () => void = () => {};

  constructor() {
    this.asked = new Promise((resolve) => {
      this.#ask = resolve;
    });
  }

  choose(_seat: BotSeat, _legal: v1.LegalActions, signal: AbortSignal): Promise<never> {
    this.#ask();
    return new Promise((_, reject) => {
      signal.addEventListener("abort", () => {
        this.wasGivenUp = true;
        reject(signal.reason);
      });
    });
  }
}

for (const [where, client] of Object.entries(clients)) {
  describe(`on ${where}`, () => {
    test("many matches at once", async () => {
      const seats = (await Promise.all([1, 2, 3].map(() => bothSeats(client)))).flat();
      const reports = await runBots(
        client,
        seats.map((seat, place) => [seat, place % 2 === 0 ? new Chooser() : new RandomBot(place)]),
      );
      for (const seat of seats) {
        const report = there(reports.get(seat));
        assert.deepEqual([report.matchId, report.seat], [seat.matchId, seat.number]);
        assert.equal(report.status, v1.MatchStatus.FINISHED);
        assert.equal(report.result?.code, (await seat.get()).state.result?.code);
        assert.ok(report.actions > 0);
      }
    });

    test("a choice that is refused", async () => {
      const [north, south] = await bothSeats(client);
      const stubborn: Bot = { choose: () => [4095] };
      await refused(
        "UNKNOWN_ACTION",
        runBots(client, [
          [north, stubborn],
          [south, new RandomBot()],
        ]),
      );
    });

    test("a bot that fails", async () => {
      const [north, south] = await bothSeats(client);
      const fault = new Error("no idea");
      const broken: Bot = { choose: () => Promise.reject(fault) };
      await assert.rejects(
        runBots(client, [
          [north, broken],
          [south, new RandomBot()],
        ]),
        fault,
      );
    });

    test("a match that is taken back", async () => {
      const made = await client.create("skirmish");
      const seat = await client.join(made.match.config.matchId);
      const playing = runBot(client, seat, new RandomBot());
      await client.abort(seat.matchId, { creatorToken: made.creatorToken });
      const { status, result } = await playing;
      assert.deepEqual([status, result], [v1.MatchStatus.ABORTED, undefined]);
    });

    test("playing is given up", async () => {
      const [north] = await bothSeats(client);
      const bot = new Never();
      const controller = new AbortController();
      const playing = runBot(client, north, bot, { signal: controller.signal });
      await bot.asked;
      const reason = new Error("enough");
      controller.abort(reason);
      await assert.rejects(playing, reason);
      assert.ok(bot.wasGivenUp);
    });

    test("a bot sees the time that it has left, where there are clocks", async () => {
      for (const clock of [{ bank: { seconds: 600n } }, undefined]) {
        const { match } = await client.create("skirmish", clock && { clock });
        const seats = [await client.join(match.config.matchId), await client.join(match.config.matchId)];
        const random = new RandomBot(3);
        const left: (number | undefined)[] = [];
        const bot: Bot = {
          choose: (seat, legal) => {
            left.push(seat.timeLeftMs, seat.timeLeftMs);
            return random.choose(seat, legal);
          },
        };
        await runBots(
          client,
          seats.map((seat) => [seat, bot]),
        );
        assert.ok(left.length > 4);
        for (const [place, ms] of left.entries()) {
          if (!clock) assert.equal(ms, undefined);
          else assert.ok(there(ms) > 300_000 && there(ms) <= (place % 2 === 1 ? there(left[place - 1]) : 600_000));
        }
      }
    });

    test("entropy is revealed when it is due", async () => {
      const { match } = await client.create("skirmish", { entropyMode: v1.EntropyMode.COMMIT_REVEAL });
      const { matchId } = match.config;
      const seats = [await client.join(matchId), await client.join(matchId)];
      await runBots(
        client,
        seats.map((seat) => [seat, new RandomBot()]),
      );
      const { state } = await client.get(matchId);
      assert.deepEqual(
        state.seats.map(({ entropy }) => entropy),
        [v1.EntropyState.REVEALED, v1.EntropyState.REVEALED],
      );
      assert.deepEqual(
        state.reveal?.entropies,
        seats.map(({ entropy }) => entropy),
      );
    });
  });
}

test("a choice is given up when the match has ended", async () => {
  const client = there(clients["Node"]);
  const [north, south] = await bothSeats(client);
  const bot = new Never();
  const playing = runBot(client, north, bot);
  await bot.asked;
  await south.resign();
  const { result } = await playing;
  assert.equal(result?.termination, v1.Termination.RESIGNATION);
  assert.ok(bot.wasGivenUp);
});

test("choices are awaited at the same time", async () => {
  // All bots are asked before any has chosen: one after the other they would wait forever.
  const client = there(clients["Node"]);
  const seats = (await Promise.all([1, 2].map(() => bothSeats(client)))).flat();
  let left = seats.length;
  let open: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const slow = (): Bot => {
    const random = new RandomBot();
    return {
      choose: async (seat, legal) => {
        left -= 1;
        if (left === 0) open();
        await gate;
        return random.choose(seat, legal);
      },
    };
  };
  const reports = await runBots(
    client,
    seats.map((seat) => [seat, slow()]),
  );
  for (const { status } of reports.values()) assert.equal(status, v1.MatchStatus.FINISHED);
});

test("a seat that is opened elsewhere ends the bot", async () => {
  const client = there(clients["Node"]);
  const [north] = await bothSeats(client);
  const bot = new Never();
  const playing = failed(Refused, runBot(client, north, bot));
  await bot.asked;
  await using twin = client.playSeats();
  twin.open(north);
  await twin.next();
  assert.equal((await playing).reason, v1.ErrorReason.OPENED_ELSEWHERE);
});
