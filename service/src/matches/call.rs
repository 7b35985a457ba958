//! The calls that a seat can make on a match that is played ([`Call`]), as the log keeps it.

use edgehill_engine::action::ActionId;
use edgehill_engine::table::ApplyMode;
use edgehill_engine::view::{PassScope, StandingPass};
use serde::{Deserialize, Serialize};

/// Actions as they were asked for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Wanted {
    /// By their ids.
    Ids(Vec<u16>),
    /// As a line in the game's notation, read against the state that it meets.
    Line(String),
}

/// A call of a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Call {
    /// Take actions.
    Apply {
        /// Number of steps of the draft that stay first; `None`: all.
        keep: Option<u32>,
        /// The actions.
        actions: Wanted,
        /// True if the call is to stop where something is revealed, instead of being refused.
        until_reveal: bool,
    },
    /// Take back actions of the draft.
    Undo {
        /// Number of actions that stay; `None`: all but the last.
        keep: Option<u32>,
    },
    /// Give up.
    Resign,
    /// Offer a draw.
    OfferDraw,
    /// Accept the draw that the others offer.
    AcceptDraw,
    /// Decline the draw that others offer.
    DeclineDraw,
    /// Replace the standing passes.
    Stand(Vec<Pass>),
    /// Offer to adjourn the match.
    OfferAdjournment {
        /// The longest time that it may last, in milliseconds.
        longest_ms: u64,
    },
    /// Accept the adjournment that the others offer.
    AcceptAdjournment {
        /// The longest time that it may last for the seat, in milliseconds; `None`: as the others offer.
        longest_ms: Option<u64>,
    },
    /// Decline the adjournment that others offer.
    DeclineAdjournment,
    /// Ask for the match, which is adjourned, to go on.
    ResumeMatch,
}

/// A standing pass.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Pass {
    /// Windows of this name; `None`: all.
    pub window: Option<String>,
    /// For how long.
    pub scope: StoredPassScope,
}

/// The time for which a standing pass stands.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum StoredPassScope {
    /// Until it is replaced.
    Always,
    /// Within one procedure.
    Procedure(u32),
    /// Until something of the seat's own is attacked.
    UntilAttacked,
}

impl Call {
    /// Actions by id, all or nothing.
    #[must_use]
    pub fn actions(actions: &[ActionId]) -> Self {
        let actions = Wanted::Ids(actions.iter().map(|action| action.0).collect());
        Self::Apply { keep: None, actions, until_reveal: false }
    }

    /// The name of its method.
    #[must_use]
    pub const fn method(&self) -> &'static str {
        match self {
            Self::Apply { .. } => "ApplyActions",
            Self::Undo { .. } => "UndoActions",
            Self::Resign => "ResignMatch",
            Self::OfferDraw => "OfferDraw",
            Self::AcceptDraw => "AcceptDraw",
            Self::DeclineDraw => "DeclineDraw",
            Self::Stand(_) => "SetStandingPasses",
            Self::OfferAdjournment { .. } => "OfferAdjournment",
            Self::AcceptAdjournment { .. } => "AcceptAdjournment",
            Self::DeclineAdjournment => "DeclineAdjournment",
            Self::ResumeMatch => "ResumeMatch",
        }
    }

    /// Returns whether it is about adjourning, of which the table knows nothing.
    pub(super) const fn is_about_adjourning(&self) -> bool {
        matches!(
            self,
            Self::OfferAdjournment { .. }
                | Self::AcceptAdjournment { .. }
                | Self::DeclineAdjournment
                | Self::ResumeMatch
        )
    }

    /// Returns whether a seat can make it while the match is adjourned: it plays nothing, and may end the match.
    pub(super) const fn goes_on_adjourned(&self) -> bool {
        matches!(self, Self::Resign | Self::OfferDraw | Self::AcceptDraw | Self::DeclineDraw)
    }

    pub(super) const fn mode(until_reveal: bool) -> ApplyMode {
        if until_reveal { ApplyMode::UntilReveal } else { ApplyMode::Atomic }
    }
}

impl From<&Pass> for StandingPass {
    fn from(pass: &Pass) -> Self {
        let scope = match pass.scope {
            StoredPassScope::Always => PassScope::Always,
            StoredPassScope::Procedure(procedure) => PassScope::Procedure(procedure),
            StoredPassScope::UntilAttacked => PassScope::UntilAttacked,
        };
        Self { window: pass.window.clone(), scope }
    }
}

impl From<&StandingPass> for Pass {
    fn from(pass: &StandingPass) -> Self {
        let scope = match pass.scope {
            PassScope::Always => StoredPassScope::Always,
            PassScope::Procedure(procedure) => StoredPassScope::Procedure(procedure),
            PassScope::UntilAttacked => StoredPassScope::UntilAttacked,
        };
        Self { window: pass.window.clone(), scope }
    }
}
