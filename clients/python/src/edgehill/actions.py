"""Actions, in whichever form is at hand."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Final, SupportsIndex, TypeAlias

from edgehill import v1

ActionLike: TypeAlias = "SupportsIndex | str | v1.LegalAction | v1.ActionDef | v1.ActionStructure"
"""One action: its id (of any integer type, such as NumPy's), a message that has the id, its notation, its structure."""

ActionsLike: TypeAlias = "ActionLike | Iterable[ActionLike] | v1.ActionList"
"""One action, or several of one encoding. A text by itself is a line, and may have several actions."""

_EXPECTED: Final = "an action is an id, a LegalAction, an ActionDef, a notation or an ActionStructure"


def action_message(given: ActionLike | v1.Action) -> v1.Action:
    """Returns one action as the wire has it; a text is its notation."""
    match given:
        case v1.Action():
            return given
        case str():
            return v1.Action(notation=given)
        case v1.ActionStructure():
            return v1.Action(structure=given)
    return v1.Action(id=_id(given))


def action_list(given: ActionsLike) -> v1.ActionList:
    """Returns actions as the wire has them: a text is a line, texts in a list are notations."""
    match given:
        case v1.ActionList():
            return given
        case str():
            return v1.ActionList(line=given)
        case v1.ActionStructure() | v1.LegalAction() | v1.ActionDef():
            listed: list[ActionLike] = [given]
        case _ if _is_id(given):
            listed = [given]  # type: ignore[list-item]
        case Iterable() if not isinstance(given, (bytes, bytearray, memoryview)):
            listed = list(given)
        case _:
            raise TypeError(f"{_EXPECTED}, or a list of them; found {given!r}")
    return _list(listed)


def _list(listed: list[ActionLike]) -> v1.ActionList:
    if listed and all(isinstance(one, str) for one in listed):
        return v1.ActionList(notations=v1.ActionList.Notations(values=listed))  # type: ignore[arg-type]
    if listed and all(isinstance(one, v1.ActionStructure) for one in listed):
        return v1.ActionList(structures=v1.ActionList.Structures(values=listed))  # type: ignore[arg-type]
    if any(isinstance(one, (str, v1.ActionStructure)) for one in listed):
        raise TypeError(f"a list of actions has one encoding: ids, notations or structures; found {listed!r}")
    return v1.ActionList(ids=v1.ActionList.Ids(values=[_id(one) for one in listed]))


def _id(given: object) -> int:
    match given:
        case v1.LegalAction() | v1.ActionDef():
            return given.id
        case _ if not _is_id(given):
            raise TypeError(f"{_EXPECTED}; found {given!r}")
    number = operator.index(given)  # type: ignore[arg-type]
    if not 0 <= number < 1 << 32:
        raise ValueError(f"an action's id is a place in the action table, from 0; found {number}")
    return number


def _is_id(given: object) -> bool:
    """Returns whether it is a whole number. A truth value is one to Python, and here a mistake."""
    if isinstance(given, bool):
        raise TypeError(f"{_EXPECTED}; found the truth value {given!r}")
    try:
        operator.index(given)  # type: ignore[arg-type]
    except TypeError:
        # NumPy's arrays have `__index__`, and raise unless they are a single number.
        return False
    return True
