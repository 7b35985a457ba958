//! Calls that are made again until they have an answer ([`RetryPolicy`]).
//!
//! Invariant: what is made again is the same call with the same request id, so that it happens once however often it is sent.

use std::error::Error as _;
use std::future::Future;
use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use edgehill_proto::v1::ErrorReason;
use tokio::time::{Instant, sleep, timeout};
use tonic::{Code, Response, Status};

use crate::error::Error;
use crate::refused::Refused;

/// The retry policy: how long, and how often, a lost call is made again.
#[derive(Clone, Debug)]
pub struct RetryPolicy {
    /// For how long a call is repeated, and for how long a lost stream is opened again, before it fails; 30 s.
    pub deadline: Duration,
    /// The time that one try may take; 10 s. A stream may last: this is for what is answered once.
    pub attempt: Duration,
    /// The pause after the first failure; 50 ms. Pauses double, with a random share, so that clients come back one by one.
    pub pause_min: Duration,
    /// The longest pause; 2 s.
    pub pause_max: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            deadline: Duration::from_secs(30),
            attempt: Duration::from_secs(10),
            pause_min: Duration::from_millis(50),
            pause_max: Duration::from_secs(2),
        }
    }
}

/// One outage: when it began, and the pauses between tries.
#[derive(Debug)]
pub(crate) struct Outage {
    deadline: Duration,
    began: Instant,
    pauses: ExponentialBackoff,
    faults: u32,
}

/// The decision to make a failed call again, or not.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Again {
    /// To repeat it is of no use.
    Never,
    /// Once: a fault of the server.
    Once,
    /// After this time at least.
    After(Duration),
}

impl Outage {
    pub(crate) fn new(retry_policy: &RetryPolicy) -> Self {
        let pauses = ExponentialBuilder::default()
            .with_min_delay(retry_policy.pause_min)
            .with_max_delay(retry_policy.pause_max)
            .with_jitter()
            .without_max_times()
            .build();
        Self { deadline: retry_policy.deadline, began: Instant::now(), pauses, faults: 0 }
    }

    /// Waits until the call may be made again.
    ///
    /// # Errors
    /// If it is of no use, or the deadline does not leave the time.
    pub(crate) async fn pause(&mut self, status: Status) -> Result<(), Error> {
        let at_least = match again(&status) {
            Again::Never => return Err(Error::of(status)),
            Again::Once if self.faults > 0 => return Err(Error::of(status)),
            Again::Once => Duration::ZERO,
            Again::After(at_least) => at_least,
        };
        self.faults += u32::from(status.code() == Code::Internal);
        let pause = self.pauses.next().unwrap_or_default().max(at_least);
        let waited = self.began.elapsed();
        if waited + pause > self.deadline {
            return Err(match Refused::from_status(&status) {
                Some(refused) => refused.into(),
                None => Error::Unreachable { waited, last: Box::new(status) },
            });
        }
        sleep(pause).await;
        Ok(())
    }
}

/// Makes a call until it has an answer.
pub(crate) async fn until_answered<T, A>(
    retry_policy: &RetryPolicy,
    mut attempt: impl FnMut() -> A,
) -> Result<T, Error>
where
    A: Future<Output = Result<Response<T>, Status>>,
{
    let mut outage = Outage::new(retry_policy);
    loop {
        let status = match timeout(retry_policy.attempt, attempt()).await {
            Ok(Ok(response)) => return Ok(response.into_inner()),
            Ok(Err(status)) => status,
            Err(_) => late(retry_policy),
        };
        outage.pause(status).await?;
    }
}

/// The status of a try that took too long.
pub(crate) fn late(retry_policy: &RetryPolicy) -> Status {
    Status::unavailable(format!("no answer within {} s", retry_policy.attempt.as_secs_f32()))
}

