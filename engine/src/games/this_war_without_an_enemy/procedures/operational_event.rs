//! Operational events: who may use theirs, and what it does (6.01, 6.4).

use crate::event::{Event, Events, Scene};
use crate::numbered::Listed;
use crate::reference::Ref;
use crate::seat::Seat;

use super::super::actions::Action;
use super::super::content::CardEvent;
use super::super::content::things::{AreaId, BlockId, BlockSet, Place};
use super::super::frames::Frame;
use super::super::state::State;
use super::super::{ThisWar, rules};
use crate::game::CONTRACT;
use crate::refusal::Why;
use std::ops::ControlFlow;

impl ThisWar {
    /// To use it, or not.
    pub(in super::super) fn offer_event(&self, _: &State, _: Seat, offer: &mut impl FnMut(Action)) {
        [Action::Event, Action::Decline].into_iter().for_each(offer);
    }

    pub(in super::super) fn examine_event(
        &self,
        _: &State,
        _: Seat,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match action {
            Action::Event | Action::Decline => ControlFlow::Continue(()),
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_event(
        &self,
        state: &mut State,
        seat: Seat,
        action: Action,
        out: &mut Events,
    ) {
        if action == Action::Event {
            return self.use_event(state, seat, out);
        }
        state.frames.close();
        out.emit(|| Event::new("declines", rules::OPERATIONAL_EVENTS, &[Ref::Seat(seat)]));
    }

    pub(in super::super) fn event_of(&self, state: &State, seat: Seat) -> Option<CardEvent> {
        self.content.card(state.cards[seat.index()]?).event
    }

    pub(in super::super) fn amount_of(&self, state: &State, seat: Seat) -> u8 {
        state.cards[seat.index()].map_or(0, |card| self.content.card(card).amount)
    }

    /// Returns whether an Operational event has a target, by public facts.
    pub(in super::super) fn can_happen(&self, state: &State, seat: Seat, event: CardEvent) -> bool {
        let map = self.content.of_side[seat.other().index()] - state.at(Place::POOL);
        match event {
            CardEvent::CampFever => AreaId::all(&self.content).any(|area| self.fever_fits(state, seat, area)),
            CardEvent::Desertion => !map.is_empty(),
            _ => event.operational(),
        }
    }

    /// 6.01: the event of the card is enacted.
    pub(in super::super) fn use_event(&self, state: &mut State, seat: Seat, out: &mut Events) {
        let event = self.event_of(state, seat).expect("a card with an event was offered");
        let scene = Scene::open(self, state, 2, out);
        state.frames.close();
        let amount = self.amount_of(state, seat);
        let victim = seat.other();
        let abroad = !self.abroad(state, victim).is_empty();
        match event {
            CardEvent::CampFever => state.frames.open(Frame::Fever { seat }),
            CardEvent::Desertion if rules::DESERTION.applies(true) => {
                state.frames.open(Frame::Desertion { seat: victim, regional: abroad });
                out.revealed();
            }
            CardEvent::Recruitment if rules::FREE_RECRUITMENT.applies(true) => {
                state.frames.open(Frame::Free { seat, left: amount, guns: false });
            }
            CardEvent::RecruitmentArtillery if rules::SUPPLIES.applies(true) => {
                state.frames.open(Frame::Free { seat, left: amount, guns: true });
            }
            CardEvent::FortificationOfLondon => state.walls = rules::FORTIFICATION.gives(true, state.walls),
            _ => {}
        }
        let card = Ref::Card(state.cards[seat.index()].unwrap_or(0));
        let found = if event == CardEvent::Desertion { i32::from(abroad) } else { 0 };
        let refs = [Ref::Seat(seat), card, Ref::Number(found)];
        scene.publish(self, state, out, || Event::new("event_used", rules::OPERATIONAL_EVENTS, &refs));
        out.release();
    }

    /// 6.44: the Regional blocks of a seat that are outside their home.
    pub(in super::super) fn abroad(&self, state: &State, seat: Seat) -> BlockSet {
        let own = self.content.of_side[seat.index()] & self.content.regional;
        let area = |block: BlockId| self.content.area_of(state.blocks[block].at);
        own.that(|block| area(block).is_some_and(|at| self.content.abroad(block, at)))
    }
}
