//! Calls that are made again until they have an answer ([`RetryPolicy`]).
//!
//! Invariant: what is made again is the same call with the same request id, so that it happens once however often it is sent.

use std::error::Error as _;
use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use tokio::time::{Instant, sleep, timeout};
use tonic::{Code, Response, Status};

use crate::error::Error;
use crate::refusal::ServerRefusal;

/// The retry policy: how long, and how often, a lost call is made again.
#[derive(Clone, Debug)]
pub struct RetryPolicy {
    /// For how long a connection is tried for before there has been any; 2 s. A server that never answered is not waited
    /// for, since it is more often a wrong port than an outage. A longer time waits for a server that is about to start.
    pub first_connection: Duration,
    /// For how long a call is repeated, and for how long a lost stream is opened again, before it fails; 30 s.
    pub deadline: Duration,
    /// The time that one try may take; 10 s. A stream may last: this is for each of its first and only answers.
    pub attempt: Duration,
    /// The pause after the first failure; 50 ms. Pauses double, with a random share, so that clients come back one by one.
    pub pause_min: Duration,
    /// The longest pause; 2 s.
    pub pause_max: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            first_connection: Duration::from_secs(2),
            deadline: Duration::from_secs(30),
            attempt: Duration::from_secs(10),
            pause_min: Duration::from_millis(50),
            pause_max: Duration::from_secs(2),
        }
    }
}

/// The server's URL, and whether anything there has ever answered.
#[derive(Debug)]
pub(crate) struct Contact {
    url: String,
    made: AtomicBool,
}

impl Contact {
    pub(crate) const fn new(url: String) -> Self {
        Self { url, made: AtomicBool::new(false) }
    }

    /// Notes that the server has answered.
    pub(crate) fn note(&self) {
        self.made.store(true, Ordering::Relaxed);
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    fn is_made(&self) -> bool {
        self.made.load(Ordering::Relaxed)
    }
}

/// One outage: when it began, and the pauses between tries.
#[derive(Debug)]
pub(crate) struct Outage {
    deadline: Duration,
    first_connection: Duration,
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
        Self {
            deadline: retry_policy.deadline,
            first_connection: retry_policy.first_connection.min(retry_policy.deadline),
            began: Instant::now(),
            pauses,
            faults: 0,
        }
    }

    /// Waits until the call may be made again.
    ///
    /// # Errors
    /// If it is of no use, or the deadline does not leave the time.
    pub(crate) async fn pause(&mut self, status: Status, contact: &Contact) -> Result<(), Error> {
        let at_least = match again(&status) {
            Again::Never => return Err(Error::of(status)),
            Again::Once if self.faults > 0 => return Err(Error::of(status)),
            Again::Once => {
                self.faults += 1;
                Duration::ZERO
            }
            Again::After(at_least) => at_least,
        };
        let pause = self.pauses.next().unwrap_or_default().max(at_least);
        let waited = self.began.elapsed();
        // A status that was made on this side, while nothing has ever come from the other.
        let unconnected = status.source().is_some() && !contact.is_made();
        let deadline = if unconnected { self.first_connection } else { self.deadline };
        if waited + pause <= deadline {
            #[expect(clippy::disallowed_methods, reason = "a pause before the next attempt")]
            sleep(pause).await;
            return Ok(());
        }
        let url = contact.url().to_owned();
        Err(match ServerRefusal::from_status(&status) {
            Some(refusal) => refusal.into(),
            None if unconnected => Error::Connect { url, why: root_cause(&status) },
            None => Error::Unreachable { url, waited, last: Box::new(status) },
        })
    }
}

/// Makes a call until it has an answer.
pub(crate) async fn until_answered<T, A>(
    retry_policy: &RetryPolicy,
    contact: &Contact,
    mut attempt: impl FnMut() -> A,
) -> Result<T, Error>
where
    A: Future<Output = Result<Response<T>, Status>>,
{
    let mut outage = Outage::new(retry_policy);
    loop {
        let status = match timeout(retry_policy.attempt, attempt()).await {
            Ok(Ok(response)) => {
                contact.note();
                return Ok(response.into_inner());
            }
            Ok(Err(status)) => status,
            Err(_) => late(retry_policy),
        };
        outage.pause(status, contact).await?;
    }
}

/// The status of a try that took too long.
pub(crate) fn late(retry_policy: &RetryPolicy) -> Status {
    Status::unavailable(format!("no answer within {} s", retry_policy.attempt.as_secs_f32()))
}

/// The innermost cause of an error, such as `Connection refused`.
pub(crate) fn root_cause(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}

fn again(status: &Status) -> Again {
    if let Some(refusal) = ServerRefusal::from_status(status) {
        return match (refusal.code(), refusal.retry_after()) {
            (Code::Unavailable, wait) => Again::After(wait.unwrap_or_default()),
            (Code::ResourceExhausted, Some(wait)) => Again::After(wait),
            (Code::Internal, _) => Again::Once,
            _ => Again::Never,
        };
    }
    // A status that was made on this side, of something that broke, has that as its source.
    let broke = status.source().is_some();
    match status.code() {
        Code::Unavailable | Code::DeadlineExceeded => Again::After(Duration::ZERO),
        Code::Unknown | Code::Cancelled | Code::Internal if broke => Again::After(Duration::ZERO),
        Code::Unknown | Code::Cancelled | Code::Internal => Again::Once,
        _ => Again::Never,
    }
}

#[cfg(test)]
mod tests {
    use edgehill_proto::v1::ErrorReason;

    use super::*;

