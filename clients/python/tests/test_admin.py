"""Accounts and keys, as those who look after a server make and take them."""

from __future__ import annotations

import asyncio
import subprocess
import tempfile
import unittest
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import ClassVar

from google.protobuf.duration_pb2 import Duration

import edgehill
import edgehill.aio
from edgehill import Refused, account_seat, v1
from running import SERVER, Server


class GuardedServer(Server):
    """A server that asks for accounts, with an operator in its file."""

    chief: str

    def __init__(self) -> None:
        self._accounts = tempfile.TemporaryDirectory()
        key_file, accounts = [str(Path(self._accounts.name, name)) for name in ("server.key", "accounts.toml")]
        command = [str(SERVER), "key", "--account", "chief", "--role", "operator", "--key-file", key_file]
        made = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        self.chief = next(word for word in made.split() if word.startswith("ehk_"))
        Path(accounts).write_text(made)
        self._settings = {"EDGEHILL_KEY_FILE": key_file, "EDGEHILL_ACCOUNTS": accounts}
        super().__init__()

    def settings(self) -> dict[str, str]:
        """Returns its key and its accounts."""
        return self._settings

    def close(self) -> None:
        """Ends it, and lets its accounts go."""
        super().close()
        self._accounts.cleanup()


class Admin(unittest.TestCase):
    """Against a server that asks for accounts."""

    server: ClassVar[GuardedServer]

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = GuardedServer()
        cls.addClassCleanup(cls.server.close)

    def test_an_account_has_keys_that_end(self) -> None:
        with edgehill.Client(self.server.address, key=self.server.chief) as chief:
            made = chief.create_account("ada", [v1.ACCOUNT_ROLE_PLAYER])
            self.assertEqual((made.id, made.source, list(made.keys)), ("ada", v1.ACCOUNT_SOURCE_STORE, []))
            first = chief.create_account_key("ada", label="laptop", expires=datetime.now(UTC) + timedelta(days=90))
            self.assertEqual((first.account_key.number, first.account_key.label), (1, "laptop"))
            with self.assertRaisesRegex(ValueError, "time zone"):
                chief.create_account_key("ada", expires=datetime(2030, 1, 1))
            with edgehill.Client(self.server.address, key=first.key) as ada:
                ada.create("skirmish")
                with self.assertRaises(Refused) as refused:
                    ada.accounts()
                self.assertEqual(refused.exception.reason, v1.ERROR_REASON_NOT_ALLOWED)
                second = chief.rotate_account_key("ada", 1, overlap=timedelta(hours=1))
                ada.create("skirmish")
                self.assertTrue(chief.revoke_account_key("ada", 1).HasField("revoke_time"))
                with self.assertRaises(Refused) as refused:
                    ada.create("skirmish")
                self.assertEqual(refused.exception.reason, v1.ERROR_REASON_BAD_TOKEN)
            with edgehill.Client(self.server.address, key=second.key) as ada:
                ada.create("skirmish")
                self.assertTrue(chief.update_account("ada", is_suspended=True).is_suspended)
                with self.assertRaises(Refused):
                    ada.create("skirmish")
            self.assertEqual(chief.set_account_quota("ada", v1.AccountQuota(streams=3)).quota.streams, 3)
            self.assertEqual([key.number for key in chief.account("ada").keys], [1, 2])
            self.assertLessEqual({"ada", "chief"}, {account.id for account in chief.accounts()})
            chief.delete_account("ada")
            parts = list(chief.export_account_data("ada"))
            self.assertTrue(parts[0].account.is_deleted)
            self.assertEqual([part.act for part in parts if part.HasField("act")], chief.acts("ada"))
            matches = [part.account_match for part in parts if part.HasField("account_match")]
            self.assertEqual([match.is_creator for match in matches], [True] * 3)
            erased = chief.erase_account_data("ada")
            # Three matches wait for their seats, and were made by the account.
            self.assertEqual((erased.waiting_matches, erased.unreadable_matches), (3, 0))
            self.assertEqual(chief.acts("ada"), [])
            with self.assertRaises(Refused) as refused:
                next(chief.export_account_data("nobody"))
            self.assertEqual(refused.exception.reason, v1.ERROR_REASON_UNKNOWN_ACCOUNT)
            with self.assertRaises(Refused) as refused:
                chief.account("ada")
            self.assertEqual(refused.exception.reason, v1.ERROR_REASON_UNKNOWN_ACCOUNT)
            kinds = [act.kind for act in chief.acts(erased.pseudonym)]
            self.assertEqual(kinds[0], v1.ACT_KIND_ACCOUNT_CREATED)
            ends = [v1.ACT_KIND_ACCOUNT_DELETED, v1.ACT_KIND_DATA_EXPORTED, v1.ACT_KIND_DATA_ERASED]
            self.assertEqual(kinds[-3:], ends)
            self.assertEqual(len(kinds), 9)


