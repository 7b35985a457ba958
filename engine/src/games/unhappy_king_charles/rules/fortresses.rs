//! Citations: Fortresses and Sieges.

use crate::ledger::Rule;

/// A Fortress with an enemy Army and no Siege marker is Masked.
pub(in super::super) const MASKING: Rule = Rule::new("14.0");
/// Brigades that have room inside a Fortress.
pub(in super::super) const ROOM_INSIDE: Rule = Rule::new("F1");
/// Brigades that it takes to Besiege a Fortress.
pub(in super::super) const SIEGE_STRENGTH: Rule = Rule::new("F2");
/// The active Army places a Siege marker for nothing.
pub(in super::super) const SIEGE_MARKER: Rule = Rule::new("F3");
/// An Army with a Siege marker stays; 1 MP takes it off.
pub(in super::super) const UNDER_SIEGE_MARKER: Rule = Rule::new("F4");
/// A Siege without the strength is over at once.
pub(in super::super) const SIEGE_LAPSES: Rule = Rule::new("F5");
/// A commander Bombards by a card that would move him.
pub(in super::super) const BOMBARDMENT: Rule = Rule::new("F6");
/// The die of a Bombardment, and what modifies it.
pub(in super::super) const BOMBARDMENT_ROLL: Rule = Rule::new("F7");
/// Steps of a Fortress's Surrender.
pub(in super::super) const FORTRESS_SURRENDERS: Rule = Rule::new("F9");
/// No honours die without a Brigade inside.
pub(in super::super) const NO_HONOURS: Rule = Rule::new("F10");
/// Armies that may Assault after a Bombardment.
pub(in super::super) const ASSAULT: Rule = Rule::new("F11");
/// The dice of an Assault, what modifies them and what it costs.
pub(in super::super) const ASSAULT_ROLL: Rule = Rule::new("F12");
/// A besieger who is attacked lifts the Siege or fights with the surplus.
pub(in super::super) const BESIEGER_ATTACKED: Rule = Rule::new("F13");
/// A garrison joins the attack on a Masking Army.
pub(in super::super) const MASKING_ARMY_ATTACKED: Rule = Rule::new("F14");
/// A besieger's Major or Decisive Victory takes the Fortress.
pub(in super::super) const BESIEGER_WINS: Rule = Rule::new("F15");
/// Sieges after a relief that did not win.
pub(in super::super) const RELIEF_FAILS: Rule = Rule::new("F16");
/// A Besieged Fortress that loses its last Brigade Surrenders.
pub(in super::super) const GARRISON_EMPTIED: Rule = Rule::new("F17");
/// An Army inside attacks the one outside.
pub(in super::super) const SORTIE: Rule = Rule::new("F18");
