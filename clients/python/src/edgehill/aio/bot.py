"""Bots whose choice is awaited."""

from __future__ import annotations

from abc import ABC, abstractmethod

from edgehill import v1
from edgehill.actions import ActionsLike
from edgehill.bot import BotBase
from edgehill.played_seat import PlayedSeat


class Bot(BotBase, ABC):
    """A player that may wait for others, such as a model's service, before it chooses."""

    @abstractmethod
    async def choose(self, seat: PlayedSeat, legal: v1.LegalActions) -> ActionsLike:
        """Chooses what the seat does now: one of `legal`, or several actions from there.

        Meanwhile other seats play on, and `seat.view` moves on with what happens.
        """
