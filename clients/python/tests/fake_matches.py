"""The matches of the server in this process: a game of cards picked in secret, without the wire.

In each of four rounds both seats pick a card, as in *skirmish*, and commit it with `done`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from edgehill import v1

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
