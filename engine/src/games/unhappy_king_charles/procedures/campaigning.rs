//! Activations by cards: one by an Operations card, several by a Campaign card (6.1, 6.2, K3, K4).

use crate::numbered::Listed;
use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::content::ids::{CardId, CounterId, CounterSet, GeneralId, GeneralSet, NotableSet};
use super::super::content::operations::{CardUse, CardUses, Operation};
use super::super::frames::Frame;
use super::super::state::{Marks, State, Warrant};
use super::super::{UnhappyKing, rules};

impl UnhappyKing {
    /// All counters that bear a mark.
    pub(in super::super) fn all_moved(&self, state: &State, marks: Marks) -> CounterSet {
        state.brigades.marked(CounterSet::first_of(CounterId::count(&self.content)), marks)
    }

    /// Returns whether a General may be Activated by a card: to move or to Bombard.
    pub(in super::super) fn may_commission(
        &self,
        state: &State,
        seat: Seat,
        general: GeneralId,
        (warrant, bombards): (Warrant, bool),
    ) -> bool {
        if bombards {
            self.may_bombard(state, seat, general, warrant)
        } else {
            self.may_activate(state, seat, general, warrant)
        }
    }

    /// Returns whether any General may.
    pub(in super::super) fn can_commission(
        &self,
        state: &State,
        seat: Seat,
        warrant: Warrant,
        bombards: bool,
    ) -> bool {
        State::generals_of(&self.content, seat)
            .any(|general| self.may_commission(state, seat, general, (warrant, bombards)))
    }

    /// Their General goes to war: the procedure opens.
    fn commission(
        &self,
        state: &mut State,
        seat: Seat,
        general: GeneralId,
        (warrant, bombards): (Warrant, bool),
        out: &mut Events,
    ) {
        if bombards {
            self.open_bombardment(state, seat, general);
        } else {
            self.open_activation(state, seat, general, warrant, out);
        }
    }

    /// Every General of the seat.
    pub(in super::super) fn offer_commission(
        &self,
        state: &State,
        seat: Seat,
        (_, bombards): (u8, bool),
        offer: &mut impl FnMut(Action),
    ) {
        if bombards {
            return state.commanders_of(&self.content, seat).iter().map(Action::Bombard).for_each(offer);
        }
        State::generals_of(&self.content, seat).map(Action::Activate).for_each(offer);
    }

    /// 6.1, 6.2: the rating fits the card, and the Army its value.
    pub(in super::super) fn examine_commission(
        &self,
        state: &State,
        seat: Seat,
        (value, bombards): (u8, bool),
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let general = match action {
            Action::Activate(general) if !bombards => general,
            Action::Bombard(general) if bombards => general,
            _ => return why.refuse(CONTRACT, "NOT_NOW"),
        };
        self.examine_general(state, seat, general, (Warrant::Operations(value), bombards), why)
    }

    fn examine_general(
        &self,
        state: &State,
        seat: Seat,
        general: GeneralId,
        order: (Warrant, bool),
        why: &mut Why,
    ) -> ControlFlow<()> {
        let (warrant, bombards) = order;
        if !bombards {
            return self.examine_activating(state, seat, general, warrant, why);
        }
        let may = self.may_bombard(state, seat, general, warrant);
        why.require(may, rules::STRATEGY_RATING, "CANNOT_BOMBARD", &[general.into()])
    }

    pub(in super::super) fn apply_commission(
        &self,
        state: &mut State,
        seat: Seat,
        (value, bombards): (u8, bool),
        action: Action,
        out: &mut Events,
    ) {
        let (Action::Activate(general) | Action::Bombard(general)) = action else {
            unreachable!("an illegal action was applied");
        };
        state.frames.close();
        self.commission(state, seat, general, (Warrant::Operations(value), bombards), out);
    }

    /// The uses of a Campaign card.
    fn campaign_uses(&self, card: CardId) -> CardUses {
        match self.content.lists[self.content.cards[card].list].first().map(|step| step.operation) {
            Some(Operation::Campaign { uses, .. }) => uses,
            _ => CardUses::NONE,
        }
    }

