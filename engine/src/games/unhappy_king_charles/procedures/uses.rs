//! The uses of a card (6.1, 6.4): which uses it has, what each needs, and what each begins.

use crate::vocabulary::*;

use super::super::actions::Usage;
use super::super::content::ROYALIST;
use super::super::content::brigades::Faction;
use super::super::content::cards::CardKind;
use super::super::content::ids::{CardId, GeneralSet, NotableSet};
use super::super::content::operations::{CardUse, CardUses, Operation};
use super::super::frames::Frame;
use super::super::state::{Occasion, Recruiting, State, Warrant};
use super::super::{UnhappyKing, rules};

/// The side of a card for the seat that plays it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Worth {
    /// An Operations card of a value, with its uses (6.1).
    Operations(u8, CardUses),
    /// A Campaign card, with its uses (6.1).
    Campaign(CardUses),
    /// Anything else: it has an event, perhaps, or is discarded for a use (6.4).
    Other,
}

impl UnhappyKing {
    /// Returns what a card is to a seat; an enemy's card is only discarded (6.4).
    fn worth(&self, seat: Seat, card: CardId) -> Worth {
        let def = &self.content.cards[card];
        match self.content.lists[def.list].first().map(|step| step.operation) {
            Some(Operation::Operations { value, uses }) if def.is_for(seat) => Worth::Operations(value, uses),
            Some(Operation::Campaign { uses, .. }) if def.is_for(seat) => Worth::Campaign(uses),
            _ => Worth::Other,
        }
    }

    /// 6.1, 6.4, K1 to K3, X2: the uses that a card has, and what each needs.
    pub(in super::super) fn examine_use(
        &self,
        state: &State,
        seat: Seat,
        (bonus, card): (bool, CardId),
        way: Usage,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let refs = [Ref::from(card)];
        if self.content.cards[card].kind == CardKind::Mandatory {
            // 6.5: it is neither discarded nor kept.
            return why.require(way == Usage::Event, rules::MANDATORY, "MUST_BE_PLAYED", &refs);
        }
        let worth = self.worth(seat, card);
        let claims = !bonus && state.claim == Some(card);
        match way {
            Usage::Event => return self.examine_event_use(state, seat, card, why),
            Usage::Campaign => {
                let campaign = matches!(worth, Worth::Campaign(_));
                why.demand(campaign, rules::CAMPAIGN_CARD, "NO_CAMPAIGN_CARD", &refs)?;
                let can = self.can_campaign(state, seat, worth);
                return why.require(can, rules::CAMPAIGN_CARD, "NOBODY_TO_ACTIVATE", &refs);
            }
            Usage::Activate | Usage::Bombard => {
                let Worth::Operations(value, uses) = worth else {
                    return why.refuse(rules::OPERATIONS, "NO_OPERATIONS_CARD");
                };
                let bombards = way == Usage::Bombard;
                let one = if bombards { CardUse::Bombard } else { CardUse::Activate };
                why.demand(uses.contains(one), rules::OPERATIONS, "NO_SUCH_USE", &refs)?;
                let can = self.can_commission(state, seat, Warrant::Operations(value), bombards);
                let code = if bombards { "NOBODY_TO_BOMBARD" } else { "NOBODY_TO_ACTIVATE" };
                return why.require(can, rules::STRATEGY_RATING, code, &refs);
            }
            _ => {}
        }
        if claims {
            // T8, X2: a claim is kept by Activations, if any is legal; else the card may be discarded.
            let kept = self.can_campaign(state, seat, worth);
            why.demand(
                way == Usage::Discard && !kept,
                rules::FIRST_PLAY_CLAIM,
                "CLAIMED_TO_CAMPAIGN",
                &refs,
            )?;
        }
        let one = match way {
            Usage::Discard => return ControlFlow::Continue(()),
            Usage::Raid => CardUse::Raid,
            Usage::Markers => CardUse::Markers,
            _ => CardUse::Recruit,
        };
        let has = match worth {
            Worth::Operations(_, uses) => uses.contains(one),
            Worth::Campaign(uses) => one == CardUse::Recruit && uses.contains(one),
            Worth::Other => rules::DISCARD.gives(true, false),
        };
        why.demand(has, rules::OPERATIONS, "NO_SUCH_USE", &refs)?;
        match one {
            CardUse::Raid => {
                let raiders = !self.raiders(state, seat).is_empty();
                why.require(raiders, rules::RAID, "NOBODY_TO_RAID", &[])
            }
            CardUse::Markers => why.require(
                self.can_place_marker(state, seat),
                rules::PRIOR_MARKERS,
                "NO_PLACE_FOR_A_MARKER",
                &[],
            ),
            _ => self.examine_recruitment_card(state, seat, why),
        }
    }

    /// K11: one card a seat a Turn, with an economic infrastructure; the Royalist's not while a Lorrainer Brigade is on the map.
    fn examine_recruitment_card(&self, state: &State, seat: Seat, why: &mut Why) -> ControlFlow<()> {
        let first = state.cards.recruitment[seat.index()].is_empty();
        why.require(first, rules::RECRUITMENT_CARD, "RECRUITMENT_CARD_PLAYED", &[])?;
        let funded = !self.infrastructures_of(state, seat).is_empty();
        why.require(funded, rules::NO_INFRASTRUCTURE, "NO_INFRASTRUCTURE", &[])?;
        let lorrainers = self.content.band(Faction::Lorrainer);
        let foreign = seat == ROYALIST && state.on_map(&self.content, seat).meets(lorrainers);
        why.require(!foreign, rules::RECRUITMENT_CARD, "LORRAINERS_IN_ENGLAND", &[])
    }

    /// Returns whether an Activation of a Campaign card would be legal now.
    fn can_campaign(&self, state: &State, seat: Seat, worth: Worth) -> bool {
        let Worth::Campaign(uses) = worth else { return false };
        self.can_activate_more(state, seat, uses, (GeneralSet::EMPTY, NotableSet::EMPTY))
    }

    /// The use begins: its procedures open.
    pub(in super::super) fn begin_use(&self, state: &mut State, seat: Seat, card: CardId, way: Usage) {
        let worth = self.worth(seat, card);
        let number =
            if let Worth::Operations(value, _) = worth { rules::OPERATIONS.gives(value, 1) } else { 1 };
        match way {
            Usage::Event => self.open_event(state, seat, card),
            Usage::Campaign => {
                let list = self.content.cards[card].list;
                let Some(Operation::Campaign { activations, .. }) =
                    self.content.lists[list].first().map(|step| step.operation)
                else {
                    unreachable!("a Campaign card was used as one");
                };
                state.frames.open(Frame::Campaigning {
                    seat,
                    card,
                    left: activations,
                    used: GeneralSet::EMPTY,
                    raided: NotableSet::EMPTY,
                });
            }
            Usage::Activate => state.frames.open(Frame::Commission { seat, value: number, bombards: false }),
            Usage::Bombard => state.frames.open(Frame::Commission { seat, value: number, bombards: true }),
            Usage::Raid => self.open_raids(state, seat, number),
            Usage::Markers => self.open_markers(state, seat, number),
            Usage::Recruit => {
                let turn = &self.content.turns[state.turn];
                let recruits = if worth == Worth::Other { turn.discard_recruits } else { turn.card_recruits };
                state.recruiting = Some(Recruiting::new(seat, Occasion::Card, recruits));
                state.frames.open(Frame::Recruitment { seat, stage: 0 });
            }
            Usage::Discard => {}
        }
    }
}