class AwaitedAdmin(unittest.IsolatedAsyncioTestCase):
    """The same calls, awaited."""

    async def test_a_call_that_is_repeated_makes_the_same_key(self) -> None:
        server = GuardedServer()
        self.addCleanup(server.close)
        async with edgehill.aio.Client(server.address, key=server.chief) as chief:
            await chief.create_account("bob", [v1.ACCOUNT_ROLE_PLAYER])
            made = [(await chief.create_account_key("bob", request_id="one")).key for _ in range(2)]
            self.assertEqual(made[0], made[1])
            self.assertEqual([act.request_id for act in await chief.acts("bob")][-1], "one")
            kinds = [part.WhichOneof("part") async for part in chief.export_account_data("bob")]
            self.assertEqual(kinds, ["account", "act", "act", "act"])


class AccountWatches(unittest.IsolatedAsyncioTestCase):
    """The matches of an account, as they come to concern it."""

    async def test_a_match_is_told_from_its_making_to_its_result(self) -> None:
        server = GuardedServer()
        self.addCleanup(server.close)
        chief = self.enterContext(edgehill.Client(server.address, key=server.chief))
        keys = [account(chief, name, v1.ACCOUNT_ROLE_PLAYER) for name in ("ada", "bob")]
        ada, bob = (self.enterContext(edgehill.Client(server.address, key=key)) for key in keys)
        with ada.watch_account() as watch:
            first = next(watch)
            self.assertTrue(first.caught_up and first.cursor == watch.cursor)
            made = ada.create("skirmish")
            match = made.match.config.match_id
            told = next(watch).match
            self.assertEqual((told.match.config.match_id, told.is_creator, len(told.seats)), (match, True, 0))
            ada.join(match)
            self.assertEqual([seat.seat for seat in next(watch).match.seats], [0])
            south = bob.join(match)
            self.assertEqual([seat.to_act for seat in next(watch).match.seats], [True])
            south.resign()
            over = next(watch).match
            self.assertEqual(list(over.match.state.result.returns), [1, -1])
        with self.assertRaises(StopIteration):
            next(watch)
        # From the cursor on, awaited: the result comes again, and nothing is left that goes on.
        async with edgehill.aio.Client(server.address, key=keys[1]) as awaited:
            async with awaited.watch_account(cursor=first.cursor) as again:
                responses = [await anext(again), await anext(again)]
                self.assertEqual(responses[0].match.match.config.match_id, match)
                self.assertTrue(responses[1].caught_up and not responses[1].results_missing)
                self.assertEqual(again.cursor, responses[1].cursor)

    async def test_who_has_no_account_is_refused(self) -> None:
        server = GuardedServer()
        self.addCleanup(server.close)
        client = self.enterContext(edgehill.Client(server.address))
        with self.assertRaises(Refused) as refused:
            next(client.watch_account())
        self.assertEqual(refused.exception.reason, v1.ERROR_REASON_BAD_TOKEN)


