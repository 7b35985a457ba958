"""A server in this process, for what needs no rules: a game of cards picked in secret, the whole wire around it.

In each of four rounds both seats pick a card, as in *skirmish*, and commit it with `done`. The server runs until it is
killed, and keeps its matches, so it can be started again at another port. It is held to the real one by scenario.py:
the same tests run against both.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import grpc
from google.protobuf import any_pb2
from google.rpc import status_pb2
from grpc_status import rpc_status

from edgehill import v1
from edgehill.v1 import catalog_service_pb2_grpc, match_service_pb2_grpc

CARDS = ("fife", "drum", "trumpet", "colours", "matchlock", "partisan", "halberd", "spur")
DONE = len(CARDS)
SPECTATOR = -1
CODES = {
    v1.ERROR_REASON_INVALID_FIELD: 3,
    v1.ERROR_REASON_EMPTY_LIST: 3,
    v1.ERROR_REASON_UNKNOWN_ACTION: 3,
    v1.ERROR_REASON_UNKNOWN_BOT: 3,
    v1.ERROR_REASON_UNSUPPORTED_MOMENT: 3,
    v1.ERROR_REASON_UNKNOWN_GAME: 5,
    v1.ERROR_REASON_UNKNOWN_MATCH: 5,
    v1.ERROR_REASON_REQUEST_ID_REUSED: 6,
    v1.ERROR_REASON_NOT_ALLOWED: 7,
    v1.ERROR_REASON_STALE_SEQUENCE: 10,
    v1.ERROR_REASON_OPENED_ELSEWHERE: 10,
    v1.ERROR_REASON_DRAINING: 14,
    v1.ERROR_REASON_BAD_TOKEN: 16,
}


class Refusing(Exception):
    """A call is refused."""

    def __init__(self, reason: v1.ErrorReason, message: str = "", **more: Any) -> None:
        super().__init__(message)
        code = CODES.get(reason, 9)
        self.refusal = v1.Refusal(reason=reason, code=code, message=message or v1.ErrorReason.Name(reason), **more)


@dataclass
class Table:
    """A match: what was settled, what happened, and what each observer was sent of it."""

    match: v1.Match
    creator_token: str
    tokens: dict[str, int] = field(default_factory=dict)
    hands: list[list[int]] = field(default_factory=lambda: [list(range(4)), list(range(4, 8))])
    drafts: list[list[int]] = field(default_factory=lambda: [[], []])
    committed: dict[int, int] = field(default_factory=dict)
    played: list[int] = field(default_factory=list)
    passes: list[list[v1.StandingPass]] = field(default_factory=lambda: [[], []])
    events: dict[int, list[v1.Event]] = field(default_factory=lambda: {SPECTATOR: [], 0: [], 1: []})
    starts: dict[int, v1.View] = field(default_factory=dict)
    calls: dict[tuple[int, str], tuple[bytes, v1.ApplyResult | None]] = field(default_factory=dict)

    @property
    def state(self) -> v1.MatchState:
        return self.match.state

    def seq(self, observer: int) -> int:
        return len(self.events[observer])

    def is_running(self) -> bool:
        return self.state.status == v1.MATCH_STATUS_RUNNING

    def has_ended(self) -> bool:
        return self.state.status in (v1.MATCH_STATUS_FINISHED, v1.MATCH_STATUS_ABORTED)

    def has_begun(self) -> bool:
        return self.state.status in (v1.MATCH_STATUS_RUNNING, v1.MATCH_STATUS_FINISHED)

    def is_to_act(self, observer: int) -> bool:
        return self.is_running() and observer != SPECTATOR and observer not in self.committed

    def legal(self, seat: int) -> list[int]:
        if not self.is_to_act(seat):
            return []
        return [DONE] if self.drafts[seat] else list(self.hands[seat])

    def seen_by(self, observer: int) -> v1.Match:
        seen = v1.Match()
        seen.CopyFrom(self.match)
        seen.seq = self.seq(observer)
        return seen

    def turn_state(self) -> v1.TurnState:
        if self.state.status == v1.MATCH_STATUS_FINISHED:
            return v1.TurnState(node=v1.NodeView(over=self.state.result))
        to_act = [seat for seat in (0, 1) if seat not in self.committed]
        return v1.TurnState(node=v1.NodeView(sealed=v1.SealedNode(to_act=to_act, committed=sorted(self.committed))))

    def view(self, observer: int) -> v1.View:
        view = v1.View(turn_state=self.turn_state())
        piles = [v1.CardPile(pile=seat, count=len(hand)) for seat, hand in enumerate(self.hands)]
        if observer != SPECTATOR:
            view.observer.seat = observer
            view.draft.extend(self.drafts[observer])
            piles[observer].cards.extend(self.hands[observer])
        else:
            view.observer.SetInParent()
        view.board.piles.extend([*piles, v1.CardPile(pile=2, count=len(self.played), cards=self.played)])
        return view

    def publish(self, code: str, changes: Callable[[int], list[v1.Change]], observers: tuple[int, ...]) -> None:
        for observer in observers:
            event = v1.Event(seq=self.seq(observer) + 1, code=code, rule="2.3", changes=changes(observer))
            self.events[observer].append(event)

    def publish_to_all(self, code: str) -> None:
        """Publishes all that may have changed."""

        def changes(observer: int) -> list[v1.Change]:
            view = self.view(observer)
            changed = [v1.Change(pile=pile) for pile in view.board.piles]
            changed.append(v1.Change(draft=v1.DraftChange(keep=0, add=view.draft)))
            return [*changed, v1.Change(turn_state=view.turn_state)]

        self.publish(code, changes, (SPECTATOR, 0, 1))

    def begin(self) -> None:
        self.state.status = v1.MATCH_STATUS_RUNNING
        self.starts = {observer: self.view(observer) for observer in self.events}

    def finish(self, code: str, returns: list[int], termination: v1.Termination) -> None:
        result = v1.MatchResult(returns=returns, code=code, rule="contract", termination=termination)
        self.state.status = v1.MATCH_STATUS_FINISHED
        self.state.result.CopyFrom(result)
        self.publish_to_all(code)

    def act(self, seat: int, action: int) -> bool:
        """Takes an action. Returns whether it has revealed something."""
        if action != DONE:
            self.drafts[seat].append(action)
            added = v1.Change(draft=v1.DraftChange(keep=len(self.drafts[seat]) - 1, add=[action]))
            self.publish("picked", lambda _: [added], (seat,))
            return False
        self.committed[seat] = self.drafts[seat].pop()
        self.hands[seat].remove(self.committed[seat])
        if len(self.committed) < 2:
            self.publish_to_all("committed")
            return False
        self.played += [self.committed[0], self.committed[1]]
        self.committed.clear()
        if self.hands[0]:
            self.publish_to_all("shown")
        else:
            self.finish("last-card", [1, -1] if self.played[-1] % 2 else [-1, 1], v1.TERMINATION_VICTORY)
        return True

    def undo(self, seat: int, keep: int) -> int:
        taken_back = len(self.drafts[seat]) - keep
        del self.drafts[seat][keep:]
        self.publish("undone", lambda _: [v1.Change(draft=v1.DraftChange(keep=keep))], (seat,))
        return taken_back


def notation(action: int) -> str:
    return "done" if action == DONE else f"card {CARDS[action]}"


def legal_action(action: int) -> v1.LegalAction:
    if action == DONE:
        return v1.LegalAction(id=action, verb="done", kind=v1.VERB_KIND_DONE, notation="done", text="Done")
    refs, named = [v1.Ref(card=action)], notation(action)
    return v1.LegalAction(id=action, verb="card", kind=v1.VERB_KIND_PLAY, refs=refs, notation=named, text=named)


def legal_actions(ids: list[int], detail: v1.LegalDetail) -> v1.LegalActions:
    if detail == v1.LEGAL_DETAIL_NONE:
        return v1.LegalActions()
    notations = [notation(action) for action in ids] if detail == v1.LEGAL_DETAIL_NOTATION else []
    full = [legal_action(action) for action in ids] if detail == v1.LEGAL_DETAIL_FULL else []
    return v1.LegalActions(ids=ids, notations=notations, actions=full)


def ids_of(given: v1.ActionList) -> list[int]:
    by_notation = {notation(action): action for action in range(DONE + 1)}
    match given.WhichOneof("encoding"):
        case "ids":
            ids = list(given.ids.values)
        case "notations":
            ids = [by_notation.get(text, -1) for text in given.notations.values]
        case "line":
            ids = [by_notation.get(text.strip(), -1) for text in given.line.split(";")]
        case "structures":
            structures = given.structures.values
            ids = [DONE if one.verb == "done" else one.refs[0].card for one in structures]
        case _:
            raise Refusing(v1.ERROR_REASON_INVALID_FIELD)
    if not ids:
        raise Refusing(v1.ERROR_REASON_EMPTY_LIST)
    if any(action not in range(DONE + 1) for action in ids):
        raise Refusing(v1.ERROR_REASON_UNKNOWN_ACTION)
    return ids


class Matches:
    """The matches of the server: what each call does, without its transport."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.tables: dict[str, Table] = {}
        self.joins: dict[tuple[str, str], v1.JoinMatchResponse] = {}
        self.made: dict[str, v1.CreateMatchResponse] = {}
        self.holders: dict[str, object] = {}
        self.calls = 0

    def table(self, match_id: str) -> Table:
        if match_id not in self.tables:
            raise Refusing(v1.ERROR_REASON_UNKNOWN_MATCH, f"there is no match {match_id!r}")
        return self.tables[match_id]

    def seat(self, token: str) -> tuple[Table, int]:
        for table in self.tables.values():
            if token in table.tokens:
                return table, table.tokens[token]
        raise Refusing(v1.ERROR_REASON_BAD_TOKEN)

    def observer(self, table: Table, token: str, named: v1.Observer | None) -> int:
        if named is not None and not named.HasField("seat"):
            return SPECTATOR
        return self.seat(token)[1] if token else SPECTATOR

    def create(self, request: v1.CreateMatchRequest) -> v1.CreateMatchResponse:
        if request.game != "skirmish":
            raise Refusing(v1.ERROR_REASON_UNKNOWN_GAME, f"there is no game {request.game!r}")
        for index, seat in enumerate(request.seats):
            if seat.kind == v1.SEAT_KIND_HOUSE_BOT:
                fault = v1.FieldViolation(field=f"seats[{index}].bot", description="the bots are: random")
                raise Refusing(v1.ERROR_REASON_UNKNOWN_BOT, field_violations=[fault])
        if request.request_id in self.made:
            return self.made[request.request_id]
        match_id = f"match-{len(self.tables):04}"
        match = v1.Match()
        match.config.match_id, match.config.game = match_id, "skirmish"
        match.config.rules.number = 1
        match.config.options.extend(request.options)
        match.state.status = v1.MATCH_STATUS_WAITING
        match.state.seats.extend([v1.SeatState(kind=v1.SEAT_KIND_OPEN) for _ in range(2)])
        self.tables[match_id] = Table(match, f"creator-of-{match_id}")
        made = v1.CreateMatchResponse(match=match, creator_token=self.tables[match_id].creator_token)
        self.made[request.request_id] = made
        return made

    def join(self, request: v1.JoinMatchRequest) -> v1.JoinMatchResponse:
        table = self.table(request.match_id)
        if (request.match_id, request.request_id) in self.joins:
            return self.joins[request.match_id, request.request_id]
        free = [number for number, seat in enumerate(table.state.seats) if not seat.joined]
        if not free or (request.HasField("seat") and request.seat not in free):
            raise Refusing(v1.ERROR_REASON_NO_OPEN_SEAT)
        seat = request.seat if request.HasField("seat") else free[0]
        table.state.seats[seat].joined, table.state.seats[seat].player = True, request.player
        token = f"ehs_{table.match.config.match_id}_{seat}_{len(self.joins)}"
        table.tokens[token] = seat
        if len(free) == 1:
            table.begin()
        joined = v1.JoinMatchResponse(seat=seat, seat_token=token, match=table.match)
        if table.has_begun():
            joined.update.CopyFrom(self.update(table, seat, request.response_options, table.seq(seat), None))
        self.joins[request.match_id, request.request_id] = joined
        return joined

    def leave(self, token: str) -> v1.Match:
        table, seat = self.seat(token)
        if table.has_begun():
            raise Refusing(v1.ERROR_REASON_MATCH_STARTED)
        del table.tokens[token]
        table.state.seats[seat].joined = False
        return table.match

    def abort(self, request: v1.AbortMatchRequest) -> v1.Match:
        table = self.table(request.match_id)
        if request.creator_token != table.creator_token:
            raise Refusing(v1.ERROR_REASON_NOT_ALLOWED)
        if table.has_begun():
            raise Refusing(v1.ERROR_REASON_MATCH_STARTED)
        table.state.status = v1.MATCH_STATUS_ABORTED
        return table.match

    def update(
        self, table: Table, seat: int, options: v1.ResponseOptions, after: int, result: v1.ApplyResult | None
    ) -> v1.SeatUpdate:
        """How things stand, in the answer of a call."""
        update = v1.SeatUpdate(seq=table.seq(seat), status=table.state.status, to_act=table.is_to_act(seat))
        if options.include_view:
            update.view.CopyFrom(table.view(seat))
        if options.include_events:
            update.events.extend(table.events[seat][after:])
        if options.legal and update.to_act:
            update.legal_actions.CopyFrom(legal_actions(table.legal(seat), options.legal))
        if result is not None:
            update.apply_result.CopyFrom(result)
        return update

    def once(
        self, table: Table, seat: int, request_id: str, call: Any, do: Callable[[], v1.ApplyResult | None]
    ) -> v1.ApplyResult | None:
        """Does a call, unless it was done before with the same id."""
        said = call.SerializeToString(deterministic=True)
        if (seat, request_id) in table.calls:
            before, result = table.calls[seat, request_id]
            if before != said:
                raise Refusing(v1.ERROR_REASON_REQUEST_ID_REUSED, f"{request_id} was used for another call")
            return result
        if table.has_ended():
            raise Refusing(v1.ERROR_REASON_MATCH_FINISHED)
        if not table.has_begun():
            raise Refusing(v1.ERROR_REASON_MATCH_NOT_STARTED)
        result = do()
        table.calls[seat, request_id] = (said, result)
        self.calls += 1
        return result

    def apply(self, table: Table, seat: int, batch: v1.ActionBatch) -> v1.ApplyResult:
        self.check_seq(table, seat, batch)
        ids, draft = ids_of(batch.actions), list(table.drafts[seat])
        if not table.is_to_act(seat):
            raise Refusing(v1.ERROR_REASON_NOT_YOUR_TURN)
        if batch.HasField("keep_draft_actions"):
            del draft[batch.keep_draft_actions :]
        for index, action in enumerate(ids):
            if DONE in draft:
                if batch.mode != v1.APPLY_MODE_UNTIL_REVEAL:
                    raise Refusing(v1.ERROR_REASON_LIST_CROSSES_REVEAL, index=index)
                ids = ids[:index]
                break
            if bool(draft) != (action == DONE) or (action != DONE and action not in table.hands[seat]):
                violation = v1.RuleViolation(code="CARD_PICKED", rule="2.3", text="A card is picked already")
                raise Refusing(v1.ERROR_REASON_ILLEGAL_ACTION, index=index, rule_violations=[violation])
            draft.append(action)
        if batch.HasField("keep_draft_actions") and batch.keep_draft_actions < len(table.drafts[seat]):
            table.undo(seat, batch.keep_draft_actions)
        for action in ids:
            table.act(seat, action)
        line = "; ".join(map(notation, ids)) if batch.actions.HasField("line") else ""
        return v1.ApplyResult(actions=len(ids), line=line)

    def undo(self, table: Table, seat: int, span: v1.UndoSpan) -> v1.ApplyResult:
        self.check_seq(table, seat, span)
        if not table.drafts[seat]:
            raise Refusing(v1.ERROR_REASON_NOTHING_TO_UNDO)
        keep = span.keep_draft_actions if span.HasField("keep_draft_actions") else len(table.drafts[seat]) - 1
        return v1.ApplyResult(actions=table.undo(seat, keep))

    def check_seq(self, table: Table, seat: int, call: v1.ActionBatch | v1.UndoSpan) -> None:
        if call.HasField("expected_seq") and call.expected_seq != table.seq(seat):
            message = f"`expected_seq` is {call.expected_seq}, the sequence is at {table.seq(seat)}"
            raise Refusing(v1.ERROR_REASON_STALE_SEQUENCE, message, seq=table.seq(seat))

    def resign(self, table: Table, seat: int) -> None:
        table.finish("resigned", [-1, 1] if seat == 0 else [1, -1], v1.TERMINATION_RESIGNATION)

    def offer_draw(self, table: Table, seat: int) -> None:
        table.state.draw_offers[:] = sorted({*table.state.draw_offers, seat})

    def accept_draw(self, table: Table, seat: int) -> None:
        if 1 - seat not in table.state.draw_offers:
            raise Refusing(v1.ERROR_REASON_NO_OFFER)
        table.finish("agreed", [0, 0], v1.TERMINATION_AGREEMENT)

    def decline_draw(self, table: Table, seat: int) -> None:
        if 1 - seat not in table.state.draw_offers:
            raise Refusing(v1.ERROR_REASON_NO_OFFER)
        table.state.draw_offers[:] = [offer for offer in table.state.draw_offers if offer == seat]

    def set_passes(self, table: Table, seat: int, passes: list[v1.StandingPass]) -> None:
        table.passes[seat] = passes


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
