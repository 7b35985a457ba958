"""Bots: what to choose is theirs, everything else is here."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

from edgehill import v1
from edgehill.client import Client
from edgehill.played_seat import PlayedSeat
from edgehill.seat import Seat
from edgehill.actions import ActionsLike


class Bot(ABC):
    """A player. A subclass says what it chooses, and may listen."""

    detail: v1.LegalDetail = v1.LEGAL_DETAIL_IDS
    """The detail of each legal action that it is given."""
    follow: bool = True
    """True if it is notified of events, and `seat.view` is kept for it."""

    @abstractmethod
    def choose(self, seat: PlayedSeat, legal: v1.LegalList) -> ActionsLike:
        """Chooses what the seat does now: one of `legal`, or several actions from there."""

    def hear(self, seat: PlayedSeat, event: v1.Event) -> None:
        """Something has happened; `seat.view` has it already."""

    def over(self, seat: PlayedSeat) -> None:
        """The match is over; `seat.state.ending` says how."""


def play(client: Client, bots: Mapping[Seat, Bot]) -> None:
    """Has bots play their seats, over one stream, until all their matches are over.

    Where seats commit to their entropy, it is revealed when all have joined.

    Raises `Refused` where a bot chooses what is not legal, or its seat is not its any more.
    """
    with client.play() as stream:
        players = {stream.open(seat, legal=bot.detail, follow=bot.follow): (seat, bot) for seat, bot in bots.items()}
        # Once each: what was said before the call was heard may come after it.
        revealed: set[PlayedSeat] = set()
        for news in stream:
            seat, bot = players[news.seat]
            if news.refused is not None:
                raise news.refused
            if seat.entropy and owes_entropy(news.seat) and news.seat not in revealed:
                revealed.add(news.seat)
                seat.reveal_entropy()
            for event in news.events:
                bot.hear(news.seat, event)
            if news.legal is not None:
                news.seat.apply(bot.choose(news.seat, news.legal))
            elif news.closed:
                bot.over(news.seat)


def owes_entropy(seat: PlayedSeat) -> bool:
    """Returns whether the match waits for what the seat has committed to."""
    if seat.state.status != v1.MATCH_STATUS_REVEALING or seat.number is None:
        return False
    return seat.state.seats[seat.number].entropy == v1.ENTROPY_STATE_COMMITTED
