"""The calls of a client that looks after a server: accounts, their keys, and what was done.

They need the key of an account with the role `v1.ACCOUNT_ROLE_OPERATOR`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from edgehill import v1
from edgehill.calls import Call, Script, paged
from edgehill.client_calls import BaseClient, SeatT


def create_account(
    client: BaseClient[SeatT], account_id: str, roles: Sequence[v1.AccountRole], *, request_id: str | None = None
) -> Script[v1.Account]:
    """Makes an account that is kept in the server's store. It has no key yet."""
    request = v1.CreateAccountRequest(
        request_id=request_id or client._ids.next(), account_id=account_id, roles=list(roles)
    )
    answer: v1.CreateAccountResponse = yield Call("CreateAccount", request, client._key, "admin")
    return answer.account


def account(client: BaseClient[SeatT], account_id: str) -> Script[v1.Account]:
    """Gets an account, with its keys."""
    request = v1.GetAccountRequest(account_id=account_id)
    answer: v1.GetAccountResponse = yield Call("GetAccount", request, client._key, "admin")
    return answer.account


def accounts(client: BaseClient[SeatT]) -> Script[list[v1.Account]]:
    """Lists all accounts, by id."""
    return (yield from paged("ListAccounts", v1.ListAccountsRequest(), "accounts", client._key, "admin"))


def update_account(
    client: BaseClient[SeatT],
    account_id: str,
    *,
    roles: Sequence[v1.AccountRole] = (),
    is_suspended: bool | None = None,
    request_id: str | None = None,
) -> Script[v1.Account]:
    """Gives an account these roles in the place of its own, unless there is none; suspends it, or lets it go on."""
    request = v1.UpdateAccountRequest(
        request_id=request_id or client._ids.next(),
        account_id=account_id,
        roles=list(roles),
        is_suspended=is_suspended,
    )
    answer: v1.UpdateAccountResponse = yield Call("UpdateAccount", request, client._key, "admin")
    return answer.account


def delete_account(client: BaseClient[SeatT], account_id: str, *, request_id: str | None = None) -> Script[None]:
    """Takes an account's rights and keys away for ever."""
    request = v1.DeleteAccountRequest(request_id=request_id or client._ids.next(), account_id=account_id)
    yield Call("DeleteAccount", request, client._key, "admin")


def create_account_key(
    client: BaseClient[SeatT],
    account_id: str,
    *,
    label: str = "",
    scopes: Sequence[v1.AccountRole] = (),
    expires: datetime | None = None,
    request_id: str | None = None,
) -> Script[v1.CreateAccountKeyResponse]:
    """Gives an account a key, whose text the answer has: a secret, which is told this once.

    `scopes`: the roles that it is for; none: all of the account's. `expires`: when it ends by itself.
    """
    request = v1.CreateAccountKeyRequest(
        request_id=request_id or client._ids.next(),
        account_id=account_id,
        label=label,
        scopes=list(scopes),
        expire_time=_moment(expires),
    )
    answer: v1.CreateAccountKeyResponse = yield Call("CreateAccountKey", request, client._key, "admin")
    return answer


def rotate_account_key(
    client: BaseClient[SeatT],
    account_id: str,
    key_number: int,
    *,
    overlap: timedelta = timedelta(0),
    expires: datetime | None = None,
    request_id: str | None = None,
) -> Script[v1.RotateAccountKeyResponse]:
    """Gives an account a key in the place of another, which goes on for `overlap`."""
    span = Duration()
    span.FromTimedelta(overlap)
    request = v1.RotateAccountKeyRequest(
        request_id=request_id or client._ids.next(),
        account_id=account_id,
        key_number=key_number,
        overlap=span,
        expire_time=_moment(expires),
    )
    answer: v1.RotateAccountKeyResponse = yield Call("RotateAccountKey", request, client._key, "admin")
    return answer


def revoke_account_key(
    client: BaseClient[SeatT], account_id: str, key_number: int, *, request_id: str | None = None
) -> Script[v1.AccountKey]:
    """Takes a key away at once."""
    request = v1.RevokeAccountKeyRequest(
        request_id=request_id or client._ids.next(), account_id=account_id, key_number=key_number
    )
    answer: v1.RevokeAccountKeyResponse = yield Call("RevokeAccountKey", request, client._key, "admin")
    return answer.account_key


def set_account_quota(
    client: BaseClient[SeatT], account_id: str, quota: v1.AccountQuota, *, request_id: str | None = None
) -> Script[v1.Account]:
    """Sets the part that an account has of what callers share, in the place of that which it had."""
    request = v1.SetAccountQuotaRequest(request_id=request_id or client._ids.next(), account_id=account_id, quota=quota)
    answer: v1.SetAccountQuotaResponse = yield Call("SetAccountQuota", request, client._key, "admin")
    return answer.account


def acts(client: BaseClient[SeatT], account_id: str = "") -> Script[list[v1.Act]]:
    """Lists what was done, in order: by this account or about it, or by all."""
    request = v1.ListActsRequest(account_id=account_id)
    return (yield from paged("ListActs", request, "acts", client._key, "admin"))


def erase_account_data(
    client: BaseClient[SeatT], account_id: str, *, request_id: str | None = None
) -> Script[v1.EraseAccountDataResponse]:
    """Takes a deleted account's id, and the names that its holder gave, out of all that the server keeps.

    The answer has the pseudonym in their place, and how much has to wait. The server looks through its whole store
    first: where that takes longer than a call has, it goes on by itself, and the call is made again.
    """
    request = v1.EraseAccountDataRequest(request_id=request_id or client._ids.next(), account_id=account_id)
    answer: v1.EraseAccountDataResponse = yield Call("EraseAccountData", request, client._key, "admin")
    return answer


def account_data_call(client: BaseClient[SeatT], account_id: str) -> Call:
    """Returns the call for all that the server keeps about an account, a deleted one too."""
    return Call("ExportAccountData", v1.ExportAccountDataRequest(account_id=account_id), client._key, "admin")


def _moment(moment: datetime | None) -> Timestamp | None:
    if moment is None:
        return None
    if moment.tzinfo is None:
        raise ValueError("expires: expected a moment with a time zone, such as `datetime.now(UTC)` and some days")
    stamp = Timestamp()
    stamp.FromDatetime(moment)
    return stamp
