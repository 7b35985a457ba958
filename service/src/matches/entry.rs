//! One entry of a match's log ([`JournalEntry`]): the occurrence, its chance events, and the events that were published.

use serde::{Deserialize, Serialize};

use edgehill_engine::game::{MatchResult, Termination};
use edgehill_engine::record::RulesPin;
use edgehill_engine::reference::Ref;
use edgehill_engine::seat::Seat;
use serde_bytes::ByteBuf;

use super::adjournment::Adjourning;
use super::call::Call;
use super::clock::{self, SeatClock};
use super::compaction::Compaction;
use super::encoder::Encoder;
use super::header::PinNote;
use super::published::{Published, Publishing};
use super::referee::RefereeNote;
use super::seats::Join;
use super::stored::{self, StoredError};

/// An occurrence in a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Happened {
    /// A player took a seat.
    Joined(Join),
    /// A seat revealed its entropy.
    Revealed {
        /// The seat.
        seat: u8,
        /// The entropy that it had committed to.
        entropy: [u8; 32],
    },
    /// Seats did not reveal in time, and lose before the first event.
    Forfeited {
        /// The seats.
        seats: Vec<u8>,
    },
    /// The seed group is complete, and the match begins.
    Begun {
        /// Of all entrants; zeros where none was given.
        entropies: Vec<[u8; 32]>,
    },
    /// In the log of a group's first match: another match has its place in the group.
    Grown(Grown),
    /// A seat was given back before the match began.
    Left(Left),
    /// The match was taken back before it began.
    Aborted {
        /// The id of the request.
        request: Vec<u8>,
    },
    /// Its seats were not taken in time.
    Expired,
    /// A seat made a call.
    Called {
        /// The seat.
        seat: u8,
        /// The call that it made.
        call: Call,
        /// Number of actions taken, or taken back.
        actions: u32,
    },
    /// Drafts that were superseded have left the log, and this is in their place.
    Compacted(Box<Compaction>),
    /// The log has no room for the match to go on, which ends it.
    LogFull,
    /// The time of a seat for its question ran out: the game's default action was taken, or it lost.
    TimedOut {
        /// The seat.
        seat: u8,
        /// True if it lost.
        forfeits: bool,
    },
    /// Nothing has happened for long, which ends it.
    Idle,
    /// Other rules took it up, under which all that stands before leads where it had led.
    Repinned(PinNote),
    /// A referee acted on it.
    Refereed(Box<RefereeNote>),
    /// A seat gave up what its server could not play.
    GivenUp {
        /// The seat.
        seat: u8,
    },
    /// The time of its adjournment was over.
    AdjournmentEnded,
    /// A seat wanted to take an action that the rules do not allow, in a match that counts those.
    ActedIllegally {
        /// The seat.
        seat: u8,
        /// The id of the request.
        request: Vec<u8>,
        /// True if it lost.
        forfeits: bool,
    },
}

impl Happened {
    /// The name of the method whose call it is; empty for what happens by itself.
    pub(super) const fn method(&self) -> &'static str {
        match self {
            Self::Joined(_) => "JoinMatch",
            Self::Revealed { .. } => "RevealEntropy",
            Self::Left(_) => "LeaveMatch",
            Self::Aborted { .. } => "AbortMatch",
            Self::Called { call, .. } => call.method(),
            Self::GivenUp { .. } => Call::Resign.method(),
            Self::Refereed(note) => note.act.method(),
            Self::Forfeited { .. }
            | Self::Begun { .. }
            | Self::Grown(_)
            | Self::Expired
            | Self::Compacted(_)
            | Self::LogFull
            | Self::TimedOut { .. }
            | Self::Idle
            | Self::Repinned(_)
            | Self::AdjournmentEnded
            | Self::ActedIllegally { .. } => "",
        }
    }
}

/// The number of [`Happened::Repinned`] in stored bytes.
const REPINNED: u8 = 13;

/// A match's place in a group, reserved before the match is made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Grown {
    /// The match that has the place.
    pub id: [u8; 16],
    /// The name of the request that asked ([`crate::identity::ServerKey::creation`]).
    pub request: Vec<u8>,
    /// The hash of what it asked for.
    pub body: [u8; 32],
}

/// A seat that was given back.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Left {
    /// The seat.
    pub seat: u8,
    /// The keyed hash of the token that it had.
    pub token: [u8; 32],
    /// The id of the request.
    pub request: Vec<u8>,
}

