//! Citations: Political control and Isolation.

use crate::ledger::Rule;

/// A Fortress changes control by Surrender or by an event.
pub(in super::super) const FORTRESS_CONTROL: Rule = Rule::new("11.1");
/// Areas where a side's units stand get its marker.
pub(in super::super) const OCCUPIED_AREAS: Rule = Rule::new("P1");
/// A chain from a PC marker to what sustains it.
pub(in super::super) const ISOLATION: Rule = Rule::new("P2");
/// PC markers of Fortresses are never Isolated.
pub(in super::super) const NEVER_ISOLATED: Rule = Rule::new("P3");
/// Parliament's Isolated markers go first.
pub(in super::super) const ISOLATION_ORDER: Rule = Rule::new("P4");
/// A Local Notable's Area without its counter is like any other.
pub(in super::super) const NOTABLE_AREA: Rule = Rule::new("P5");
/// A Local Notable comes over enemy units.
pub(in super::super) const NOTABLE_PLACED: Rule = Rule::new("P6");
/// Enemy markers that no event touches.
pub(in super::super) const EVENT_ON_ENEMY_MARKER: Rule = Rule::new("P7");
