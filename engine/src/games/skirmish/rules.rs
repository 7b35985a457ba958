//! Citations of the rules ledger.

use crate::ledger::Rule;

pub(super) const DEAL: Rule = Rule::new("2.2");
pub(super) const CHOICE: Rule = Rule::new("2.3");
pub(super) const ORDER: Rule = Rule::new("2.4");
pub(super) const MARCHES: Rule = Rule::new("3.1");
pub(super) const MARCHERS: Rule = Rule::new("3.2");
pub(super) const INTERCEPTION: Rule = Rule::new("4.1");
pub(super) const ATTEMPT: Rule = Rule::new("4.2");
pub(super) const BATTLE: Rule = Rule::new("5.1");
pub(super) const LOSSES: Rule = Rule::new("5.2");
pub(super) const FIELD: Rule = Rule::new("5.3");
pub(super) const RETREAT: Rule = Rule::new("5.4");
pub(super) const BONUS: Rule = Rule::new("6.1");
pub(super) const SCOUTING: Rule = Rule::new("6.2");
pub(super) const SEEN: Rule = Rule::new("7.1");
pub(super) const CAMP: Rule = Rule::new("8.1");
pub(super) const LAST_BLOCK: Rule = Rule::new("8.2");
pub(super) const NIGHTFALL: Rule = Rule::new("8.3");
pub(super) const DRILL: Rule = Rule::new("9.1");
pub(super) const GARRISON: Rule = Rule::new("9.2");
