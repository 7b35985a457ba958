//! Offers to a seat: a superset of the legal actions, in the order of lists.

use crate::action::ActionId;
use crate::seat::Seat;

use super::ThisWar;
use super::actions::Action;
use super::state::{Frame, MOVING, POOL, State, each};

impl ThisWar {
    pub(super) fn list_candidates(&self, state: &State, seat: Seat, into: &mut Vec<ActionId>) {
        let mut offer = |action: Action| into.push(self.actions.id(action));
        let areas = 0..self.content.areas.len() as u8;
        let own = self.content.of_side[seat.index()];
        let pool = state.at(POOL) & own;
        let map = own & !pool;
        let blocks = |set: u64, make: fn(u8) -> Action, offer: &mut dyn FnMut(Action)| {
            each(set).for_each(|block| offer(make(block as u8)));
        };
        match state.frames.top() {
            Some(frame @ (Frame::Discards | Frame::Initiative)) => {
                let make = if matches!(frame, Frame::Discards) { Action::Discard } else { Action::Play };
                state.hands[seat.index()].iter().map(make).for_each(&mut offer);
                offer(Action::Done);
            }
            Some(Frame::Tie) => [0, 1].map(Seat::new).map(Action::First).into_iter().for_each(offer),
            Some(Frame::Offer { .. }) => [Action::Event, Action::Decline].into_iter().for_each(offer),
            Some(Frame::Fever { .. }) => areas.map(Action::Fever).for_each(offer),
            Some(&Frame::FeverLoss { area, .. }) => {
                blocks(state.out(&self.content, area, seat) & self.content.field(), Action::Lose, &mut offer);
            }
            Some(Frame::Desertion { .. }) => blocks(map, Action::Lose, &mut offer),
            Some(Frame::DesertionPlace { .. }) => {
                areas.map(Action::At).for_each(&mut offer);
                offer(Action::Pool);
            }
            Some(Frame::Free { .. }) => {
                blocks(map, Action::Raise, &mut offer);
                blocks(pool, Action::Deploy, &mut offer);
                offer(Action::Done);
            }
            Some(Frame::Place { .. }) => areas.map(Action::At).for_each(offer),
            Some(&Frame::Actions { points, .. }) => {
                if points > 0 {
                    let held = |area: &u8| state.out(&self.content, *area, seat) != 0;
                    areas.clone().filter(held).map(Action::Group).for_each(&mut offer);
                    let friendly = |area: &u8| state.friendly(&self.content, *area, seat);
                    areas.filter(friendly).map(Action::Muster).for_each(&mut offer);
                    blocks(map, Action::Raise, &mut offer);
                    blocks(pool, Action::Deploy, &mut offer);
                }
                offer(Action::Done);
            }
            Some(&Frame::GroupMove { seat, from }) => {
                let (at, taken, later) = self.party(state, seat, from);
                blocks(later, Action::Take, &mut offer);
                if taken != 0 {
                    blocks(self.content.areas[usize::from(at)].near, Action::Go, &mut offer);
                } else if self.own_with(state, seat, MOVING) != 0 {
                    offer(Action::Stop);
                } else {
                    offer(Action::Done);
                }
            }
            Some(Frame::Muster { .. }) => {
                blocks(map, Action::Take, &mut offer);
                offer(Action::Done);
            }
            Some(&Frame::Via { block, to, .. }) => {
                self.muster_ways(state, seat, block.into(), to).into_iter().map(Action::Via).for_each(offer);
            }
            Some(&Frame::Window { area, .. }) => {
                blocks(state.out(&self.content, area, seat), Action::Withdraw, &mut offer);
                offer(Action::Done);
            }
            Some(Frame::Tactic { .. }) => {
                areas.map(Action::Tactic).for_each(&mut offer);
                offer(Action::Decline);
            }
            Some(Frame::Battles) => areas.map(Action::Battle).for_each(offer),
            Some(Frame::Sieges) => (0..self.content.cities.len() as u8).map(Action::Siege).for_each(offer),
            Some(Frame::Fight) => {
                if let Some(fight) = &state.fight {
                    self.list_fight(state, seat, fight, &mut offer);
                }
            }
            Some(Frame::RetreatTo { .. }) => {
                (0..self.content.places() as u8).map(Action::To).for_each(offer);
            }
            Some(&Frame::Short { area, .. }) => {
                let here = state.out(&self.content, area, seat) & self.content.field();
                blocks(here, Action::Lose, &mut offer);
                blocks(here, Action::Exempt, &mut offer);
            }
            Some(&Frame::Attrition { city, .. }) => {
                blocks(state.at(self.content.city_place(city)), Action::Lose, &mut offer);
            }
            Some(&Frame::Surrender { city, .. }) => {
                blocks(state.at(self.content.city_place(city)), Action::Retreat, &mut offer);
                offer(Action::Done);
            }
            Some(Frame::Recruit { .. }) => {
                (0..6).map(Action::Region).for_each(&mut offer);
                offer(Action::Done);
            }
            Some(Frame::Region { .. }) => {
                blocks(map, Action::Raise, &mut offer);
                blocks(pool, Action::Deploy, &mut offer);
            }
            Some(Frame::Return { .. }) => {
                blocks(map, Action::Home, &mut offer);
                offer(Action::Done);
            }
            Some(Frame::ReturnTo { .. }) => {
                areas.map(Action::At).for_each(&mut offer);
                offer(Action::Pool);
            }
            _ => {}
        }
    }
}
