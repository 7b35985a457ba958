//! What is offered: a superset of the legal steps, in the order of lists.

use crate::seat::Seat;
use crate::step::StepId;

use super::ThisWar;
use super::state::{Frame, MOVING, POOL, State, each};
use super::steps::Step;

impl ThisWar {
    pub(super) fn list_candidates(&self, state: &State, seat: Seat, into: &mut Vec<StepId>) {
        let mut offer = |step: Step| into.push(self.steps.id(step));
        let areas = 0..self.content.areas.len() as u8;
        let own = self.content.of_side[seat.index()];
        let pool = state.at(POOL) & own;
        let map = own & !pool;
        let blocks = |set: u64, make: fn(u8) -> Step, offer: &mut dyn FnMut(Step)| {
            each(set).for_each(|block| offer(make(block as u8)));
        };
        match state.frames.top() {
            Some(frame @ (Frame::Discards | Frame::Initiative)) => {
                let make = if matches!(frame, Frame::Discards) { Step::Discard } else { Step::Play };
                state.hands[seat.index()].iter().map(make).for_each(&mut offer);
                offer(Step::Done);
            }
            Some(Frame::Tie) => [0, 1].map(Seat::new).map(Step::First).into_iter().for_each(offer),
            Some(Frame::Offer { .. }) => [Step::Event, Step::Decline].into_iter().for_each(offer),
            Some(Frame::Fever { .. }) => areas.map(Step::Fever).for_each(offer),
            Some(&Frame::FeverLoss { area, .. }) => {
                blocks(state.out(&self.content, area, seat) & self.content.field(), Step::Lose, &mut offer);
            }
            Some(Frame::Desertion { .. }) => blocks(map, Step::Lose, &mut offer),
            Some(Frame::DesertionPlace { .. }) => {
                areas.map(Step::At).for_each(&mut offer);
                offer(Step::Pool);
            }
            Some(Frame::Free { .. }) => {
                blocks(map, Step::Raise, &mut offer);
                blocks(pool, Step::Deploy, &mut offer);
                offer(Step::Done);
            }
            Some(Frame::Place { .. }) => areas.map(Step::At).for_each(offer),
            Some(&Frame::Actions { points, .. }) => {
                if points > 0 {
                    let held = |area: &u8| state.out(&self.content, *area, seat) != 0;
                    areas.clone().filter(held).map(Step::Group).for_each(&mut offer);
                    let friendly = |area: &u8| state.friendly(&self.content, *area, seat);
                    areas.filter(friendly).map(Step::Muster).for_each(&mut offer);
                    blocks(map, Step::Raise, &mut offer);
                    blocks(pool, Step::Deploy, &mut offer);
                }
                offer(Step::Done);
            }
            Some(&Frame::GroupMove { seat, from }) => {
                let (at, taken, later) = self.party(state, seat, from);
                blocks(later, Step::Take, &mut offer);
                if taken != 0 {
                    blocks(self.content.areas[usize::from(at)].near, Step::Go, &mut offer);
                } else if self.own_with(state, seat, MOVING) != 0 {
                    offer(Step::Stop);
                } else {
                    offer(Step::Done);
                }
            }
            Some(Frame::Muster { .. }) => {
                blocks(map, Step::Take, &mut offer);
                offer(Step::Done);
            }
            Some(&Frame::Via { block, to, .. }) => {
                self.muster_ways(state, seat, block.into(), to).into_iter().map(Step::Via).for_each(offer);
            }
            Some(&Frame::Window { area, .. }) => {
                blocks(state.out(&self.content, area, seat), Step::Withdraw, &mut offer);
                offer(Step::Done);
            }
            Some(Frame::Tactic { .. }) => {
                areas.map(Step::Tactic).for_each(&mut offer);
                offer(Step::Decline);
            }
            Some(Frame::Battles) => areas.map(Step::Battle).for_each(offer),
            Some(Frame::Sieges) => (0..self.content.cities.len() as u8).map(Step::Siege).for_each(offer),
            Some(Frame::Fight) => {
                if let Some(fight) = &state.fight {
                    self.list_fight(state, seat, fight, &mut offer);
                }
            }
            Some(Frame::RetreatTo { .. }) => {
                (0..self.content.places() as u8).map(Step::To).for_each(offer);
            }
            Some(&Frame::Short { area, .. }) => {
                let here = state.out(&self.content, area, seat) & self.content.field();
                blocks(here, Step::Lose, &mut offer);
                blocks(here, Step::Exempt, &mut offer);
            }
            Some(&Frame::Attrition { city, .. }) => {
                blocks(state.at(self.content.city_place(city)), Step::Lose, &mut offer);
            }
            Some(&Frame::Surrender { city, .. }) => {
                blocks(state.at(self.content.city_place(city)), Step::Retreat, &mut offer);
                offer(Step::Done);
            }
            Some(Frame::Recruit { .. }) => {
                (0..6).map(Step::Region).for_each(&mut offer);
                offer(Step::Done);
            }
            Some(Frame::Region { .. }) => {
                blocks(map, Step::Raise, &mut offer);
                blocks(pool, Step::Deploy, &mut offer);
            }
            Some(Frame::Return { .. }) => {
                blocks(map, Step::Home, &mut offer);
                offer(Step::Done);
            }
            Some(Frame::ReturnTo { .. }) => {
                areas.map(Step::At).for_each(&mut offer);
                offer(Step::Pool);
            }
            _ => {}
        }
    }
}
