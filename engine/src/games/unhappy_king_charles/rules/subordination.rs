//! Citations: Subordination.

use crate::ledger::Rule;

/// Own Armies in an Area may join on the way, and must at the end.
pub(in super::super) const SUBORDINATION: Rule = Rule::new("S1");
/// The lower level goes under the higher.
pub(in super::super) const LEVELS: Rule = Rule::new("S2");
/// Subordinates of a General who becomes one come under the new commander, too.
pub(in super::super) const SUBORDINATES_OF_A_SUBORDINATE: Rule = Rule::new("S3");
/// The commander's limit, and the Siege marker of the Army that joins.
pub(in super::super) const JOINT_LIMIT: Rule = Rule::new("S4");
/// Subordinates that may be left behind.
pub(in super::super) const SUBORDINATES_LEFT: Rule = Rule::new("S5");
/// A Subordinate does nothing alone but leave.
pub(in super::super) const SUBORDINATE_ACTS: Rule = Rule::new("S6");
/// Armies that stand illegally are moved to an adjacent Area by their owner.
pub(in super::super) const ILLEGAL_POSITION: Rule = Rule::new("S7");
/// Waller is not under Essex, but by the Committee of Both Kingdoms.
pub(in super::super) const RIVALRY: Rule = Rule::new("S9");
/// Covenanter and Lorrainer Brigades are on displays of their nation alone.
pub(in super::super) const FOREIGN_COMMAND: Rule = Rule::new("S10");
/// Areas that mend an illegal position come first; none is entered twice.
pub(in super::super) const ILLEGAL_POSITION_ORDER: Rule = Rule::new("S12");
/// One display over its limit is legal, two Armies that numbers keep apart are not.
pub(in super::super) const ILLEGAL_BY_NUMBER: Rule = Rule::new("S13");
