//! Refusals in the status of a call, and out of it again.

use std::collections::BTreeMap;

use edgehill_proto::v1;
use prost::{Message, Name};
use prost_types::Any;
use tonic::Status;
use tonic_types::pb;

use super::{Refused, error_reason, quota_subject};

/// `google.rpc.ErrorInfo.domain` of every refusal.
pub const DOMAIN: &str = "edgehill";

const TYPES: &str = "type.googleapis.com";

/// `google.rpc.ErrorInfo`, with its metadata in order: equal refusals are equal bytes.
#[derive(Clone, PartialEq, Message)]
struct ErrorInfo {
    #[prost(string, tag = "1")]
    reason: String,
    #[prost(string, tag = "2")]
    domain: String,
    #[prost(btree_map = "string, string", tag = "3")]
    metadata: BTreeMap<String, String>,
}

impl From<Refused> for Status {
    /// Code, message, and in the details `ErrorInfo`, `BadRequest`, `QuotaFailure` and `RetryInfo` where they apply, and the
    /// `Refusal`.
    fn from(refused: Refused) -> Self {
        let code = refused.code();
        let elsewhere = refused.is_elsewhere();
        let mut details = vec![any("google.rpc.ErrorInfo", &error_info(&refused))];
        let refusal = refused.into_refusal();
        if !refusal.field_violations.is_empty() {
            let violations = refusal.field_violations.iter();
            let violations = violations.map(|one| pb::bad_request::FieldViolation {
                field: one.field.clone(),
                description: one.description.clone(),
                ..pb::bad_request::FieldViolation::default()
            });
            details.push(any(
                "google.rpc.BadRequest",
                &pb::BadRequest { field_violations: violations.collect() },
            ));
        }
        if let Some(subject) = quota_subject::name(refusal.quota_subject()) {
            let violation = pb::quota_failure::Violation {
                subject: subject.to_owned(),
                description: refusal.message.clone(),
                ..pb::quota_failure::Violation::default()
            };
            details.push(any("google.rpc.QuotaFailure", &pb::QuotaFailure { violations: vec![violation] }));
        }
        if refusal.retry_after.is_some() {
            let retry = pb::RetryInfo { retry_delay: refusal.retry_after };
            details.push(any("google.rpc.RetryInfo", &retry));
        }
        details.push(any(&v1::Refusal::full_name(), &refusal));
        let whole = pb::Status { code: code.into(), message: refusal.message.clone(), details };
        let mut status = Self::with_details(code, refusal.message, whole.encode_to_vec().into());
        // An id is of characters that a header may have.
        if let Some(value) = elsewhere.and_then(|id| id.to_string().parse().ok()) {
            status.metadata_mut().insert(ELSEWHERE, value);
        }
        status
    }
}

/// The header in which one server tells another one of which match a call is that a third one has. Clients get none.
pub const ELSEWHERE: &str = "edgehill-elsewhere";

/// The value of that header, in place of a match's id, for a call that nobody can answer at this moment, and of which nothing was done.
pub const NOWHERE: &str = "nowhere";

/// The `Refusal` in the details of a status; `None` if it is the transport's own.
#[must_use]
pub fn read(status: &Status) -> Option<v1::Refusal> {
    let details = pb::Status::decode(status.details()).ok()?.details;
    let name = v1::Refusal::full_name();
    let any = details.iter().find(|any| any.type_url.rsplit('/').next() == Some(&name))?;
    v1::Refusal::decode(&*any.value).ok()
}

fn error_info(refused: &Refused) -> ErrorInfo {
    let refusal = refused.refusal();
    let entries = [
        ("index", refusal.index.map(|index| index.to_string())),
        ("violation", refusal.rule_violations.first().map(|violation| violation.code.clone())),
        ("seq", refusal.seq.map(|seq| seq.to_string())),
        ("limit", refused.limit().map(|limit| limit.as_str_name().to_owned())),
    ];
    let metadata = entries.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect();
    ErrorInfo { reason: error_reason::name(refused.reason()).to_owned(), domain: DOMAIN.to_owned(), metadata }
}

fn any(name: &str, message: &impl Message) -> Any {
    Any { type_url: format!("{TYPES}/{name}"), value: message.encode_to_vec() }
}
