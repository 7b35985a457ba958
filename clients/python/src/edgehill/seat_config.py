"""The callers that may take each seat of a match that is made."""

from __future__ import annotations

from edgehill import v1


def open_seat() -> v1.SeatConfig:
    """Returns a seat that is open to anyone."""
    return v1.SeatConfig(kind=v1.SEAT_KIND_OPEN)


def invited_seat() -> v1.SeatConfig:
    """Returns a seat for the holder of its invitation."""
    return v1.SeatConfig(kind=v1.SEAT_KIND_INVITED)


def account_seat(account_id: str) -> v1.SeatConfig:
    """Returns a seat for the holder of this account's key, who needs no invitation; on servers that have accounts."""
    return v1.SeatConfig(kind=v1.SEAT_KIND_INVITED, account_id=account_id)


def house_bot(name: str = "random") -> v1.SeatConfig:
    """Returns a seat for one of the game's house bots (`Game.house_bots`)."""
    return v1.SeatConfig(kind=v1.SEAT_KIND_HOUSE_BOT, bot=name)
