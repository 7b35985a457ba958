"""The errors of a call, as exceptions: docs/errors.md is the list of reasons, and says what to do about each."""

from __future__ import annotations

from typing import Any, Final

import grpc
from grpc_status import rpc_status

from edgehill import v1

STATUS_CODES: Final = {code.value[0]: code for code in grpc.StatusCode}
"""The gRPC status codes by number."""


class EdgehillError(Exception):
    """Everything that this package raises by itself."""


class Refused(EdgehillError):
    """The server has refused a call: nothing has changed, and no die was asked for."""

    def __init__(self, refusal: v1.Refusal) -> None:
        super().__init__(refusal)
        self.refusal: Final = refusal
        """All that the server has said: rule violations, field violations, the place in the list."""

    @property
    def reason(self) -> v1.ErrorReason:
        """The reason that programs go by, such as `v1.ERROR_REASON_ILLEGAL_ACTION`; a newer server has others."""
        return self.refusal.reason

    @property
    def name(self) -> str:
        """The reason as docs/errors.md has it, such as `ILLEGAL_ACTION`."""
        if self.reason not in v1.ErrorReason.values():
            return str(int(self.reason))
        return v1.ErrorReason.Name(self.reason).removeprefix("ERROR_REASON_")

    @property
    def code(self) -> Any:
        """The `grpc.StatusCode`."""
        return STATUS_CODES.get(self.refusal.code, grpc.StatusCode.UNKNOWN)

    def __str__(self) -> str:
        fields = [f"{violation.field}: {violation.description}" for violation in self.refusal.field_violations]
        rules = [_cited(violation) for violation in self.refusal.rule_violations]
        further = [text for text in (*fields, *rules) if text not in self.refusal.message]
        return "; ".join([f"{self.name}: {self.refusal.message}", *further])


def _cited(violation: v1.RuleViolation) -> str:
    """The violation in words, with the rule of the game if there is one."""
    text = violation.text or violation.code
    return text if violation.rule in ("", "contract") else f"{text} (rule {violation.rule})"


class CallFailed(EdgehillError):
    """A call failed on its way: the server did not answer, or what answered is no Edgehill.

    Unless nothing was sent, it is not known whether the server carried it out: repeated with its request id it is safe.
    """

    def __init__(self, code: Any, details: str) -> None:
        super().__init__(f"{code.name}: {details}")
        self.code: Final = code
        """The `grpc.StatusCode`."""
        self.details: Final = details
        """The details that gRPC gives."""


class ConnectError(CallFailed):
    """No server answers at the address, and none did since the client was made. Nothing was sent."""

    def __init__(self, address: str, details: str) -> None:
        super().__init__(grpc.StatusCode.UNAVAILABLE, details)
        self.address: Final = address
        """The host and port that were tried."""

    def __str__(self) -> str:
        return (
            f"no server answers at {self.address}: {self.details}\n"
            "is the server running? `make run` starts one on 127.0.0.1:7400"
        )


class InvalidUrl(EdgehillError, ValueError):
    """The address of the server is none."""


class InvalidCertificate(EdgehillError, ValueError):
    """A certificate to trust or to show is none, or lacks its key."""


class InvalidToken(EdgehillError, ValueError):
    """A key or token is none: it has characters that no header takes."""


class FoldError(EdgehillError):
    """An update does not give the present view. Ask for one: `Seat.view`, `ViewTracker.look`."""


class UnknownChange(FoldError):
    """A change of a view that this client does not know: the server is newer."""


class SequenceGap(FoldError):
    """Events between the view and the update are missing."""


class Unverified(EdgehillError):
    """The dice or the record of a match do not check. The message says what, and what was expected."""


def of(error: grpc.RpcError) -> EdgehillError:
    """Returns the exception for a failed call."""
    try:
        status = rpc_status.from_call(error)
    except ValueError:
        status = None  # details that contradict the status: their writer is no Edgehill
    refusal = v1.Refusal()
    for detail in status.details if status else ():
        if detail.Unpack(refusal):
            return Refused(refusal)
    return CallFailed(error.code(), error.details() or "")
