"""Actions, in whichever form is at hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from edgehill import v1

ActionsLike: TypeAlias = (
    "int | str | v1.ActionStructure | Sequence[int] | Sequence[str] | Sequence[v1.ActionStructure] | v1.Actions"
)
"""One action by its id or structure, a line, ids, notations, structures, or the message itself."""


def actions(given: ActionsLike) -> v1.Actions:
    """Actions as the wire has them: numbers are ids, a text is a line, texts are notations."""
    match given:
        case v1.Actions():
            return given
        case int():
            return v1.Actions(ids=[given])
        case str():
            return v1.Actions(line=given)
        case v1.ActionStructure():
            return v1.Actions(structures=[given])
    message = v1.Actions()
    for action in given:
        match action:
            case int():
                message.ids.append(action)
            case str():
                message.notations.append(action)
            case _:
                message.structures.append(action)
    return message
