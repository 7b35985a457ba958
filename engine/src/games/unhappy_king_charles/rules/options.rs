//! Citations: Optional rules.

use crate::ledger::Rule;

/// Recruits at Truro and Bath, with the option.
pub(in super::super) const CORNISH: Rule = Rule::new("O1");
/// A die names the first category of Desertion, with the option.
pub(in super::super) const RANDOM_DESERTION: Rule = Rule::new("O2");
/// Places for the Eastern Association and Ironsides, with the option.
pub(in super::super) const MANCHESTER: Rule = Rule::new("O3");
/// Newcastle leaves England, with the option.
pub(in super::super) const LAUGHTER: Rule = Rule::new("O4");
/// Essex's Army disperses after a decisive defeat far from London, with the option.
pub(in super::super) const LOSTWITHIEL: Rule = Rule::new("O5");
/// The King is a General like others, where his Surrender is left out.
pub(in super::super) const KING_SPARED: Rule = Rule::new("O6");
/// The die of Random Desertion is thrown each turn.
pub(in super::super) const DESERTION_DIE: Rule = Rule::new("O7");
/// A victory by Lostwithiel brings what any brings.
pub(in super::super) const LOSTWITHIEL_ORDER: Rule = Rule::new("O8");
