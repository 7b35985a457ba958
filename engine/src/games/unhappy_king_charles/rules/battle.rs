//! Citations: Battle.

use crate::ledger::Rule;

/// Brigades that a Battle costs its loser, for good.
pub(in super::super) const LOSSES: Rule = Rule::new("10.2");
/// Units that fight on either side.
pub(in super::super) const COMBATANTS: Rule = Rule::new("B1");
/// Each side may play one Combat Card, and is asked if it might have one.
pub(in super::super) const COMBAT_CARD_WINDOW: Rule = Rule::new("B2");
/// Die, values, Battle Rating and card.
pub(in super::super) const BATTLE_SCORE: Rule = Rule::new("B3");
/// The Brentford marker adds 1 after the dice, once.
pub(in super::super) const BRENTFORD_USE: Rule = Rule::new("B4");
/// Margins: drawn up to 1, Indecisive up to 4, Major from 5 on.
pub(in super::super) const BATTLE_RESULT: Rule = Rule::new("B5");
/// Each side of a draw loses a Brigade, Veterans first.
pub(in super::super) const DRAWN_BATTLE: Rule = Rule::new("B6");
/// A General whose last Brigade is lost in Battle Surrenders.
pub(in super::super) const LAST_BRIGADE_LOST: Rule = Rule::new("B8");
/// An attacker who is not ahead in a draw goes back.
pub(in super::super) const DEFENDER_DRAWN: Rule = Rule::new("B9");
/// A defender who is behind in a draw retreats.
pub(in super::super) const ATTACKER_DRAWN: Rule = Rule::new("B10");
/// Steps after the dice of a Battle, in their order.
pub(in super::super) const BATTLE_AFTERMATH: Rule = Rule::new("B11");
/// A winning Army may place a PC marker.
pub(in super::super) const SPOILS: Rule = Rule::new("B12");
/// A winner may keep one of the Brigades lost, from turn 6 on.
pub(in super::super) const TURNCOAT: Rule = Rule::new("B13");
/// Covenanter and Lorrainer commanders take no turncoat.
pub(in super::super) const FOREIGN_WINNER: Rule = Rule::new("B14");
/// One card for a Major, two for a Decisive Victory.
pub(in super::super) const BONUS_CARDS: Rule = Rule::new("B15");
/// A bonus set is played when the Activation is complete.
pub(in super::super) const BONUS_PLAY: Rule = Rule::new("B16");
/// Bonus sets are played in the order in which they were won.
pub(in super::super) const BONUS_QUEUE: Rule = Rule::new("B17");
/// Sets of a Mandatory card's Battles are played when it is done.
pub(in super::super) const BONUS_OUTSIDE_ACTIVATION: Rule = Rule::new("B18");
