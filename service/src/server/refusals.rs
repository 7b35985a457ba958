//! What the assembly itself refuses, before or in place of a service.

use std::time::Duration;

use edgehill_proto::v1::{LimitName, Reason, Refusal};
use prost::{Message, Name};
use prost_types::Any;
use tonic::{Code, Status};
use tonic_types::pb::{ErrorInfo, RetryInfo};

/// When another server may be there in this one's place.
const RESTART: Duration = Duration::from_secs(1);

/// When one of very many calls will have ended.
const CROWD: Duration = Duration::from_millis(100);

/// DRAINING.
pub(super) fn draining() -> Status {
    let message = "the server is about to stop; connect again, and repeat the call as it was";
    refused(Reason::Draining, Code::Unavailable, message.to_owned(), Some(RESTART), None)
}

/// RATE_LIMITED.
pub(super) fn rate_limited(wait: Duration) -> Status {
    let message = format!("too many calls; wait {} ms", wait.as_millis());
    refused(Reason::RateLimited, Code::ResourceExhausted, message, Some(wait), None)
}

/// LIMIT_REACHED, for the calls of all callers.
pub(super) fn too_many_calls(max: u32) -> Status {
    let message = format!("{max} calls are under way, and this server takes no more at once");
    refused(Reason::LimitReached, Code::ResourceExhausted, message, Some(CROWD), None)
}

/// LIMIT_REACHED, for one caller's streams.
pub(super) fn too_many_streams(max: usize) -> Status {
    let limit = LimitName::Streams;
    let message = format!("{max} streams of this caller are open ({}); close one first", limit.as_str_name());
    refused(Reason::LimitReached, Code::ResourceExhausted, message, None, Some(limit))
}

/// INTERNAL_FAULT.
pub(super) fn fault() -> Status {
    let message = "a fault of the server, which has logged it";
    refused(Reason::InternalFault, Code::Internal, message.to_owned(), None, None)
}

fn refused(
    reason: Reason,
    code: Code,
    message: String,
    wait: Option<Duration>,
    limit: Option<LimitName>,
) -> Status {
    let name = reason.as_str_name();
    let info = ErrorInfo {
        reason: name.strip_prefix("REASON_").unwrap_or(name).to_owned(),
        domain: "edgehill".to_owned(),
        metadata: limit.iter().map(|limit| ("limit".to_owned(), limit.as_str_name().to_owned())).collect(),
    };
    let mut details = vec![any("google.rpc.ErrorInfo", &info)];
    if let Some(wait) = wait {
        let retry = RetryInfo { retry_delay: prost_types::Duration::try_from(wait).ok() };
        details.push(any("google.rpc.RetryInfo", &retry));
    }
    let refusal = Refusal {
        reason: reason.into(),
        code: code as u32,
        message: message.clone(),
        retry_after_micros: wait.map(|wait| u64::try_from(wait.as_micros()).unwrap_or(u64::MAX)),
        ..Refusal::default()
    };
    details.push(any(&Refusal::full_name(), &refusal));
    let whole = tonic_types::pb::Status { code: code as i32, message: message.clone(), details };
    Status::with_details(code, message, whole.encode_to_vec().into())
}

fn any(name: &str, message: &impl Message) -> Any {
    Any { type_url: format!("type.googleapis.com/{name}"), value: message.encode_to_vec() }
}
