"""A match for the sessions of clients/conformance: all seats are taken, and every observer follows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

from edgehill import ActionsLike, Client, ViewTracker, Watch, v1

FORMS: dict[str, Callable[[v1.LegalAction], ActionsLike]] = {
    "id": lambda action: action.id,
    "entry": lambda action: action,
    "structure": lambda action: v1.ActionStructure(verb=action.verb, refs=action.refs),
    "notation": lambda action: [action.notation],
    "line": lambda action: action.notation,
}
EVENTS = v1.ResponseOptions(include_events=True)


class Observer:
    """Somebody who sees a match from its beginning on: a seat, or a spectator."""

    def __init__(
        self,
        seat: int | None,
        start: v1.GetViewResponse,
        watch: Watch,
        now: Callable[[], v1.GetViewResponse],
    ) -> None:
        self.seat = seat
        """The seat; `None` for a spectator."""
        self.name = "spectator" if seat is None else f"seat {seat}"
        self.tracker = ViewTracker(start)
        self.events: list[v1.Event] = []
        """All that was watched, in order."""
        self.now = now
        self._watch = watch

    def follow(self, seq: int) -> None:
        """Reads what comes, up to an event."""
        while self.tracker.seq < seq:
            self._take(next(self._watch))

    def follow_to_the_end(self) -> None:
        """Reads what comes, until the match is over."""
        for update in self._watch:
            self._take(update)

    def _take(self, update: v1.SeatUpdate) -> None:
        self.events += update.events
        self.tracker.fold(update)


class Table:
    """A match of a game."""

    def __init__(self, client: Client, game: str, closing: ExitStack) -> None:
        self.client = client
        self.made = client.create(game)
        """The match, as it was told when it was made."""
        self.match_id = self.made.match.config.match_id
        count = len(self.made.match.state.seats)
        self.seats = [client.join(self.match_id, player=f"player {seat}") for seat in range(count)]
        self.observers = [
            Observer(number, seat.view(at_seq=0), closing.enter_context(seat.watch(after_seq=0)), seat.view)
            for number, seat in enumerate(self.seats)
        ]
        """Those of the seats."""
        watch = closing.enter_context(client.watch(self.match_id, after_seq=0))
        start = client.view(self.match_id, at_seq=0)
        self.spectator = Observer(None, start, watch, lambda: client.view(self.match_id))

    def everybody(self) -> Iterator[Observer]:
        """Seats and spectator."""
        yield from self.observers
        yield self.spectator

    def to_act(self) -> tuple[int, v1.ListLegalActionsResponse] | None:
        """The first seat that is to act, with its full list; `None` if the match is over."""
        if self.client.get(self.match_id).state.status == v1.MATCH_STATUS_FINISHED:
            return None
        for number, seat in enumerate(self.seats):
            listed = seat.legal(v1.LEGAL_DETAIL_FULL)
            if listed.legal_actions.actions:
                return number, listed
        raise AssertionError("nobody is to act")

    def play(self, decisions: int, form: str = "id", *, first: int = 0) -> None:
        """Takes the choice so many times, from this decision on, or to the end of the match."""
        for decision in range(first, first + decisions):
            turn = self.to_act()
            if turn is None:
                return
            number, listed = turn
            actions = listed.legal_actions.actions
            action = FORMS[form](actions[7 * decision % len(actions)])
            self.observers[number].follow(listed.seq)
            update = self.seats[number].apply(action, expected_seq=listed.seq, response_options=EVENTS)
            observer = self.observers[number]
            observer.tracker.fold(update)
            now, tracker = self.seats[number].view(), observer.tracker
            assert (tracker.view, tracker.seq) == (now.view, now.seq), f"decision {decision} of {observer.name}"

    def end(self) -> None:
        """Has a seat give up, unless the match is over."""
        turn = self.to_act()
        if turn is not None:
            self.seats[turn[0]].resign()
