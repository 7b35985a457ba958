//! Answers on their way to clients that may not read them: [`Answers`].

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http_body::{Body as HttpBody, Frame, SizeHint};
use slab::Slab;
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use tonic::Status;
use tonic::body::Body;

/// The time between two looks at what is on its way.
const LOOK: Duration = Duration::from_secs(1);

/// Answers of which something is not written to their client yet. With each goes what its call still has of the server.
///
/// A transport takes an answer whole and keeps it until its client reads it, or asks for none of it before that: neither way
/// can a body end it. So the connection of an answer whose time is over is broken, unless it is a proxy's and carries others'
/// calls; then the answer stays its caller's, out of their share, for as long as the proxy waits for them.
#[derive(Debug)]
pub(super) struct Answers {
    within: Duration,
    under_way: Mutex<Slab<UnderWay>>,
}

/// The end of an answer's time, and what breaks its connection.
#[derive(Debug)]
struct UnderWay {
    deadline: Instant,
    connection: CancellationToken,
}

/// The things that go with an answer, until all of it is written or its connection has ended.
#[derive(Debug)]
struct Held<H> {
    _held: H,
    key: Option<usize>,
    of: Arc<Answers>,
}

impl Answers {
    /// Answers that are read `within` this time. Needs a runtime: something has to look.
    pub(super) fn new(within: Duration) -> Arc<Self> {
        let answers = Arc::new(Self { within, under_way: Mutex::default() });
        tokio::spawn(look(Arc::downgrade(&answers)));
        answers
    }

    /// `body`, with which `held` goes. `connection` breaks where it is not read in time; `None`: it carries others' calls, too.
    pub(super) fn send<H: Send + Sync + 'static>(
        self: &Arc<Self>,
        body: Body,
        held: H,
        connection: Option<CancellationToken>,
    ) -> Body {
        let deadline = Instant::now() + self.within;
        let key = connection.map(|connection| self.lock().insert(UnderWay { deadline, connection }));
        Body::new(Answer { body, held: Arc::new(Held { _held: held, key, of: Arc::clone(self) }) })
    }

    /// Breaks the connections of answers whose time is over.
    fn break_late(&self) {
        let now = Instant::now();
        let under_way = self.lock();
        let late = under_way.iter().filter(|(_, answer)| answer.deadline <= now);
        let late: Vec<_> = late.map(|(_, answer)| answer.connection.clone()).collect();
        // Not under the lock: what a connection has is dropped by whom it wakes.
        drop(under_way);
        late.iter().for_each(CancellationToken::cancel);
    }

    fn lock(&self) -> MutexGuard<'_, Slab<UnderWay>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn look(answers: Weak<Answers>) {
    let mut ticks = interval(LOOK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let Some(answers) = answers.upgrade() else { return };
        answers.break_late();
    }
}

impl<H> Drop for Held<H> {
    fn drop(&mut self) {
        if let Some(key) = self.key {
            self.of.lock().try_remove(key);
        }
    }
}

/// A part of an answer. The transport drops it when it is written.
struct Part<H> {
    bytes: Bytes,
    _held: Arc<Held<H>>,
}

impl<H> AsRef<[u8]> for Part<H> {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// The body of an answer on its way.
struct Answer<H> {
    body: Body,
    held: Arc<Held<H>>,
}

impl<H: Send + Sync + 'static> HttpBody for Answer<H> {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let Self { body, held } = self.get_mut();
        let frame = ready!(Pin::new(body).poll_frame(cx));
        let part = |bytes| Bytes::from_owner(Part { bytes, _held: Arc::clone(held) });
        Poll::Ready(frame.map(|frame| frame.map(|frame| frame.map_data(part))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::{BodyExt, Full};

    use super::*;

    fn body() -> Body {
        Body::new(Full::new(Bytes::from_static(b"answer")))
    }

    #[tokio::test]
    async fn what_a_call_has_is_let_go_when_its_answer_is_written() {
        let answers = Answers::new(Duration::from_secs(30));
        let held = Arc::new(());
        let connection = CancellationToken::new();
        let mut answer = answers.send(body(), Arc::clone(&held), Some(connection.clone()));
        let part = answer.frame().await.unwrap().unwrap().into_data().unwrap();
        assert_eq!(part, "answer");
        drop(answer);
        assert_eq!((Arc::strong_count(&held), answers.lock().len()), (2, 1), "the transport still has it");
        drop(part);
        assert_eq!((Arc::strong_count(&held), answers.lock().len()), (1, 0));
        assert!(!connection.is_cancelled());
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_that_is_not_read_in_time_ends_its_connection() {
        let answers = Answers::new(Duration::from_secs(30));
        let (own, proxy) = (CancellationToken::new(), CancellationToken::new());
        let _unread = answers.send(body(), (), Some(own.clone()));
        let _through_a_proxy = answers.send(body(), (), None);
        tokio::time::advance(Duration::from_secs(29)).await;
        answers.break_late();
        assert!(!own.is_cancelled());
        tokio::time::advance(Duration::from_secs(1)).await;
        answers.break_late();
        assert!(own.is_cancelled() && !proxy.is_cancelled());
    }
}