/// A chance event that was resolved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Drawn {
    /// The stream of the seed.
    pub stream: u32,
    /// The count within the stream.
    pub n: u32,
    /// The outcome: faces separated by commas, or the id of what was drawn.
    pub outcome: String,
}

/// The result of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ResultNote {
    /// The return of each seat.
    pub returns: Vec<i32>,
    /// The victory's name.
    pub code: String,
    /// Things that the victory's template names, as published references.
    pub refs: Vec<ByteBuf>,
    /// The rule that ended it.
    pub rule: String,
    /// The grade of the victory.
    pub grade: String,
    /// The way in which it was finished.
    pub ended_by: EndedBy,
}

/// The way in which a match was finished, or came to its end without a result.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum EndedBy {
    /// The rules of the game.
    Victory,
    /// A seat that gave up.
    Resignation,
    /// The agreement of the seats.
    Agreement,
    /// A seat that did not reveal its entropy.
    Absence,
    /// Its creator, before it began: there is no result.
    Abort,
    /// The time that it waited for its seats: there is no result.
    Expiry,
    /// The server, which had no room left in its log: the result does not count.
    LogFull,
    /// A clock that ran out.
    Time,
    /// The server, since nothing has happened in it for long: the result does not count.
    Idle,
    /// A referee: the result does not count.
    Voided,
    /// Illegal actions of a seat, more than the match forgives.
    IllegalActions,
}

impl EndedBy {
    /// Returns whether a match that ends so has a result.
    #[must_use]
    pub const fn has_result(self) -> bool {
        !matches!(self, Self::Abort | Self::Expiry)
    }
}

impl ResultNote {
    /// The end of a match that has the result of its table.
    pub(super) fn of(result: &MatchResult, encoder: &dyn Encoder) -> Self {
        Self {
            returns: result.returns.clone(),
            code: result.code.to_owned(),
            refs: result.refs.iter().map(|&what| ByteBuf::from(encoder.reference(what))).collect(),
            rule: result.rule.to_string(),
            grade: result.grade.to_owned(),
            ended_by: match result.termination {
                Termination::Victory => EndedBy::Victory,
                Termination::Resignation => EndedBy::Resignation,
                Termination::Agreement => EndedBy::Agreement,
            },
        }
    }

    /// The end of a match of so many seats that one of them gave up without its rules: as the contract has it for every game.
    pub(super) fn given_up(seats: usize, seat: Seat, encoder: &dyn Encoder) -> Self {
        let returns = (0..seats).map(|index| if index == seat.index() { -1 } else { 1 });
        Self {
            returns: returns.collect(),
            code: "resigned".to_owned(),
            refs: vec![ByteBuf::from(encoder.reference(Ref::Seat(seat)))],
            rule: "contract".to_owned(),
            grade: String::new(),
            ended_by: EndedBy::Resignation,
        }
    }

    /// The end of a match by the clock of a seat, which has lost as one that resigns does.
    pub(super) fn timed_out(resigned: Self, seat: Seat, encoder: &dyn Encoder) -> Self {
        Self {
            code: "timed_out".to_owned(),
            refs: vec![ByteBuf::from(encoder.reference(Ref::Seat(seat)))],
            rule: "contract".to_owned(),
            grade: String::new(),
            ended_by: EndedBy::Time,
            ..resigned
        }
    }

    /// The end of a match by the illegal actions of a seat, which has lost as one that resigns does.
    pub(super) fn acted_illegally(resigned: Self, seat: Seat, encoder: &dyn Encoder) -> Self {
        Self {
            code: "illegal_actions".to_owned(),
            ended_by: EndedBy::IllegalActions,
            ..Self::timed_out(resigned, seat, encoder)
        }
    }

    /// The end of a match of so many seats by the server or a referee: nobody wins.
    pub(super) fn void(seats: usize, ended_by: EndedBy) -> Self {
        let code = match ended_by {
            EndedBy::Idle => "idle",
            EndedBy::Voided => "voided",
            _ => "log_full",
        };
        Self {
            returns: vec![0; seats],
            code: code.to_owned(),
            refs: Vec::new(),
            rule: "contract".to_owned(),
            grade: String::new(),
            ended_by,
        }
    }

    /// The end of a match that has no result.
    pub(super) fn without_result(ended_by: EndedBy) -> Self {
        let code = if ended_by == EndedBy::Abort { "aborted" } else { "expired" };
        Self {
            returns: Vec::new(),
            code: code.to_owned(),
            refs: Vec::new(),
            rule: "contract".to_owned(),
            grade: String::new(),
            ended_by,
        }
    }
}

