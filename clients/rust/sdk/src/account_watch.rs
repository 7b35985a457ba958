//! The matches of an account, as they come to concern it ([`AccountWatch`]).

use edgehill_proto::v1::{WatchAccountRequest, WatchAccountResponse};
use futures_core::Stream;
use futures_util::stream::try_unfold;
use tokio::time::timeout;
use tonic::{Status, Streaming};

use crate::connection::Connection;
use crate::error::Error;
use crate::retry::{Outage, late};

/// A stream of how the matches stand in which the client's account has a part: invitations, its turn, offers, results. It is opened
/// with its first response, and again, at the cursor of the last one that it has given out, whenever the connection is lost.
///
/// Each response about a match is complete: the last one holds. A stream that was opened again says all that is not over again.
#[derive(Debug)]
pub struct AccountWatch {
    connection: Connection,
    request: WatchAccountRequest,
    stream: Option<Streaming<WatchAccountResponse>>,
    outage: Option<Outage>,
}

impl AccountWatch {
    pub(crate) fn new(connection: Connection) -> Self {
        Self { connection, request: WatchAccountRequest::default(), stream: None, outage: None }
    }

    /// After this cursor, in place of from now on: with the results since then.
    #[must_use]
    pub fn after(mut self, cursor: impl Into<String>) -> Self {
        self.request.cursor = cursor.into();
        self
    }

    /// The cursor of the last response that was given out, where another [`AccountWatch`] would go on; empty before there was one.
    #[must_use]
    pub fn cursor(&self) -> &str {
        &self.request.cursor
    }

    /// Returns the next response. It may be given up while it waits, and called again.
    ///
    /// # Errors
    /// If the server refuses, or can't be reached for as long as the client's retry policy lasts. To call it again tries again.
    pub async fn next(&mut self) -> Result<WatchAccountResponse, Error> {
        loop {
            let lost = match self.receive().await {
                Ok(Some(response)) => {
                    self.connection.contact().note();
                    self.outage = None;
                    self.request.cursor.clone_from(&response.cursor);
                    return Ok(response);
                }
                Ok(None) => Status::unavailable("the stream ended"),
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
    }

    /// Returns the responses as a stream.
    pub fn into_stream(self) -> impl Stream<Item = Result<WatchAccountResponse, Error>> + Send {
        try_unfold(self, async |mut watch| Ok(Some((watch.next().await?, watch))))
    }

    async fn receive(&mut self) -> Result<Option<WatchAccountResponse>, Status> {
        if self.stream.is_none() {
            let retry_policy = self.connection.retry_policy();
            let wire = self.connection.match_wire(None);
            let mut wire = wire.map_err(|error| Status::invalid_argument(error.to_string()))?;
            let opened = timeout(retry_policy.attempt, wire.watch_account(self.request.clone())).await;
            self.stream = Some(opened.map_err(|_| late(retry_policy))??.into_inner());
        }
        match &mut self.stream {
            Some(stream) => stream.message().await,
            None => Ok(None),
        }
    }
}
