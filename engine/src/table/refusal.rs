//! Why the driver refuses a call ([`Refusal`]).

use thiserror::Error;

use crate::catalogue::{DRAFT_STEPS_MAX, LIST_STEPS_MAX, STANDING_PASSES_MAX};
use crate::chance::OutcomeError;
use crate::game::LineError;
use crate::refusal::Reason;
use crate::step::StepId;

/// Why a call on a match is refused. Nothing has changed, and no die was asked for.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Refusal {
    /// A step is not legal.
    #[error("step {} of the list, {step}, is not legal", index + 1)]
    Step {
        /// Which step of the list, from 0.
        index: usize,
        /// The step.
        step: StepId,
        /// Every ground against it, at least one.
        reasons: Vec<Reason>,
    },
    /// A list goes on after a point where something is learnt.
    #[error("step {} of the list comes after something is learnt; send it when you have seen what", index + 1)]
    ListCrossesReveal {
        /// The first step that can't be part of the list, from 0.
        index: usize,
    },
    /// A list without steps.
    #[error("the list has no steps")]
    EmptyList,
    /// A list with too many steps.
    #[error("a list has at most {LIST_STEPS_MAX} steps")]
    ListTooLong,
    /// A draft with too many steps.
    #[error("a draft has at most {DRAFT_STEPS_MAX} steps")]
    DraftTooLong,
    /// A line that can't be read.
    #[error(transparent)]
    Line(#[from] LineError),
    /// There is no such seat.
    #[error("this match has no such seat")]
    UnknownSeat,
    /// Nothing to take back: the seat has no steps that others have not seen the effect of.
    #[error("there is nothing that can be taken back")]
    NothingToUndo,
    /// The seat has committed: that is final.
    #[error("a commitment is final")]
    Committed,
    /// More of the draft was to be kept than there is.
    #[error("the draft has {draft} steps")]
    NoSuchDraftStep {
        /// Its length.
        draft: usize,
    },
    /// The match is over.
    #[error("the match is over")]
    MatchOver,
    /// No chance event is open.
    #[error("no dice and no draw are due")]
    NoChance,
    /// The outcome does not fit the chance event.
    #[error(transparent)]
    Outcome(#[from] OutcomeError),
    /// More standing passes than a seat may leave.
    #[error("a seat leaves at most {STANDING_PASSES_MAX} standing passes, not {given}")]
    TooManyPasses {
        /// How many were given.
        given: usize,
    },
    /// There is no other seat to agree with.
    #[error("a draw takes two seats")]
    NoOpponent,
    /// Nobody has offered a draw.
    #[error("no draw is offered")]
    NoOffer,
}

impl Refusal {
    /// Stable name in SCREAMING_CASE; for a step that is not legal, the first ground's.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Step { reasons, .. } => reasons.first().map_or("ILLEGAL_STEP", |reason| reason.code),
            Self::ListCrossesReveal { .. } => "LIST_CROSSES_REVEAL",
            Self::EmptyList => "EMPTY_LIST",
            Self::ListTooLong => "LIST_TOO_LONG",
            Self::DraftTooLong => "DRAFT_TOO_LONG",
            Self::Line(_) => "UNREADABLE_LINE",
            Self::UnknownSeat => "UNKNOWN_SEAT",
            Self::NothingToUndo => "NOTHING_TO_UNDO",
            Self::Committed => "COMMITTED",
            Self::NoSuchDraftStep { .. } => "NO_SUCH_DRAFT_STEP",
            Self::MatchOver => "MATCH_OVER",
            Self::NoChance => "NO_CHANCE",
            Self::Outcome(_) => "UNFIT_OUTCOME",
            Self::TooManyPasses { .. } => "TOO_MANY_PASSES",
            Self::NoOpponent => "NO_OPPONENT",
            Self::NoOffer => "NO_OFFER",
        }
    }
}
