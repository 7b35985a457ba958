//! `WatchMatch` of a match that another server has, or comes to have.

use edgehill_proto::v1;
use tonic::{Status, Streaming};

use super::Matches;
use super::outbox::Outbox;
use super::peers::{OwnCall, Patience, Whereabouts, given_up, is_elsewhere};
use crate::store::MatchId;

/// The end of a watch elsewhere.
pub(super) enum Watched {
    /// The match is here from now on.
    Here,
    /// There is nothing more to see.
    Over,
    /// The client has gone.
    Gone,
}

/// A watch of a match wherever it is.
pub(super) struct Elsewhere {
    pub(super) matches: Matches,
    pub(super) call: OwnCall,
    pub(super) id: MatchId,
    /// The request that is made next: with the number of the last event that the client has.
    pub(super) request: v1::WatchMatchRequest,
    pub(super) patience: Patience,
}

impl Elsewhere {
    /// Opens the watch at the server that has the match; `None`: that is this one.
    ///
    /// # Errors
    /// As that server refuses, or if the match is nowhere for too long.
    pub(super) async fn open(&mut self) -> Result<Option<Streaming<v1::WatchMatchResponse>>, Status> {
        self.patience.broke_off(self.matches.host().elapsed());
        let mut last = None;
        loop {
            match self.call.peers().whereabouts(self.id) {
                Whereabouts::Here => return Ok(None),
                Whereabouts::There(app) => {
                    match self.call.client(app).watch_match(self.request.clone()).await {
                        Ok(stream) => {
                            self.patience.opened(self.matches.host().elapsed());
                            return Ok(Some(stream.into_inner()));
                        }
                        Err(status) if is_elsewhere(&status) => last = Some(status),
                        Err(status) => return Err(status),
                    }
                }
                Whereabouts::Nowhere => {}
            }
            if self.patience.is_over(self.matches.host().elapsed()) {
                return Err(given_up(last, self.matches.nowhere()));
            }
            self.call.peers().changed().await;
        }
    }

    /// Passes on what comes, from one server to the next.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub(super) async fn pass_on(
        &mut self,
        mut stream: Streaming<v1::WatchMatchResponse>,
        out: &Outbox<v1::WatchMatchResponse>,
    ) -> Result<Watched, Status> {
        loop {
            let said = tokio::select! {
                said = stream.message() => said,
                () = out.closed() => return Ok(Watched::Gone),
            };
            match said {
                Ok(Some(response)) => {
                    self.request.after_seq =
                        response.update.as_ref().map(|update| update.seq).or(self.request.after_seq);
                    out.send(response).await;
                }
                Ok(None) => return Ok(Watched::Over),
                Err(status) if is_elsewhere(&status) => {
                    self.call.peers().changed().await;
                    stream = match self.open().await? {
                        Some(stream) => stream,
                        None => return Ok(Watched::Here),
                    };
                }
                Err(status) => return Err(status),
            }
        }
    }
}
