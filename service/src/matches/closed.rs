//! A match that can be read, and not played ([`ClosedMatch`]): the server does not have its rules or its content, or it is stopped.
//! It can come to an end without them (`super::closed_ends`).

use edgehill_engine::record::RulesPin;
use edgehill_engine::seat::Observer;
use serde_bytes::ByteBuf;

use super::answered::{Answered, Ask, CallOutcome};
use super::archive;
use super::call::Call;
use super::course::Course;
use super::dice_secret::DiceSecret;
use super::encoder::Encoder;
use super::entry::{Happened, JournalEntry};
use super::error::MatchError;
use super::news::NewsCounters;
use super::published_events::PublishedEvents;
use super::stored::StoredError;
use crate::store::{Party, StoredRecord};

/// The reason that a match can only be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WhyClosed {
    /// This build does not have its rules.
    RulesUnknown,
    /// The server does not have its content.
    ContentUnknown,
    /// It is in quarantine.
    Stopped {
        /// The stable name of the reason.
        reason: String,
    },
}

/// A match that can only be read.
#[derive(Debug)]
pub struct ClosedMatch {
    pub(super) course: Course,
    why: WhyClosed,
    pub(super) published: PublishedEvents,
    starts: Vec<ByteBuf>,
    pub(super) answered: Answered,
    /// The record that its archive keeps.
    record: Option<String>,
    /// The secret of its dice, if it can be read.
    dice_secret: Option<DiceSecret>,
}

impl WhyClosed {
    /// Returns whether the server lacks what it takes to play it.
    #[must_use]
    pub const fn is_unplayable(&self) -> bool {
        matches!(self, Self::RulesUnknown | Self::ContentUnknown)
    }
}

impl ClosedMatch {
    /// Reads a log without its rules. `encoder` knows what was published in it.
    ///
    /// # Errors
    /// [`MatchError::Unreplayable`] if an entry can't be read.
    pub fn read(
        mut course: Course,
        records: &[StoredRecord],
        why: WhyClosed,
        encoder: &'static dyn Encoder,
    ) -> Result<Self, MatchError> {
        let mut published = PublishedEvents::new(course.id(), course.seats().len(), encoder);
        let (mut starts, mut answered) = (Vec::new(), Answered::default());
        let last = records.last().map_or(0, |record| record.at.revision);
        let unreadable =
            |error: StoredError| MatchError::Unreplayable { revision: last, why: error.to_string() };
        for record in archive::unpacked(records).map_err(unreadable)?.iter() {
            let revision = record.at.revision;
            course.set_revision(revision.saturating_sub(1));
            let fault = |why: String| MatchError::Unreplayable { revision, why };
            let mut entry =
                JournalEntry::from_bytes(&record.entry).map_err(|error| fault(error.to_string()))?;
            for view in std::mem::take(&mut entry.published.starts) {
                encoder.check_view(&view).map_err(fault)?;
                starts.push(view);
            }
            course.open_entry(&entry.happened, entry.at_ms);
            course.close_entry(&entry, record.summary.lengths.iter().copied());
            match &entry.happened {
                Happened::Compacted(compaction) => {
                    published.take_superseded(&compaction.gone, entry.published).map_err(fault)?;
                }
                _ => published.take_published(entry.published).map_err(fault)?,
            }
            if entry.happened.method() == Call::Resign.method() {
                remember(&mut answered, record, &entry.happened).map_err(unreadable)?;
            }
        }
        // An archive has a revision of its own.
        course.set_revision(last);
        let record = archive::kept_record(records).map_err(unreadable)?;
        Ok(Self { course, why, published, starts, answered, record, dice_secret: None })
    }

    /// The same match, with the secret of its dice.
    #[must_use]
    pub fn with_dice_secret(self, dice_secret: DiceSecret) -> Self {
        Self { dice_secret: Some(dice_secret), ..self }
    }

    /// The secret of its dice, if it can be read: for what is revealed when it is over, and for nothing else.
    pub(crate) const fn dice_secret(&self) -> Option<&DiceSecret> {
        self.dice_secret.as_ref()
    }

    /// Returns what is known of it without its rules.
    #[must_use]
    pub const fn course(&self) -> &Course {
        &self.course
    }

    /// Returns the numbers that tell each observer whether there is something new for them.
    #[must_use]
    pub fn news(&self) -> NewsCounters {
        let turns = self.course.turns();
        let observers = Observer::all(self.course.seats().len());
        NewsCounters::new(observers.map(|observer| (observer, turns + self.course.length(observer))))
    }

    /// Returns the reason that it can only be read.
    #[must_use]
    pub const fn why(&self) -> &WhyClosed {
        &self.why
    }

    /// The refusal of everything that needs the rules.
    #[must_use]
    pub fn refusal(&self) -> MatchError {
        let game = self.course.header().game.clone();
        let RulesPin { rules_version, content } = self.course.header().played_by();
        match &self.why {
            WhyClosed::RulesUnknown => MatchError::Unplayable { game, version: rules_version },
            WhyClosed::ContentUnknown => MatchError::ContentMissing { game, content: *content.as_bytes() },
            WhyClosed::Stopped { reason } => MatchError::Stopped { reason: reason.clone() },
        }
    }

    /// Returns the view of `observer` at the beginning, as its [`Encoder`] has it.
    #[must_use]
    pub fn start(&self, observer: Observer) -> Option<&[u8]> {
        self.starts.get(observer.index(self.course.seats().len())).map(|view| view.as_slice())
    }

    /// The record that its archive keeps, without names and secrets; `None` if it has none.
    pub(super) fn kept_record(&self) -> Option<&str> {
        self.record.as_deref()
    }

    /// The views at the beginning, by observer.
    pub(super) fn starts(&self) -> &[ByteBuf] {
        &self.starts
    }

    /// Returns the events published since it began.
    #[must_use]
    pub const fn published(&self) -> &PublishedEvents {
        &self.published
    }
}

/// Takes over the requests that an entry answered by which a seat gave up: these can be made without the rules, and repeated.
fn remember(answered: &mut Answered, record: &StoredRecord, happened: &Happened) -> Result<(), StoredError> {
    for (party, request) in &record.requests {
        if let Party::Seat(seat) = party {
            let ask = Ask { id: request.id.clone(), body: request.body };
            let outcome = CallOutcome::from_bytes(&request.outcome)?;
            answered.note(seat.index() as u8, happened.method(), ask, outcome);
        }
    }
    Ok(())
}
