//! The matches of an account, as they come to concern it ([`AccountWatch`]).

use edgehill_proto::v1::{WatchAccountRequest, WatchAccountResponse};
use futures_core::Stream;
use futures_util::stream::try_unfold;
use tonic::{Status, Streaming};

use crate::connection::Connection;
use crate::error::Error;
use crate::resumed_stream::{ResumedStream, StreamSession, unsendable};

/// A stream of how the matches stand in which the client's account has a part: invitations, its turn, offers, results. It is opened
/// with its first response, and again, at the cursor of the last one that it has given out, whenever the connection is lost.
///
/// Each response about a match is complete: the last one holds. A stream that was opened again says all that is not over again.
#[derive(Debug)]
pub struct AccountWatch(ResumedStream<AccountSession>);

#[derive(Debug)]
struct AccountSession(WatchAccountRequest);

impl StreamSession for AccountSession {
    type Response = WatchAccountResponse;
    type News = WatchAccountResponse;

    async fn open(&self, connection: &Connection) -> Result<Streaming<WatchAccountResponse>, Status> {
        let mut wire = connection.match_wire(None).map_err(|error| unsendable(&error))?;
        Ok(wire.watch_account(self.0.clone()).await?.into_inner())
    }

    fn take(&mut self, response: WatchAccountResponse) -> Result<Option<WatchAccountResponse>, Error> {
        self.0.cursor.clone_from(&response.cursor);
        Ok(Some(response))
    }

    fn is_over(&self, _ended: bool) -> bool {
        false
    }
}

impl AccountWatch {
    pub(crate) fn new(connection: Connection) -> Self {
        Self(ResumedStream::new(connection, AccountSession(WatchAccountRequest::default())))
    }

    /// After this cursor, in place of from now on: with the results since then.
    #[must_use]
    pub fn after(mut self, cursor: impl Into<String>) -> Self {
        self.0.session.0.cursor = cursor.into();
        self
    }

    /// The cursor of the last response that was given out, where another [`AccountWatch`] would go on; empty before there was one.
    #[must_use]
    pub fn cursor(&self) -> &str {
        &self.0.session.0.cursor
    }

    /// Returns the next response. It may be given up while it waits, and called again.
    ///
    /// # Errors
    /// If the server refuses, or can't be reached for as long as the client's retry policy lasts. To call it again tries again.
    pub async fn next(&mut self) -> Result<WatchAccountResponse, Error> {
        let response = self.0.next().await?;
        response.ok_or_else(|| Error::Protocol("the stream of an account has ended".to_owned()))
    }

    /// Returns the responses as a stream.
    pub fn into_stream(self) -> impl Stream<Item = Result<WatchAccountResponse, Error>> + Send {
        try_unfold(self, async |mut watch| Ok(Some((watch.next().await?, watch))))
    }
}
