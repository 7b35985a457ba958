//! Events: what the log of a competition holds ([`CompetitionEvent`]).

use serde::{Deserialize, Serialize};

use crate::encounter::{Encounter, EntrantId, MatchSlot, Round, Verdict};
use crate::settings::CompetitionSettings;

/// The most bytes of a text in an event: of a name, a match's id, a reason 200, of evidence this many.
pub const TEXT_BYTES_MAX: usize = 4_000;

/// An occurrence in a competition: one entry of its log. New kinds are added behind the last, since stored bytes number them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum CompetitionEvent {
    /// The competition was created: the first event, and only that.
    Created(Box<CompetitionSettings>),
    /// An entrant enrolled.
    Enrolled {
        /// Its id: the next that is free.
        entrant: EntrantId,
        /// Its name, which no other has, of 1 to 200 bytes.
        name: String,
        /// A rating to seed it by; who has none is seeded behind those who have, in the order of enrolment.
        rating: Option<i32>,
    },
    /// An entrant left. Matches of theirs that have not begun are forfeited by absence.
    Withdrawn {
        /// The entrant.
        entrant: EntrantId,
    },
    /// An entrant was sent away, or loses the rank that it had when it withdrew.
    Disqualified {
        /// The entrant.
        entrant: EntrantId,
        /// The reason, with what speaks for it.
        evidence: String,
    },
    /// Enrolment ended, and the seeding was settled.
    Started,
    /// A round was paired. Its encounters stand, even where another build would pair otherwise.
    RoundPaired {
        /// The round.
        round: Round,
        /// Its encounters.
        encounters: Vec<Encounter>,
    },
    /// A match of an encounter was begun.
    MatchBegun {
        /// Its place in the competition.
        slot: MatchSlot,
        /// Its id on the server, which no other match has, of 1 to 200 bytes.
        match_id: String,
    },
    /// A match ended.
    MatchEnded {
        /// Its place in the competition.
        slot: MatchSlot,
        /// The verdict; not void, which is an event of its own.
        verdict: Verdict,
        /// The grounds of the verdict: the result of the record, the clock, a list of illegal actions.
        evidence: String,
    },
    /// The host took a match back that was begun, whether it has ended or not.
    MatchVoided {
        /// Its place in the competition.
        slot: MatchSlot,
        /// True if it is played again; of a mirrored pair both matches are then. False if it counts for nothing, and that is all.
        replay: bool,
        /// The reason.
        evidence: String,
    },
    /// The competition was called off.
    Cancelled {
        /// The reason, of at most 200 bytes.
        reason: String,
    },
    /// The competition came to its end.
    Finished,
}
