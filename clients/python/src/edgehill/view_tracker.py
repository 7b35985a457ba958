"""`ViewTracker`: how things stand for an observer, kept up to date by the updates that the server sends."""

from __future__ import annotations

from edgehill import v1
from edgehill.errors import FoldError, SequenceGap
from edgehill.folding import fold


class ViewTracker:
    """The present view of an observer, from any updates of theirs: answers of calls, `Watch`, `Play`.

    Without a view it keeps the rest: an update with a view gives one, and so does `look`.
    """

    def __init__(self, start: v1.GetViewResponse | None = None) -> None:
        self.view: v1.View | None = None
        """The view after the last update. `None`: there was none yet, or the last update could not be folded."""
        self.seq = 0
        """The number of the last event: what `expected_seq` takes."""
        self.status: v1.MatchStatus = v1.MATCH_STATUS_UNSPECIFIED
        """How far the match is."""
        self.to_act = False
        """True if the seat is to act."""
        self.state = v1.MatchState()
        """The match's state, as far as it was sent: streams send it, answers of calls do not."""
        if start is not None:
            self.look(start)

    def look(self, found: v1.GetViewResponse) -> None:
        """Takes a view that was asked for."""
        self.status, self.state = found.match.state.status, found.match.state
        self.begin(found.view, found.seq)

    def begin(self, view: v1.View, seq: int) -> None:
        """Goes on from a view, and the number of the last event that is in it."""
        self.view = v1.View()
        self.view.CopyFrom(view)
        self.seq = seq

    def fold(self, update: v1.SeatUpdate) -> None:
        """Takes an update: a view or a state replaces the one before, events are folded over the view.

        Events that the view has already are passed over. Raises `FoldError` for events that are missing or that this
        client does not know; the view is gone then, and `look` brings a new one.
        """
        if update.HasField("state"):
            self.state = update.state
        if update.seq < self.seq:
            return
        self.status, self.to_act = update.status, update.to_act
        if update.HasField("view"):
            self.begin(update.view, update.seq)
        elif self.view is None:
            self.seq = update.seq
        else:
            self._fold_events(self.view, update)

    def _fold_events(self, view: v1.View, update: v1.SeatUpdate) -> None:
        try:
            for event in update.events:
                if event.seq <= self.seq:
                    continue
                if event.seq != self.seq + 1:
                    raise SequenceGap(f"the view is at event {self.seq}, and {event.seq} comes next")
                fold(view, event)
                self.seq = event.seq
            if update.seq != self.seq:
                raise SequenceGap(f"the view is at event {self.seq}, and the update at {update.seq} lacks some")
        except FoldError:
            self.view, self.seq = None, update.seq
            raise
