//! The events of a competition, as they come ([`CompetitionWatch`]).

use edgehill_proto::v1::{Competition, CompetitionPhase, WatchCompetitionRequest, WatchCompetitionResponse};
use futures_core::Stream;
use futures_util::stream::try_unfold;
use tonic::{Status, Streaming};

use crate::connection::Connection;
use crate::error::Error;
use crate::resumed_stream::{ResumedStream, StreamSession, unsendable};

/// A stream of the events of a competition, without a gap or a repetition. It is opened with its first response, and again behind the
/// last event that it has given out, whenever the connection is lost.
#[derive(Debug)]
pub struct CompetitionWatch(ResumedStream<CompetitionSession>);

#[derive(Debug)]
struct CompetitionSession {
    request: WatchCompetitionRequest,
    /// The competition, as it was given out last.
    competition: Option<Competition>,
}

impl StreamSession for CompetitionSession {
    type Response = WatchCompetitionResponse;
    type News = WatchCompetitionResponse;

    async fn open(&self, connection: &Connection) -> Result<Streaming<WatchCompetitionResponse>, Status> {
        let mut wire = connection.competition_wire().map_err(|error| unsendable(&error))?;
        Ok(wire.watch_competition(self.request.clone()).await?.into_inner())
    }

    /// A connection begins with the competition as it is, which may have been given out.
    fn take(
        &mut self,
        response: WatchCompetitionResponse,
    ) -> Result<Option<WatchCompetitionResponse>, Error> {
        if let Some(last) = response.events.last() {
            self.request.after_event = last.number;
        } else if response.competition == self.competition {
            return Ok(None);
        }
        self.competition.clone_from(&response.competition);
        Ok(Some(response))
    }

    fn is_over(&self, _ended: bool) -> bool {
        self.competition.as_ref().is_some_and(|competition| {
            matches!(competition.phase(), CompetitionPhase::Finished | CompetitionPhase::Cancelled)
                && competition.last_event == self.request.after_event
        })
    }
}

impl CompetitionWatch {
    pub(crate) fn new(connection: Connection, competition_id: &str) -> Self {
        let competition_id = competition_id.to_owned();
        let request = WatchCompetitionRequest { competition_id, after_event: 0 };
        Self(ResumedStream::new(connection, CompetitionSession { request, competition: None }))
    }

    /// Behind the event of this number, in place of from the creation on.
    #[must_use]
    pub const fn after(mut self, event: u64) -> Self {
        self.0.session.request.after_event = event;
        self
    }

    /// The number of the last event that was given out.
    #[must_use]
    pub const fn last_event(&self) -> u64 {
        self.0.session.request.after_event
    }

    /// Returns the next events with the competition as it is then; `None` when it is over. It may be given up while it waits, and called
    /// again.
    ///
    /// # Errors
    /// If the server refuses, or can't be reached for as long as the client's retry policy lasts. To call it again tries again.
    pub async fn next(&mut self) -> Result<Option<WatchCompetitionResponse>, Error> {
        self.0.next().await
    }

    /// Returns the responses as a stream, which ends with the competition.
    pub fn into_stream(self) -> impl Stream<Item = Result<WatchCompetitionResponse, Error>> + Send {
        try_unfold(self, async |mut watch| Ok(watch.next().await?.map(|response| (response, watch))))
    }
}
