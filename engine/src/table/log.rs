//! The log of a match: what happened, in the order in which it became final ([`Entry`]).

use crate::chance::Outcome;
use crate::event::Stamp;
use crate::seat::Seat;
use crate::step::StepId;

/// One line of a match's log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entry {
    /// Steps of a seat became final.
    Commit {
        /// Whose.
        seat: Seat,
        /// In order.
        steps: Vec<StepId>,
    },
    /// A chance event was resolved.
    Chance {
        /// Which draw of the match's dice.
        stamp: Stamp,
        /// What came of it.
        outcome: Outcome,
    },
    /// A seat gave up.
    Resigned(Seat),
    /// The seats agreed on a draw.
    Agreed,
}
