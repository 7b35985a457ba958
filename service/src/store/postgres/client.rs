//! A connection to a host of a database, on which every answer has a deadline: [`Client`].
//!
//! A host that is suspended, or hangs, says nothing, while its kernel goes on confirming all that is sent to it and takes connections: no
//! timeout of the network ends that, but only that of whoever waits for the answer. The client that comes with the library (`postgres`)
//! has none, so this one drives the library below it.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use postgres::types::ToSql;
use postgres::{Error, Row, Statement};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_postgres::AsyncMessage;

/// The time in which a connection that is given up has to be closed.
const FAREWELL: Duration = Duration::from_secs(1);

/// A connection. It is used and dropped on threads that may block.
pub(super) struct Client {
    /// Dropped before what reads for it, which ends with that.
    client: tokio_postgres::Client,
    driver: Driver,
    within: Duration,
}

/// The runtime that the connection lives in while somebody waits for an answer.
struct Driver {
    runtime: Runtime,
    connection: JoinHandle<()>,
}

impl Drop for Driver {
    fn drop(&mut self) {
        let Self { runtime, connection } = self;
        let _ = runtime.block_on(async { timeout(FAREWELL, connection).await });
    }
}

/// Reads what the database sends until the connection ends. `warned` is set when it warns of something.
pub(super) async fn drive<S, T>(mut connection: tokio_postgres::Connection<S, T>, warned: Arc<AtomicBool>)
where
    S: AsyncRead + AsyncWrite + Unpin,
    T: AsyncRead + AsyncWrite + Unpin,
{
    // Its end, and an error that it ends with, is told to whoever waits for an answer.
    while let Some(Ok(message)) = poll_fn(|cx| connection.poll_message(cx)).await {
        if let AsyncMessage::Notice(notice) = message {
            let is_warning = notice.severity() == "WARNING";
            if is_warning {
                warned.store(true, Ordering::Relaxed);
            }
            tracing::debug!(message = notice.message(), is_warning, "the database says");
        }
    }
}

impl Client {
    /// A client whose connection is read by a task of this runtime. What it asks has to be answered `within` this time: else the connection
    /// is closed, and the answer is that it is.
    pub(super) const fn new(
        client: tokio_postgres::Client,
        runtime: Runtime,
        connection: JoinHandle<()>,
        within: Duration,
    ) -> Self {
        Self { client, driver: Driver { runtime, connection }, within }
    }

    /// Has what is asked be answered within this time.
    pub(super) const fn answer_within(&mut self, within: Duration) {
        self.within = within;
    }

    fn answered<T>(&self, asked: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        let Driver { runtime, connection } = &self.driver;
        runtime.block_on(async {
            let mut asked = pin!(asked);
            match timeout(self.within, asked.as_mut()).await {
                Ok(answered) => answered,
                Err(_) => {
                    connection.abort();
                    asked.await
                }
            }
        })
    }

    pub(super) fn prepare(&self, sql: &str) -> Result<Statement, Error> {
        self.answered(self.client.prepare(sql))
    }

    pub(super) fn query(
        &self,
        statement: &Statement,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, Error> {
        self.answered(self.client.query(statement, values))
    }

    pub(super) fn execute(
        &self,
        statement: &Statement,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<u64, Error> {
        self.answered(self.client.execute(statement, values))
    }

    /// The row of a statement that is prepared for this once; `None`: it has none.
    pub(super) fn query_opt(&self, sql: &str) -> Result<Option<Row>, Error> {
        self.answered(self.client.query_opt(sql, &[]))
    }

    pub(super) fn batch_execute(&self, statements: &str) -> Result<(), Error> {
        self.answered(self.client.batch_execute(statements))
    }

    /// As [`Self::batch_execute`], of statements that read whole tables: they have all the time that they take.
    pub(super) fn batch_execute_unhurried(&self, statements: &str) -> Result<(), Error> {
        self.driver.runtime.block_on(self.client.batch_execute(statements))
    }

    /// Asks the other end whether it is there.
    pub(super) fn check(&self) -> Result<(), Error> {
        self.answered(self.client.check_connection())
    }
}
