//! The time that a client gives a call ([`Deadline`]), which it has once, through however many servers it goes.
//!
//! The transport bounds calls by it as well, and says that they were cancelled; here they end with the code that gRPC has for it. The time
//! is that of an answer's head: how long a stream goes on is for its client to say, who ends it.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context as Task, Poll};
use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue, Request, Response};
use tokio::time::{Instant, timeout_at};
use tokio_util::either::Either;
use tonic::body::Body;
use tower::Service;
use tower::layer::layer_fn;

use super::refusals;

/// The header with the time that a call has.
const TIMEOUT: HeaderName = HeaderName::from_static("grpc-timeout");

/// The most digits that it has.
const DIGITS_MAX: usize = 8;

/// The time by which a call ends sooner here than by the transport's timer, which was set a moment before: more than a tick of either.
const LEAD: Duration = Duration::from_millis(3);

/// The moment by which the client of a call wants its answer. A call that has one bears it as an extension.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Deadline(Instant);

impl Deadline {
    /// The deadline of a call with these headers that comes now; `None`: it has none, or none that can be read.
    pub(super) fn of(headers: &HeaderMap) -> Option<Self> {
        let time = parse(headers.get(&TIMEOUT)?.to_str().ok()?)?;
        Instant::now().checked_add(time).map(Self)
    }

    /// Has these headers say how much of the time is left.
    pub(super) fn tell(self, headers: &mut HeaderMap) {
        let left = self.0.saturating_duration_since(Instant::now());
        if let Ok(value) = HeaderValue::try_from(format(left)) {
            headers.insert(TIMEOUT, value);
        }
    }
}

/// A time as the header has it: at most eight digits and a unit.
fn parse(text: &str) -> Option<Duration> {
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    if digits.is_empty() || digits.len() > DIGITS_MAX || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let count: u64 = digits.parse().ok()?;
    Some(match unit {
        "H" => Duration::from_secs(count * 3_600),
        "M" => Duration::from_secs(count * 60),
        "S" => Duration::from_secs(count),
        "m" => Duration::from_millis(count),
        "u" => Duration::from_micros(count),
        "n" => Duration::from_nanos(count),
        _ => return None,
    })
}

/// The same the other way, in the finest unit that has room for it, and never more than it is.
fn format(time: Duration) -> String {
    let seconds = u128::from(time.as_secs());
    let counts = [(time.as_micros(), 'u'), (time.as_millis(), 'm'), (seconds, 'S'), (seconds / 3_600, 'H')];
    let most = 10_u128.pow(DIGITS_MAX as u32) - 1;
    let (count, unit) = counts.into_iter().find(|(count, _)| *count <= most).unwrap_or((most, 'H'));
    format!("{count}{unit}")
}

/// Ends calls whose time is over.
pub(super) fn deadlines<S>() -> impl tower::Layer<S, Service = Bounded<S>> + Clone {
    layer_fn(|inner| Bounded { inner })
}

/// A service whose calls end when their time is over.
#[derive(Clone, Debug)]
pub(super) struct Bounded<S> {
    inner: S,
}

impl<S> Service<Request<Body>> for Bounded<S>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
    S::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Either<S::Future, Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>>;

    fn poll_ready(&mut self, cx: &mut Task<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let Some(deadline) = Deadline::of(request.headers()) else {
            return Either::Left(self.inner.call(request));
        };
        request.extensions_mut().insert(deadline);
        let until = deadline.0.checked_sub(LEAD).unwrap_or(deadline.0);
        let answer = timeout_at(until, self.inner.call(request));
        Either::Right(Box::pin(async { answer.await.unwrap_or_else(|_| Ok(refusals::late().into_http())) }))
    }
}

#[cfg(test)]
mod tests {
    use tonic::{Code, Status};
    use tower::{ServiceBuilder, ServiceExt as _, service_fn};

    use super::*;

    fn headers(timeout: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(TIMEOUT, HeaderValue::from_static(timeout))])
    }

    #[test]
    fn a_time_is_written_as_it_is_read_and_never_as_more() {
        let hour = Duration::from_secs(3_600);
        for (text, time) in [
            ("0u", Duration::ZERO),
            ("250000u", Duration::from_millis(250)),
            ("99999999u", Duration::from_micros(99_999_999)),
            ("100000m", Duration::from_secs(100)),
            ("99999999m", Duration::from_millis(99_999_999)),
            ("100000S", Duration::from_secs(100_000)),
            ("27778H", 27_778 * hour),
        ] {
            assert_eq!((parse(text), &*format(time)), (Some(time), text));
        }
        for (text, time) in [("2M", 120), ("5S", 5), ("7000m", 7), ("3H", 10_800)] {
            assert_eq!(parse(text), Some(Duration::from_secs(time)), "{text}");
        }
        assert_eq!(parse("9000000n"), Some(Duration::from_millis(9)));
        // There is no room for more, and of a unit for less than a whole one.
        assert_eq!(format(Duration::MAX), "99999999H");
        assert_eq!(format(Duration::from_nanos(1_999)), "1u");
        assert_eq!(format(Duration::from_micros(100_000_999)), "100000m");
        for bad in ["", "S", "5", "-5S", "+5S", "123456789S", "5s", "5 S", "5µ"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_left_is_told() {
        let mut told = headers("2S");
        let deadline = Deadline::of(&told).unwrap();
        tokio::time::advance(Duration::from_millis(1_500)).await;
        deadline.tell(&mut told);
        assert_eq!(told.get(&TIMEOUT).unwrap(), "500000u");
        tokio::time::advance(Duration::from_secs(1)).await;
        deadline.tell(&mut told);
        assert_eq!(told.get(&TIMEOUT).unwrap(), "0u");
        assert_eq!(Deadline::of(&HeaderMap::new()), None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_that_is_not_answered_in_time_is_told_so() {
        let silent = ServiceBuilder::new()
            .layer(deadlines())
            .service(service_fn(|_: Request<Body>| std::future::pending::<Result<_, Infallible>>()));
        let mut request = Request::new(Body::empty());
        *request.headers_mut() = headers("300m");
        let began = Instant::now();
        let Ok(answer) = silent.oneshot(request).await;
        let status = Status::from_header_map(answer.headers()).unwrap();
        assert_eq!(status.code(), Code::DeadlineExceeded);
        let (ended, time) = (began.elapsed(), Duration::from_millis(300));
        assert!(time - LEAD <= ended && ended < time, "before the transport does: {ended:?}");
    }
}
