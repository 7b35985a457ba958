"""A match of several that are made together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from edgehill import v1


def match_plan(
    game: str,
    *,
    scenario: str = "",
    options: Mapping[str, str | int | bool] | None = None,
    seats: Sequence[v1.SeatConfig] = (),
    rules: v1.RulesVersion | None = None,
    position_json: str = "",
    entropy_mode: v1.EntropyMode = v1.ENTROPY_MODE_OPEN,
    chosen_seed: bytes | None = None,
    group: v1.GroupPlace | None = None,
    clock: v1.ClockConfig | None = None,
    spectator_delay: v1.SpectatorDelay | None = None,
) -> v1.MatchPlan:
    """Returns a match for `Client.create_all`: each field is as in `Client.create`, but for the group.

    `group`: its place in a seed group of the same call, by the group's index, with the entrant of each seat.
    """
    return v1.MatchPlan(
        game=game,
        rules=rules,
        scenario=scenario,
        options=written_options(options),
        seats=seats,
        position_json=position_json,
        entropy_mode=entropy_mode,
        chosen_seed=chosen_seed,
        group=group,
        clock=clock,
        spectator_delay=spectator_delay,
    )


def written_options(options: Mapping[str, str | int | bool] | None) -> list[v1.OptionValue]:
    """Returns options as the wire writes them."""
    return [v1.OptionValue(id=id, value=_written(value)) for id, value in (options or {}).items()]


def _written(value: str | int | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
