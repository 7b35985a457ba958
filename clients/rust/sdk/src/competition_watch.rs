//! The events of a competition, as they come ([`CompetitionWatch`]).

use edgehill_proto::v1::{CompetitionPhase, WatchCompetitionRequest, WatchCompetitionResponse};
use futures_core::Stream;
use futures_util::stream::try_unfold;
use tokio::time::timeout;
use tonic::{Status, Streaming};

use crate::connection::Connection;
use crate::error::Error;
use crate::retry::{Outage, late};

/// A stream of the events of a competition, without a gap or a repetition. It is opened with its first response, and again behind the
/// last event that it has given out, whenever the connection is lost.
#[derive(Debug)]
pub struct CompetitionWatch {
    connection: Connection,
    request: WatchCompetitionRequest,
    stream: Option<Streaming<WatchCompetitionResponse>>,
    outage: Option<Outage>,
    is_over: bool,
}

impl CompetitionWatch {
    pub(crate) fn new(connection: Connection, competition_id: &str) -> Self {
        let competition_id = competition_id.to_owned();
        let request = WatchCompetitionRequest { competition_id, after_event: 0 };
        Self { connection, request, stream: None, outage: None, is_over: false }
    }

    /// Behind the event of this number, in place of from the creation on.
    #[must_use]
    pub const fn after(mut self, event: u64) -> Self {
        self.request.after_event = event;
        self
    }

    /// The number of the last event that was given out.
    #[must_use]
    pub const fn last_event(&self) -> u64 {
        self.request.after_event
    }

    /// Returns the next events with the competition as it is then; `None` when it is over. It may be given up while it waits, and called
    /// again.
    ///
    /// # Errors
    /// If the server refuses, or can't be reached for as long as the client's retry policy lasts. To call it again tries again.
    pub async fn next(&mut self) -> Result<Option<WatchCompetitionResponse>, Error> {
        loop {
            if self.is_over {
                return Ok(None);
            }
            let lost = match self.receive().await {
                Ok(Some(response)) => {
                    self.connection.contact().note();
                    self.outage = None;
                    if let Some(last) = response.events.last() {
                        self.request.after_event = last.number;
                    }
                    let competition = response.competition.as_ref();
                    let ended = competition.is_some_and(|competition| {
                        let phase = competition.phase();
                        let is_over =
                            matches!(phase, CompetitionPhase::Finished | CompetitionPhase::Cancelled);
                        is_over && competition.last_event == self.request.after_event
                    });
                    self.is_over = ended;
                    return Ok(Some(response));
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

    /// Returns the responses as a stream, which ends with the competition.
    pub fn into_stream(self) -> impl Stream<Item = Result<WatchCompetitionResponse, Error>> + Send {
        try_unfold(self, async |mut watch| Ok(watch.next().await?.map(|response| (response, watch))))
    }

    async fn receive(&mut self) -> Result<Option<WatchCompetitionResponse>, Status> {
        if self.stream.is_none() {
            let retry_policy = self.connection.retry_policy();
            let wire = self.connection.competition_wire();
            let mut wire = wire.map_err(|error| Status::invalid_argument(error.to_string()))?;
            let opened = timeout(retry_policy.attempt, wire.watch_competition(self.request.clone())).await;
            self.stream = Some(opened.map_err(|_| late(retry_policy))??.into_inner());
        }
        match &mut self.stream {
            Some(stream) => stream.message().await,
            None => Ok(None),
        }
    }
}
