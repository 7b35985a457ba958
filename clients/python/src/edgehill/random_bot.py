"""A bot that chooses at random: `python -m edgehill.random_bot --server localhost:7400 --game skirmish` plays against a
house bot, `--match ID --join` in a match that is there."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from edgehill import v1
from edgehill.bot import Bot
from edgehill.bot_runner import run_bot
from edgehill.client import Client
from edgehill.errors import EdgehillError
from edgehill.played_seat import PlayedSeat
from edgehill.seat_config import house_bot, open_seat

CERTIFICATES: Final = ("ca", "cert", "cert_key")
"""The options that name files of certificates."""


class RandomBot(Bot):
    """Takes any legal action, each as likely as the others."""

    omit_events = True

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, seat: PlayedSeat, legal: v1.LegalActions) -> int:
        return self._random.choice(legal.ids)


def main(arguments: Sequence[str] | None = None) -> int:
    """Plays one seat to the end, and prints the result. 1: something went wrong, which stderr says."""
    given = arguments_of(arguments)
    try:
        certificates = {name: path.read_bytes() for name in CERTIFICATES if (path := getattr(given, name))}
        with Client(given.server, key=given.key, **certificates) as client:
            if given.game:
                others = client.game(given.game).scenarios[0].seats - 1
                made = client.create(given.game, seats=[open_seat(), *[house_bot()] * others])
                seat = client.join(made.match.config.match_id, player=given.player)
                print(f"made match {seat.match_id}", flush=True)
            elif given.token:
                seat = client.seat(given.match, given.token)
            else:
                seat = client.join(given.match, invitation=given.invitation, player=given.player)
                print(f"joined as seat {seat.number}", flush=True)
            report = run_bot(client, seat, RandomBot(given.seed))
    except (EdgehillError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    print(shown(report.status, report.result))
    return 0


def shown(status: v1.MatchStatus, result: v1.MatchResult | None) -> str:
    """Returns the end of a match, in a line."""
    name = v1.MatchStatus.Name(status).removeprefix("MATCH_STATUS_").lower()
    if result is None:
        return name
    return f"{name}: {result.code} ({result.rule}), returns {', '.join(map(str, result.returns))}"


def arguments_of(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(prog="python -m edgehill.random_bot", description=__doc__)
    parser.add_argument("--server", required=True, help="host:port, http://host:port or https://host")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--game", help="make a match of this game, against a house bot")
    where.add_argument("--match", metavar="ID", help="the match's id; with --token or --join")
    seat = parser.add_mutually_exclusive_group()
    seat.add_argument("--token", help="the token of a seat that was taken before")
    seat.add_argument("--join", action="store_true", help="take the first open seat, or the invitation's")
    parser.add_argument("--invitation", default="", help="with --join: the seat's invitation")
    parser.add_argument("--player", default="random (Python)", help="with --join: the player's name for others")
    parser.add_argument("--key", help="the account's key, where the server asks for accounts")
    parser.add_argument("--ca", type=Path, metavar="FILE", help="the server's authorities (PEM), with https")
    parser.add_argument("--cert", type=Path, metavar="FILE", help="a certificate to show (PEM), with --cert-key")
    parser.add_argument("--cert-key", type=Path, metavar="FILE", help="its key (PEM)")
    parser.add_argument("--seed", type=int, help="the seed of the bot's choices; without it every game is another")
    given = parser.parse_args(arguments)
    if given.game and (given.token or given.join):
        parser.error("--game makes a match, and takes a seat of it: --token and --join go with --match")
    if given.match and not (given.token or given.join):
        parser.error("--match needs --token or --join")
    return given


if __name__ == "__main__":
    sys.exit(main())
