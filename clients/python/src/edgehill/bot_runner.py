"""Bots at the seats of matches, until the matches have ended."""

from __future__ import annotations

from collections.abc import Mapping

from edgehill.bot import Bot, BotReport, Player
from edgehill.client import Client
from edgehill.seat import Seat


def run_bot(client: Client, seat: Seat, bot: Bot) -> BotReport:
    """Plays a seat until its match has ended. See `run_bots`."""
    return run_bots(client, {seat: bot})[seat]


def run_bots(client: Client, bots: Mapping[Seat, Bot]) -> dict[Seat, BotReport]:
    """Plays seats, of one match or of many, over one stream until all their matches have ended.

    Where seats commit to their entropy, it is revealed when all have joined. Raises `Refused` where a bot chooses what
    is not legal, or its seat was opened elsewhere.
    """
    with client.play() as stream:
        players = {}
        for seat, bot in bots.items():
            played = stream.open(seat, legal=bot.detail, omit_events=bot.omit_events)
            players[played] = (Player(seat, bot), bot)
        for news in stream:
            player, bot = players[news.seat]
            player.take(news)
            if player.begin_reveal(news.seat):
                player.seat.reveal_entropy()
            if news.legal is not None:
                news.seat.apply(bot.choose(news.seat, news.legal))
    return {player.seat: player.report for player, _ in players.values()}
