//! Matches from their logs.

use std::sync::Arc;

use edgehill_engine::dice::{Entropy, Seed, ServerSeed};

use super::Host;
use super::error::Error;
use super::slot::{Content, Locked, Slot};
use crate::matches::{
    ClosedMatch, Course, EntropyMode, Header, LiveMatch, Luck, MatchError, SeatPlan, SeedTerms,
};
use crate::store::{self, MatchId, MatchLog, Quarantine, SecretId};

/// The reason of a quarantine for a log that does not lead where it says.
pub(super) const REPLAY_FAULT: &str = "REPLAY_FAULT";

impl Host {
    /// Locks a match, and reads its log if it is not in memory.
    ///
    /// # Errors
    /// If there is no such match, or it is in quarantine, or the store can't be read.
    pub(super) async fn lock<'a>(&self, slot: &'a Arc<Slot>) -> Result<Locked<'a>, Error> {
        let mut guard = slot.content.lock().await;
        let progress = *slot.progress.borrow();
        if guard.is_none() || progress.stale {
            *guard = None;
            let content = match self.load(slot.id).await {
                Ok(content) => content,
                Err(error) => {
                    drop(guard);
                    self.0.slots.forget_empty(slot);
                    return Err(error);
                }
            };
            let revision = content.course().revision();
            *guard = Some(content);
            slot.progress.send_modify(|progress| {
                progress.stale = false;
                progress.revision = revision;
                progress.durable = revision;
            });
        } else {
            return Ok(Locked { slot, guard, generation: progress.generation });
        }
        let generation = slot.progress.borrow().generation;
        let locked = Locked { slot, guard, generation };
        self.after_change(&locked);
        Ok(locked)
    }

    async fn load(&self, id: MatchId) -> Result<Content, Error> {
        let log = self.store().read(id, 0).await?;
        match self.content(&log).await {
            Err(Error::Match(fault @ (MatchError::Unreplayable { .. } | MatchError::Fault(_)))) => {
                Err(self.quarantine(id, &fault).await)
            }
            other => other,
        }
    }

    /// Stops a match until somebody has looked at it.
    pub(super) async fn quarantine(&self, id: MatchId, fault: &MatchError) -> Error {
        let detail: String = fault.to_string().chars().take(256).collect();
        tracing::error!(target: "edgehill::host", match_id = %id, %detail, "a match is stopped");
        let quarantine = Quarantine { reason: REPLAY_FAULT.to_owned(), detail, since_ms: self.now_ms() };
        if let Err(error) = self.store().quarantine(id, quarantine.clone()).await {
            return error.into();
        }
        store::Error::Quarantined { id, quarantine }.into()
    }

    async fn content(&self, log: &MatchLog) -> Result<Content, Error> {
        let unreadable = |why: String| MatchError::Unreplayable { revision: 0, why };
        let header = Header::from_bytes(&log.header.bytes).map_err(|error| unreadable(error.to_string()))?;
        let bots = bot_commitments(log.header.id, &header);
        let game = self.registry().game(&header.game).ok().cloned();
        let mut course = Course::new(log.header.id, header, &bots);
        course.set_first_lengths(&log.header.summary.lengths);
        let plays = game.filter(|game| {
            let (catalogue, header) = (game.catalogue(), course.header());
            catalogue.rules_version == header.rules_version && *catalogue.content.as_bytes() == header.content
        });
        match plays {
            Some(game) => {
                let luck = self.luck(log.header.id, course.header()).await?;
                Ok(Content::Live(Box::new(LiveMatch::replay(course, game, luck, &log.records)?)))
            }
            None => Ok(Content::Closed(Box::new(ClosedMatch::read(course, &log.records)?))),
        }
    }

    async fn luck(&self, id: MatchId, header: &Header) -> Result<Luck, Error> {
        let secret_id = secret_id(id, header)?;
        let sealed = self.store().secret(secret_id.clone()).await?;
        let sealed =
            sealed.ok_or_else(|| Error::Fault("the seed of the match is not in the store".to_owned()))?;
        let bytes = self.0.sealing.open(&secret_id, &sealed)?;
        let bytes: [u8; 32] = bytes.try_into().map_err(|_| store::Error::SecretUnreadable)?;
        Ok(luck_of(header, bytes))
    }
}

/// What the secret bytes of a match are, by its terms.
pub(super) fn luck_of(header: &Header, bytes: [u8; 32]) -> Luck {
    match header.seed {
        SeedTerms::Chosen => Luck::Chosen(Seed::from_bytes(bytes)),
        SeedTerms::Server | SeedTerms::Group(_) => Luck::Server(ServerSeed::from_bytes(bytes)),
    }
}

/// What the secret of a match, or of its group, is kept under.
pub(super) fn secret_id(id: MatchId, header: &Header) -> Result<SecretId, store::Error> {
    match header.group() {
        Some(group) => SecretId::new(format!("group:{}", group.id)),
        None => SecretId::new(format!("match:{id}")),
    }
}

/// What house bots commit to, where a match asks for commitments: that they give nothing.
pub(super) fn bot_commitments(id: MatchId, header: &Header) -> Vec<Option<[u8; 32]>> {
    let commitment = |(index, plan): (usize, &SeatPlan)| match (plan, header.entropy_mode) {
        (SeatPlan::Bot(_), EntropyMode::CommitReveal) => Entropy::ABSENT
            .commit(&id.to_string(), index as u32)
            .ok()
            .map(|commitment| *commitment.as_bytes()),
        _ => None,
    };
    header.seats.iter().enumerate().map(commitment).collect()
}