fn again(status: &Status) -> Again {
    if let Some(refused) = Refused::from_status(status) {
        return match (refused.reason(), refused.retry_after()) {
            (_, Some(wait)) => Again::After(wait),
            (ErrorReason::StoreUnavailable | ErrorReason::Draining, None) => Again::After(Duration::ZERO),
            (ErrorReason::InternalFault, None) => Again::Once,
            _ => Again::Never,
        };
    }
    // A status that was made on this side, of something that broke, has that as its source.
    let broke = status.source().is_some();
    match status.code() {
        Code::Unavailable => Again::After(Duration::ZERO),
        Code::Unknown | Code::Cancelled | Code::Internal if broke => Again::After(Duration::ZERO),
        Code::Internal => Again::Once,
        _ => Again::Never,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(reason: ErrorReason, code: Code, retry_after_micros: Option<u64>) -> Status {
        let refusal = edgehill_proto::v1::Refusal {
            reason: reason.into(),
            code: code as u32,
            retry_after_micros,
            ..Default::default()
        };
        let detail = prost_types::Any::from_msg(&refusal).expect("a message with a name");
        let details = tonic_types::pb::Status { details: vec![detail], ..Default::default() };
        Status::with_details(code, "refused", prost::Message::encode_to_vec(&details).into())
    }

    #[test]
    fn what_may_pass_is_repeated_and_what_can_not_is_not() {
        let now = Again::After(Duration::ZERO);
        assert_eq!(again(&refused(ErrorReason::StoreUnavailable, Code::Unavailable, None)), now);
        assert_eq!(again(&refused(ErrorReason::Draining, Code::Unavailable, None)), now);
        assert_eq!(again(&Status::unavailable("no connection")), now);
        assert_eq!(again(&refused(ErrorReason::InternalFault, Code::Internal, None)), Again::Once);
        let limited = refused(ErrorReason::RateLimited, Code::ResourceExhausted, Some(1_500));
        assert_eq!(again(&limited), Again::After(Duration::from_micros(1_500)));
        for (reason, code) in [
            (ErrorReason::IllegalAction, Code::FailedPrecondition),
            (ErrorReason::StaleSequence, Code::Aborted),
            (ErrorReason::RequestIdReused, Code::AlreadyExists),
            (ErrorReason::LimitReached, Code::ResourceExhausted),
            (ErrorReason::BadToken, Code::Unauthenticated),
        ] {
            assert_eq!(again(&refused(reason, code, None)), Again::Never, "{reason:?}");
        }
        assert_eq!(again(&Status::unimplemented("another API")), Again::Never);
        assert_eq!(again(&Status::unknown("of the server itself")), Again::Never);
    }

    #[tokio::test(start_paused = true)]
    async fn a_fault_of_the_server_is_tried_once_more() {
        let mut tries = 0;
        let retry_policy = RetryPolicy::default();
        let answer = until_answered(&retry_policy, || {
            tries += 1;
            async { Err::<Response<()>, _>(refused(ErrorReason::InternalFault, Code::Internal, None)) }
        });
        let error = answer.await.expect_err("the server is at fault");
        assert_eq!(error.refused().expect("refused").reason(), ErrorReason::InternalFault);
        assert_eq!(tries, 2);
    }

    #[tokio::test(start_paused = true)]
    async fn repeating_ends_at_the_deadline() {
        let retry_policy = RetryPolicy { deadline: Duration::from_secs(5), ..RetryPolicy::default() };
        let began = Instant::now();
        let mut tries = 0;
        let answer = until_answered(&retry_policy, || {
            tries += 1;
            async { Err::<Response<()>, _>(Status::unavailable("no connection")) }
        });
        assert!(matches!(answer.await, Err(Error::Unreachable { .. })));
        assert!(tries > 3, "{tries} tries");
        assert!(began.elapsed() <= retry_policy.deadline);
    }

    #[tokio::test(start_paused = true)]
    async fn a_try_that_takes_too_long_is_given_up_and_made_again() {
        let mut tries = 0;
        let retry_policy = RetryPolicy::default();
        let answer = until_answered(&retry_policy, || {
            tries += 1;
            let hangs = tries == 1;
            async move {
                if hangs {
                    std::future::pending::<()>().await;
                }
                Ok(Response::new(tries))
            }
        });
        assert_eq!(answer.await.expect("an answer"), 2);
    }
}
