//! Citations: Movement.

use crate::ledger::Rule;

/// An Activated Army may place a PC marker in its Area for 1 MP, or exchange the enemy's there.
pub(in super::super) const MARKER_BY_MP: Rule = Rule::new("9.6");
/// Generals whom a card can Activate to move.
pub(in super::super) const ACTIVATION: Rule = Rule::new("AC1");
/// By a 1 or 2 an Army never comes to five Brigades on its way.
pub(in super::super) const MAJOR_BY_PICK_UP: Rule = Rule::new("AC2");
/// A besieged or Masked Army is Activated to sortie alone.
pub(in super::super) const INSIDE_ACTIVATED: Rule = Rule::new("AC4");
/// The allowance is that of the Army's size at the moment.
pub(in super::super) const ALLOWANCE: Rule = Rule::new("AC5");
/// MP that lines, markers and Battle Areas cost.
pub(in super::super) const MOVEMENT_COST: Rule = Rule::new("AC6");
/// Two Brigades at most cross the Maritime line by one card or Activation.
pub(in super::super) const MARITIME_LIMIT: Rule = Rule::new("AC7");
/// A further line after a Battle won costs 1 MP more, once an Area.
pub(in super::super) const BATTLE_FEE: Rule = Rule::new("AC8");
/// PC markers by MP: no Fortress, no enemy stack.
pub(in super::super) const MARKER_ALONE: Rule = Rule::new("AC9");
/// A step is offered only if the Army can stop somewhere after it.
pub(in super::super) const NO_CORNER: Rule = Rule::new("AC11");
/// An active Army in an illegal position goes back along its path.
pub(in super::super) const RETRACE: Rule = Rule::new("AC12");
/// An Army goes inside at the end of its movement, as a whole.
pub(in super::super) const GOING_INSIDE: Rule = Rule::new("AC13");
/// An Army inside an unmasked Fortress stacks and Intercepts, and is not attacked.
pub(in super::super) const INSIDE_UNMASKED: Rule = Rule::new("AC14");
/// Enemy Fortress Areas may be entered and crossed; a garrison is not fought.
pub(in super::super) const ENEMY_FORTRESS: Rule = Rule::new("AC15");
/// Retracing skips Areas with enemy Brigades.
pub(in super::super) const RETRACE_BARRED: Rule = Rule::new("AC17");
/// The window at the start of an Activation comes after a placement.
pub(in super::super) const PLACEMENT_WINDOW: Rule = Rule::new("AC18");
