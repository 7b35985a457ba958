//! The line grammar: a side's orders, retreats, influence or adjustment as text (docs/notation.md).
//!
//! Invariant: what is printed reads back to the same papers, and equal papers print equally.

mod item;
mod parse;
mod print;

use super::adjudicator::{LeaderSet, Order, Space};
use super::realm::Realm;

pub(super) use parse::parse;
pub(super) use print::print;

/// Units of a space, as an order names them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Described {
    pub(super) space: Space,
    pub(super) armies: u8,
    pub(super) leaders: LeaderSet,
    /// The order that stood beside them; a hold if none did.
    pub(super) order: Order,
}

/// Reads units and their space, such as `2A+Rupert OXF`.
///
/// # Errors
/// Says what was expected.
pub(super) fn describe(realm: &Realm, text: &str) -> Result<Described, String> {
    match item::read(realm, text)? {
        item::Item::Order { units, order } => {
            let item::Units { space, armies, leaders } = units;
            Ok(Described { space, armies, leaders, order })
        }
        _ => Err("units and their space, such as 2A+Rupert OXF".to_owned()),
    }
}