/// An entry of a match's log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct JournalEntry {
    /// The occurrence.
    pub happened: Happened,
    /// Its chance events, in order.
    pub drawn: Vec<Drawn>,
    /// The events of it published to each observer.
    pub published: Published,
    /// The seats that offer a draw after it, a bit for each seat.
    pub offers: u8,
    /// The result of the match, if it ended with this entry.
    pub result: Option<ResultNote>,
    /// Milliseconds since 1970.
    pub at_ms: u64,
    /// The clocks of the seats after it, if it changed them.
    #[serde(skip)]
    pub clocks: Option<Vec<SeatClock>>,
    /// The adjournment of the match and the offers after it, if it changed them.
    #[serde(skip)]
    pub adjourning: Option<Adjourning>,
}

/// The part of an entry that one has which changes adjournments, or leaves a question interrupted: the clocks, the time that was added
/// to the limit of each seat's question, the time that each had taken, and the adjournment with the offers.
type Adjourned<C, A> = (Option<C>, Vec<u64>, Vec<u64>, Option<A>);

/// An entry as it is written, field by field as [`JournalEntry`] is: what was published from where it is kept.
#[derive(Serialize)]
struct Writing<'a, 'p> {
    happened: &'a Happened,
    drawn: &'a [Drawn],
    published: &'a Publishing<'p>,
    offers: u8,
    result: &'a Option<ResultNote>,
    at_ms: u64,
}

impl JournalEntry {
    /// The bytes to store.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.stored(self, 0)
    }

    /// The bytes of an entry with what comes behind the fields of this one; `more` is how many are known to come beyond the usual.
    fn stored<T: Serialize>(&self, entry: &T, more: usize) -> Vec<u8> {
        let (clocks, adjourning) = (self.clocks.as_ref(), self.adjourning.as_ref());
        let spent_ms = clocks.and_then(|clocks| clock::spent_times(clocks));
        if adjourning.is_some() || spent_ms.is_some() {
            let extra_ms = clocks.and_then(|clocks| clock::extra_times(clocks)).unwrap_or_default();
            let adjourned: Adjourned<_, _> = (clocks, extra_ms, spent_ms.unwrap_or_default(), adjourning);
            return stored::to_bytes_adjourned(entry, &adjourned);
        }
        match clocks.and_then(|clocks| Some((clocks, clock::extra_times(clocks)?))) {
            None => stored::to_bytes_clocked(entry, clocks, more),
            Some(refereed) => stored::to_bytes_refereed(entry, &refereed),
        }
    }

    /// The bytes to store: `published` is what was published of it, and what it holds of that itself is left out.
    pub(super) fn to_bytes_with(&self, published: &Publishing<'_>) -> Vec<u8> {
        let Self { happened, drawn, offers, result, at_ms, .. } = self;
        let writing = Writing { happened, drawn, published, offers: *offers, result, at_ms: *at_ms };
        let (events, bytes) = published.events.size();
        self.stored(&writing, bytes + 4 * events)
    }

    /// Reads stored bytes.
    ///
    /// # Errors
    /// If they are of another version, or no entry.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, StoredError> {
        if let Some((entry, adjourned)) = stored::from_bytes_adjourned(bytes)? {
            let (entry, (mut clocks, extra_ms, spent_ms, adjourning)): (
                Self,
                Adjourned<Vec<SeatClock>, Adjourning>,
            ) = (entry, adjourned);
            if let Some(clocks) = &mut clocks {
                clock::set_extra_times(clocks, extra_ms);
                clock::set_spent_times(clocks, spent_ms);
            }
            return Ok(Self { clocks, adjourning, ..entry });
        }
        if let Some((entry, (clocks, extra_ms))) = stored::from_bytes_refereed(bytes)? {
            let (entry, mut clocks): (Self, Vec<SeatClock>) = (entry, clocks);
            clock::set_extra_times(&mut clocks, extra_ms);
            return Ok(Self { clocks: Some(clocks), ..entry });
        }
        let (entry, clocks) = stored::from_bytes_clocked(bytes)?;
        Ok(Self { clocks, ..entry })
    }

    /// Returns the rules that take the match up with these stored bytes, if they do. Others are not read for it.
    pub(super) fn repinned_by(bytes: &[u8]) -> Option<RulesPin> {
        // A version, and then what happened.
        if bytes.get(1) != Some(&REPINNED) {
            return None;
        }
        match Self::from_bytes(bytes).ok()?.happened {
            Happened::Repinned(note) => Some(note.into()),
            _ => None,
        }
    }

    /// Returns whether a replay that made `self` led where `other` says that the match was. What was
    /// published is left out: how events are written may change where rules do not.
    #[must_use]
    pub fn agrees_with(&self, other: &Self) -> bool {
        let plain = |entry: &Self| Self { published: Published::default(), ..entry.clone() };
        plain(self) == plain(other)
    }
}

