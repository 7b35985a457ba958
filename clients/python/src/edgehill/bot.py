"""Bots: the choice is theirs, everything else is here."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from edgehill import v1
from edgehill.actions import ActionsLike
from edgehill.played_seat import OVERTAKEN, PlayedSeat, PlayEvent
from edgehill.seat_calls import BaseSeat

SeatT = TypeVar("SeatT", bound=BaseSeat)

STOPPED: Final = {
    v1.MATCH_STATUS_UNPLAYABLE,
    v1.MATCH_STATUS_QUARANTINED,
    v1.MATCH_STATUS_ABORTED,
    v1.MATCH_STATUS_EXPIRED,
}
"""The statuses at which nothing more is to be played, beside FINISHED."""


class BotBase:
    """The part of a player that blocking and asyncio bots have in common."""

    detail: v1.LegalDetail = v1.LEGAL_DETAIL_IDS
    """The detail of each legal action that the bot is given."""
    omit_events: bool = False
    """True if the bot goes by the legal actions alone: no events are sent, and no view is kept for it."""

    def on_event(self, seat: PlayedSeat, event: v1.Event) -> None:
        """Takes note of an event; `seat.view` has it already."""

    def on_finished(self, seat: PlayedSeat) -> None:
        """Takes note of the end; `seat.state` has the result."""


class Bot(BotBase, ABC):
    """A player. A subclass says what it chooses, and may take note of events."""

    @abstractmethod
    def choose(self, seat: PlayedSeat, legal: v1.LegalActions) -> ActionsLike:
        """Chooses what the seat does now: one of `legal`, or several actions from there."""


@dataclass
class BotReport:
    """The outcome for a bot."""

    match_id: str = ""
    """The match."""
    seat: int = 0
    """The bot's seat, from 0."""
    status: v1.MatchStatus = v1.MATCH_STATUS_UNSPECIFIED
    """The status of the match: finished, or stopped."""
    result: v1.MatchResult | None = None
    """The result; `None` if there is none."""
    actions: int = 0
    """Number of actions that the bot took."""


@dataclass
class Player(Generic[SeatT]):
    """A bot at its seat."""

    seat: SeatT
    bot: BotBase
    report: BotReport = field(default_factory=BotReport)
    revealed: bool = False

    def take(self, news: PlayEvent) -> None:
        """Takes news: the bot takes note of it, and so does the report. Raises what ends the bot's play."""
        if news.refused is not None and (news.closed or news.refused.reason not in OVERTAKEN):
            raise news.refused
        for event in news.events:
            self.bot.on_event(news.seat, event)
        if news.apply_result is not None:
            self.report.actions += news.apply_result.actions
        state = news.seat.state
        if news.closed:
            self.report.match_id, self.report.seat = news.seat.config.match_id, news.seat.number or 0
            self.report.status = state.status
            self.report.result = state.result if state.HasField("result") else None
            self.bot.on_finished(news.seat)
        elif state.status in STOPPED:
            news.seat.close()

    def begin_reveal(self, played: PlayedSeat) -> bool:
        """Returns whether the seat's entropy is to be revealed now; true once, since a state may be late."""
        if self.revealed or not self.seat.entropy or played.number is None:
            return False
        state = played.state
        if state.status != v1.MATCH_STATUS_REVEALING:
            return False
        self.revealed = state.seats[played.number].entropy == v1.ENTROPY_STATE_COMMITTED
        return self.revealed
