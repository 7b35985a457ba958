//! `SeekMatch`: callers who want to play, until somebody is found.

use std::sync::Arc;
use std::time::Duration;

use edgehill_engine::seat::{Observer, Seat};
use edgehill_proto::v1;
use edgehill_proto::v1::ErrorReason;
use tonic::metadata::MetadataMap;

use super::creation::{body, creator};
use super::outbox::{Outbox, Outgoing, outbox};
use super::revocation::Standing;
use super::{Matches, clock, field, refusing, state};
use crate::host::{MatchPlan, PairedSeat, Seek, SeekMatch, SeekNews};
use crate::identity::{CallerKey, Role};
use crate::matches::Ask;
use crate::store::BodyHash;
use crate::wire::Refused;

impl Matches {
    pub(super) async fn answer_seek(
        &self,
        metadata: &MetadataMap,
        counted_as: CallerKey,
        request: v1::SeekMatchRequest,
    ) -> Result<Outgoing<v1::SeekMatchResponse>, Refused> {
        let standing = self.standing(metadata, Some(Role::Player));
        let caller = self.caller_as(Role::Player, metadata).await?;
        self.check_open()?;
        let id = field::request_id(&request.request_id, &self.limits())?;
        let max = self.limits_of(&counted_as).streams;
        let open = self.0.streams.open(counted_as.clone(), max)?;
        let creator = creator(&caller, counted_as, &request.client_secret)?;
        let (seat, wait) = (request.seat, request.wait);
        let terms = terms(request);
        let ask = Ask { id, body: body_of_seek(&terms, seat) };
        let (out, outgoing) = outbox(open);
        let before = self.host().paired_before(&creator, &ask).await;
        if let Some(paired) = before.map_err(|error| refusing::of(error, None, None))? {
            out.send(self.paired(paired).await?).await;
            return Ok(outgoing);
        }
        let plan = self.plan(&terms)?;
        let seat = wanted_seat(&plan, seat)?;
        let wait = clock::seek_wait(wait.as_ref(), self.limits().seek_seconds)?;
        let game = Arc::clone(&plan.game);
        let wanted = SeekMatch { creator, ask, plan, seat, wait: Duration::from_millis(wait) };
        let seek = self.host().seek(wanted).await;
        let seek = seek.map_err(|error| refusing::of(error, Some(game.catalogue()), None))?;
        let matches = self.clone();
        tokio::spawn(async move {
            let said = out.clone();
            // A stream that ends well has told of a match, so it must not end so for another reason.
            if let Err(error) = tokio::spawn(matches.serve_seek(seek, standing, out)).await {
                tracing::error!(%error, "a seek failed");
                said.end(Refused::of(ErrorReason::InternalFault).into());
            }
        });
        Ok(outgoing)
    }

    /// Sends what comes, until the seek was paired or has expired, the caller is not let in any more, the server stops or the client
    /// goes.
    async fn serve_seek(self, seek: Seek, standing: Standing, out: Outbox<v1::SeekMatchResponse>) {
        let ended = tokio::select! {
            ended = self.run_seek(seek, &out) => ended,
            () = self.0.draining.cancelled() => Err(self.draining()),
            refused = standing.revoked() => Err(refused),
            () = out.closed() => return,
        };
        if let Err(refused) = ended {
            out.end(refused.into());
        }
    }

    async fn run_seek(&self, mut seek: Seek, out: &Outbox<v1::SeekMatchResponse>) -> Result<(), Refused> {
        loop {
            match seek.next().await {
                Ok(SeekNews::Count(count)) => {
                    let count = v1::SeekCount {
                        same_terms: count.same_terms as u32,
                        same_game: count.same_game as u32,
                    };
                    out.send(v1::SeekMatchResponse { seeking: Some(count), paired: None }).await;
                }
                Ok(SeekNews::Paired(paired)) => {
                    out.send(self.paired(paired).await?).await;
                    return Ok(());
                }
                Ok(SeekNews::Expired) => return Err(Refused::of(ErrorReason::SeekExpired)),
                Err(error) => return Err(self.refused(error, None, None).await),
            }
        }
    }

    /// The last item for a caller who was paired.
    async fn paired(&self, paired: PairedSeat) -> Result<v1::SeekMatchResponse, Refused> {
        let PairedSeat { id, seat } = paired;
        let show =
            self.host().read(id, |content| Ok(state::whole(self.host(), content, Observer::Spectator)));
        match show.await {
            Ok(shown) => {
                let invitation = self.host().key().invitation(&id, seat).to_string();
                let seat = seat.index() as u32;
                let paired = v1::PairedSeat { r#match: Some(shown), seat, invitation };
                Ok(v1::SeekMatchResponse { seeking: None, paired: Some(paired) })
            }
            Err(error) => Err(self.refused(error, Some(id), None).await),
        }
    }
}

/// The request that would make a match on these terms.
fn terms(request: v1::SeekMatchRequest) -> v1::CreateMatchRequest {
    v1::CreateMatchRequest {
        game: request.game,
        rules: request.rules,
        scenario: request.scenario,
        options: request.options,
        entropy_mode: request.entropy_mode,
        clock: request.clock,
        ..v1::CreateMatchRequest::default()
    }
}

/// The hash of what a seek asks for; for how long is no part of it. No request to make matches has the same.
fn body_of_seek(terms: &v1::CreateMatchRequest, seat: Option<u32>) -> BodyHash {
    let asked = (body(terms), seat);
    BodyHash::of(&postcard::to_extend(&asked, vec![3]).expect("a request knows its lengths"))
}

/// The seat that is wanted, of a match that somebody else is needed for.
fn wanted_seat(plan: &MatchPlan, given: Option<u32>) -> Result<Option<Seat>, Refused> {
    let count = plan.seats.len();
    if count < 2 {
        let message =
            "the game has one seat, for which nobody else is needed: `CreateMatch` makes its matches";
        let what = "expected a game whose scenario has two seats or more";
        return Err(Refused::new(ErrorReason::NoOpponent, message).violation("game", what));
    }
    let Some(given) = given else { return Ok(None) };
    match usize::try_from(given) {
        // A match has at most eight seats.
        Ok(index) if index < count => Ok(Some(Seat::new(index as u8))),
        _ => {
            let what =
                format!("expected 0 to {}, the scenario's seats, or nothing, found {given}", count - 1);
            Err(Refused::field("seat", what))
        }
    }
}
