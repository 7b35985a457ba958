//! A run: the calls that were made on a match, in order, with all that is needed to make them again ([`Run`]).

use crate::chance::Outcome;
use crate::fate::Fate;
use crate::game::Game;
use crate::seat::Seat;
use crate::setup::Setup;
use crate::step::StepId;
use crate::table::{ListMode, Refusal, Table};
use crate::view::StandingPass;

/// Where a run's outcomes come from.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Luck {
    /// From the run's own calls.
    Entered,
    /// From playout dice of this seed.
    Dice(u64),
}

impl Luck {
    /// The fate that it stands for.
    #[must_use]
    pub fn fate(self) -> Fate {
        match self {
            Self::Entered => Fate::Manual,
            Self::Dice(seed) => Fate::playout(seed),
        }
    }
}

/// A call on a match. Calls that are refused belong to a run too: they must leave no trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Call {
    /// A list of steps.
    Steps {
        /// Whose.
        seat: Seat,
        /// In order.
        steps: Vec<StepId>,
        /// What to do where something is learnt.
        mode: ListMode,
    },
    /// A line.
    Line {
        /// Whose.
        seat: Seat,
        /// As it is written.
        line: String,
    },
    /// Steps are taken back until `keep` of the draft are left.
    Undo {
        /// Whose.
        seat: Seat,
        /// How many stay.
        keep: usize,
    },
    /// Steps are taken back until `keep` of the draft are left, and others taken instead, as one.
    Revise {
        /// Whose.
        seat: Seat,
        /// How many stay.
        keep: usize,
        /// What follows them.
        steps: Vec<StepId>,
        /// What to do where something is learnt.
        mode: ListMode,
    },
    /// An outcome is entered.
    Enter(Outcome),
    /// Standing passes are replaced.
    Stand {
        /// Whose.
        seat: Seat,
        /// By these.
        passes: Vec<StandingPass>,
    },
    /// A draw is offered.
    Offer(Seat),
    /// The draw that is offered is accepted.
    Accept(Seat),
    /// A seat gives up.
    Resign(Seat),
}

/// A setup and the calls that were made on its match.
#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    /// Scenario and options.
    pub setup: Setup,
    /// Where the outcomes come from.
    pub luck: Luck,
    /// The calls, in order.
    pub calls: Vec<Call>,
}

impl Call {
    /// Makes the call.
    ///
    /// # Errors
    /// If the match refuses it.
    pub fn make<G: Game>(&self, table: &mut Table<G>) -> Result<(), Refusal> {
        match self {
            Self::Steps { seat, steps, mode } => table.apply(*seat, steps, *mode).map(drop),
            Self::Line { seat, line } => table.apply_line(*seat, line, ListMode::Whole).map(drop),
            Self::Undo { seat, keep } => table.undo(*seat, *keep),
            Self::Revise { seat, keep, steps, mode } => table.revise(*seat, *keep, steps, *mode).map(drop),
            Self::Enter(outcome) => table.enter(outcome),
            Self::Stand { seat, passes } => table.stand(*seat, passes.clone()),
            Self::Offer(seat) => table.offer_draw(*seat),
            Self::Accept(seat) => table.accept_draw(*seat),
            Self::Resign(seat) => table.resign(*seat),
        }
    }
}

impl Run {
    /// A run without calls.
    #[must_use]
    pub const fn new(setup: Setup, luck: Luck) -> Self {
        Self { setup, luck, calls: Vec::new() }
    }
}
