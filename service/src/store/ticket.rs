//! The second stage of an operation: [`Ticket`].

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::sync::oneshot;
use tokio::sync::oneshot::error::TryRecvError;

use super::error::Error;

/// Resolves when an operation is durable, or refused by a state that is durable.
#[derive(Debug)]
#[must_use = "only the ticket says how the operation ended"]
pub struct Ticket<T>(State<T>);

#[derive(Debug)]
enum State<T> {
    /// It was done at once; `None`: the ticket has said so.
    Done(Option<Result<T, Error>>),
    Waiting(oneshot::Receiver<Result<T, Error>>),
}

/// The other end of a ticket.
pub(super) type Reply<T> = oneshot::Sender<Result<T, Error>>;

impl<T> Ticket<T> {
    pub(super) fn new() -> (Reply<T>, Self) {
        let (reply, ticket) = oneshot::channel();
        (reply, Self(State::Waiting(ticket)))
    }

    pub(super) const fn ready(ended: Result<T, Error>) -> Self {
        Self(State::Done(Some(ended)))
    }

    /// How it ended, if that is known by now. Like the future, it says so once.
    pub fn ended(&mut self) -> Option<Result<T, Error>> {
        match &mut self.0 {
            State::Done(ended) => ended.take(),
            State::Waiting(ticket) => match ticket.try_recv() {
                Ok(ended) => Some(ended),
                Err(TryRecvError::Empty) => None,
                Err(TryRecvError::Closed) => Some(Err(stopped())),
            },
        }
    }
}

fn stopped() -> Error {
    Error::Unavailable { why: "the store stopped in between".into() }
}

// What it holds is never pinned.
impl<T> Unpin for Ticket<T> {}

impl<T> Future for Ticket<T> {
    type Output = Result<T, Error>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut self.0 {
            State::Done(ended) => Poll::Ready(ended.take().unwrap_or_else(|| Err(stopped()))),
            State::Waiting(ticket) => {
                Pin::new(ticket).poll(cx).map(|ended| ended.unwrap_or_else(|_| Err(stopped())))
            }
        }
    }
}