def account(chief: edgehill.Client, name: str, role: v1.AccountRole) -> str:
    """Makes an account, and returns a key of it."""
    chief.create_account(name, [role])
    return chief.create_account_key(name).key


class InvitedAccounts(unittest.TestCase):
    """Seats that are kept for accounts."""

    def test_a_seat_is_kept_for_an_account(self) -> None:
        server = GuardedServer()
        self.addCleanup(server.close)
        chief = self.enterContext(edgehill.Client(server.address, key=server.chief))
        keys = [account(chief, name, v1.ACCOUNT_ROLE_PLAYER) for name in ("ada", "bob")]
        ada, bob = [self.enterContext(edgehill.Client(server.address, key=key)) for key in keys]
        made = ada.create("skirmish", seats=[account_seat("bob")])
        self.assertEqual(list(made.invitations), [])
        self.assertEqual(made.match.state.seats[0].invited_account_id, "bob")
        match = made.match.config.match_id
        self.assertEqual([one.config.match_id for one in bob.matches(invited=True)], [match])
        self.assertEqual(list(ada.matches(invited=True)), [])
        self.assertEqual(bob.join(match).number, 0)
        self.assertEqual(ada.join(match).number, 1)
        with self.assertRaises(Refused) as refused:
            ada.create("skirmish", seats=[account_seat("nobody")])
        self.assertEqual(refused.exception.reason, v1.ERROR_REASON_UNKNOWN_ACCOUNT)


