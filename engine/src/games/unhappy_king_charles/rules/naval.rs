//! Citations: Naval Status.

use crate::ledger::Rule;

/// Chits add to Naval Status and never come back.
pub(in super::super) const NAVAL_STATUS: Rule = Rule::new("15.0");
/// Levels from which Naval Status helps recruitment.
pub(in super::super) const NAVAL_LEVEL: Rule = Rule::new("15.3");
/// Terms of Naval Status.
pub(in super::super) const NAVAL_SUM: Rule = Rule::new("N1");
/// Naval Status takes 2 from Bombardments of the Ports that it favours.
pub(in super::super) const NAVAL_SIEGE: Rule = Rule::new("N3");
