//! Citations: Recruitment.

use crate::ledger::Rule;

/// Losses go to the pool, unless they are for good.
pub(in super::super) const LOSSES_TO_POOL: Rule = Rule::new("7.0");
/// A Veteran of a Region is recruited only when no Militia of it is in the pool.
pub(in super::super) const MILITIA_FIRST: Rule = Rule::new("7.1.1");
/// A Royalist Veteran in place of Militia, once in turn 1 and once in turn 2.
pub(in super::super) const POWICKE_BRIDGE: Rule = Rule::new("7.1.2");
/// A New Model Army Brigade may be recruited in any Region except Wales.
pub(in super::super) const NEW_MODEL_RECRUITS: Rule = Rule::new("7.1.3");
/// A Siege Train in place of a recruit; it counts as no Brigade.
pub(in super::super) const SIEGE_TRAIN: Rule = Rule::new("7.1.4");
/// No Recruitment card without an Economic Infrastructure.
pub(in super::super) const NO_INFRASTRUCTURE: Rule = Rule::new("7.1.5");
/// Covenanter, Irish and Lorrainer Brigades are never recruited.
pub(in super::super) const FOREIGN_RECRUITS: Rule = Rule::new("7.1.6");
/// Brigades are recruited in own Recruitment Areas for their Region, or with Local Notables.
pub(in super::super) const RECRUITMENT_AREA: Rule = Rule::new("7.2");
/// The Royalist's Recruitment card brings Brigades to Regional Generals and Local Notables.
pub(in super::super) const GRANDEES: Rule = Rule::new("7.3.1");
/// Parliament's Recruitment card places as the Recruitment Phase does, no two in one Area.
pub(in super::super) const ASSESSMENT: Rule = Rule::new("7.3.2");
/// One recruit of each Region in the Phase; by card one a receiver, or one an Area.
pub(in super::super) const REGION_LIMIT: Rule = Rule::new("R2");
/// The Royalist recruits Veterans and Militia as they like once the New Model Army card is played.
pub(in super::super) const MILITIA_LIFTED: Rule = Rule::new("R3");
/// The naval benefit serves once a turn: a Veteran, or from level 5 on another Brigade.
pub(in super::super) const NAVAL_BENEFIT: Rule = Rule::new("R4");
/// No recruits beside enemies, under an enemy marker, or at a Siege marker.
pub(in super::super) const RECRUITS_AND_ENEMIES: Rule = Rule::new("R5");
/// Recruits stand unled, inside, or on a display with room.
pub(in super::super) const RECRUIT_PLACE: Rule = Rule::new("R6");
/// An unbesieged Local Notable takes recruits of their Region, up to four Brigades.
pub(in super::super) const NOTABLE_RECRUITS: Rule = Rule::new("R7");
/// A New Model Army recruit uses up the limit of a Region of Parliament's choice.
pub(in super::super) const NEW_MODEL_REGION: Rule = Rule::new("R8");
/// Places where the Siege Train comes in, and who picks it up.
pub(in super::super) const SIEGE_TRAIN_PLACE: Rule = Rule::new("R9");
/// The Siege Train is taken off with an own card play, or where nobody has it.
pub(in super::super) const SIEGE_TRAIN_OFF: Rule = Rule::new("R10");
/// Half of the dispersed Brigades reform, one an Area, on own markers of their Region.
pub(in super::super) const REFORMING: Rule = Rule::new("R11");
/// New Model Army Brigades reform anywhere but in Wales.
pub(in super::super) const REFORMED_NEW_MODEL: Rule = Rule::new("R12");
/// Areas to which Generals come from the box, with a Brigade to take there.
pub(in super::super) const GENERALS_PLACED: Rule = Rule::new("R13");
/// A General is placed with an Army if one can be Subordinate to the other.
pub(in super::super) const PLACED_WITH_ARMY: Rule = Rule::new("R14");
/// A General placed by an Operations card is Activated by it, with at most four Brigades below a 3.
pub(in super::super) const PLACED_BY_CARD: Rule = Rule::new("R15");
/// Generals whom a Recruitment card brings on.
pub(in super::super) const PLACED_WITH_RECRUITS: Rule = Rule::new("R16");
/// Receivers of Grandee recruits: at home, in command, without a Siege marker.
pub(in super::super) const GRANDEE_RECEIVER: Rule = Rule::new("R17");
/// Blockade & Siege markers are placed in the own part of the Recruitment Phase.
pub(in super::super) const BLOCKADE_MARKERS: Rule = Rule::new("R18");
/// Foreign and Irish Brigades and turncoats enter no pool.
pub(in super::super) const NO_POOL: Rule = Rule::new("R19");
/// Powicke Bridge is used up before the naval benefit.
pub(in super::super) const BENEFIT_ORDER: Rule = Rule::new("R20");
/// The Siege Train is with one General and goes where he goes.
pub(in super::super) const SIEGE_TRAIN_GENERAL: Rule = Rule::new("R21");
/// A turncoat reforms as a Brigade of its new side.
pub(in super::super) const REFORMED_TURNCOATS: Rule = Rule::new("R22");
/// Reform, then recruits and Generals, then Blockade & Siege markers.
pub(in super::super) const RECRUITMENT_PARTS: Rule = Rule::new("X7");
