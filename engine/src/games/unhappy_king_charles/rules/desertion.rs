//! Citations: Desertion and attrition.

use crate::ledger::Rule;

/// Each side loses as many Brigades as the turn's number says.
pub(in super::super) const DESERTION: Rule = Rule::new("12.0");
/// Parliament selects first, all are removed together.
pub(in super::super) const DESERTION_SECRECY: Rule = Rule::new("H1");
/// Brigades selected are gone for their own side alone.
pub(in super::super) const SELECTED_BRIGADES: Rule = Rule::new("H2");
/// Each Area of a category loses one, larger ones first.
pub(in super::super) const DESERTION_AREAS: Rule = Rule::new("H3");
/// Brigades of an Area that may desert.
pub(in super::super) const DESERTERS: Rule = Rule::new("H4");
/// Categories 1 to 5, again and again.
pub(in super::super) const DESERTION_CYCLE: Rule = Rule::new("H5");
/// Category 1: Regional Generals away from home.
pub(in super::super) const OUT_OF_REGION: Rule = Rule::new("H6");
/// Category 2: four Brigades or more.
pub(in super::super) const LARGE_ARMIES: Rule = Rule::new("H7");
/// Category 3: next to an enemy Army.
pub(in super::super) const NEAR_THE_ENEMY: Rule = Rule::new("H8");
/// Category 4: under an enemy marker.
pub(in super::super) const UNDER_ENEMY_CONTROL: Rule = Rule::new("H9");
/// The number of Desertion leaves five Brigades on the map.
pub(in super::super) const DESERTION_LIMIT: Rule = Rule::new("H10");
/// Irish and Covenanters desert only when others are few.
pub(in super::super) const FOREIGN_DESERTERS: Rule = Rule::new("H11");
/// Each Area with five Brigades or more loses one.
pub(in super::super) const ATTRITION: Rule = Rule::new("H13");
/// Consequences are looked at after all removals of a step.
pub(in super::super) const DESERTION_AFTERMATH: Rule = Rule::new("H14");
