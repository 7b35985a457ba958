"""The client: the catalogue, and matches as a caller without a seat has to do with them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from types import TracebackType

from edgehill import admin_calls, client_calls, competition_calls, referee_calls, v1
from edgehill.aio.connection import Connection
from edgehill.aio.play import Play
from edgehill.aio.seat import Seat
from edgehill.aio.seek import Seek
from edgehill.aio.watch import AccountWatch, CompetitionWatch, Watch
from edgehill.calls import awaited
from edgehill.client_calls import BaseClient
from edgehill.retry import RetryPolicy
from edgehill.seek_session import seek_request
from edgehill.server_url import Certificates, ServerUrl
from edgehill.watch_session import watch_request


class Client(BaseClient[Seat]):
    """A server, as one caller has it, for one event loop: as `edgehill.Client`, with calls that are awaited."""

    def __init__(
        self,
        server: str,
        *,
        key: str | None = None,
        client_secret: bytes | None = None,
        retry: RetryPolicy | None = None,
        ca: bytes | None = None,
        cert: bytes | None = None,
        cert_key: bytes | None = None,
    ) -> None:
        super().__init__(key, client_secret)
        certificates = Certificates(ca, cert, cert_key)
        self._connection = Connection(ServerUrl.parse(server), retry or RetryPolicy(), certificates)

    async def close(self) -> None:
        """Ends all calls and streams."""
        await self._connection.close()

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    games = awaited(client_calls.games)
    game = awaited(client_calls.game)
    action_defs = awaited(client_calls.action_defs)
    limits = awaited(client_calls.limits)
    signing_key = awaited(client_calls.signing_key)
    signing_keys = awaited(client_calls.signing_keys)
    create = awaited(client_calls.create)
    create_all = awaited(client_calls.create_all)
    abort = awaited(client_calls.abort)
    join = awaited(client_calls.join)
    get = awaited(client_calls.get)
    view = awaited(client_calls.view)
    receipt = awaited(client_calls.receipt)
    record = awaited(client_calls.record)
    _matches_page = awaited(client_calls.matches_page)

    # For those who look after the server.
    create_account = awaited(admin_calls.create_account)
    account = awaited(admin_calls.account)
    accounts = awaited(admin_calls.accounts)
    update_account = awaited(admin_calls.update_account)
    delete_account = awaited(admin_calls.delete_account)
    create_account_key = awaited(admin_calls.create_account_key)
    rotate_account_key = awaited(admin_calls.rotate_account_key)
    revoke_account_key = awaited(admin_calls.revoke_account_key)
    set_account_quota = awaited(admin_calls.set_account_quota)
    acts = awaited(admin_calls.acts)
    erase_account_data = awaited(admin_calls.erase_account_data)
    add_match_time = awaited(referee_calls.add_match_time)
    replace_match_player = awaited(referee_calls.replace_match_player)
    adjourn_match = awaited(referee_calls.adjourn_match)
    end_adjournment = awaited(referee_calls.end_adjournment)
    void_match = awaited(referee_calls.void_match)
    correct_match_result = awaited(referee_calls.correct_match_result)

    # Competitions.
    create_competition = awaited(competition_calls.create_competition)
    competition = awaited(competition_calls.competition)
    competitions = awaited(competition_calls.competitions)
    enrol_entrant = awaited(competition_calls.enrol_entrant)
    withdraw_entrant = awaited(competition_calls.withdraw_entrant)
    disqualify_entrant = awaited(competition_calls.disqualify_entrant)
    start_competition = awaited(competition_calls.start_competition)
    cancel_competition = awaited(competition_calls.cancel_competition)
    void_competition_match = awaited(competition_calls.void_competition_match)
    standings = awaited(competition_calls.standings)
    encounters = awaited(competition_calls.encounters)
    export_competition = awaited(competition_calls.export_competition)

    def seat(self, match_id: str, token: str) -> Seat:
        """Returns a seat that was taken before, by its token."""
        return Seat(self._connection, match_id, token)

    async def matches(
        self,
        *,
        game: str = "",
        statuses: Sequence[v1.MatchStatus] = (),
        open_seats: bool = False,
        group_id: str = "",
        invited: bool = False,
        page_size: int = 0,
    ) -> AsyncIterator[v1.Match]:
        """Lists the matches that satisfy all filters given, newest first; each page is asked for when it is needed.

        `invited`: those with a seat that is kept for the client's account, and that it can still take.
        """
        page_token = ""
        while True:
            page = await self._matches_page(
                page_token,
                game=game,
                statuses=statuses,
                open_seats=open_seats,
                group_id=group_id,
                invited=invited,
                page_size=page_size,
            )
            for match in page.matches:
                yield match
            page_token = page.next_page_token
            if not page_token:
                return

    def watch(self, match_id: str, *, after_seq: int | None = None, include_text: bool = False) -> Watch:
        """Streams a spectator's updates as they come: after a cursor or, without one, from the present view on."""
        return Watch(self._connection, self._key, watch_request(match_id, after_seq, include_text))

    def watch_account(self, *, cursor: str = "") -> AccountWatch:
        """Streams how the matches stand in which the client's account has a part, as they change.

        First come the results since the cursor, if there is one, and all matches that are not over; then the response
        with `caught_up`.
        """
        return AccountWatch(self._connection, self._key, cursor)

    def watch_competition(self, competition_id: str, *, after_event: int = 0) -> CompetitionWatch:
        """Streams what happens in a competition, behind an event or from its beginning on, until it is over."""
        return CompetitionWatch(self._connection, self._key, competition_id, after_event)

    def seek(
        self,
        game: str,
        *,
        scenario: str = "",
        options: Mapping[str, str | int | bool] | None = None,
        seat: int | None = None,
        rules: v1.RulesVersion | None = None,
        entropy_mode: v1.EntropyMode = v1.ENTROPY_MODE_OPEN,
        clock: v1.ClockConfig | None = None,
        wait_seconds: float | None = None,
        request_id: str | None = None,
    ) -> Seek:
        """Seeks somebody who wants to play the same. Nothing is asked before the result is waited for.

        `seat`: the one to play; without it, any. `wait_seconds`: the longest time; without it, as long as the server
        allows. `join` takes the seat that comes of it, by its number and its invitation.
        """
        request = seek_request(
            game,
            request_id=request_id or self._ids.next(),
            client_secret=self.client_secret,
            scenario=scenario,
            options=options,
            seat=seat,
            rules=rules,
            entropy_mode=entropy_mode,
            clock=clock,
            wait_seconds=wait_seconds,
        )
        return Seek(self._connection, self._key, request)

    def export_account_data(self, account_id: str) -> AsyncIterator[v1.ExportAccountDataResponse]:
        """Streams all that the server keeps about an account: the account, its acts, its matches, each with its record.

        It is for the person whose account it is. The first part is waited for as long as `retry` says. A stream that is
        lost behind it raises `CallFailed`: it is asked for anew.
        """
        return self._connection.stream(admin_calls.account_data_call(self, account_id))

    def play(self) -> Play:
        """Returns a stream for any number of seats, which are opened with `Play.open`."""
        return Play(self._connection, self._key)
