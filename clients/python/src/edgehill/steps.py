"""Steps, in whichever form is at hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from edgehill import v1

StepsLike: TypeAlias = (
    "int | str | v1.StepStructure | Sequence[int] | Sequence[str] | Sequence[v1.StepStructure] | v1.Steps"
)
"""One step by its id or structure, a line, ids, notations, structures, or the message itself."""


def steps(given: StepsLike) -> v1.Steps:
    """Steps as the wire has them: numbers are ids, a text is a line, texts are notations."""
    match given:
        case v1.Steps():
            return given
        case int():
            return v1.Steps(ids=[given])
        case str():
            return v1.Steps(line=given)
        case v1.StepStructure():
            return v1.Steps(structures=[given])
    message = v1.Steps()
    for step in given:
        match step:
            case int():
                message.ids.append(step)
            case str():
                message.notations.append(step)
            case _:
                message.structures.append(step)
    return message
