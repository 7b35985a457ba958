"""The states of the streams in `watch` without their I/O: the cursor, and what the reader has already."""

from __future__ import annotations

from edgehill import v1
from edgehill.retry import Outage, RetryPolicy


class WatchSession:
    """One observer's stream, over as many connections as it takes."""

    def __init__(self, policy: RetryPolicy, request: v1.WatchMatchRequest) -> None:
        self.request = v1.WatchMatchRequest()
        """The request of the next connection: its cursor is the last event that the reader has."""
        self.request.CopyFrom(request)
        self.outage = Outage(policy)
        """The failures since the last message."""
        self.closed = False
        """True if the reader has closed it."""
        self._state: v1.MatchState | None = None
        self._prompt: tuple[int, v1.LegalActions] | None = None

    @property
    def seq(self) -> int | None:
        """The cursor. `None`: there is none yet."""
        return self.request.after_seq if self.request.HasField("after_seq") else None

    def take(self, response: v1.WatchMatchResponse) -> v1.SeatUpdate | None:
        """Returns the news of a message. A connection begins with what may be known: `None` if all of it is."""
        self.outage.end()
        update = response.update
        # Before the match has begun there is no number to go on from: a new connection is to bring the view.
        if self.seq is not None or update.HasField("view") or update.events:
            self.request.after_seq = update.seq
        known_state = update.HasField("state") and update.state == self._state
        prompt = (update.seq, update.legal_actions) if update.HasField("legal_actions") else None
        known_prompt = prompt is not None and prompt == self._prompt
        if update.HasField("state"):
            self._state = update.state
        self._prompt = prompt or self._prompt
        if not known_state and not known_prompt:
            return update
        news = v1.SeatUpdate()
        news.CopyFrom(update)
        if known_state:
            news.ClearField("state")
        if known_prompt:
            news.ClearField("legal_actions")
        parts = (news.HasField("view"), news.events, news.HasField("state"), news.HasField("legal_actions"))
        return news if any(parts) else None


class AccountWatchSession:
    """One account's stream, over as many connections as it takes."""

    def __init__(self, policy: RetryPolicy, cursor: str) -> None:
        self.request = v1.WatchAccountRequest(cursor=cursor)
        """The request of the next connection: its cursor is that of the last response."""
        self.outage = Outage(policy)
        """The failures since the last message."""
        self.closed = False
        """True if the reader has closed it."""

    def take(self, response: v1.WatchAccountResponse) -> v1.WatchAccountResponse | None:
        """Returns the response, and goes on behind it."""
        self.outage.end()
        self.request.cursor = response.cursor
        return response


class CompetitionWatchSession:
    """One competition's stream, over as many connections as it takes."""

    def __init__(self, policy: RetryPolicy, competition_id: str, after_event: int) -> None:
        self.request = v1.WatchCompetitionRequest(competition_id=competition_id, after_event=after_event)
        """The request of the next connection: its cursor is the last event that the reader has."""
        self.outage = Outage(policy)
        """The failures since the last message."""
        self.closed = False
        """True if the reader has closed it."""
        self._competition: v1.Competition | None = None

    def take(self, response: v1.WatchCompetitionResponse) -> v1.WatchCompetitionResponse | None:
        """Returns the news of a message. A connection begins with what may be known: `None` if all of it is."""
        self.outage.end()
        if response.events:
            self.request.after_event = response.events[-1].number
        elif response.competition == self._competition:
            return None
        self._competition = response.competition
        return response


def watch_request(
    match_id: str, after_seq: int | None, include_text: bool, legal: v1.LegalDetail = v1.LEGAL_DETAIL_UNSPECIFIED
) -> v1.WatchMatchRequest:
    """Returns the request of a stream."""
    return v1.WatchMatchRequest(match_id=match_id, after_seq=after_seq, include_text=include_text, legal=legal)
