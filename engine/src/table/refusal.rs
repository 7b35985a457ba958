//! Errors of calls that the driver refuses ([`Refusal`]).

use thiserror::Error;

use crate::action::ActionId;
use crate::catalogue::{DRAFT_ACTIONS_MAX, LIST_ACTIONS_MAX, STANDING_PASSES_MAX};
use crate::chance::OutcomeError;
use crate::game::LineError;
use crate::refusal::RuleViolation;

/// The error of a refused call on a match. Nothing has changed, and no die was asked for.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Refusal {
    /// An action is not legal.
    #[error("action {} of the list, {action}, is not legal", index + 1)]
    Action {
        /// Index of the action in the list, from 0.
        index: usize,
        /// The action.
        action: ActionId,
        /// Every ground against it, at least one.
        rule_violations: Vec<RuleViolation>,
    },
    /// A list goes on after a point where something is revealed.
    #[error("action {} of the list comes after something is revealed; send it when you have seen what", index + 1)]
    ListCrossesReveal {
        /// The first action that can't be part of the list, from 0.
        index: usize,
    },
    /// A list without actions.
    #[error("the list has no actions")]
    EmptyList,
    /// A list with too many actions.
    #[error("a list has at most {LIST_ACTIONS_MAX} actions")]
    ListTooLong,
    /// A draft with too many actions.
    #[error("a draft has at most {DRAFT_ACTIONS_MAX} actions")]
    DraftTooLong,
    /// A line that can't be read.
    #[error(transparent)]
    Line(#[from] LineError),
    /// There is no such seat.
    #[error("this match has no such seat")]
    UnknownSeat,
    /// Nothing to take back: the seat has no actions that others have not seen the effect of.
    #[error("there is nothing that can be taken back")]
    NothingToUndo,
    /// The seat has committed: that is final.
    #[error("a commitment is final")]
    Committed,
    /// More of the draft was to be kept than there is.
    #[error("the draft has {draft} actions")]
    NoSuchDraftAction {
        /// Its length.
        draft: usize,
    },
    /// The match is over.
    #[error("the match is over")]
    MatchFinished,
    /// No chance event is open.
    #[error("no dice and no draw are due")]
    NoChance,
    /// The outcome does not fit the chance event.
    #[error(transparent)]
    Outcome(#[from] OutcomeError),
    /// More standing passes than a seat may leave.
    #[error("a seat leaves at most {STANDING_PASSES_MAX} standing passes, not {given}")]
    TooManyPasses {
        /// Number that were given.
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
    /// Stable name in SCREAMING_CASE; for an action that is not legal, the first ground's.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Action { rule_violations, .. } => {
                rule_violations.first().map_or("ILLEGAL_ACTION", |reason| reason.code)
            }
            Self::ListCrossesReveal { .. } => "LIST_CROSSES_REVEAL",
            Self::EmptyList => "EMPTY_LIST",
            Self::ListTooLong => "LIST_TOO_LONG",
            Self::DraftTooLong => "DRAFT_TOO_LONG",
            Self::Line(_) => "UNREADABLE_LINE",
            Self::UnknownSeat => "UNKNOWN_SEAT",
            Self::NothingToUndo => "NOTHING_TO_UNDO",
            Self::Committed => "COMMITTED",
            Self::NoSuchDraftAction { .. } => "NO_SUCH_DRAFT_ACTION",
            Self::MatchFinished => "MATCH_FINISHED",
            Self::NoChance => "NO_CHANCE",
            Self::Outcome(_) => "UNFIT_OUTCOME",
            Self::TooManyPasses { .. } => "TOO_MANY_PASSES",
            Self::NoOpponent => "NO_OPPONENT",
            Self::NoOffer => "NO_OFFER",
        }
    }
}
