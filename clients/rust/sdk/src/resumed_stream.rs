//! A stream that goes on behind a lost connection ([`ResumedStream`]).

use std::fmt;

use tokio::time::timeout;
use tonic::{Status, Streaming};

use crate::connection::Connection;
use crate::error::Error;
use crate::retry::{Outage, late};

/// A stream without its connections: all that is left of it between two of them.
pub(crate) trait StreamSession {
    /// A message of the server.
    type Response;
    /// The part of it that is given out.
    type News;

    /// Opens the next connection, behind what was given out.
    fn open(
        &self,
        connection: &Connection,
    ) -> impl Future<Output = Result<Streaming<Self::Response>, Status>> + Send;

    /// Returns the news of a message; `None` if all of it was given out before.
    ///
    /// # Errors
    /// If it can't follow what came before.
    fn take(&mut self, response: Self::Response) -> Result<Option<Self::News>, Error>;

    /// Returns whether nothing comes after what was taken; `ended`: the server has ended the stream.
    fn is_over(&self, ended: bool) -> bool;
}

/// A stream over as many connections as it takes. It is opened with its first message.
pub(crate) struct ResumedStream<S: StreamSession> {
    pub(crate) session: S,
    connection: Connection,
    stream: Option<Streaming<S::Response>>,
    outage: Option<Outage>,
    done: bool,
}

impl<S: StreamSession> ResumedStream<S> {
    pub(crate) const fn new(connection: Connection, session: S) -> Self {
        Self { session, connection, stream: None, outage: None, done: false }
    }

    /// Returns the next news; `None` when it is over. It may be given up while it waits, and called again.
    ///
    /// # Errors
    /// If the server refuses, or can't be reached for as long as the client's retry policy lasts. To call it again tries again.
    pub(crate) async fn next(&mut self) -> Result<Option<S::News>, Error> {
        while !self.done {
            let lost = match self.receive().await {
                Ok(Some(response)) => {
                    self.connection.contact().note();
                    self.outage = None;
                    let news = self.session.take(response)?;
                    self.done = self.session.is_over(false);
                    if news.is_some() {
                        return Ok(news);
                    }
                    continue;
                }
                Ok(None) if self.session.is_over(true) => {
                    self.done = true;
                    continue;
                }
                Ok(None) => Status::unavailable("the stream ended before its time"),
                Err(status) => status,
            };
            self.stream = None;
            let retry_policy = self.connection.retry_policy();
            let outage = self.outage.get_or_insert_with(|| Outage::new(retry_policy));
            if let Err(error) = outage.pause(lost, self.connection.contact()).await {
                self.outage = None;
                return Err(error);
            }
        }
        Ok(None)
    }

    async fn receive(&mut self) -> Result<Option<S::Response>, Status> {
        if self.stream.is_none() {
            let retry_policy = self.connection.retry_policy();
            let opened = timeout(retry_policy.attempt, self.session.open(&self.connection)).await;
            self.stream = Some(opened.map_err(|_| late(retry_policy))??);
        }
        match &mut self.stream {
            Some(stream) => stream.message().await,
            None => Ok(None),
        }
    }
}

impl<S: StreamSession + fmt::Debug> fmt::Debug for ResumedStream<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResumedStream").field("session", &self.session).finish_non_exhaustive()
    }
}

/// The status of a call that could not be made, since its token is none that travels.
pub(crate) fn unsendable(error: &Error) -> Status {
    Status::invalid_argument(error.to_string())
}
