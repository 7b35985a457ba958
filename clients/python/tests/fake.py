"""A server in this process, for what needs no rules: a game of cards picked in secret, the whole wire around it.

In each of four rounds both seats pick a card, as in *skirmish*, and commit it with `done`. The server runs until it is
killed, and keeps its matches, so it can be started again at another port. It is held to the real one by scenario.py:
the same tests run against both.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
from google.protobuf import any_pb2
from google.rpc import status_pb2
from grpc_status import rpc_status

from edgehill import v1
from edgehill.v1 import catalog_service_pb2_grpc, match_service_pb2_grpc
from fake_matches import DONE, SPECTATOR, Matches, Refusing, Table, ids_of, legal_action, legal_actions, notation


class Channel:
    """A seat in a stream: what it was sent, and whether it was asked."""

    def __init__(self, number: int, table: Table, seat: int, how: v1.PlaySeatsRequest.Open) -> None:
        self.number, self.table, self.seat, self.how = number, table, seat, how
        self.seq = how.after_seq if how.HasField("after_seq") else table.seq(seat)
        self.lacks_view = not how.HasField("after_seq") and not table.has_begun()
        self.state: v1.MatchState | None = None
        self.asked = False

    def opened(self) -> v1.PlaySeatsResponse:
        opened = v1.PlaySeatsResponse.Opened(seat=self.seat, match=self.table.seen_by(self.seat))
        opened.match.seq = self.seq
        opened.match.ClearField("state")
        if not self.how.HasField("after_seq") and self.table.has_begun():
            opened.view.CopyFrom(self.table.view(self.seat))
        return v1.PlaySeatsResponse(channel=self.number, opened=opened)

    def update(self, request_id: str, result: v1.ApplyResult | None) -> v1.PlaySeatsResponse | None:
        """The news, if it is to be sent now: as an answer, as a prompt, or since the state is another."""
        table = self.table
        asks = table.is_to_act(self.seat) and (not self.asked or bool(request_id))
        other_state = table.state != self.state
        if not (request_id or asks or other_state):
            return None
        update = v1.SeatUpdate(seq=table.seq(self.seat), status=table.state.status, to_act=table.is_to_act(self.seat))
        if not self.how.omit_events:
            update.events.extend(table.events[self.seat][self.seq :])
        if self.lacks_view and table.has_begun():
            update.view.CopyFrom(table.view(self.seat))
            self.lacks_view = False
        if asks:
            ids = table.legal(self.seat)
            update.legal_actions.CopyFrom(legal_actions(ids, self.how.legal or v1.LEGAL_DETAIL_IDS))
        if other_state:
            update.state.CopyFrom(table.state)
            self.state = v1.MatchState()
            self.state.CopyFrom(table.state)
        if result is not None:
            update.apply_result.CopyFrom(result)
        self.asked = asks or (self.asked and not request_id and table.is_to_act(self.seat))
        self.seq = update.seq
        return v1.PlaySeatsResponse(channel=self.number, request_id=request_id, update=update)


def token_of(context: grpc.ServicerContext) -> str:
    named = dict(context.invocation_metadata())
    return str(named.get("authorization", "")).removeprefix("Bearer ")


def refusing(method: Callable[..., Any]) -> Callable[..., Any]:
    """Has refusals of a call travel as docs/errors.md says."""

    def call(self: Any, request: Any, context: grpc.ServicerContext) -> Any:
        try:
            with self.matches.changed:
                answer = method(self, request, context)
                self.matches.changed.notify_all()
                return answer
        except Refusing as error:
            abort(context, error.refusal)

    return call


def abort(context: grpc.ServicerContext, refusal: v1.Refusal) -> None:
    detail = any_pb2.Any()
    detail.Pack(refusal)
    status = status_pb2.Status(code=refusal.code, message=refusal.message, details=[detail])
    context.abort_with_status(rpc_status.to_status(status))


class CatalogService(catalog_service_pb2_grpc.CatalogServiceServicer):
    """Pages are small, so that there are several."""

    def ListGames(self, request: v1.ListGamesRequest, context: grpc.ServicerContext) -> v1.ListGamesResponse:
        first = int(request.page_token or 0)
        ids = ["skirmish", "draughts", "go"][first : first + 2]
        games = [v1.GameSummary(id=id, title=id.title(), seats_min=1, seats_max=2) for id in ids]
        return v1.ListGamesResponse(games=games, next_page_token="2" if first == 0 else "")

    def GetGame(self, request: v1.GetGameRequest, context: grpc.ServicerContext) -> v1.GetGameResponse:
        summary = v1.GameSummary(id="skirmish", title="Skirmish", seats_min=1, seats_max=2)
        rules = [v1.Rule(id="2.3", title="The choice")] if request.include_rules else []
        return v1.GetGameResponse(game=v1.Game(summary=summary, action_count=DONE + 1, rules=rules))

    def ListActionDefs(
        self, request: v1.ListActionDefsRequest, context: grpc.ServicerContext
    ) -> v1.ListActionDefsResponse:
        first, table = int(request.page_token or 0), range(DONE + 1)
        defs = [v1.ActionDef(id=id, notation=notation(id)) for id in table[first : first + 4]]
        return v1.ListActionDefsResponse(
            action_defs=defs, next_page_token=str(first + 4) if first + 4 < len(table) else ""
        )

    def GetLimits(self, request: v1.GetLimitsRequest, context: grpc.ServicerContext) -> v1.GetLimitsResponse:
        names = [name for name in v1.LimitName.keys() if name != "LIMIT_NAME_UNSPECIFIED"]
        return v1.GetLimitsResponse(limits=[v1.Limit(name=name, value=256) for name in names])

    def GetSigningKey(
        self, request: v1.GetSigningKeyRequest, context: grpc.ServicerContext
    ) -> v1.GetSigningKeyResponse:
        return v1.GetSigningKeyResponse(signing_key=bytes(range(32)))


class MatchService(match_service_pb2_grpc.MatchServiceServicer):
    """Each method of the wire."""

    def __init__(self, matches: Matches) -> None:
        self.matches = matches
        self.stopped = False
        # Number of streamed updates that get a change which no client knows.
        self.unknown_changes = 0

    @refusing
    def CreateMatch(self, request: v1.CreateMatchRequest, context: grpc.ServicerContext) -> Any:
        return self.matches.create(request)

    @refusing
    def GetMatch(self, request: v1.GetMatchRequest, context: grpc.ServicerContext) -> Any:
        table, token = self.matches.table(request.match_id), token_of(context)
        return v1.GetMatchResponse(match=table.seen_by(self.matches.observer(table, token, None)))

    @refusing
    def ListMatches(self, request: v1.ListMatchesRequest, context: grpc.ServicerContext) -> Any:
        if request.page_size > 100:
            fault = v1.FieldViolation(field="page_size", description="1 to 100")
            raise Refusing(v1.ERROR_REASON_INVALID_FIELD, field_violations=[fault])
        found = [table.match for table in self.matches.tables.values()][::-1]
        found = [match for match in found if match.state.status in (request.statuses or [match.state.status])]
        first, size = int(request.page_token or 0), request.page_size or 100
        token = str(first + size) if first + size < len(found) else ""
        return v1.ListMatchesResponse(matches=found[first : first + size], next_page_token=token)

    @refusing
    def JoinMatch(self, request: v1.JoinMatchRequest, context: grpc.ServicerContext) -> Any:
        return self.matches.join(request)

    @refusing
    def LeaveMatch(self, request: v1.LeaveMatchRequest, context: grpc.ServicerContext) -> Any:
        return v1.LeaveMatchResponse(match=self.matches.leave(token_of(context)))

    @refusing
    def AbortMatch(self, request: v1.AbortMatchRequest, context: grpc.ServicerContext) -> Any:
        return v1.AbortMatchResponse(match=self.matches.abort(request))

    @refusing
    def GetView(self, request: v1.GetViewRequest, context: grpc.ServicerContext) -> Any:
        table = self.matches.table(request.match_id)
        named = request.observer if request.HasField("observer") else None
        observer = self.matches.observer(table, token_of(context), named)
        seq, view = table.seq(observer), table.view(observer)
        if request.HasField("at_seq"):
            if request.at_seq != 0:
                raise Refusing(v1.ERROR_REASON_UNSUPPORTED_MOMENT)
            seq, view = 0, table.starts[observer]
        passes = [] if observer == SPECTATOR else table.passes[observer]
        return v1.GetViewResponse(seq=seq, view=view, match=table.seen_by(observer), standing_passes=passes)

    @refusing
    def ListLegalActions(self, request: v1.ListLegalActionsRequest, context: grpc.ServicerContext) -> Any:
        table, seat = self.matches.seat(token_of(context))
        ids = [
            id
            for id in table.legal(seat)
            if (not request.verbs or legal_action(id).verb in request.verbs)
            and all(ref in legal_action(id).refs for ref in request.refs)
        ]
        legal = legal_actions(ids, request.detail)
        return v1.ListLegalActionsResponse(seq=table.seq(seat), to_act=table.is_to_act(seat), legal_actions=legal)

    @refusing
    def ExplainAction(self, request: v1.ExplainActionRequest, context: grpc.ServicerContext) -> Any:
        table, seat = self.matches.seat(token_of(context))
        given = request.action
        match given.WhichOneof("encoding"):
            case "id":
                (id,) = ids_of(v1.ActionList(ids=v1.ActionList.Ids(values=[given.id])))
            case "notation":
                (id,) = ids_of(v1.ActionList(line=given.notation))
            case _:
                (id,) = ids_of(v1.ActionList(structures=v1.ActionList.Structures(values=[given.structure])))
        answer = v1.ExplainActionResponse(seq=table.seq(seat), legal=id in table.legal(seat), action=legal_action(id))
        if not answer.legal:
            answer.rule_violations.add(code="CARD_PICKED", rule="2.3", text="A card is picked already")
        return answer

    def seat_call(
        self, request: Any, context: grpc.ServicerContext, do: Callable[[Table, int], v1.ApplyResult | None]
    ) -> v1.SeatUpdate:
        table, seat = self.matches.seat(token_of(context))
        before = table.seq(seat)
        call = type(request)()
        call.CopyFrom(request)
        if "response_options" in call.DESCRIPTOR.fields_by_name:
            call.ClearField("response_options")
        result = self.matches.once(table, seat, request.request_id, call, lambda: do(table, seat))
        options = getattr(request, "response_options", v1.ResponseOptions())
        return self.matches.update(table, seat, options, before, result)

    @refusing
    def ApplyActions(self, request: v1.ApplyActionsRequest, context: grpc.ServicerContext) -> Any:
        update = self.seat_call(request, context, lambda table, seat: self.matches.apply(table, seat, request.batch))
        return v1.ApplyActionsResponse(update=update)

    @refusing
    def UndoActions(self, request: v1.UndoActionsRequest, context: grpc.ServicerContext) -> Any:
        update = self.seat_call(request, context, lambda table, seat: self.matches.undo(table, seat, request.span))
        return v1.UndoActionsResponse(update=update)

    @refusing
    def ResignMatch(self, request: v1.ResignMatchRequest, context: grpc.ServicerContext) -> Any:
        return v1.ResignMatchResponse(update=self.seat_call(request, context, self.matches.resign))

    @refusing
    def OfferDraw(self, request: v1.OfferDrawRequest, context: grpc.ServicerContext) -> Any:
        self.seat_call(request, context, self.matches.offer_draw)
        return v1.OfferDrawResponse(match=self.matches.table(request.match_id).match)

    @refusing
    def AcceptDraw(self, request: v1.AcceptDrawRequest, context: grpc.ServicerContext) -> Any:
        return v1.AcceptDrawResponse(update=self.seat_call(request, context, self.matches.accept_draw))

    @refusing
    def DeclineDraw(self, request: v1.DeclineDrawRequest, context: grpc.ServicerContext) -> Any:
        self.seat_call(request, context, self.matches.decline_draw)
        return v1.DeclineDrawResponse(match=self.matches.table(request.match_id).match)

    @refusing
    def SetStandingPasses(self, request: v1.SetStandingPassesRequest, context: grpc.ServicerContext) -> Any:
        passes = list(request.standing_passes)
        update = self.seat_call(request, context, lambda table, seat: self.matches.set_passes(table, seat, passes))
        return v1.SetStandingPassesResponse(update=update)

    def ExportRecord(
        self, request: v1.ExportRecordRequest, context: grpc.ServicerContext
    ) -> Iterator[v1.ExportRecordResponse]:
        table = self.matches.tables[request.match_id]
        if not table.has_ended():
            abort(context, Refusing(v1.ERROR_REASON_MATCH_RUNNING).refusal)
        text = f'edgehill record 2\ngame skirmish\nmatch "{request.match_id}"\n'
        for start in range(0, len(text), 16):
            yield v1.ExportRecordResponse(text=text[start : start + 16], complete=True)

    def WatchMatch(
        self, request: v1.WatchMatchRequest, context: grpc.ServicerContext
    ) -> Iterator[v1.WatchMatchResponse]:
        table = self.matches.tables[request.match_id]
        observer = self.matches.observer(table, token_of(context), None)
        cursor = request.after_seq if request.HasField("after_seq") else None
        state: v1.MatchState | None = None
        asked = -1
        while not self.stopped and context.is_active():
            with self.matches.changed:
                update = v1.SeatUpdate(seq=cursor or 0, status=table.state.status, to_act=table.is_to_act(observer))
                if cursor is None and table.has_begun():
                    update.view.CopyFrom(table.view(observer))
                    update.seq = cursor = table.seq(observer)
                elif cursor is not None:
                    update.events.extend(table.events[observer][cursor:])
                    update.seq = cursor = table.seq(observer)
                if table.state != state:
                    update.state.CopyFrom(table.state)
                    state = v1.MatchState()
                    state.CopyFrom(table.state)
                if request.legal and update.to_act and update.seq != asked:
                    update.legal_actions.CopyFrom(legal_actions(table.legal(observer), request.legal))
                    asked = update.seq
                is_news = update.HasField("view") or update.events or update.HasField("state")
                if not is_news and not update.HasField("legal_actions"):
                    if table.has_ended():
                        return
                    self.matches.changed.wait(0.5)
                    continue
            yield v1.WatchMatchResponse(update=update)
        if self.stopped:
            abort(context, Refusing(v1.ERROR_REASON_DRAINING).refusal)

    def PlaySeats(
        self, requests: Iterator[v1.PlaySeatsRequest], context: grpc.ServicerContext
    ) -> Iterator[v1.PlaySeatsResponse]:
        inbox: list[v1.PlaySeatsRequest | None] = []

        def read() -> None:
            try:
                for request in requests:
                    with self.matches.changed:
                        inbox.append(request)
                        self.matches.changed.notify_all()
            except Exception:
                pass  # as good as its end
            with self.matches.changed:
                inbox.append(None)
                self.matches.changed.notify_all()

        threading.Thread(target=read, daemon=True).start()
        channels: dict[int, Channel] = {}
        while not self.stopped and context.is_active():
            with self.matches.changed:
                out = self.serve(inbox, channels)
                if out is None:
                    return
                if not out:
                    self.matches.changed.wait(0.5)
                else:
                    self.matches.changed.notify_all()
            yield from out
        if self.stopped:
            abort(context, Refusing(v1.ERROR_REASON_DRAINING).refusal)

    def serve(
        self, inbox: list[v1.PlaySeatsRequest | None], channels: dict[int, Channel]
    ) -> list[v1.PlaySeatsResponse] | None:
        """Takes what has come in, and returns what is to go out; `None` at the end of the client's side."""
        out: list[v1.PlaySeatsResponse] = []
        while inbox:
            request = inbox.pop(0)
            if request is None:
                return None
            try:
                out += self.answer(request, channels)
            except Refusing as error:
                number, request_id = request.channel, request.request_id
                out.append(v1.PlaySeatsResponse(channel=number, request_id=request_id, refusal=error.refusal))
        for channel in list(channels.values()):
            if self.matches.holders.get(channel.how.seat_token) is not channel:
                refusal = Refusing(v1.ERROR_REASON_OPENED_ELSEWHERE).refusal
                closed = v1.PlaySeatsResponse.Closed(refusal=refusal)
                out.append(v1.PlaySeatsResponse(channel=channels.pop(channel.number).number, closed=closed))
                continue
            if (news := channel.update("", None)) is not None:
                out.append(self.spoilt(news))
            if channel.table.has_ended():
                channels.pop(channel.number)
                out.append(v1.PlaySeatsResponse(channel=channel.number, closed=v1.PlaySeatsResponse.Closed()))
        return out

    def spoilt(self, news: v1.PlaySeatsResponse) -> v1.PlaySeatsResponse:
        """News with a change that no client knows, if a test asks for that."""
        if self.unknown_changes and news.update.events:
            self.unknown_changes -= 1
            news.update.events[0].changes.add()
        return news

    def answer(self, request: v1.PlaySeatsRequest, channels: dict[int, Channel]) -> list[v1.PlaySeatsResponse]:
        matches, call = self.matches, request.WhichOneof("call")
        if call == "open":
            table, seat = matches.seat(request.open.seat_token)
            channels[request.channel] = channel = Channel(request.channel, table, seat, request.open)
            matches.holders[request.open.seat_token] = channel
            return [channel.opened()]
        if request.channel not in channels:
            raise Refusing(v1.ERROR_REASON_UNKNOWN_CHANNEL)
        channel = channels[request.channel]
        table, seat = channel.table, channel.seat
        if call == "close":
            del channels[request.channel]
            return [v1.PlaySeatsResponse(channel=request.channel, closed=v1.PlaySeatsResponse.Closed())]
        deeds: dict[str | None, Callable[[], v1.ApplyResult | None]] = {
            "apply": lambda: matches.apply(table, seat, request.apply),
            "undo": lambda: matches.undo(table, seat, request.undo),
            "resign": lambda: matches.resign(table, seat),
            "offer_draw": lambda: matches.offer_draw(table, seat),
            "accept_draw": lambda: matches.accept_draw(table, seat),
            "decline_draw": lambda: matches.decline_draw(table, seat),
            "set_standing_passes": lambda: matches.set_passes(
                table, seat, list(request.set_standing_passes.standing_passes)
            ),
        }
        said = v1.PlaySeatsRequest()
        said.CopyFrom(request)
        said.channel = 0
        result = matches.once(table, seat, request.request_id, said, deeds[call])
        answer = channel.update(request.request_id, result)
        assert answer is not None
        return [self.spoilt(answer)]


class FakeServer:
    """The server at a port, and its matches, which outlive it."""

    def __init__(self) -> None:
        self.matches = Matches()
        self.address = ""
        self.start()

    def start(self) -> None:
        """Starts it, on another port than before."""
        self.service = MatchService(self.matches)
        self._server = grpc.server(ThreadPoolExecutor(max_workers=32))
        catalog_service_pb2_grpc.add_CatalogServiceServicer_to_server(CatalogService(), self._server)
        match_service_pb2_grpc.add_MatchServiceServicer_to_server(self.service, self._server)
        self.address = f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        self._server.start()

    def kill(self) -> None:
        """Ends it at once."""
        self._end(None)

    def stop(self) -> None:
        """Has it end by itself: its streams say that it does."""
        self._end(2)

    def close(self) -> None:
        """Ends it."""
        self.kill()

    def _end(self, grace: float | None) -> None:
        ended = self._server.stop(grace)
        self.service.stopped = True
        with self.matches.changed:
            self.matches.changed.notify_all()
        ended.wait()
