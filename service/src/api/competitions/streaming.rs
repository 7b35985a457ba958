//! Streams of competitions: their events as they come, and their texts.

use std::sync::Arc;

use edgehill_competition::{CompetitionPhase, export};
use edgehill_proto::v1::{self, CompetitionExport, ErrorReason};
use tokio::sync::watch;
use tonic::metadata::MetadataMap;

use super::{CompetitionEndpoint, RESTART, Viewer, competition_id, messages, refused};
use crate::api::outbox::{Outbox, Outgoing, outbox};
use crate::api::revocation::Standing;
use crate::competitions::HostedCompetition;
use crate::identity::{CallerKey, Role};
use crate::limits::RECORD_CHUNK_BYTES;
use crate::store::CompetitionId;
use crate::wire::Refused;

/// The most events of one message.
const EVENTS_MAX: usize = 256;

/// Somebody who watches a competition.
struct CompetitionWatcher {
    calls: CompetitionEndpoint,
    id: CompetitionId,
    viewer: Viewer,
    /// The number of the last event that they have.
    after: u64,
    last_event: watch::Receiver<u64>,
}

impl CompetitionEndpoint {
    pub(super) async fn answer_watch(
        &self,
        metadata: &MetadataMap,
        counted_as: CallerKey,
        request: v1::WatchCompetitionRequest,
    ) -> Result<Outgoing<v1::WatchCompetitionResponse>, Refused> {
        let standing = self.matches.standing(metadata, Some(Role::Spectator));
        let viewer = self.account(Role::Spectator, metadata).await?;
        let id = competition_id(&request.competition_id)?;
        let hosted = self.competitions.get(id).await.map_err(refused)?;
        let last_event = self.competitions.follow(id).map_err(refused)?;
        let (after, last) = (request.after_event, hosted.last_event());
        if after > last {
            let what = format!("expected at most {last}, the number of the last event");
            return Err(Refused::of(ErrorReason::CursorAhead).violation("after_event", what));
        }
        let max = self.matches.limits_of(&counted_as).streams;
        let open = self.matches.0.streams.open(counted_as, max)?;
        let watcher = CompetitionWatcher { calls: self.clone(), id, viewer, after, last_event };
        let (out, outgoing) = outbox(open);
        tokio::spawn(async move {
            let said = out.clone();
            // A stream that ends well says that the competition is over, so it must not end so for another reason.
            if let Err(error) = tokio::spawn(watcher.serve(standing, out)).await {
                tracing::error!(%error, "a stream of a competition failed");
                said.end(Refused::of(ErrorReason::InternalFault).into());
            }
        });
        Ok(outgoing)
    }

    pub(super) async fn answer_export(
        &self,
        metadata: &MetadataMap,
        counted_as: CallerKey,
        request: v1::ExportCompetitionRequest,
    ) -> Result<Outgoing<v1::ExportCompetitionResponse>, Refused> {
        self.account(Role::Spectator, metadata).await?;
        let id = competition_id(&request.competition_id)?;
        let form = CompetitionExport::try_from(request.form)
            .map_err(|_| Refused::field("form", "expected a form that has a name, or none"))?;
        let max = self.matches.limits_of(&counted_as).streams;
        let open = self.matches.0.streams.open(counted_as, max)?;
        let hosted = self.competitions.get(id).await.map_err(refused)?;
        let text = self.reckoner.reckon(move || text_of(&hosted, form)).await?;
        let (out, outgoing) = outbox(open);
        tokio::spawn(async move {
            for chunk in chunks(&text) {
                out.send(v1::ExportCompetitionResponse { chunk: chunk.to_owned() }).await;
            }
        });
        Ok(outgoing)
    }
}

fn text_of(hosted: &HostedCompetition, form: CompetitionExport) -> String {
    let competition = hosted.competition();
    match form {
        CompetitionExport::Unspecified | CompetitionExport::Json => export::json::document(competition),
        CompetitionExport::Html => export::html::page(competition),
        CompetitionExport::StandingsCsv => export::csv::standings(competition),
        CompetitionExport::CrossTableCsv => export::csv::cross_table(competition),
        CompetitionExport::MatchesCsv => export::csv::matches(competition),
        CompetitionExport::MatchLines => export::json::match_lines(competition),
    }
}

/// A text in the parts in which it is sent.
fn chunks(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = (0..=rest.len().min(RECORD_CHUNK_BYTES)).rev().find(|&end| rest.is_char_boundary(end))?;
        let (chunk, behind) = rest.split_at(end);
        rest = behind;
        (!chunk.is_empty()).then_some(chunk)
    })
}

impl CompetitionWatcher {
    /// Sends what comes, until the competition is over, the caller is not let in any more, the server stops or the client goes.
    async fn serve(mut self, standing: Standing, out: Outbox<v1::WatchCompetitionResponse>) {
        let draining = self.calls.matches.0.draining.clone();
        let ended = tokio::select! {
            ended = self.run(&out) => ended,
            () = draining.cancelled() => Err(Refused::draining(RESTART)),
            refused = standing.revoked() => Err(refused),
            () = out.closed() => return,
        };
        if let Err(refused) = ended {
            out.end(refused.into());
        }
    }

    async fn run(&mut self, out: &Outbox<v1::WatchCompetitionResponse>) -> Result<(), Refused> {
        let mut is_first = true;
        loop {
            // The next look sees all that comes from here on.
            self.last_event.borrow_and_update();
            let hosted: Arc<HostedCompetition> =
                self.calls.competitions.get(self.id).await.map_err(refused)?;
            loop {
                let events = hosted.events_after(self.after);
                let now = &events[..events.len().min(EVENTS_MAX)];
                if now.is_empty() && !is_first {
                    break;
                }
                is_first = false;
                let competition = Some(self.calls.shown(&hosted, &self.viewer)?);
                let events = now.iter().map(messages::event).collect();
                self.after = now.last().map_or(self.after, |last| last.number);
                out.send(v1::WatchCompetitionResponse { events, competition }).await;
            }
            let phase = hosted.competition().phase();
            if matches!(phase, CompetitionPhase::Finished | CompetitionPhase::Cancelled) {
                return Ok(());
            }
            if self.last_event.changed().await.is_err() {
                return Err(Refused::draining(RESTART));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_between_characters_alone() {
        for text in [String::new(), "a".repeat(RECORD_CHUNK_BYTES * 2), "\u{fc}".repeat(RECORD_CHUNK_BYTES)] {
            let whole = format!("b{text}");
            assert_eq!(chunks(&whole).collect::<String>(), whole);
            assert!(chunks(&whole).all(|part| !part.is_empty() && part.len() <= RECORD_CHUNK_BYTES));
        }
    }
}
