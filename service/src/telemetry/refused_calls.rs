//! The calls that were refused, counted by reason ([`RefusedCalls`]): the log has a line for many of them, and none for each.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use edgehill_proto::v1::ErrorReason;
use tokio_util::sync::CancellationToken;
use tonic::Code;

use super::Metrics;
use crate::clock::Clock;
use crate::wire::error_reason;

/// The time that one line is about.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// The refused calls, and messages of streams, since the last line. Cheap to clone.
#[derive(Clone, Default, Debug)]
pub struct RefusedCalls {
    counts: Arc<Mutex<BTreeMap<&'static str, u64>>>,
    metrics: Metrics,
}

impl RefusedCalls {
    /// None yet; each is counted in `metrics`, too.
    #[must_use]
    pub fn new(metrics: Metrics) -> Self {
        Self { counts: Arc::default(), metrics }
    }

    /// Counts one that was refused for this reason, by its name ([`error_reason::name`], or [`code_name`] without one).
    pub fn count(&self, reason: &'static str) {
        *self.counts.lock().unwrap_or_else(PoisonError::into_inner).entry(reason).or_default() += 1;
        self.metrics.refused(reason);
    }

    /// Counts a message of a stream that was refused.
    pub fn count_message(&self, reason: ErrorReason) {
        self.count(error_reason::name(reason));
    }

    /// Writes a line now and then, if there were any, until `ended` is cancelled; what is left then has a line, too.
    pub async fn log(self, clock: Arc<dyn Clock>, ended: CancellationToken) {
        loop {
            let at = clock.elapsed().saturating_add(LINE_EVERY);
            let last = tokio::select! {
                () = ended.cancelled() => true,
                () = clock.reach(at) => false,
            };
            if let Some((refused, reasons)) = self.take() {
                tracing::info!(refused, reasons, "calls were refused");
            }
            if last {
                return;
            }
        }
    }

    /// The number since the last line, and their reasons in words; `None` if there were none.
    pub(crate) fn take(&self) -> Option<(u64, String)> {
        let counts = std::mem::take(&mut *self.counts.lock().unwrap_or_else(PoisonError::into_inner));
        let reasons: Vec<_> = counts.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        (!counts.is_empty()).then(|| (counts.values().sum(), reasons.join(", ")))
    }
}

/// The name of a status code, as gRPC's documents have it.
#[must_use]
pub const fn code_name(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_calls_are_counted_by_reason_until_they_have_their_line() {
        let refused = RefusedCalls::default();
        assert_eq!(refused.take(), None);
        for reason in ["RATE_LIMITED", "BAD_TOKEN", "RATE_LIMITED"] {
            refused.clone().count(reason);
        }
        refused.count_message(ErrorReason::RateLimited);
        assert_eq!(refused.take(), Some((4, "BAD_TOKEN 1, RATE_LIMITED 3".to_owned())));
        assert_eq!(refused.take(), None);
    }
}
