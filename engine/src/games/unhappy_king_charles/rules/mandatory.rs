//! Citations: Mandatory cards.

use crate::ledger::Rule;

/// Limits until the Standard is raised.
pub(in super::super) const BEFORE_THE_STANDARD: Rule = Rule::new("MC1");
/// Waller is neither Activated nor gathered before the Standard.
pub(in super::super) const WALLER_WAITS: Rule = Rule::new("MC2");
/// Parliament recruits one Brigade with the Standard.
pub(in super::super) const STANDARD_RECRUIT: Rule = Rule::new("MC4");
/// Leven enters with five Brigades and is Activated.
pub(in super::super) const LEAGUE: Rule = Rule::new("MC5");
/// Covenanters who don't win the Battle of their entry are off the map.
pub(in super::super) const ENTRY_LOST: Rule = Rule::new("MC6");
/// Callander enters from Late 1644 on, after the League.
pub(in super::super) const CALLANDER: Rule = Rule::new("MC8");
/// A Covenanter Army may leave the map for good.
pub(in super::super) const COVENANTERS_LEAVE: Rule = Rule::new("MC9");
/// Covenanters may have Parliament's Brigades, and not the other way round.
pub(in super::super) const COVENANTER_DISPLAYS: Rule = Rule::new("MC10");
/// The Royalist recruits two Brigades if the League was theirs.
pub(in super::super) const LEAGUE_COMPENSATION: Rule = Rule::new("MC11");
/// Parliament carries the New Model Army out, whoever played it.
pub(in super::super) const NEW_MODEL: Rule = Rule::new("MC13");
/// Step 1: five Lords leave the game.
pub(in super::super) const LORDS_REMOVED: Rule = Rule::new("MC14");
/// Step 2: four Brigades leave the game.
pub(in super::super) const VETERANS_REMOVED: Rule = Rule::new("MC15");
/// Step 3: the Lord General takes Tom Fairfax's place.
pub(in super::super) const LORD_GENERAL: Rule = Rule::new("MC16");
/// Step 3: three Local Notables become Generals.
pub(in super::super) const NOTABLES_EXCHANGED: Rule = Rule::new("MC17");
/// Step 3: Generals who were besieged disperse or fight.
pub(in super::super) const NOTABLES_RELIEVED: Rule = Rule::new("MC18");
/// The Royalist decides for Gerard.
pub(in super::super) const GERARD: Rule = Rule::new("MC19");
/// Step 4: Areas for Cromwell.
pub(in super::super) const CROMWELL_PLACED: Rule = Rule::new("MC20");
/// Step 4: Areas for a Lord General who is off the map.
pub(in super::super) const LORD_GENERAL_PLACED: Rule = Rule::new("MC21");
/// Step 4: Brigades beyond the Lord General's nine are out.
pub(in super::super) const NEW_MODEL_EXCESS: Rule = Rule::new("MC22");
/// Step 5: Poyntz joins a stack or waits.
pub(in super::super) const POYNTZ: Rule = Rule::new("MC23");
/// Step 6: unled Brigades and the Train move, Generals pick up.
pub(in super::super) const NEW_MODEL_MOVES: Rule = Rule::new("MC24");
/// Step 7: Armies that can't stack are moved or lost.
pub(in super::super) const NEW_MODEL_STACKS: Rule = Rule::new("MC25");
/// Step 8: lone Generals and Trains go.
pub(in super::super) const NEW_MODEL_DONE: Rule = Rule::new("MC26");
/// An entry Area with an own Army that can't be joined is not offered.
pub(in super::super) const ENTRY_BARRED: Rule = Rule::new("MC27");
/// Each relieved General is done with before the next.
pub(in super::super) const NOTABLES_ORDER: Rule = Rule::new("MC28");