#[cfg(test)]
mod tests {
    use serde_bytes::ByteBuf;

    use super::*;
    use crate::matches::adjournment::Adjournment;
    use crate::matches::packed::Packed;
    use crate::matches::published::{Events, Places};

    #[test]
    fn rules_that_take_a_match_up_are_found_without_reading_other_entries() {
        let entry = |happened| JournalEntry {
            happened,
            drawn: Vec::new(),
            published: Published::default(),
            offers: 0,
            result: None,
            at_ms: 1_642,
            clocks: None,
            adjourning: None,
        };
        let note = PinNote { rules_version: 2, content: [7; 32] };
        let bytes = entry(Happened::Repinned(note)).to_bytes();
        assert_eq!(JournalEntry::repinned_by(&bytes), Some(note.into()));
        assert_eq!(JournalEntry::repinned_by(&entry(Happened::Idle).to_bytes()), None);
        assert_eq!(JournalEntry::repinned_by(&[3, REPINNED]), None);
    }

    #[test]
    fn an_entry_is_written_from_where_its_events_are_kept_as_it_is_with_them() {
        let entry = JournalEntry {
            happened: Happened::Forfeited { seats: vec![1] },
            drawn: vec![Drawn { stream: 3, n: 400, outcome: "1,6".to_owned() }],
            published: Published {
                events: vec![ByteBuf::from(vec![1; 200]), ByteBuf::from(vec![2])],
                observed: vec![vec![0, 1], vec![], vec![1]],
                starts: vec![ByteBuf::from(vec![9; 3])],
            },
            offers: 2,
            result: None,
            at_ms: 1_642,
            clocks: Some(vec![SeatClock {
                bank_ms: 5,
                strikes: 1,
                question: None,
                extra_ms: 0,
                spent_ms: 0,
            }]),
            adjourning: None,
        };
        let mut kept = Packed::default();
        kept.push(|bytes| bytes.extend_from_slice(b"earlier"));
        for event in &entry.published.events {
            kept.push(|bytes| bytes.extend_from_slice(event));
        }
        let places = [&[70, 71][..], &[], &[71]].map(|places| Places { places, first: 70 });
        let publishing = Publishing {
            events: Events { from: Some(&kept), first: 1 },
            observed: places.into_iter().collect(),
            starts: entry.published.starts.clone(),
        };
        let without = JournalEntry { published: Published::default(), ..entry.clone() };
        assert_eq!(without.to_bytes_with(&publishing), entry.to_bytes());
        assert_eq!(JournalEntry::from_bytes(&entry.to_bytes()), Ok(entry.clone()));
        // With time that a referee has added to a limit.
        let clock = SeatClock { bank_ms: 5, strikes: 1, question: None, extra_ms: 7, spent_ms: 0 };
        let adjournment = Adjournment { at_ms: 9, longest_ms: 60_000, by_referee: false, resumes: 2 };
        let adjourning =
            Adjourning { offers: [(1, 90_000)].into_iter().collect(), adjournment: Some(adjournment) };
        for (clocks, adjourning) in [
            (Some(vec![clock]), None),
            // With a question that was interrupted, and while it lasts.
            (Some(vec![SeatClock { spent_ms: 3, ..clock }]), None),
            (Some(vec![SeatClock { spent_ms: 3, ..clock }]), Some(adjourning.clone())),
            (None, Some(adjourning)),
            (None, Some(Adjourning::default())),
        ] {
            let [without, entry] = [&without, &entry].map(|one| JournalEntry {
                clocks: clocks.clone(),
                adjourning: adjourning.clone(),
                ..one.clone()
            });
            assert_eq!(without.to_bytes_with(&publishing), entry.to_bytes());
            assert_eq!(JournalEntry::from_bytes(&entry.to_bytes()), Ok(entry));
        }
    }
}
