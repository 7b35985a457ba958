"""The client: the catalogue, and matches as a caller without a seat has to do with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType

from edgehill import admin_calls, client_calls, competition_calls, referee_calls, v1
from edgehill.calls import blocking
from edgehill.client_calls import BaseClient
from edgehill.connection import Connection
from edgehill.play import Play
from edgehill.retry import RetryPolicy
from edgehill.seat import Seat
from edgehill.seek import Seek
from edgehill.seek_session import seek_request
from edgehill.server_url import Certificates, ServerUrl
from edgehill.watch import AccountWatch, CompetitionWatch, Watch
from edgehill.watch_session import watch_request


class Client(BaseClient[Seat]):
    """A server, as one caller has it: an account, by its key, or a caller without a name.

    `server` is `host:port`, `http://host:port`, or `https://host` for one behind TLS. The first call connects, and
    raises `ConnectError` soon if there is no server; later, calls that get no answer are repeated with their request
    ids as `retry` says. A client may be used from several threads.

    With https, `ca` are the authorities of the server's certificate instead of those that gRPC knows, and `cert` with
    `cert_key` is shown to a server that asks for a certificate: the bytes of PEM files.
    """

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

    def close(self) -> None:
        """Ends all calls and streams."""
        self._connection.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    games = blocking(client_calls.games)
    game = blocking(client_calls.game)
    action_defs = blocking(client_calls.action_defs)
    limits = blocking(client_calls.limits)
    signing_key = blocking(client_calls.signing_key)
    signing_keys = blocking(client_calls.signing_keys)
    create = blocking(client_calls.create)
    create_all = blocking(client_calls.create_all)
    abort = blocking(client_calls.abort)
    join = blocking(client_calls.join)
    get = blocking(client_calls.get)
    view = blocking(client_calls.view)
    receipt = blocking(client_calls.receipt)
    record = blocking(client_calls.record)
    _matches_page = blocking(client_calls.matches_page)

    # For those who look after the server.
    create_account = blocking(admin_calls.create_account)
    account = blocking(admin_calls.account)
    accounts = blocking(admin_calls.accounts)
    update_account = blocking(admin_calls.update_account)
    delete_account = blocking(admin_calls.delete_account)
    create_account_key = blocking(admin_calls.create_account_key)
    rotate_account_key = blocking(admin_calls.rotate_account_key)
    revoke_account_key = blocking(admin_calls.revoke_account_key)
    set_account_quota = blocking(admin_calls.set_account_quota)
    acts = blocking(admin_calls.acts)
    erase_account_data = blocking(admin_calls.erase_account_data)
    add_match_time = blocking(referee_calls.add_match_time)
    replace_match_player = blocking(referee_calls.replace_match_player)
    adjourn_match = blocking(referee_calls.adjourn_match)
    end_adjournment = blocking(referee_calls.end_adjournment)
    void_match = blocking(referee_calls.void_match)
    correct_match_result = blocking(referee_calls.correct_match_result)

    # Competitions.
    create_competition = blocking(competition_calls.create_competition)
    competition = blocking(competition_calls.competition)
    competitions = blocking(competition_calls.competitions)
    enrol_entrant = blocking(competition_calls.enrol_entrant)
    withdraw_entrant = blocking(competition_calls.withdraw_entrant)
    disqualify_entrant = blocking(competition_calls.disqualify_entrant)
    start_competition = blocking(competition_calls.start_competition)
    cancel_competition = blocking(competition_calls.cancel_competition)
    void_competition_match = blocking(competition_calls.void_competition_match)
    standings = blocking(competition_calls.standings)
    encounters = blocking(competition_calls.encounters)
    export_competition = blocking(competition_calls.export_competition)

    def seat(self, match_id: str, token: str) -> Seat:
        """Returns a seat that was taken before, by its token."""
        return Seat(self._connection, match_id, token)

    def matches(
        self,
        *,
        game: str = "",
        statuses: Sequence[v1.MatchStatus] = (),
        open_seats: bool = False,
        group_id: str = "",
        invited: bool = False,
        page_size: int = 0,
    ) -> Iterator[v1.Match]:
        """Lists the matches that satisfy all filters given, newest first; each page is asked for when it is needed.

        `invited`: those with a seat that is kept for the client's account, and that it can still take.
        """
        page_token = ""
        while True:
            page = self._matches_page(
                page_token,
                game=game,
                statuses=statuses,
                open_seats=open_seats,
                group_id=group_id,
                invited=invited,
                page_size=page_size,
            )
            yield from page.matches
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

    def export_account_data(self, account_id: str) -> Iterator[v1.ExportAccountDataResponse]:
        """Streams all that the server keeps about an account: the account, its acts, its matches, each with its record.

        It is for the person whose account it is. The first part is waited for as long as `retry` says. A stream that is
        lost behind it raises `CallFailed`: it is asked for anew.
        """
        return self._connection.stream(admin_calls.account_data_call(self, account_id))

    def play(self) -> Play:
        """Returns a stream for any number of seats, which are opened with `Play.open`."""
        return Play(self._connection, self._key)