    /// Returns whether a Campaign card could Activate somebody, beside those that it has.
    pub(in super::super) fn can_activate_more(
        &self,
        state: &State,
        seat: Seat,
        uses: CardUses,
        (used, raided): (GeneralSet, NotableSet),
    ) -> bool {
        let ready = |general: GeneralId| {
            !used.contains(general)
                && (uses.contains(CardUse::Activate) && self.may_activate(state, seat, general, Warrant::Any)
                    || uses.contains(CardUse::Bombard)
                        && self.may_bombard(state, seat, general, Warrant::Any))
        };
        State::generals_of(&self.content, seat).any(ready)
            || uses.contains(CardUse::Raid) && !(self.raiders(state, seat) - raided).is_empty()
    }

    /// B17: after each Activation the bonus sets that it won are played; the card is done with its last, or once nobody is left.
    pub(in super::super) fn advance_campaigning(
        &self,
        state: &mut State,
        (seat, card, left): (Seat, CardId, u8),
        spent: (GeneralSet, NotableSet),
    ) -> bool {
        if self.sets_are_due(state) {
            state.frames.open(Frame::Bonus);
            return true;
        }
        let ends = left == 0 || !self.can_activate_more(state, seat, self.campaign_uses(card), spent);
        if ends {
            state.frames.close();
        }
        ends
    }

    /// Generals to move, to Bombard, Local Notables to Raid, then to be done.
    pub(in super::super) fn offer_campaigning(
        &self,
        state: &State,
        seat: Seat,
        _: (CardId, GeneralSet, NotableSet),
        offer: &mut impl FnMut(Action),
    ) {
        State::generals_of(&self.content, seat).map(Action::Activate).for_each(&mut *offer);
        state.commanders_of(&self.content, seat).iter().map(Action::Bombard).for_each(&mut *offer);
        self.content.notables_of[seat.index()].iter().map(Action::Raid).for_each(&mut *offer);
        offer(Action::Done);
    }

    /// K3, K4: each General and each Local Notable once, one Activation at least.
    pub(in super::super) fn examine_campaigning(
        &self,
        state: &State,
        seat: Seat,
        (card, used, raided): (CardId, GeneralSet, NotableSet),
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let uses = self.campaign_uses(card);
        match action {
            Action::Activate(general) | Action::Bombard(general) => {
                let bombards = matches!(action, Action::Bombard(_));
                let one = if bombards { CardUse::Bombard } else { CardUse::Activate };
                why.demand(uses.contains(one), rules::CAMPAIGN_CARD, "NO_SUCH_USE", &[card.into()])?;
                let fresh = !used.contains(general);
                why.require(fresh, rules::ONCE_A_CARD, "ACTIVATED_ALREADY", &[general.into()])?;
                self.examine_general(state, seat, general, (Warrant::Any, bombards), why)
            }
            Action::Raid(notable) => {
                why.demand(
                    uses.contains(CardUse::Raid),
                    rules::CAMPAIGN_CARD,
                    "NO_SUCH_USE",
                    &[card.into()],
                )?;
                let fresh = !raided.contains(notable);
                why.require(fresh, rules::ONCE_A_CARD, "HAS_RAIDED", &[notable.into()])?;
                let can = self.can_raid(state, seat, notable);
                why.require(can, rules::RAID, "CANNOT_RAID", &[notable.into()])
            }
            Action::Done => {
                let some = !used.is_empty() || !raided.is_empty();
                why.require(some, rules::CAMPAIGN_CARD, "NOBODY_ACTIVATED", &[])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_campaigning(
        &self,
        state: &mut State,
        seat: Seat,
        _: (CardId, GeneralSet, NotableSet),
        action: Action,
        out: &mut Events,
    ) {
        let Some(Frame::Campaigning { left, used, raided, .. }) = state.frames.top_mut() else {
            unreachable!("a Campaign card Activates within it");
        };
        match action {
            Action::Activate(general) | Action::Bombard(general) => {
                *left -= 1;
                used.insert(general);
                let bombards = matches!(action, Action::Bombard(_));
                self.commission(state, seat, general, (Warrant::Any, bombards), out);
            }
            Action::Raid(notable) => {
                *left -= 1;
                raided.insert(notable);
                state.frames.open(Frame::Raid { seat, notable });
            }
            _ => {
                state.frames.close();
            }
        }
    }
}
