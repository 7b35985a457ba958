//! Operational events: who may use theirs, and what it does (6.01, 6.4).

use crate::event::{Event, Events, Scene};
use crate::reference::Ref;
use crate::seat::Seat;

use super::super::actions::Action;
use super::super::content::CardEvent;
use super::super::frames::Frame;
use super::super::state::{State, each};
use super::super::{ThisWar, rules};

impl ThisWar {
    /// To use it, or not.
    pub(in super::super) fn offer_event(&self, offer: &mut impl FnMut(Action)) {
        [Action::Event, Action::Decline].into_iter().for_each(offer);
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
        self.content.cards[usize::from(state.cards[seat.index()]?)].event
    }

    pub(in super::super) fn amount_of(&self, state: &State, seat: Seat) -> u8 {
        state.cards[seat.index()].map_or(0, |card| self.content.cards[usize::from(card)].amount)
    }

    /// Returns whether an Operational event has a target, by public facts.
    pub(in super::super) fn can_happen(&self, state: &State, seat: Seat, event: CardEvent) -> bool {
        let map = self.content.of_side[seat.other().index()] & !state.at(super::super::state::POOL);
        match event {
            CardEvent::CampFever => {
                (0..self.content.areas.len() as u8).any(|area| self.fever_fits(state, seat, area))
            }
            CardEvent::Desertion => map != 0,
            _ => event.operational(),
        }
    }

    /// 6.01: the event of the card is enacted.
    pub(in super::super) fn use_event(&self, state: &mut State, seat: Seat, out: &mut Events) {
        let Some(event) = self.event_of(state, seat) else { return };
        let scene = Scene::open(self, state, 2, out);
        state.frames.close();
        let amount = self.amount_of(state, seat);
        let victim = seat.other();
        let abroad = self.abroad(state, victim) != 0;
        match event {
            CardEvent::CampFever => state.frames.open(Frame::Fever { seat }),
            CardEvent::Desertion if rules::DESERTION.on() => {
                state.frames.open(Frame::Desertion { seat: victim, regional: abroad });
                out.revealed();
            }
            CardEvent::Recruitment if rules::FREE_RECRUITMENT.on() => {
                state.frames.open(Frame::Free { seat, left: amount, guns: false });
            }
            CardEvent::RecruitmentArtillery if rules::SUPPLIES.on() => {
                state.frames.open(Frame::Free { seat, left: amount, guns: true });
            }
            CardEvent::FortificationOfLondon if rules::FORTIFICATION.on() => state.walls = true,
            _ => {}
        }
        let card = Ref::Card(state.cards[seat.index()].unwrap_or(0));
        let found = if event == CardEvent::Desertion { i32::from(abroad) } else { 0 };
        let refs = [Ref::Seat(seat), card, Ref::Number(found)];
        scene.publish(self, state, out, || Event::new("event_used", rules::OPERATIONAL_EVENTS, &refs));
        out.release();
    }

    /// 6.44: the Regional blocks of a seat that are outside their home.
    pub(in super::super) fn abroad(&self, state: &State, seat: Seat) -> u64 {
        let own = self.content.of_side[seat.index()] & self.content.regional;
        let out = |b: &usize| {
            self.content.area_of(state.blocks[*b].at).is_some_and(|at| self.content.abroad(*b, at))
        };
        each(own).filter(out).fold(0, |set, block| set | 1 << block)
    }
}
