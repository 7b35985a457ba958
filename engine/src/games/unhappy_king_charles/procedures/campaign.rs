//! The Campaign Phase: card plays by turns until both have passed, and the store (5.5, 6.0); the Blockade Phase (5.6).

use crate::deck::CardSet;
use crate::numbered::Listed;
use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::content::SEATS;
use super::super::content::ids::{CardId, FortressId, FortressSet, GeneralId};
use super::super::frames::Frame;
use super::super::state::{Happened, SiegeMarker, State};
use super::super::{UnhappyKing, rules};

impl UnhappyKing {
    /// 5.5: the seat on turn plays a card; one that has passed, or has no card, is passed over; once both have passed the rest is stored.
    pub(in super::super) fn advance_campaign(&self, state: &mut State, seat: Seat, out: &mut Events) {
        if state.passed == [true; 2] {
            state.frames.close();
            return self.store(state, out);
        }
        let passed = rules::AFTER_PASS.applies(state.passed[seat.index()]);
        if rules::FORCED_PASS.applies(!passed && self.playable(state, seat).next().is_none()) {
            let scene = Scene::open(self, state, 2, out);
            state.passed[seat.index()] = true;
            scene.publish(self, state, out, || {
                Event::new("passes", rules::CAMPAIGN_PHASE, &[Ref::Seat(seat)])
            });
            return;
        }
        let next =
            if let Some(Frame::Campaign { seat: next }) = state.frames.top_mut() { next } else { return };
        *next = rules::CAMPAIGN_PHASE.gives(seat.other(), seat);
        if !passed {
            let card = state.claim;
            state.frames.open(Frame::Play { seat, bonus: false, card });
        }
    }

    /// 6.0, T17: unplayed cards are stored; Core Cards stay with their owners.
    fn store(&self, state: &mut State, out: &mut Events) {
        let scene = Scene::open(self, state, 2, out);
        for seat in SEATS {
            let hand = state.cards.hands[seat.index()];
            let kept = |&card: &u16| self.content.cards[CardId::new(card.into())].is_never_stored();
            let kept = CardSet::of(hand.iter().filter(kept));
            state.cards.hands[seat.index()] = kept;
            state.cards.stores[seat.index()] = state.cards.stores[seat.index()] | (hand - kept);
        }
        scene.publish(self, state, out, || Event::new("stored", rules::STORE, &[]));
    }

    /// The Fortresses that a seat may still Bombard for free, each with its Army (14.2).
    fn blockades(
        &self,
        state: &State,
        seat: Seat,
        done: FortressSet,
    ) -> impl Iterator<Item = (FortressId, GeneralId)> {
        let open = rules::BEFORE_THE_STANDARD.allows(state.has(Happened::STANDARD));
        FortressId::all(&self.content).filter_map(move |fortress| {
            let area = self.content.fortresses[fortress].area;
            let blockaded =
                state.sieges[fortress].marker == SiegeMarker::Blockade && !done.contains(fortress);
            let army = state.commander_at(&self.content, seat, area);
            army.filter(|_| open && blockaded && state.controller(area) == Some(seat.other()))
                .map(|general| (fortress, general))
        })
    }

    /// The phase of a seat ends by itself once no Army is left that could Bombard.
    pub(in super::super) fn advance_blockade(
        &self,
        state: &mut State,
        seat: Seat,
        done: FortressSet,
    ) -> bool {
        let ends = self.blockades(state, seat, done).next().is_none();
        if ends {
            state.frames.close();
        }
        ends
    }

    /// The commanders of Armies that may Bombard in the phase.
    pub(in super::super) fn blockaders<'s>(
        &'s self,
        state: &'s State,
        seat: Seat,
        done: FortressSet,
    ) -> impl Iterator<Item = GeneralId> + use<'s> {
        self.blockades(state, seat, done).map(|(_, general)| general)
    }

    /// Each Army with a Blockade & Siege marker, then to be done.
    pub(in super::super) fn offer_blockade(
        &self,
        state: &State,
        seat: Seat,
        done: FortressSet,
        offer: &mut impl FnMut(Action),
    ) {
        self.blockaders(state, seat, done).map(Action::Bombard).for_each(&mut *offer);
        offer(Action::Done);
    }

    /// 14.2, T19: an Army with a Blockade & Siege marker, once each; none has to.
    pub(in super::super) fn examine_blockade(
        &self,
        state: &State,
        seat: Seat,
        done: FortressSet,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match action {
            Action::Done => ControlFlow::Continue(()),
            Action::Bombard(general) => {
                let blockades = self.blockaders(state, seat, done).any(|army| army == general);
                why.require(blockades, rules::BLOCKADE_PHASE, "NO_BLOCKADE", &[general.into()])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_blockade(
        &self,
        state: &mut State,
        seat: Seat,
        done: FortressSet,
        action: Action,
        _: &mut Events,
    ) {
        let chosen = self.blockades(state, seat, done).find(|&(_, army)| action == Action::Bombard(army));
        state.frames.close();
        if let Some((fortress, general)) = chosen {
            state.frames.open(Frame::Blockade { seat, done: done | FortressSet::one(fortress) });
            state.frames.open(Frame::Bombardment { seat, general, free: true, stage: 0 });
        }
    }
}
