//! Citations: Fog of war.

use crate::ledger::Rule;

/// Brigades are revealed in a Battle and when lost for good.
pub(in super::super) const REVEAL: Rule = Rule::new("Y2");
/// A Siege marker placed shows the garrison to its owner alone.
pub(in super::super) const GARRISON_LOOK: Rule = Rule::new("Y3");
