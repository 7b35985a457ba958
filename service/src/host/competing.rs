//! Matches of competitions: how far those are published, and matches that are taken back.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::Host;
use super::error::Error;
use super::slot::Content;
use crate::identity::HOUSE_ID;
use crate::matches::{Course, Phase, RefereeAct, RefereeNote};
use crate::store::{CompetitionId, MatchId};

/// The rounds of competitions whose records and seeds are for everybody. A competition that nobody has told of has none.
#[derive(Default, Debug)]
pub(super) struct PublishedRounds(Mutex<HashMap<CompetitionId, u16>>);

impl Host {
    /// Records and seeds of a competition are for everybody, as far as this round.
    pub fn publish(&self, competition: CompetitionId, round: u16) {
        let mut published = self.0.published_rounds.0.lock().unwrap_or_else(PoisonError::into_inner);
        published.insert(competition, round);
    }

    /// Returns whether the record and the seed of a match are for everybody when it is over: those of a competition are once it has
    /// published them.
    #[must_use]
    pub fn is_published(&self, course: &Course) -> bool {
        let Some(place) = course.place() else { return true };
        let published = self.0.published_rounds.0.lock().unwrap_or_else(PoisonError::into_inner);
        published.get(&place.competition()).is_some_and(|&round| place.round <= round)
    }

    /// Returns whether others than players and referees may look at a match.
    #[must_use]
    pub fn is_open_to_all(&self, course: &Course) -> bool {
        course.place().is_none_or(|place| !place.is_closed) || self.is_published(course)
    }

    /// Takes a match of a competition back, whatever its stage: it has no result, or none that counts. Does nothing with one that is
    /// over.
    ///
    /// # Errors
    /// If it can't be read or written.
    pub async fn take_back(&self, id: MatchId, reason: &str) -> Result<(), Error> {
        let slot = self.0.slots.of(id);
        let mut locked = self.lock(&slot).await?;
        let course = locked.content()?.course();
        let now_ms = self.now_ms();
        let spent = self.spent_times(course, now_ms);
        let note = RefereeNote {
            act: RefereeAct::Void,
            reason: reason.to_owned(),
            referee: HOUSE_ID.as_bytes().to_vec(),
            request: b"competition".to_vec(),
            body: [0; 32],
        };
        match course.phase() {
            Phase::Over => {}
            Phase::Waiting => {
                let act = |content: &mut Content| {
                    let change = match content {
                        Content::Live(live) => live.abort(note.request, now_ms),
                        Content::Closed(closed) => closed.abort(note.request, now_ms),
                    };
                    Ok(((), Some(change?)))
                };
                self.commit_any(&mut locked, act).await?;
            }
            Phase::Revealing | Phase::Running => {
                let act = |content: &mut Content| {
                    let change = match content {
                        Content::Live(live) => live.referee(note, now_ms, spent),
                        Content::Closed(closed) => closed.referee(note, now_ms),
                    };
                    Ok(((), Some(change?)))
                };
                self.commit_any(&mut locked, act).await?;
            }
        }
        let mark = locked.mark();
        drop(locked);
        slot.durable(mark).await
    }

    /// Begins a match of a common series by itself, if all of its seats are taken.
    ///
    /// # Errors
    /// If it can't be read or written.
    pub(super) async fn begin_alone(&self, id: MatchId) -> Result<(), Error> {
        let slot = self.0.slots.of(id);
        let mut locked = self.lock(&slot).await?;
        let course = locked.content()?.course();
        if course.phase() == Phase::Waiting && course.is_full() && course.header().is_of_series() {
            let now_ms = self.now_ms();
            let begin = |live: &mut crate::matches::LiveMatch| {
                live.begin(Vec::new(), now_ms).map(|change| ((), Some(change)))
            };
            self.commit(&mut locked, begin).await?;
        }
        Ok(())
    }
}
