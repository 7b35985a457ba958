//! The second stage of an operation: [`Ticket`].

use std::future::Future;
use std::mem;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use super::error::Error;

/// Resolves when an operation is durable, or refused by a state that is durable.
#[must_use = "only the ticket says how the operation ended"]
pub struct Ticket<T>(State<T>);

enum State<T> {
    /// It was done at once; `None`: the ticket has said so.
    Done(Option<Result<T, Error>>),
    Waiting(Arc<Meeting<T>>),
}

/// The other end of a ticket, which a store keeps until the operation has ended. Dropped without an answer, it says that the store stopped.
pub struct Reply<T>(Option<Arc<Meeting<T>>>);

/// The place where a ticket and its reply meet.
struct Meeting<T>(Mutex<Stage<T>>);

/// The function that is called with the end of an operation.
type Then<T> = Box<dyn FnOnce(Result<T, Error>) + Send>;

enum Stage<T> {
    /// The operation is under way; who waits for it.
    UnderWay(Option<Waker>),
    /// The operation is under way, and the one who ends it calls this.
    HandedOver(Then<T>),
    /// It has ended so.
    Ended(Result<T, Error>),
    /// And the ticket has said so.
    Said,
}

impl<T> Meeting<T> {
    fn stage(&self) -> MutexGuard<'_, Stage<T>> {
        // Each stage is put there whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self, ended: Result<T, Error>) {
        let mut stage = self.stage();
        match mem::replace(&mut *stage, Stage::Said) {
            Stage::UnderWay(waker) => {
                *stage = Stage::Ended(ended);
                drop(stage);
                waker.into_iter().for_each(Waker::wake);
            }
            Stage::HandedOver(then) => {
                drop(stage);
                then(ended);
            }
            // It ends once: the one who could end it again has given its end away.
            said => *stage = said,
        }
    }

    /// Returns the end, once it has come; says so once.
    fn ended(stage: &mut Stage<T>) -> Option<Result<T, Error>> {
        match mem::replace(stage, Stage::Said) {
            Stage::Ended(ended) => Some(ended),
            Stage::Said => Some(Err(stopped())),
            under_way => {
                *stage = under_way;
                None
            }
        }
    }
}

impl<T> Ticket<T> {
    /// A ticket of an operation that is under way, and its other end.
    pub fn pending() -> (Reply<T>, Self) {
        let meeting = Arc::new(Meeting(Mutex::new(Stage::UnderWay(None))));
        (Reply(Some(Arc::clone(&meeting))), Self(State::Waiting(meeting)))
    }

    pub(super) const fn ready(ended: Result<T, Error>) -> Self {
        Self(State::Done(Some(ended)))
    }

    /// Returns the end, if it is known by now. Like the future, it says so once.
    pub fn ended(&mut self) -> Option<Result<T, Error>> {
        match &mut self.0 {
            State::Done(ended) => ended.take(),
            State::Waiting(meeting) => Meeting::ended(&mut meeting.stage()),
        }
    }

    /// Has `then` called with how it ended, by the one who ends it; now, if it has ended. It must not block,
    /// nor take long: the answers of a whole batch are given one after another.
    pub fn then(self, then: impl FnOnce(Result<T, Error>) + Send + 'static) {
        match self.0 {
            State::Done(ended) => then(ended.unwrap_or_else(|| Err(stopped()))),
            State::Waiting(meeting) => {
                let mut stage = meeting.stage();
                match Meeting::ended(&mut stage) {
                    None => *stage = Stage::HandedOver(Box::new(then)),
                    Some(ended) => {
                        drop(stage);
                        then(ended);
                    }
                }
            }
        }
    }
}

impl<T: Send + 'static> Ticket<T> {
    /// A ticket that says what `map` makes of how this one ends; it is called as that of [`Ticket::then`].
    pub(super) fn map<U: Send + 'static>(
        mut self,
        map: impl FnOnce(Result<T, Error>) -> Result<U, Error> + Send + 'static,
    ) -> Ticket<U> {
        if let Some(ended) = self.ended() {
            return Ticket::ready(map(ended));
        }
        let (reply, ticket) = Ticket::pending();
        self.then(move |ended| reply.send(map(ended)));
        ticket
    }
}

impl<T> Reply<T> {
    /// Says how the operation ended, to whoever holds the ticket or has handed its end over ([`Ticket::then`]).
    pub fn send(mut self, ended: Result<T, Error>) {
        if let Some(meeting) = self.0.take() {
            meeting.end(ended);
        }
    }
}

impl<T> Drop for Reply<T> {
    fn drop(&mut self) {
        if let Some(meeting) = self.0.take() {
            meeting.end(Err(stopped()));
        }
    }
}

fn stopped() -> Error {
    Error::Unavailable { why: "the store stopped in between".into() }
}

impl<T> std::fmt::Debug for Ticket<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ticket").finish_non_exhaustive()
    }
}

impl<T> std::fmt::Debug for Reply<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reply").finish_non_exhaustive()
    }
}

// Its content is never pinned.
impl<T> Unpin for Ticket<T> {}

impl<T> Future for Ticket<T> {
    type Output = Result<T, Error>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut self.0 {
            State::Done(ended) => Poll::Ready(ended.take().unwrap_or_else(|| Err(stopped()))),
            State::Waiting(meeting) => {
                let mut stage = meeting.stage();
                if let Some(ended) = Meeting::ended(&mut stage) {
                    return Poll::Ready(ended);
                }
                *stage = Stage::UnderWay(Some(cx.waker().clone()));
                Poll::Pending
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn a_ticket_says_once_how_it_ended() {
        let (reply, mut ticket) = Ticket::pending();
        assert_eq!(ticket.ended(), None);
        let ((), ended) = tokio::join!(async { reply.send(Ok(7)) }, &mut ticket);
        assert_eq!(ended, Ok(7));
        assert_eq!(ticket.ended(), Some(Err(stopped())));
        let mut ready = Ticket::ready(Ok(8));
        assert_eq!((ready.ended(), ready.ended()), (Some(Ok(8)), None));
    }

    #[tokio::test]
    async fn a_waiter_is_woken() {
        let (reply, ticket) = Ticket::pending();
        let waiting = tokio::spawn(ticket);
        tokio::task::yield_now().await;
        reply.send(Ok(7));
        assert_eq!(waiting.await.unwrap(), Ok(7));
    }

    #[tokio::test]
    async fn a_reply_that_is_dropped_says_that_the_store_stopped() {
        let (reply, ticket) = Ticket::<()>::pending();
        drop(reply);
        assert_eq!(ticket.await, Err(stopped()));
    }

    #[test]
    fn what_is_to_be_done_is_done_once_by_the_one_that_ends_it() {
        let (told, published) = mpsc::channel();
        let tell = || {
            let told = told.clone();
            move |ended| told.send(ended).unwrap()
        };
        let (reply, ticket) = Ticket::pending();
        ticket.then(tell());
        assert!(published.try_recv().is_err());
        reply.send(Ok(1));
        assert_eq!(published.try_recv(), Ok(Ok(1)));
        let (reply, ticket) = Ticket::pending();
        reply.send(Ok(2));
        ticket.then(tell());
        assert_eq!(published.try_recv(), Ok(Ok(2)));
        Ticket::ready(Ok(3)).then(tell());
        assert_eq!(published.try_recv(), Ok(Ok(3)));
        let (reply, ticket) = Ticket::pending();
        ticket.then(tell());
        drop(reply);
        assert_eq!(published.try_recv(), Ok(Err(stopped())));
        assert!(published.try_recv().is_err());
    }
}
