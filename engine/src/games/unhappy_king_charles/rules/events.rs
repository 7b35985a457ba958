//! Citations: Special events.

use crate::ledger::Rule;

/// Turnham Green needs a Royalist Army next to London.
pub(in super::super) const TURNHAM_GREEN: Rule = Rule::new("V1");
/// Parliament is asked for Turnham Green in Royalist Activations.
pub(in super::super) const TURNHAM_GREEN_WINDOW: Rule = Rule::new("V2");
/// The Response counts as a play; the Activation goes on.
pub(in super::super) const TURNHAM_GREEN_RESUMED: Rule = Rule::new("V3");
/// Units that may gather in London.
pub(in super::super) const GATHERING: Rule = Rule::new("V4");
/// Around a Royalist Army in London, only as many gather as fit inside.
pub(in super::super) const GATHERING_INSIDE: Rule = Rule::new("V5");
/// A die and the Economic Infrastructures decide whether London rises.
pub(in super::super) const LONDON_RISING: Rule = Rule::new("V6");
/// Parliament's units leave a risen London.
pub(in super::super) const LONDON_RISEN: Rule = Rule::new("V7");
/// The Queen comes to the North and goes with Royalist Armies.
pub(in super::super) const QUEEN: Rule = Rule::new("V8");
/// The Queen is captured with her Fortress or her Army.
pub(in super::super) const QUEEN_CAPTURED: Rule = Rule::new("V9");
/// The Queen is inside the Fortress of her Area where no Army has her.
pub(in super::super) const QUEEN_INSIDE: Rule = Rule::new("V10");
/// The Queen may leave from a Royalist Port from turn 8 on.
pub(in super::super) const QUEEN_LEAVES: Rule = Rule::new("V11");
/// The King has the Brentford marker until it is used, or turn 8.
pub(in super::super) const BRENTFORD: Rule = Rule::new("V13");
/// The Irish land in one Port.
pub(in super::super) const CESSATION: Rule = Rule::new("V14");
/// Rupert is promoted to Level 1 and nine Brigades.
pub(in super::super) const LIEUTENANT_GENERAL: Rule = Rule::new("V15");
/// Rupert's successor takes his place and Brigades.
pub(in super::super) const RUPERT_DISMISSED: Rule = Rule::new("V16");
/// All Covenanters leave the map.
pub(in super::super) const BISHOPS: Rule = Rule::new("V17");
/// Charles of Lorraine lands at Bristol or Newcastle.
pub(in super::super) const LORRAINE: Rule = Rule::new("V18");
/// A Local Notable comes once.
pub(in super::super) const NOTABLE_EVENTS: Rule = Rule::new("V19");
/// A Class 1 Fortress Surrenders to Meldrum.
pub(in super::super) const MELDRUM: Rule = Rule::new("V20");
/// Generals gather by level, London's stack legal after each.
pub(in super::super) const GATHERING_ORDER: Rule = Rule::new("V21");
/// Parliament might hold Turnham Green as far as cards by stage tell.
pub(in super::super) const TURNHAM_GREEN_POSSIBLE: Rule = Rule::new("V22");
/// The Queen is with one General.
pub(in super::super) const QUEEN_GENERAL: Rule = Rule::new("V23");
