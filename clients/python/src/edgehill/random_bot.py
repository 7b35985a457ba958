"""A bot that chooses by lot: `python -m edgehill.random_bot --server localhost:7400 --match ID --join`."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence

from edgehill import v1
from edgehill.bot import Bot, play
from edgehill.client import Client
from edgehill.errors import EdgehillError
from edgehill.played_seat import PlayedSeat


class RandomBot(Bot):
    """Takes any legal action, each as likely as the others."""

    follow = False

    def __init__(self, seed: int | None = None) -> None:
        self.lot = random.Random(seed)

    def choose(self, seat: PlayedSeat, legal: v1.LegalList) -> int:
        return self.lot.choice(legal.ids)


def main(arguments: Sequence[str] | None = None) -> int:
    """Plays one seat to the end, and prints how it ended. 1: something went wrong, which stderr says."""
    given = arguments_of(arguments)
    try:
        with Client(given.server, key=given.key) as client:
            if given.token:
                seat = client.seat(given.match, given.token)
            else:
                seat = client.join(given.match, invitation=given.invitation, player=given.player)
                print(f"joined as seat {seat.joined.seat if seat.joined else '?'}", flush=True)
            play(client, {seat: RandomBot(given.seed)})
            ending = client.get(given.match).state.ending
    except EdgehillError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"over: {ending.code} ({ending.rule}), returns {', '.join(map(str, ending.returns))}")
    return 0


def arguments_of(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m edgehill.random_bot", description=__doc__)
    parser.add_argument("--server", required=True, help="host:port, http://host:port or https://host")
    parser.add_argument("--match", required=True, metavar="ID", help="the match's id")
    seat = parser.add_mutually_exclusive_group(required=True)
    seat.add_argument("--token", help="the token of a seat that was taken before")
    seat.add_argument("--join", action="store_true", help="take the first open seat, or the invitation's")
    parser.add_argument("--invitation", default="", help="with --join: what lets one take the seat")
    parser.add_argument("--player", default="random (Python)", help="with --join: what others call the player")
    parser.add_argument("--key", help="the account's key, where the server asks for accounts")
    parser.add_argument("--seed", type=int, help="of the bot's own lot; without it every game is another")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
