//! Citations: Generals and Armies.

use crate::ledger::Rule;

/// A General without Brigades goes to the Unemployed Generals Box.
pub(in super::super) const LONE_GENERAL: Rule = Rule::new("8.2");
/// Brigades stay on their display, but for events.
pub(in super::super) const NO_TRANSFER: Rule = Rule::new("8.3");
/// Four Brigades an Army, nine under those who are favoured.
pub(in super::super) const ARMY_LIMIT: Rule = Rule::new("8.4");
/// A Subordinate is lone by himself, a commander with his whole Army.
pub(in super::super) const SUBORDINATE_WITHOUT_BRIGADES: Rule = Rule::new("G1");
/// A lone General in a Besieged Fortress Surrenders; if he is the King, Parliament wins.
pub(in super::super) const LONE_AND_BESIEGED: Rule = Rule::new("G2");
/// A General lone by Desertion, attrition or a loss of Retreat does not Surrender.
pub(in super::super) const LONE_NO_SURRENDER: Rule = Rule::new("G3");
/// An active Army takes up unled and Local Notables' Brigades of its Area.
pub(in super::super) const PICK_UP: Rule = Rule::new("G4");
/// An Army that is attacked takes up Brigades before all else.
pub(in super::super) const PICK_UP_WHEN_ATTACKED: Rule = Rule::new("G5");
/// Brigades picked up go to any display of the Army, Subordinates' too.
pub(in super::super) const PICK_UP_DISPLAY: Rule = Rule::new("G6");
/// Covenanter and Lorrainer Generals may leave Brigades of their own behind.
pub(in super::super) const FOREIGN_DROPPED: Rule = Rule::new("G7");
/// An Army that is larger than its limit may stand, move and fight, but takes up nothing.
pub(in super::super) const OVER_LIMIT: Rule = Rule::new("G8");
/// A rating of 2/3* is 2 against cards and 3 elsewhere.
pub(in super::super) const TWO_THREE_RATING: Rule = Rule::new("G9");
/// Nothing that was put down is taken up again there in the same Activation.
pub(in super::super) const LEFT_BEHIND: Rule = Rule::new("G10");
/// Army and unled Brigades fight and retreat as one.
pub(in super::super) const MIXED_STACK: Rule = Rule::new("G11");
