//! Citations: Retreat and Surrender.

use crate::ledger::Rule;

/// One Area at least, up to the distance of an Evasion, all to one Area.
pub(in super::super) const RETREAT: Rule = Rule::new("RT1");
/// Areas through which a Retreat may go.
pub(in super::super) const RETREAT_WAY: Rule = Rule::new("RT2");
/// The first enemy marker on a Retreat costs a Brigade.
pub(in super::super) const RETREAT_LOSS: Rule = Rule::new("RT3");
/// A Retreat ends where its Army may stand.
pub(in super::super) const RETREAT_END: Rule = Rule::new("RT4");
/// An Army without a way to retreat Surrenders.
pub(in super::super) const SURRENDER: Rule = Rule::new("RT5");
/// Parliament wins when the King Surrenders.
pub(in super::super) const KING_SURRENDERS: Rule = Rule::new("RT7");
/// When the match is decided nothing more of the procedure under way is done.
pub(in super::super) const END_AT_ONCE: Rule = Rule::new("RT8");
