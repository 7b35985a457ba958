//! Citations: Set-up, turns and phases.

use crate::ledger::Rule;

/// The nine phases of a turn, in their order, eleven times.
pub(in super::super) const SEQUENCE: Rule = Rule::new("5.0");
/// Generals come to the Reinforcements Box as a turn begins.
pub(in super::super) const HOUSEKEEPING: Rule = Rule::new("5.1");
/// Parliament's part of the phase comes first.
pub(in super::super) const RECRUITMENT_ORDER: Rule = Rule::new("5.3");
/// Four cards a seat, one at a time, the Royalist first.
pub(in super::super) const DEAL: Rule = Rule::new("5.4");
/// Plays in turn, until both seats have passed.
pub(in super::super) const CAMPAIGN_PHASE: Rule = Rule::new("5.5");
/// Each Army with a Blockade & Siege marker may Bombard once without a card.
pub(in super::super) const BLOCKADE_PHASE: Rule = Rule::new("5.6");
/// Generals, Parliament's marker, the Royalist's marker, the chit: in this order.
pub(in super::super) const HOUSEKEEPING_ORDER: Rule = Rule::new("T1");
/// Areas that may have the Housekeeping marker.
pub(in super::super) const HOUSEKEEPING_MARKER: Rule = Rule::new("T2");
/// Areas across the Maritime line are adjacent, but for Interception and Isolation.
pub(in super::super) const MARITIME_ADJACENT: Rule = Rule::new("T3");
/// The Housekeeping marker can't be declined.
pub(in super::super) const HOUSEKEEPING_COMPULSORY: Rule = Rule::new("T4");
/// No Political Control Phase and no Draw Phase in turn 1.
pub(in super::super) const FIRST_TURN: Rule = Rule::new("T6");
/// The Royalist names the first player, Parliament after the New Model Army.
pub(in super::super) const FIRST_PLAYER: Rule = Rule::new("T7");
/// The seat named second goes first by a Campaign card that it shows and plays.
pub(in super::super) const FIRST_PLAY_CLAIM: Rule = Rule::new("T8");
/// The claim is asked where it can only be declined, too.
pub(in super::super) const CLAIM_ASKED: Rule = Rule::new("T9");
/// Cards that count as plays: those of the own act, and Mandatory ones forced out.
pub(in super::super) const COUNTED_PLAYS: Rule = Rule::new("T10");
/// A pass takes six counted plays or no card, and no Mandatory or unstored Combat Card in hand.
pub(in super::super) const PASS: Rule = Rule::new("T11");
/// Stored cards keep a seat with fewer than six plays from passing.
pub(in super::super) const STORE_USABLE: Rule = Rule::new("T13");
/// A seat without a usable card passes without being asked.
pub(in super::super) const FORCED_PASS: Rule = Rule::new("T14");
/// A seat that has passed plays no card of its hand.
pub(in super::super) const AFTER_PASS: Rule = Rule::new("T15");
/// Cards left are stored, except Core, Combat and Mandatory ones; those stored are dead in turn 11.
pub(in super::super) const STORE: Rule = Rule::new("T17");
/// Parliament's Bombardments of the Blockade Phase come first, each optional.
pub(in super::super) const BLOCKADE_ORDER: Rule = Rule::new("T19");
/// No Assault follows a Bombardment of the Blockade Phase, which is no Activation.
pub(in super::super) const BLOCKADE_WITHOUT_ASSAULT: Rule = Rule::new("T20");
/// The Royalist's automatic victory is looked at first, then the Power Base.
pub(in super::super) const POWER_BASE_PHASE: Rule = Rule::new("T21");
/// The Royalist's automatic victory must hold at the end of two turns running.
pub(in super::super) const CONSECUTIVE_TURNS: Rule = Rule::new("T22");
/// Core and Recruitment cards are put back, and the turn goes on.
pub(in super::super) const TURN_END: Rule = Rule::new("T23");
/// Default actions for a seat whose time has run out.
pub(in super::super) const DEFAULT_PLAY: Rule = Rule::new("T24");
/// Ten cards, the Standard among nine Early ones, dealt in turn.
pub(in super::super) const FIRST_DEAL: Rule = Rule::new("D1");
/// The League and the Mid mix come beneath the rest of the Early deck as turn 5 begins.
pub(in super::super) const WINTER_1643_DECK: Rule = Rule::new("D3");
/// The Late mix becomes the deck when a card is due in a Draw Phase and there is none.
pub(in super::super) const SECOND_DECK: Rule = Rule::new("D5");
/// Parliament's next card is the New Model Army if the old deck ended with the Royalist's.
pub(in super::super) const NEW_MODEL_DEALT: Rule = Rule::new("D6");
/// The old deck's last card goes on to the Royalist, and Parliament has the New Model Army for it.
pub(in super::super) const NEW_MODEL_EXCHANGED: Rule = Rule::new("D7");
/// Parliament's first card is the New Model Army if the old deck had no card for this deal.
pub(in super::super) const NEW_MODEL_FIRST: Rule = Rule::new("D8");
/// Cards that Parliament's bonus draw can bring.
pub(in super::super) const DISCARD_PILE: Rule = Rule::new("D11");
/// Each draw from a bag with several tokens begins a new epoch.
pub(in super::super) const DRAW_EPOCHS: Rule = Rule::new("D13");
