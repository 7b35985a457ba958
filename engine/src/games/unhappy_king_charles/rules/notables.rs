//! Citations: Local Notables.

use crate::ledger::Rule;

/// A Local Notable's counter makes its Area a Fortress.
pub(in super::super) const NOTABLE_FORTRESS: Rule = Rule::new("13.0");
/// Areas that a Local Notable may Raid.
pub(in super::super) const RAID: Rule = Rule::new("NB1");
/// A Local Notable with a Siege marker does not Raid.
pub(in super::super) const RAIDER: Rule = Rule::new("NB2");
/// A card of n gives Raids by up to n different Local Notables, one after the other, at least one.
pub(in super::super) const RAIDS_BY_CARD: Rule = Rule::new("NB3");
/// A Local Notable is Besieged by as many Brigades as it has, at least one.
pub(in super::super) const NOTABLE_BESIEGED: Rule = Rule::new("NB6");
/// A Local Notable who Surrenders is out for good.
pub(in super::super) const NOTABLE_ELIMINATED: Rule = Rule::new("NB7");
