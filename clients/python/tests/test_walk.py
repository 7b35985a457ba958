"""docs/api.md, walked: each call of the page is made as it stands there, by reflection, and each reply that the page
shows is found in what the server answers.

The page's numbers are those of one deal. Where the page chooses the seed, its match has this deal; where it does not,
matches are made until one has it. Calls that the page shows as examples, and goes on without, are made in other
matches, with a seed that was chosen for the deal.
"""

from __future__ import annotations

import base64
import json
import queue
import re
import unittest
from typing import Any

import grpc
from grpc_status import rpc_status

from edgehill import dice
from reflecting import Json, Reflecting
from running import ROOT, Server

PAGE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
MATCHES = "edgehill.v1.MatchService/"
MATCH = "0191d2c4-7e5a-7c31-b6a4-5f0d3c2b1a09"
# The cards that the page shows of the deal, by index.
HANDS = ({2, 5}, {0, 4})
# Other in each build or match.
VARYING = {"contentHash", "commitment", "serverSeed", "seed"}
# One deal in ninety is the page's.
DEALS_MAX = 3000


def seed_of_the_page() -> bytes:
    """A seed that deals the page's hands: the first turn gives two cards of six to each seat, in turn."""
    for number in range(10_000):
        seed, left, hands = number.to_bytes(32, "little"), set(range(6)), (set[int](), set[int]())
        for deal in range(4):
            card = dice.bag(seed, 0, 0, sorted(left))
            left.remove(card)
            hands[deal % 2].add(card)
        if hands == HANDS:
            return seed
    raise AssertionError("no seed deals the page's hands")


def misfit(shown: Any, actual: Any, path: str = "") -> str | None:
    """Returns the place where `actual` lacks something that is shown; replies on the page are shortened."""
    match shown:
        case dict():
            for key, value in shown.items():
                if not isinstance(actual, dict) or key not in actual:
                    return f"{path}: {key} of {json.dumps(shown)} is not in {json.dumps(actual)}"
                if key not in VARYING and (lacks := misfit(value, actual[key], f"{path}.{key}")):
                    return lacks
            return None
        case [dict(), *_]:
            rest = iter(actual)
            for index, one in enumerate(shown):
                lacks = f"{path}[{index}]: {json.dumps(one)} is missing"
                while lacks and (other := next(rest, None)) is not None:
                    lacks = misfit(one, other, f"{path}[{index}]") or ""
                if lacks:
                    return lacks
            return None
    return None if shown == actual else f"{path}: shown {json.dumps(shown)}, found {json.dumps(actual)}"


def values(text: str) -> list[Json]:
    """All JSON values of a block."""
    decoder, found, at = json.JSONDecoder(), [], 0
    while at < len(text.rstrip()):
        value, at = decoder.raw_decode(text, at)
        found.append(value)
        at += len(text[at:]) - len(text[at:].lstrip())
    return found


