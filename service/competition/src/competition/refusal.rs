//! Reasons for which an event is refused ([`CompetitionRefusal`]).

use super::CompetitionPhase;
use crate::encounter::{EntrantId, MatchSlot, Round, Verdict};
use crate::settings::SettingsError;

/// The reason for which an event is refused; a refused event has changed nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CompetitionRefusal {
    /// The log does not begin with the creation.
    #[error("the log does not begin with the creation of the competition")]
    NotCreated,
    /// A second creation.
    #[error("the competition is created already: that is the first event of a log, and only the first")]
    Created,
    /// The settings are not accepted.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The competition is in another phase.
    #[error("the competition is {}; this is accepted while it is {}", phase_word(*.phase), phase_word(*.accepted))]
    Phase {
        /// The phase that it is in.
        phase: CompetitionPhase,
        /// A phase in which the event is accepted.
        accepted: CompetitionPhase,
    },
    /// Ids of entrants go up by one.
    #[error("the entrant enrols as {given}; the next id is {expected}")]
    EntrantOrder {
        /// The id that was given.
        given: EntrantId,
        /// The id that is next.
        expected: EntrantId,
    },
    /// There are as many as there may be.
    #[error("the competition has {} entrants, which is the most", super::ENTRANTS_MAX)]
    Full,
    /// The name is another entrant's.
    #[error("the name {name:?} is that of {entrant}: each entrant has a name of its own")]
    NameTaken {
        /// The name.
        name: String,
        /// The one who has it.
        entrant: EntrantId,
    },
    /// A text is empty, too long, or has control characters in it.
    #[error(
        "{field} has {bytes} bytes, or control characters; accepted are {min} to {max} bytes without any"
    )]
    Text {
        /// The field.
        field: &'static str,
        /// Its length.
        bytes: usize,
        /// The least length.
        min: usize,
        /// The greatest length.
        max: usize,
    },
    /// Nobody has this id.
    #[error("there is no entrant {0}")]
    UnknownEntrant(EntrantId),
    /// The entrant has left.
    #[error("{0} has left already")]
    Left(EntrantId),
    /// The start needs more entrants.
    #[error("{active} entrants are there; the format needs {needed}")]
    TooFew {
        /// The number of those who are there.
        active: usize,
        /// The fewest that are needed.
        needed: usize,
    },
    /// A gauntlet needs somebody on either side.
    #[error("of {active} entrants {challengers} run the gauntlet; at least one has to, and not all")]
    Challengers {
        /// The number of those who are there.
        active: usize,
        /// The number of those among them who run it.
        challengers: usize,
    },
    /// A round is paired out of order.
    #[error("round {given} is paired; the next is round {expected}")]
    RoundOrder {
        /// The round that was given.
        given: Round,
        /// The round that is next.
        expected: Round,
    },
    /// Matches of the rounds before are not over.
    #[error("a match of the rounds so far is not over: they all are before the next round, and the end")]
    RoundOpen,
    /// All rounds are played.
    #[error("there is no further round: what is due is the end")]
    NoFurtherRound,
    /// There is a further round.
    #[error("there is a further round: the end comes when none is left")]
    FurtherRound,
    /// A round has an encounter that can't be.
    #[error("encounter {index} of the round: {fault}")]
    Pairing {
        /// The place of the encounter in the list, from 0.
        index: usize,
        /// The fault.
        fault: PairingFault,
    },
    /// The match can't be begun, since it is no match of the competition, or is not due now.
    #[error("match {0} is not due: begin those that are, under the attempt that they have")]
    NotDue(MatchSlot),
    /// The id is that of another match.
    #[error("the id {0:?} is that of another match of the competition")]
    MatchIdTaken(String),
    /// The match has not begun, or another attempt of it has.
    #[error("match {0} is not one that has begun, in this attempt")]
    NotBegun(MatchSlot),
    /// The match is over.
    #[error("match {0} is over: what has ended can be voided, but not end again")]
    Over(MatchSlot),
    /// The match was voided.
    #[error("match {0} is void already")]
    Voided(MatchSlot),
    /// The match was played as often as it may be.
    #[error("match {0} is the last of {max} attempts: void it without a replay", max = super::apply::ATTEMPTS_MAX)]
    Attempts(MatchSlot),
    /// A verdict that the match can't have.
    #[error("match {slot} can't have the verdict `{verdict}`: {accepted}")]
    Verdict {
        /// The match.
        slot: MatchSlot,
        /// The verdict.
        verdict: Verdict,
        /// The verdicts that it could have.
        accepted: &'static str,
    },
    /// Later rounds rest on the match.
    #[error("match {slot} can't be voided: round {round} rests on its result")]
    BuiltOn {
        /// The match.
        slot: MatchSlot,
        /// The round after it.
        round: Round,
    },
}

/// The reason for which an encounter can't be in a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PairingFault {
    /// An entrant meets itself.
    #[error("{0} meets itself")]
    Alone(EntrantId),
    /// An entrant is in two encounters.
    #[error("{0} is in another encounter of the round")]
    Twice(EntrantId),
    /// The entrant was not there at the start, or has left.
    #[error("{0} was not there at the start, or has left")]
    Absent(EntrantId),
    /// Two meet in a series, or one plays alone elsewhere.
    #[error("in a series everybody plays alone, and nowhere else does anybody")]
    Kind,
}

/// An event of a log that is refused, and those behind it with it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("event {index} of the log is refused: {refusal}")]
pub struct ReplayFault {
    /// The place of the event in the log, from 0.
    pub index: usize,
    /// The reason.
    pub refusal: CompetitionRefusal,
}

const fn phase_word(phase: CompetitionPhase) -> &'static str {
    match phase {
        CompetitionPhase::Enrolling => "enrolling entrants",
        CompetitionPhase::Running => "running",
        CompetitionPhase::Finished => "finished",
        CompetitionPhase::Cancelled => "cancelled",
    }
}
