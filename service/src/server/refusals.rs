//! The refusals of the assembly itself, before or in place of a service.

use std::time::Duration;

use edgehill_proto::v1::{ErrorReason, QuotaSubject};
use tonic::Status;

use crate::wire::Refused;

/// When another server may be there in this one's place.
const RESTART: Duration = Duration::from_secs(1);

/// When another server may have taken the matches over.
const TAKE_OVER: Duration = Duration::from_millis(250);

/// When one of very many calls will have ended.
const CROWD: Duration = Duration::from_millis(100);

/// DRAINING.
pub(super) fn draining() -> Status {
    Refused::draining(RESTART).into()
}

/// STORE_UNAVAILABLE, where no server of several is known to own the matches, or this one may do so no more.
pub(super) fn no_owner() -> Status {
    let message = "no server has this match at this moment; repeat the call as it was";
    Refused::new(ErrorReason::StoreUnavailable, message).retry_after(TAKE_OVER).into()
}

/// STORE_UNAVAILABLE, where the server that a call was handed on to has not answered.
pub(super) fn owner_lost() -> Status {
    let message = "the server that has this match has not answered: it is not known whether the call was made durable; repeat it as it was";
    Refused::new(ErrorReason::StoreUnavailable, message).retry_after(TAKE_OVER).into()
}

/// DEADLINE_EXCEEDED, where the time is over that the client gave its call.
pub(super) fn late() -> Status {
    Status::deadline_exceeded(
        "the time that this call was given is over: it is not known whether the call was made durable",
    )
}

/// RATE_LIMITED.
pub(super) fn rate_limited(wait: Duration) -> Status {
    Refused::rate_limited(wait).into()
}

/// RATE_LIMITED, for the bytes of a caller's requests.
pub(super) fn too_many_bytes(wait: Duration) -> Status {
    Refused::new(ErrorReason::RateLimited, "too many bytes").retry_after(wait).into()
}

/// LIMIT_REACHED, for the calls of all callers: no limit of one caller, and so none of `LimitName`.
pub(super) fn too_many_calls(max: u32) -> Status {
    let message = format!("{max} calls are under way, and this server takes no more at once");
    Refused::new(ErrorReason::LimitReached, message).of_quota(QuotaSubject::Server).retry_after(CROWD).into()
}

/// LIMIT_REACHED, for the calls of one caller.
pub(super) fn too_many_of_caller(max: usize) -> Status {
    let message = format!("{max} calls of this caller are under way, and no more are taken at once");
    Refused::new(ErrorReason::LimitReached, message).retry_after(CROWD).into()
}

/// INTERNAL_FAULT.
pub(super) fn fault() -> Status {
    Refused::of(ErrorReason::InternalFault).into()
}
