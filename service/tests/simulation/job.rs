//! Operations in the line of a simulated store, each with whoever waits for it ([`Job`]).

use std::pin::Pin;
use std::sync::Arc;

use async_trait::async_trait;
use edgehill_service::store::{Error, Reply, Ticket};

use crate::disk::Disk;

/// An operation on the disk.
pub(crate) type Operation<T> =
    Box<dyn FnOnce(Arc<Disk>) -> Pin<Box<dyn Future<Output = Result<T, Error>> + Send>> + Send>;

/// An operation in line.
#[async_trait]
pub(crate) trait Job: Send {
    /// Does it: it is durable when this returns, which it does at once.
    async fn land(&mut self, disk: &Arc<Disk>);

    /// Tells whoever waits how it ended.
    fn answer(self: Box<Self>);

    /// Tells whoever waits that it came to nothing, or that nobody knows.
    fn fail(self: Box<Self>, error: Error);
}

struct Waiting<T> {
    operation: Option<Operation<T>>,
    ended: Option<Result<T, Error>>,
    reply: Reply<T>,
}

/// An operation to put in line, and the ticket of whoever waits for it.
pub(crate) fn job<T: Send + 'static>(operation: Operation<T>) -> (Box<dyn Job>, Ticket<T>) {
    let (reply, ticket) = Ticket::pending();
    (Box::new(Waiting { operation: Some(operation), ended: None, reply }), ticket)
}

#[async_trait]
impl<T: Send + 'static> Job for Waiting<T> {
    async fn land(&mut self, disk: &Arc<Disk>) {
        let operation = self.operation.take().expect("it lands once");
        self.ended = Some(operation(Arc::clone(disk)).await);
    }

    fn answer(self: Box<Self>) {
        self.reply.send(self.ended.expect("it has landed"));
    }

    fn fail(self: Box<Self>, error: Error) {
        self.reply.send(Err(error));
    }
}
