"""Bots at the seats of matches, until the matches have ended."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from edgehill import bot as blocking
from edgehill import v1
from edgehill.aio.bot import Bot
from edgehill.aio.client import Client
from edgehill.aio.play import Play
from edgehill.aio.seat import Seat
from edgehill.bot import BotReport, Player
from edgehill.played_seat import PlayedSeat, PlayEvent


async def run_bot(client: Client, seat: Seat, bot: Bot | blocking.Bot) -> BotReport:
    """Plays a seat until its match has ended. See `run_bots`."""
    return (await run_bots(client, {seat: bot}))[seat]


async def run_bots(client: Client, bots: Mapping[Seat, Bot | blocking.Bot]) -> dict[Seat, BotReport]:
    """Plays seats, of one match or of many, over one stream until all their matches have ended.

    The bots are this package's, whose choices are awaited at the same time, or `edgehill.Bot`. Where seats commit to
    their entropy, it is revealed when all have joined. Raises `Refused` where a bot chooses what is not legal, or its
    seat was opened elsewhere.
    """
    async with client.play() as stream:
        table = _Table(stream, bots)
        try:
            await table.play()
        finally:
            await table.clear()
    return {player.seat: player.report for player in table.players.values()}


class _Table:
    """The bots of one stream, and the choices that are awaited."""

    def __init__(self, stream: Play, bots: Mapping[Seat, Bot | blocking.Bot]) -> None:
        self._stream = stream
        self._bots: dict[PlayedSeat, Bot | blocking.Bot] = {}
        self._choices: dict[PlayedSeat, asyncio.Task[None]] = {}
        self._prompts: dict[PlayedSeat, tuple[int, v1.LegalActions]] = {}
        self._next: asyncio.Task[PlayEvent | None] | None = None
        self.players: dict[PlayedSeat, Player[Seat]] = {}
        """The bots at their seats."""
        for seat, bot in bots.items():
            played = stream.open(seat, legal=bot.detail, omit_events=bot.omit_events)
            self._bots[played], self.players[played] = bot, Player(seat, bot)

    async def play(self) -> None:
        """Hands news to the bots until there are none, and choices to the stream when they are made."""
        while True:
            if self._next is None:
                self._next = asyncio.create_task(self._news())
            tasks: set[asyncio.Task[Any]] = {self._next, *self._choices.values()}
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for seat in [seat for seat, choice in self._choices.items() if choice in done]:
                self._choices.pop(seat).result()
            if self._next in done:
                news, self._next = self._next.result(), None
                if news is None:
                    return
                await self._take(news)

    async def clear(self) -> None:
        """Ends what is awaited still."""
        tasks = [*self._choices.values(), *([self._next] if self._next else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _news(self) -> PlayEvent | None:
        """Returns the next news; `None` at the end of the stream."""
        return await anext(self._stream, None)

    async def _take(self, news: PlayEvent) -> None:
        seat, player = news.seat, self.players[news.seat]
        player.take(news)
        if player.begin_reveal(seat):
            await player.seat.reveal_entropy()
        if news.closed and seat in self._choices:
            self._choices.pop(seat).cancel()
        if news.legal is None:
            return
        # A stream that was opened again repeats the prompt that is thought about.
        prompt = (seat.seq, news.legal)
        choice = self._choices.get(seat)
        if choice is not None and self._prompts[seat] == prompt:
            return
        if choice is not None:
            choice.cancel()
        self._prompts[seat] = prompt
        self._choices[seat] = asyncio.create_task(self._choose(seat, news.legal))

    async def _choose(self, seat: PlayedSeat, legal: v1.LegalActions) -> None:
        bot = self._bots[seat]
        seat.apply(await bot.choose(seat, legal) if isinstance(bot, Bot) else bot.choose(seat, legal))
