//! `WatchMatch` of a match that another server has, or comes to have.

use edgehill_proto::v1;
use tonic::{Status, Streaming};

use super::Matches;
use super::outbox::Outbox;
use super::peers::{OwnCall, Patience, is_elsewhere};
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
        let Self { matches, call, id, request, patience } = self;
        call.open(matches, *id, patience, |call, app| {
            let (mut client, request) = (call.client(app), request.clone());
            async move { Ok(client.watch_match(request).await?.into_inner()) }
        })
        .await
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
