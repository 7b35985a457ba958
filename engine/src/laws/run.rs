//! A run: the calls that were made on a match, in order, with all that is needed to make them again ([`Run`]).

use crate::action::ActionId;
use crate::chance::Outcome;
use crate::chance_source::ChanceSource;
use crate::game::Game;
use crate::seat::Seat;
use crate::setup::Setup;
use crate::table::{ApplyMode, Refusal, Table};
use crate::view::StandingPass;

/// The source of a run's outcomes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum RunDice {
    /// From the run's own calls.
    Entered,
    /// From playout dice of this seed.
    Dice(u64),
}

impl RunDice {
    /// The chance_source that it stands for.
    #[must_use]
    pub fn chance_source(self) -> ChanceSource {
        match self {
            Self::Entered => ChanceSource::Manual,
            Self::Dice(seed) => ChanceSource::playout(seed),
        }
    }
}

/// A call on a match. Calls that are refused belong to a run too: they must leave no trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MatchCall {
    /// A list of actions.
    Actions {
        /// The seat that takes them.
        seat: Seat,
        /// In order.
        actions: Vec<ActionId>,
        /// Treatment of the list where something is revealed.
        mode: ApplyMode,
    },
    /// A line.
    Line {
        /// The seat that writes it.
        seat: Seat,
        /// As it is written.
        line: String,
    },
    /// Actions are taken back until `keep` of the draft are left.
    Undo {
        /// The seat that undoes.
        seat: Seat,
        /// Number of actions that stay.
        keep: usize,
    },
    /// Actions are taken back until `keep` of the draft are left, and others taken instead, as one.
    Revise {
        /// The seat that revises.
        seat: Seat,
        /// Number of actions that stay.
        keep: usize,
        /// Actions that follow them.
        actions: Vec<ActionId>,
        /// Treatment of the list where something is revealed.
        mode: ApplyMode,
    },
    /// An outcome is entered.
    Enter(Outcome),
    /// Standing passes are replaced.
    Stand {
        /// The seat that leaves them.
        seat: Seat,
        /// By these.
        passes: Vec<StandingPass>,
    },
    /// A draw is offered.
    Offer(Seat),
    /// The draw that is offered is accepted.
    Accept(Seat),
    /// The draw that is offered is declined.
    Decline(Seat),
    /// A seat gives up.
    Resign(Seat),
}

/// A setup and the calls that were made on its match.
#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    /// Scenario and options.
    pub setup: Setup,
    /// Source of the outcomes.
    pub luck: RunDice,
    /// The calls, in order.
    pub calls: Vec<MatchCall>,
}

impl MatchCall {
    /// Makes the call.
    ///
    /// # Errors
    /// If the match refuses it.
    pub fn make<G: Game>(&self, table: &mut Table<G>) -> Result<(), Refusal> {
        match self {
            Self::Actions { seat, actions, mode } => table.apply(*seat, actions, *mode).map(drop),
            Self::Line { seat, line } => table.apply_line(*seat, line, ApplyMode::Atomic).map(drop),
            Self::Undo { seat, keep } => table.undo(*seat, *keep),
            Self::Revise { seat, keep, actions, mode } => {
                table.revise(*seat, *keep, actions, *mode).map(drop)
            }
            Self::Enter(outcome) => table.enter(outcome),
            Self::Stand { seat, passes } => table.stand(*seat, passes.clone()),
            Self::Offer(seat) => table.offer_draw(*seat),
            Self::Accept(seat) => table.accept_draw(*seat),
            Self::Decline(seat) => table.decline_draw(*seat),
            Self::Resign(seat) => table.resign(*seat),
        }
    }
}

impl Run {
    /// A run without calls.
    #[must_use]
    pub const fn new(setup: Setup, luck: RunDice) -> Self {
        Self { setup, luck, calls: Vec::new() }
    }
}