class Referees(unittest.TestCase):
    """What a referee does, and how its record is checked."""

    def setUp(self) -> None:
        server = GuardedServer()
        self.addCleanup(server.close)
        self.address = server.address
        self.chief = self.enterContext(edgehill.Client(server.address, key=server.chief))
        ada, umpire = (("ada", v1.ACCOUNT_ROLE_PLAYER), ("umpire", v1.ACCOUNT_ROLE_REFEREE))
        self.umpire_key = account(self.chief, *umpire)
        self.ada = self.enterContext(edgehill.Client(server.address, key=account(self.chief, *ada)))
        self.umpire = self.enterContext(edgehill.Client(server.address, key=self.umpire_key))
        self.made = self.ada.create("skirmish")
        self.match = self.made.match.config.match_id
        self.seats = [self.ada.join(self.match, player=player) for player in ("Ann", "Ben")]
        self.given = {number: seat.entropy for number, seat in enumerate(self.seats)}

    def refused(self, reason: v1.ErrorReason, call: Callable[[], object]) -> None:
        with self.assertRaises(Refused) as refused:
            call()
        self.assertEqual(refused.exception.reason, reason)

    def test_a_player_is_replaced_and_the_result_corrected(self) -> None:
        five = timedelta(minutes=5)
        self.refused(v1.ERROR_REASON_NO_CLOCKS, lambda: self.umpire.add_match_time(self.match, 0, five, reason="so"))
        opened = self.umpire.replace_match_player(self.match, 1, player="Cat", reason="ill")
        self.assertFalse(opened.match.state.seats[1].joined)
        self.refused(v1.ERROR_REASON_BAD_TOKEN, self.seats[1].resign)
        # Entropy would be refused: the dice are settled.
        cat = self.ada.join(self.match, invitation=opened.invitation)
        self.assertEqual(cat.entropy, b"")
        cat.resign()
        state = self.umpire.correct_match_result(self.match, [0, 0], "they had agreed on a draw").state
        self.assertEqual((list(state.result.returns), list(state.corrected_returns)), ([1, -1], [0, 0]))
        text = self.ada.record(self.match).text
        checked = edgehill.check_dice(self.made.match.config, state, text, entropies=self.given)
        self.assertEqual(checked.unchecked_parts["end"], "whose key has signed it is not known")
        acts = edgehill.check_record(text).record.referee_acts
        self.assertEqual([(act.kind, act.former_player) for act in acts], [("replaced", "Ben"), ("corrected", "")])
        self.assertEqual((acts[1].returns, acts[1].reason), ((0, 0), "they had agreed on a draw"))
        # A state that tells less than the record is found out.
        del state.corrected_returns[:]
        with self.assertRaisesRegex(edgehill.Unverified, "the corrected result"):
            edgehill.check_dice(self.made.match.config, state, text, entropies=self.given)
        kinds = [act.kind for act in self.chief.acts("umpire") if act.actor == "umpire"]
        self.assertEqual(kinds, [v1.ACT_KIND_PLAYER_REPLACED, v1.ACT_KIND_RESULT_CORRECTED])

    def test_a_match_is_adjourned_by_its_seats_and_by_a_referee(self) -> None:
        clock = v1.ClockConfig(bank=Duration(seconds=600), at_end=v1.TIMEOUT_RULE_FORFEIT)
        made = self.ada.create("skirmish", clock=clock)
        match = made.match.config.match_id
        north, south = [self.ada.join(match, player=player) for player in ("Ann", "Ben")]
        given = {0: north.entropy, 1: south.entropy}
        hour, minute = timedelta(hours=1), timedelta(minutes=1)
        self.refused(v1.ERROR_REASON_NO_OFFER, south.accept_adjournment)
        self.refused(v1.ERROR_REASON_NOT_ADJOURNED, north.resume)
        offered = north.offer_adjournment(hour).state.adjournment_offers
        self.assertEqual([(offer.seat, offer.adjourn_for.seconds) for offer in offered], [(0, 3_600)])
        self.assertEqual(len(south.decline_adjournment().state.adjournment_offers), 0)
        north.offer_adjournment(hour)
        adjourned = south.accept_adjournment(minute).state.adjournment
        self.assertEqual(adjourned.resume_time.ToMilliseconds() - adjourned.adjourn_time.ToMilliseconds(), 60_000)
        self.refused(v1.ERROR_REASON_ADJOURNED, lambda: north.apply("done"))
        self.assertEqual(list(south.resume().state.adjournment.resume_requests), [1])
        self.assertFalse(north.resume().state.HasField("adjournment"))

        state = self.umpire.adjourn_match(match, minute, reason="a fire").state
        self.assertTrue(state.adjournment.by_referee)
        self.refused(v1.ERROR_REASON_ADJOURNED, north.resume)
        self.assertFalse(self.umpire.end_adjournment(match).state.HasField("adjournment"))
        north.resign()
        text = self.ada.record(match).text
        edgehill.check_dice(made.match.config, self.ada.get(match).state, text, entropies=given)
        record = edgehill.check_record(text).record
        longest = [(adjournment.by, adjournment.longest_ms) for adjournment in record.adjournments]
        self.assertEqual(longest, [("seats", 60_000), ("referee", 60_000)])
        self.assertTrue(all(adjournment.lasted_ms is not None for adjournment in record.adjournments))
        acts = [(act.kind, act.longest_ms, act.reason) for act in record.referee_acts]
        self.assertEqual(acts, [("adjourned", 60_000, "a fire"), ("resumed", 0, "")])

    def test_a_voided_match_has_a_record(self) -> None:
        async def void() -> v1.Match:
            async with edgehill.aio.Client(self.address, key=self.umpire_key) as umpire:
                return await umpire.void_match(self.match, "a fire")

        voided = asyncio.run(void())
        self.assertEqual(voided.state.result.termination, v1.TERMINATION_VOID)
        text = self.ada.record(self.match).text
        edgehill.check_dice(self.made.match.config, voided.state, text, entropies=self.given)
        record = edgehill.check_record(text).record
        self.assertEqual([act.kind for act in record.referee_acts], ["voided"])
        self.assertEqual(record.result, "result none")
