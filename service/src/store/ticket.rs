//! The second stage of an operation: [`Ticket`].

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::sync::oneshot;

use super::error::Error;

/// Resolves when an operation is durable, or refused by a state that is durable.
#[derive(Debug)]
#[must_use = "only the ticket says how the operation ended"]
pub struct Ticket<T>(oneshot::Receiver<Result<T, Error>>);

/// The other end of a ticket.
pub(super) type Reply<T> = oneshot::Sender<Result<T, Error>>;

impl<T> Ticket<T> {
    pub(super) fn new() -> (Reply<T>, Self) {
        let (reply, ticket) = oneshot::channel();
        (reply, Self(ticket))
    }

    pub(super) fn ready(ended: Result<T, Error>) -> Self {
        let (reply, ticket) = Self::new();
        // The other end is `ticket`, here.
        let _ = reply.send(ended);
        ticket
    }
}

impl<T> Future for Ticket<T> {
    type Output = Result<T, Error>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.0).poll(cx).map(|ended| {
            ended.unwrap_or_else(|_| Err(Error::Unavailable { why: "the store stopped in between".into() }))
        })
    }
}