    /// The vectors that every client is held to (clients/conformance).
    #[tokio::test(start_paused = true)]
    async fn calls_are_repeated_as_the_vectors_say() {
        let file = include_str!("../../../conformance/errors.json");
        let file: serde_json::Value = serde_json::from_str(file).expect("JSON");
        assert_eq!(file["format"], "edgehill-error-vectors/1");
        for vector in file["retries"].as_array().expect("vectors") {
            let code = code(vector["code"].as_str().expect("a code"));
            let retry_after = vector["retry_after_ms"].as_u64().map(Duration::from_millis);
            let failure = || match vector["refused"].as_bool().expect("a bool") {
                true => refused(ErrorReason::Unspecified, code, retry_after),
                false => Status::new(code, "on its way"),
            };
            let (mut outage, contact) =
                (Outage::new(&RetryPolicy { deadline: Duration::MAX, ..RetryPolicy::default() }), contact());
            let failures = vector["failures"].as_u64().expect("a number");
            for _ in 1..failures {
                outage.pause(failure(), &contact).await.expect("it is repeated");
            }
            let began = Instant::now();
            let paused = outage.pause(failure(), &contact).await.map(|()| began.elapsed());
            match vector["pause_ms"].as_u64() {
                None => assert!(paused.is_err(), "{vector}"),
                Some(least) => {
                    assert!(paused.expect("it is repeated") >= Duration::from_millis(least), "{vector}")
                }
            }
        }
    }

    fn code(name: &str) -> Code {
        let named = |code: &Code| format!("{code:?}").to_uppercase() == name.replace('_', "");
        (0..17).map(Code::from_i32).find(named).expect("a code of gRPC")
    }

    fn refused(reason: ErrorReason, code: Code, retry_after: Option<Duration>) -> Status {
        let refusal = edgehill_proto::v1::Refusal {
            reason: reason.into(),
            code: code as i32,
            retry_after: retry_after.map(|wait| wait.try_into().expect("a short time")),
            ..Default::default()
        };
        let detail = prost_types::Any::from_msg(&refusal).expect("a message with a name");
        let details = tonic_types::pb::Status { details: vec![detail], ..Default::default() };
        Status::with_details(code, "refused", prost::Message::encode_to_vec(&details).into())
    }

    fn contact() -> Contact {
        Contact::new("http://127.0.0.1:7400".to_owned())
    }

    /// The status of a connection that can't be made.
    fn unconnected() -> Status {
        Status::from_error(Box::new(std::io::Error::from(std::io::ErrorKind::ConnectionRefused)))
    }

    #[test]
    fn what_may_pass_is_repeated_and_what_can_not_is_not() {
        let now = Again::After(Duration::ZERO);
        assert_eq!(again(&refused(ErrorReason::StoreUnavailable, Code::Unavailable, None)), now);
        assert_eq!(again(&refused(ErrorReason::Draining, Code::Unavailable, None)), now);
        assert_eq!(again(&Status::unavailable("no connection")), now);
        assert_eq!(again(&refused(ErrorReason::InternalFault, Code::Internal, None)), Again::Once);
        let limited =
            refused(ErrorReason::RateLimited, Code::ResourceExhausted, Some(Duration::from_micros(1_500)));
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
        assert_eq!(again(&Status::unknown("of the server itself")), Again::Once);
    }

    #[tokio::test(start_paused = true)]
    async fn a_fault_of_the_server_is_tried_once_more() {
        let mut tries = 0;
        let contact = contact();
        let retry_policy = RetryPolicy::default();
        let answer = until_answered(&retry_policy, &contact, || {
            tries += 1;
            async { Err::<Response<()>, _>(refused(ErrorReason::InternalFault, Code::Internal, None)) }
        });
        let error = answer.await.expect_err("the server is at fault");
        assert_eq!(error.refusal().expect("refused").reason(), ErrorReason::InternalFault);
        assert_eq!(tries, 2);
    }

    #[tokio::test(start_paused = true)]
    async fn repeating_ends_at_the_deadline() {
        let retry_policy = RetryPolicy { deadline: Duration::from_secs(5), ..RetryPolicy::default() };
        let began = Instant::now();
        let contact = contact();
        let mut tries = 0;
        let answer = until_answered(&retry_policy, &contact, || {
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
        let contact = contact();
        let retry_policy = RetryPolicy::default();
        let answer = until_answered(&retry_policy, &contact, || {
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

    #[tokio::test(start_paused = true)]
    async fn a_server_that_never_answered_is_not_waited_for() {
        let contact = contact();
        let retry_policy = RetryPolicy::default();
        let refuse = || async { Err::<Response<()>, _>(unconnected()) };
        let began = Instant::now();
        let error = until_answered(&retry_policy, &contact, refuse).await.expect_err("nothing is there");
        assert!(began.elapsed() <= Duration::from_secs(2));
        assert!(matches!(&error, Error::Connect { url, .. } if url == contact.url()), "{error}");
        for part in ["http://127.0.0.1:7400", "connection refused", "make run", "port"] {
            assert!(error.to_string().contains(part), "`{part}` is not in: {error}");
        }

        let patient = RetryPolicy { first_connection: Duration::from_secs(20), ..RetryPolicy::default() };
        let began = Instant::now();
        assert!(until_answered(&patient, &contact, refuse).await.is_err());
        assert!(began.elapsed() > Duration::from_secs(10));

        contact.note();
        let began = Instant::now();
        let error = until_answered(&retry_policy, &contact, refuse).await.expect_err("it is gone");
        assert!(matches!(error, Error::Unreachable { .. }), "{error}");
        assert!(began.elapsed() > Duration::from_secs(10), "an outage is waited for");
    }
}