class Walk(unittest.TestCase):
    """The page from its beginning to its end. What a block needs of those before it is in `self`."""

    def setUp(self) -> None:
        self.server = Server()
        self.addCleanup(self.server.close)
        channel = self.enterContext(grpc.insecure_channel(self.server.address))
        self.reflecting = Reflecting(channel)
        self.seed = seed_of_the_page()
        self.placeholders: dict[str, str] = {}
        self.replies: dict[str, list[Json]] = {}
        self.tables = 0

    def test_the_page(self) -> None:
        blocks = re.findall(r"^```(sh|json \w+)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
        seen = []
        for info, text in blocks:
            if info == "sh":
                for command in re.split(r"^(?=grpcurl)", text, flags=re.MULTILINE):
                    if command.startswith("grpcurl"):
                        self.walk_command(command)
            else:
                name = info.removeprefix("json ")
                seen.append(name)
                with self.subTest(block=name, number=seen.count(name)):
                    shown = values(self.filled(text))
                    if own := getattr(self, f"show_{name}", None):
                        own(shown)
                    else:
                        self.show_response(name, shown)
        # A block that is never met tests nothing.
        self.assertGreater(len(seen), 15)
        self.assertEqual(seen[-1], "GetMatchResponse")

    def filled(self, text: str) -> str:
        """The text with the ids and tokens of this walk."""
        for placeholder, value in self.placeholders.items():
            text = text.replace(placeholder, value)
        return text

    def walk_command(self, command: str) -> None:
        command = self.filled(command)
        whose = re.search(r'-H "\$(\w+)"', command)
        headers = self.headers(whose.group(1)) if whose else []
        data = re.search(r"-d '(.*?)'", command, re.DOTALL)
        path = command.split("$server")[1].split()[0]
        if path == "list":
            self.assertLessEqual(
                {"edgehill.v1.CatalogService", "edgehill.v1.MatchService"}, set(self.reflecting.services())
            )
        elif path == "describe":
            self.assertIn("PlaySeats", self.reflecting.methods("edgehill.v1.MatchService"))
        else:
            self.call(path, json.loads(data.group(1)) if data else {}, headers)

    def headers(self, seat: str) -> list[tuple[str, str]]:
        return [("authorization", f"Bearer {self.placeholders[f'the-token-of-{seat}']}")]

    def call(self, path: str, data: Json, headers: list[tuple[str, str]]) -> None:
        method = path.split("/")[1]
        if method == "WatchMatch":
            # The page shows what South gets, who is the second to watch.
            watching = self.reflecting.watch(path, data, headers)
            self.replies[method] = [next(watching)]
            while not any("events" in reply["update"] or "view" in reply["update"] for reply in self.replies[method]):
                self.replies[method].append(next(watching))
            watching.close()
        elif method == "ExportRecord":
            self.replies[method] = list(self.reflecting.watch(path, data, headers))
            text = "".join(part["text"] for part in self.replies[method])
            self.assertTrue(text.startswith("edgehill record 1\ngame skirmish\n"))
        elif method == "CreateMatch":
            self.replies[method] = [self.make(data)]
        else:
            self.replies[method] = [self.reflecting.call(path, data, headers)]
        if method == "JoinMatch":
            reply = self.replies[method][0]
            name = ("north", "south")[reply.get("seat", 0)]
            self.placeholders[f"the-token-of-{name}"] = reply["seatToken"]

    def make(self, data: Json) -> Json:
        """Makes the page's match, or matches until one has the deal of the page.

        Of these the page's joins are made here, and repeated there.
        """
        if "chosenSeed" in data:
            return self.made(data)
        joins = re.findall(r"-d '([^']*?)' \$server edgehill.v1.MatchService/JoinMatch", PAGE)
        for number in range(DEALS_MAX):
            reply = self.made({**data, "requestId": f"{data['requestId']}-{number}"})
            seats = [self.reflecting.call(MATCHES + "JoinMatch", json.loads(self.filled(join))) for join in joins]
            if all(hand == self.hand(seat["seatToken"]) for hand, seat in zip(HANDS, seats, strict=True)):
                return reply
        raise AssertionError(f"none of {DEALS_MAX} deals is the page's")

    def made(self, data: Json) -> Json:
        reply = self.reflecting.call(MATCHES + "CreateMatch", data)
        self.placeholders[MATCH] = reply["match"]["config"]["matchId"]
        self.placeholders["the-invitation-of-south"] = reply["invitations"][0]["invitation"]
        return reply

    def hand(self, token: str) -> set[int]:
        bearer = [("authorization", f"Bearer {token}")]
        legal = self.reflecting.call(MATCHES + "ListLegalActions", {"matchId": self.placeholders[MATCH]}, bearer)
        return set(legal["legalActions"]["ids"])

    def show_response(self, name: str, shown: list[Json]) -> None:
        """The last replies of this kind are as the page shows them."""
        actual = self.replies[name.removesuffix("Response")]
        self.assertIsNone(misfit(shown, actual))

    def show_ApplyActionsRequest(self, requests: list[Json]) -> None:
        if requests[0]["requestId"] == "n-1":
            # The first ones are the same call, so with one id it happens once; the line takes the same action.
            *same, line = requests
            for request in same:
                taken = self.as_north("ApplyActions", request)
            with self.aside():
                by_line = self.as_north("ApplyActions", line)
            self.assertEqual(by_line["update"]["applyResult"].pop("line"), "card trumpet")
            self.assertEqual(by_line, taken)
            return
        for request in requests:
            with self.aside():
                batch = request["batch"]
                if "keepDraftActions" in batch:
                    self.as_north("ApplyActions", {"requestId": "n-1", "batch": {"actions": {"line": "card trumpet"}}})
                reply = self.as_north("ApplyActions", request)
                actions = 2 if "line" in batch["actions"] else 1
                self.assertEqual(reply["update"]["applyResult"]["actions"], actions)
                self.last_aside = dict(self.placeholders)

    def show_UndoActionsRequest(self, requests: list[Json]) -> None:
        placeholders, self.placeholders = self.placeholders, self.last_aside
        self.assertEqual(self.as_north("UndoActions", requests[0])["update"]["applyResult"]["actions"], 1)
        self.placeholders = placeholders

    def show_SetStandingPassesRequest(self, requests: list[Json]) -> None:
        self.as_north("SetStandingPasses", requests[0])

    def as_north(self, method: str, data: Json) -> Json:
        return self.reflecting.call(
            MATCHES + method, {**data, "matchId": self.placeholders[MATCH]}, self.headers("north")
        )

    def aside(self) -> Aside:
        """Another match of the same deal, for calls that the walk goes on without."""
        return Aside(self)

    def show_Refusal(self, shown: list[Json]) -> None:
        stale = shown[0]["reason"] == "ERROR_REASON_STALE_SEQUENCE"
        batch: Json = {"actions": {"line": "card colours"}}
        if stale:
            batch["expectedSeq"] = "4"
        with self.assertRaises(grpc.RpcError) as caught:
            self.as_north("ApplyActions", {"requestId": "refused", "batch": batch})
        status = rpc_status.from_call(caught.exception)
        details = [detail for detail in status.details if detail.type_url.endswith("/edgehill.v1.Refusal")]
        refusal = self.reflecting.message("edgehill.v1.Refusal", details[0].value)
        self.assertEqual(status.code, refusal["code"])
        if stale:
            # North is further on in the example than here.
            for side in (shown[0], refusal):
                side["message"] = re.sub(r"\d+", "N", side["message"])
            shown[0]["seq"] = refusal["seq"]
        self.assertEqual(shown, [refusal])

    def show_PlaySeatsRequest(self, requests: list[Json]) -> None:
        """Sends the client's side, each call when its channel has come to the number that the call has seen."""
        outbox: queue.SimpleQueue[Json | None] = queue.SimpleQueue()
        replies = self.reflecting.talk(MATCHES + "PlaySeats", iter(outbox.get, None))
        received = self.replies["PlaySeats"] = []

        def until(channel: int, key: str, seq: int = 0) -> None:
            while not any(
                reply["channel"] == channel and key in reply and int(reply[key].get("seq", 0)) >= seq
                for reply in received
            ):
                received.append(next(replies))

        for request in requests:
            if "apply" in request:
                until(request["channel"], "update", int(request["apply"]["expectedSeq"]))
            outbox.put(request)
            if "close" in request:
                until(request["channel"], "closed")
        until(1, "update", 11)
        outbox.put(None)

    def show_PlaySeatsResponse(self, shown: list[Json]) -> None:
        for channel in (1, 2):
            mine = [reply for reply in self.replies["PlaySeats"] if reply["channel"] == channel]
            of_page = [reply for reply in shown if reply["channel"] == channel]
            self.assertIsNone(misfit(of_page, mine))


class Aside:
    """While it is entered, the walk's ids and tokens are those of another match."""

    def __init__(self, walk: Walk) -> None:
        self._walk = walk

    def __enter__(self) -> None:
        walk = self._walk
        self._before = dict(walk.placeholders)
        walk.tables += 1
        create: Json = {"requestId": f"aside-{walk.tables}", "game": "skirmish"}
        create["chosenSeed"] = base64.b64encode(walk.seed).decode()
        match = walk.reflecting.call(MATCHES + "CreateMatch", create)["match"]["config"]["matchId"]
        walk.placeholders[MATCH] = match
        for name in ("north", "south"):
            joined = walk.reflecting.call(MATCHES + "JoinMatch", {"matchId": match, "requestId": name})
            walk.placeholders[f"the-token-of-{name}"] = joined["seatToken"]

    def __exit__(self, *raised: object) -> None:
        self._walk.placeholders = self._before


if __name__ == "__main__":
    unittest.main()
