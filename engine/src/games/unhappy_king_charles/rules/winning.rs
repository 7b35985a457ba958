//! Citations: Winning.

use crate::ledger::Rule;

/// London and three Regions are the Royalist's.
pub(in super::super) const ROYALIST_VICTORY: Rule = Rule::new("W1");
/// A side below the turn's Power Base has lost.
pub(in super::super) const POWER_BASE: Rule = Rule::new("W2");
/// Parliament wins at the end with 12 points.
pub(in super::super) const FINAL_POINTS: Rule = Rule::new("W3");
/// Own markers in all Areas of an Infrastructure, and no enemy Brigade.
pub(in super::super) const INFRASTRUCTURE: Rule = Rule::new("W4");
/// Both sides below the Power Base have lost.
pub(in super::super) const BOTH_SHORT: Rule = Rule::new("W6");
