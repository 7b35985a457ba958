//! Names of people are taken out of logs of matches that are over.

use super::Host;
use super::error::Error;
use super::reader::course_of;
use crate::matches::{ClosedMatch, MatchError, PseudonymOf, WhyClosed, erased};
use crate::store::{self, MatchId, MatchLog, Rewrite, StoredStatus};
use crate::wire::encoder::MessageEncoder;

/// The outcome of a look at a match for names to take out of it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum MatchErasure {
    /// It has none of them, or is not there any more.
    Nothing,
    /// They were taken out, durably.
    Erased,
    /// It is not over: they are taken out when it is.
    Waiting,
    /// It can't be read, or is stopped.
    Unreadable,
}

impl Host {
    /// Puts pseudonyms in the place of accounts in the log of a match, once it is over. What is seen of it stays as it is, but for the
    /// names of players.
    ///
    /// # Errors
    /// If the store can't be read or takes nothing. Then the log is as it was.
    pub async fn erase_in_match(
        &self,
        id: MatchId,
        pseudonym_of: PseudonymOf<'_>,
    ) -> Result<MatchErasure, Error> {
        let found = match self.store().read(id, 0).await {
            Ok(log) => found(&log, pseudonym_of),
            Err(error) => outcome_of(error)?,
        };
        if found != MatchErasure::Erased {
            return Ok(found);
        }
        let slot = self.0.slots.of(id);
        let mut content = slot.content.lock().await;
        self.check_here(&slot)?;
        slot.line_is_empty().await;
        // It may have gone on meanwhile, into an archive.
        let rewritten = match self.store().read(id, 0).await {
            Ok(log) => match rewrite(&log, pseudonym_of) {
                Ok(Some(rewrite)) => {
                    // Its log is another one from then on.
                    *content = None;
                    slot.drop_all();
                    self.store().rewrite(rewrite).await.map(|()| MatchErasure::Erased)
                }
                Ok(None) => Ok(MatchErasure::Nothing),
                Err(_) => Ok(MatchErasure::Unreadable),
            },
            Err(error) => Err(error),
        };
        drop(content);
        self.0.slots.forget_empty(&slot);
        rewritten.or_else(outcome_of)
    }

    /// Has the store write its file anew, without what was taken out of it.
    ///
    /// # Errors
    /// If the store can't do it now.
    pub async fn compact_store(&self) -> Result<(), Error> {
        Ok(self.store().compact().await?)
    }
}

/// The outcome for a match that can't be read or written.
fn outcome_of(error: store::Error) -> Result<MatchErasure, Error> {
    match error {
        store::Error::NotFound(_) => Ok(MatchErasure::Nothing),
        store::Error::Quarantined { .. } | store::Error::SecretUnreadable | store::Error::Corrupt { .. } => {
            Ok(MatchErasure::Unreadable)
        }
        error => Err(error.into()),
    }
}

/// The outcome that a log is to have: [`MatchErasure::Erased`] if there are names to take out now.
fn found(log: &MatchLog, pseudonym_of: PseudonymOf<'_>) -> MatchErasure {
    let last = log.records.last().map_or(&log.header.summary, |last| &last.summary);
    match erased(log, pseudonym_of) {
        Ok(None) => MatchErasure::Nothing,
        Ok(Some(_)) if matches!(last.status, StoredStatus::Over | StoredStatus::Abandoned) => {
            MatchErasure::Erased
        }
        Ok(Some(_)) => MatchErasure::Waiting,
        Err(_) => MatchErasure::Unreadable,
    }
}

/// The log written anew; `None` if there are no names to take out.
fn rewrite(log: &MatchLog, pseudonym_of: PseudonymOf<'_>) -> Result<Option<Rewrite>, MatchError> {
    let unreadable =
        |why: &dyn std::fmt::Display| MatchError::Unreplayable { revision: 0, why: why.to_string() };
    let erased = erased(log, pseudonym_of).map_err(|error| unreadable(&error))?;
    let Some(erased) = erased else { return Ok(None) };
    // Read as it will be, without its rules, for what lists show of it.
    let mut read = log.clone();
    read.header.bytes.clone_from(&erased.header);
    for (record, (_, entry)) in read.records.iter_mut().zip(&erased.entries) {
        record.entry.clone_from(entry);
    }
    let mut course = course_of(&read)?;
    course.take_rules_of(&read.records)?;
    let closed = ClosedMatch::read(course, &read.records, WhyClosed::RulesUnknown, &MessageEncoder)?;
    Ok(Some(Rewrite {
        id: log.header.id,
        expected: log.revision,
        header: erased.header,
        entries: erased.entries,
        overview: closed.course().overview().to_bytes(),
        creator: erased.creator,
    }))
}
