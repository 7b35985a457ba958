//! Citations: Evasion, withdrawal and Dispersal.

use crate::ledger::Rule;

/// Battles arise by entry; an attacker who does not win is done.
pub(in super::super) const BATTLE: Rule = Rule::new("10.0");
/// Armies that may evade.
pub(in super::super) const EVADER: Rule = Rule::new("EV1");
/// Steps before the dice of a Battle, in their order.
pub(in super::super) const BATTLE_ORDER: Rule = Rule::new("EV2");
/// The die of an Evasion, and what modifies it.
pub(in super::super) const EVASION_ROLL: Rule = Rule::new("EV3");
/// Areas to which an Army evades.
pub(in super::super) const EVASION_WAY: Rule = Rule::new("EV4");
/// The active Army goes on after an Evasion; unled Brigades left behind fight.
pub(in super::super) const AFTER_EVASION: Rule = Rule::new("EV6");
/// A besieger lifts the Siege to evade.
pub(in super::super) const BESIEGER_EVADES: Rule = Rule::new("EV7");
/// An attacked Army may go inside an own Fortress where it fits.
pub(in super::super) const WITHDRAWAL: Rule = Rule::new("EV8");
/// Each side may Disperse as a whole, the defender first.
pub(in super::super) const DISPERSAL: Rule = Rule::new("EV9");
/// Dispersed units go to the Unemployed Generals Box, and the Area may change its marker.
pub(in super::super) const DISPERSED: Rule = Rule::new("EV10");
/// Foreigners never disperse by choice; the rest of a mixed Army may.
pub(in super::super) const FOREIGN_DISPERSAL: Rule = Rule::new("EV11");
/// Foreigners forced to disperse are eliminated.
pub(in super::super) const FOREIGN_ELIMINATED: Rule = Rule::new("EV12");
/// Unled defenders neither evade nor withdraw; their Battle Rating is 0.
pub(in super::super) const UNLED_DEFENDERS: Rule = Rule::new("EV13");
/// A step of an Evasion or Retreat is offered only if a legal end can be reached from it.
pub(in super::super) const NO_DEAD_WAY: Rule = Rule::new("EV14");
