//! A match that can be read, and not played ([`ClosedMatch`]): this build does not have its rules, or it is stopped.

use prost::Message;

use edgehill_engine::seat::Observer;
use edgehill_proto::v1;

use super::course::Course;
use super::entry::{Happened, JournalEntry};
use super::error::MatchError;
use super::published_events::PublishedEvents;
use crate::store::StoredRecord;

/// The reason that a match can only be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WhyClosed {
    /// This build does not have its rules.
    RulesUnknown,
    /// It is in quarantine.
    Stopped {
        /// The stable name of the reason.
        reason: String,
    },
}

/// A match that can only be read.
#[derive(Clone, Debug)]
pub struct ClosedMatch {
    course: Course,
    why: WhyClosed,
    published: PublishedEvents,
    starts: Vec<v1::View>,
}

impl ClosedMatch {
    /// Reads a log without its rules.
    ///
    /// # Errors
    /// [`MatchError::Unreplayable`] if an entry can't be read.
    pub fn read(mut course: Course, records: &[StoredRecord], why: WhyClosed) -> Result<Self, MatchError> {
        let mut published = PublishedEvents::new(course.seats().len());
        let mut starts = Vec::new();
        for record in records {
            let revision = record.at.revision;
            course.set_revision(revision.saturating_sub(1));
            let fault = |why: String| MatchError::Unreplayable { revision, why };
            let entry = JournalEntry::from_bytes(&record.entry).map_err(|error| fault(error.to_string()))?;
            for bytes in &entry.published.starts {
                starts.push(v1::View::decode(bytes.as_slice()).map_err(|error| fault(error.to_string()))?);
            }
            course.open_entry(&entry.happened, entry.at_ms);
            course.close_entry(&entry, record.summary.lengths.iter().copied());
            match &entry.happened {
                Happened::Compacted(compaction) => {
                    published.take_superseded(&compaction.gone, entry.published).map_err(fault)?;
                }
                _ => published.take_published(entry.published).map_err(fault)?,
            }
        }
        Ok(Self { course, why, published, starts })
    }

    /// Returns what is known of it without its rules.
    #[must_use]
    pub const fn course(&self) -> &Course {
        &self.course
    }

    /// Returns the reason that it can only be read.
    #[must_use]
    pub const fn why(&self) -> &WhyClosed {
        &self.why
    }

    /// The refusal of everything that needs the rules.
    #[must_use]
    pub fn refusal(&self) -> MatchError {
        let header = self.course.header();
        match &self.why {
            WhyClosed::RulesUnknown => {
                MatchError::Unplayable { game: header.game.clone(), version: header.rules_version }
            }
            WhyClosed::Stopped { reason } => MatchError::Stopped { reason: reason.clone() },
        }
    }

    /// Returns the view of `observer` at the beginning.
    #[must_use]
    pub fn start(&self, observer: Observer) -> Option<&v1::View> {
        self.starts.get(observer.index(self.course.seats().len()))
    }

    /// The views at the beginning, by observer.
    pub(super) fn starts(&self) -> &[v1::View] {
        &self.starts
    }

    /// Returns the events published since it began.
    #[must_use]
    pub const fn published(&self) -> &PublishedEvents {
        &self.published
    }
}
