"""Views, kept up to date: `fold` sets each entry that an event names to what it is now.

The law: an observer's view with the events after it folded over it is, as a message, the view that the server gives
now. So lists keep the order of the wire: by their entries' keys.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import Any, TypeAlias

from edgehill import v1
from edgehill.errors import UnknownChange

Key: TypeAlias = tuple[Any, ...]


def fold(view: v1.View, event: v1.Event) -> None:
    """Changes `view` to what it is after `event`. Folding an event twice is harmless.

    Raises `UnknownChange` for an entry that this client does not know; the view is good for nothing then, and a new
    one has to be asked for.
    """
    for change in event.changes:
        fold_change(view, change)


def fold_change(view: v1.View, change: v1.Change) -> None:
    """Changes one entry."""
    board = view.board
    match change.WhichOneof("entry"):
        case "piece":
            _put(board.pieces, change.piece, _piece)
        case "piece_gone":
            _drop(board.pieces, (change.piece_gone,), _piece)
        case "group" if change.group.count == 0:
            _drop(board.groups, _group(change.group), _group)
        case "group":
            _put(board.groups, change.group, _group)
        case "pile":
            _put(board.piles, change.pile, _pile)
        case "marker":
            _put(board.markers, change.marker, _marker)
        case "marker_gone":
            _drop(board.markers, _marker_key(change.marker_gone), _marker)
        case "arrow":
            _put(board.arrows, change.arrow, _arrow)
        case "arrow_gone":
            _drop(board.arrows, _arrow_key(change.arrow_gone), _arrow)
        case "arrows_cleared":
            del board.arrows[:]
        case "known":
            del view.known[:]
            view.known.extend(change.known.known)
        case "draft":
            del view.draft[change.draft.keep :]
            view.draft.extend(change.draft.add)
        case "turn_state":
            view.turn_state.CopyFrom(change.turn_state)
        case _:
            raise UnknownChange("a change has no entry that this client knows")


def _put(entries: Any, entry: Any, key: Callable[[Any], Key]) -> None:
    place = bisect_left(entries, key(entry), key=key)
    if place < len(entries) and key(entries[place]) == key(entry):
        entries[place].CopyFrom(entry)
    else:
        entries.insert(place, entry)


def _drop(entries: Any, gone: Key, key: Callable[[Any], Key]) -> None:
    place = bisect_left(entries, gone, key=key)
    if place < len(entries) and key(entries[place]) == gone:
        del entries[place]


# Keys compare field by field in the order of the messages: what is absent comes first, places go by the number of their
# kind.


def _location(message: Any, field: str) -> Key:
    if not message.HasField(field):
        return ()
    at: v1.Location = getattr(message, field)
    kind = at.WhichOneof("place")
    return () if kind is None else (at.DESCRIPTOR.fields_by_name[kind].number, getattr(at, kind))


def _seat(message: Any, field: str) -> Key:
    return (getattr(message, field),) if message.HasField(field) else ()


def _piece(piece: v1.Piece) -> Key:
    return (piece.piece,)


def _group(group: v1.PieceGroup) -> Key:
    return (_location(group, "at"), _seat(group, "owner"), group.kind, group.flags, _location(group, "origin"))


def _pile(pile: v1.CardPile) -> Key:
    return (pile.pile,)


def _marker(marker: v1.Marker) -> Key:
    return _marker_key(marker.key)


def _marker_key(key: v1.MarkerKey) -> Key:
    return (_location(key, "at"), key.kind)


def _arrow(arrow: v1.Arrow) -> Key:
    return _arrow_key(arrow.key)


def _arrow_key(key: v1.ArrowKey) -> Key:
    return (
        _location(key, "start"),
        _location(key, "end"),
        _location(key, "of"),
        key.kind,
        _seat(key, "seat"),
        key.ordinal,
    )
