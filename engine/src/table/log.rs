//! The log of a match: what happened, in the order in which it became final ([`LogEntry`]).

use crate::action::ActionId;
use crate::chance::Outcome;
use crate::event::ChanceRef;
use crate::seat::Seat;

/// One line of a match's log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LogEntry {
    /// Actions of a seat became final.
    Commit {
        /// The seat that took them.
        seat: Seat,
        /// In order.
        actions: Vec<ActionId>,
    },
    /// A chance event was resolved.
    Chance {
        /// The draw of the match's dice.
        chance_ref: ChanceRef,
        /// The outcome that it had.
        outcome: Outcome,
    },
    /// A seat gave up.
    Resigned(Seat),
    /// The seats agreed on a draw.
    Agreed,
}
