//! Citations: Cards.

use crate::ledger::Rule;

/// A General's Strategy Rating is not above the card's number.
pub(in super::super) const STRATEGY_RATING: Rule = Rule::new("6.1");
/// Five Brigades or more need a 3 or a Campaign card.
pub(in super::super) const MAJOR_ARMY: Rule = Rule::new("6.2");
/// Piles to which played cards go.
pub(in super::super) const CARD_PILES: Rule = Rule::new("6.3");
/// An event is for the side that its card names, and carried out in full.
pub(in super::super) const EVENT: Rule = Rule::new("6.4");
/// Mandatory cards are played in the turn in which they came.
pub(in super::super) const MANDATORY: Rule = Rule::new("6.5");
/// A special event that has occurred does not occur again; its card is discarded then.
pub(in super::super) const ONCE_A_MATCH: Rule = Rule::new("6.6");
/// Uses of an Operations card, of which it has one.
pub(in super::super) const OPERATIONS: Rule = Rule::new("K1");
/// Uses of a discard: one marker, one Raid, one recruit.
pub(in super::super) const DISCARD: Rule = Rule::new("K2");
/// Two or three Activations, or the Recruitment card.
pub(in super::super) const CAMPAIGN_CARD: Rule = Rule::new("K3");
/// On one card no General is Activated twice, and no Brigade moves under two Activations.
pub(in super::super) const ONCE_A_CARD: Rule = Rule::new("K4");
/// An event that could do nothing, as far as its player knows, is not offered.
pub(in super::super) const IDLE_EVENT: Rule = Rule::new("K5");
/// A marker by card needs a neighbour that was there before the card.
pub(in super::super) const PRIOR_MARKERS: Rule = Rule::new("K7");
/// Operations exchange an enemy marker only under an own Army, and in no Fortress.
pub(in super::super) const MARKER_EXCHANGE: Rule = Rule::new("K9");
/// Of the markers that a card allows at least one is placed; then its player may stop.
pub(in super::super) const AT_LEAST_ONE: Rule = Rule::new("K10");
/// Each seat has one Recruitment card a turn, the Royalist none while a Lorrainer Brigade is on the map.
pub(in super::super) const RECRUITMENT_CARD: Rule = Rule::new("K11");
/// Cards removed are drawn at random from the unstored hand, before both.
pub(in super::super) const FORCED_REMOVAL: Rule = Rule::new("K12");
/// A Mandatory card forced out takes place at once, as played by its holder.
pub(in super::super) const FORCED_MANDATORY: Rule = Rule::new("K13");
/// Kinds and places of Brigades that an event brings.
pub(in super::super) const EVENT_BRIGADES: Rule = Rule::new("K15");
/// The side that loses Brigades by event picks them.
pub(in super::super) const EVENT_REMOVALS: Rule = Rule::new("K16");
/// A Response in a bonus set is no Response.
pub(in super::super) const BONUS_RESPONSE: Rule = Rule::new("K17");
/// The Queen is shipped and the Train taken off between a card's choice and its use.
pub(in super::super) const FREE_ACTS: Rule = Rule::new("K18");
/// The marker after a Brigade may be left out if the Brigade was placed.
pub(in super::super) const MARKER_AFTER_BRIGADE: Rule = Rule::new("X15");
/// An operation's alternative comes where it did nothing.
pub(in super::super) const OTHERWISE: Rule = Rule::new("X16");
