"""Play by single calls, each with its request id, and what was acknowledged of it."""

from __future__ import annotations

import base64
import itertools
import json
from dataclasses import dataclass
from typing import Any

from running import Server

SERVICE = "edgehill.v1.MatchService"
# Nobody's but the tests'.
SECRET = base64.b64encode(bytes(32)).decode()
# Beyond it a match of the training game would not end.
ACTIONS_MAX = 500


@dataclass(frozen=True)
class Request:
    """A call that was acknowledged: its body, whose seat it is of, and the number at which that seat then stood."""

    body: dict[str, Any]
    seat: int
    seq: int


class Match:
    """A match of the training game on a server, and the tokens of its seats once they are taken."""

    def __init__(self, server: Server, name: str) -> None:
        self.name = name
        self._numbers = itertools.count()
        self.acknowledged: list[Request] = []
        self._create = {"game": "skirmish", **self._own_request()}
        self.id = self.create(server)
        self._joins = [{"seat": seat, "player": name, **self._own_request()} for seat in (0, 1)]
        self.tokens: list[str] = []

    def create(self, server: Server) -> str:
        """Makes the match, or asks again for it by the same request: its id."""
        return str(server.call(f"{SERVICE}/CreateMatch", self._create)["match"]["config"]["matchId"])

    def join(self, server: Server) -> Match:
        """Takes both seats, or asks again for them by the same requests."""
        joined = [server.call(f"{SERVICE}/JoinMatch", {"matchId": self.id, **join}) for join in self._joins]
        self.tokens = [each["seatToken"] for each in joined]
        return self

    def _own_request(self) -> dict[str, str]:
        """A request id that was not used before, and the secret that makes it this client's."""
        return {"requestId": f"{self.name}-{next(self._numbers)}", "clientSecret": SECRET}

    def play(self, server: Server, actions: int = ACTIONS_MAX) -> int:
        """Plays so many actions, or until the match is over: the number of those that were acknowledged."""
        played = 0
        while played < actions:
            before = played
            for seat, token in enumerate(self.tokens):
                ids = server.call(
                    f"{SERVICE}/ListLegalActions", {"matchId": self.id, "detail": "LEGAL_DETAIL_IDS"}, token
                )
                legal = ids.get("legalActions", {}).get("ids", [])
                if not legal or played == actions:
                    continue
                # The last that is listed goes on: to take back and to give up are no actions of a list.
                body = {
                    "matchId": self.id,
                    "requestId": self._own_request()["requestId"],
                    "batch": {"actions": {"ids": {"values": [legal[-1]]}}},
                }
                self.acknowledged.append(Request(body, seat, self.send(server, seat, body)))
                played += 1
            if played == before:
                return played
        return played

    def send(self, server: Server, seat: int, body: dict[str, Any]) -> int:
        """Sends a call for a seat: the number at which the seat stands then."""
        return int(server.call(f"{SERVICE}/ApplyActions", body, self.tokens[seat])["update"]["seq"])

    def shown(self, server: Server) -> str:
        """What each seat and a spectator are shown, as text that can be compared."""
        views = [server.call(f"{SERVICE}/GetView", {"matchId": self.id}, key) for key in (*self.tokens, "")]
        return json.dumps(views, sort_keys=True)

    def status(self, server: Server) -> str:
        """How far it is."""
        return server.call(f"{SERVICE}/GetMatch", {"matchId": self.id})["match"]["state"]["status"]
