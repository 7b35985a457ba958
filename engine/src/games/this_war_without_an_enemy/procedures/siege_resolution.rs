//! Siege Resolution: dice at each City, and what the besieged lose (9.2, 9.21).

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::numbered::Listed;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::actions::Action;
use super::super::content::AttritionCell;
use super::super::content::things::CityId;
use super::super::frames::Frame;
use super::super::state::State;
use super::super::{ThisWar, rules};
use crate::game::CONTRACT;

impl ThisWar {
    /// The blocks in the City.
    pub(in super::super) fn offer_attrition(
        &self,
        state: &State,
        _: Seat,
        (city, _): (CityId, bool),
        offer: &mut impl FnMut(Action),
    ) {
        state.at(self.content.city_place(city)).iter().for_each(|block| offer(Action::Lose(block)));
    }

    /// 9.2: the next City whose marker shows 1 or more; when there is none left, markers rise and the Turn ends.
    pub(in super::super) fn resolution(&self, state: &mut State, next: usize, out: &mut Events) -> bool {
        let mut left = CityId::all(&self.content).skip(next);
        if let Some(next) = left.find(|&city| rules::RESOLUTION.applies(state.siege[city] >= 1)) {
            self.replace(state, Frame::Resolution { city: next.index() });
            return false;
        }
        let scene = Scene::open(self, state, 2, out);
        for marker in &mut state.siege {
            if rules::PROGRESSION.applies(*marker >= 0) {
                *marker = (*marker + 1).min(self.content.marker_max());
            }
        }
        scene.publish(self, state, out, || Event::new("sieges_progress", rules::PROGRESSION, &[]));
        self.end_turn(state, out);
        true
    }

    /// Returns the seat that is in a besieged City.
    pub(in super::super) fn besieged(&self, state: &State, city: CityId) -> Seat {
        let within = state.at(self.content.city_place(city));
        Seat::new(u8::from(!within.meets(self.content.of_side[0])))
    }

    /// 9.21: what the die says; the loss is announced.
    pub(in super::super) fn resolve_siege(&self, state: &mut State, city: CityId, die: u8, out: &mut Events) {
        let seat = self.besieged(state, city);
        let within = state.at(self.content.city_place(city));
        let field = within & self.content.field();
        let horse = within.meets(self.content.horse);
        let port = self.content.cities[city].port;
        let (cell, surrender) = self.content.siege(state.siege[city], die);
        let (by_horse, applies) = match cell {
            AttritionCell::None => (false, false),
            AttritionCell::Cavalry => (true, horse),
            AttritionCell::NonPort => (false, !port),
            AttritionCell::CavalryOrNonPort => (true, horse || !port),
            AttritionCell::All => (false, true),
        };
        let loss = if rules::SIEGE_ATTRITION.applies(applies) { field.count() as u8 } else { 0 };
        let left = u32::from(loss).min(state.strength(field)) as u8;
        self.replace(state, Frame::Resolution { city: city.index() + 1 });
        state.frames.open(Frame::Attrition { city, left, horse: by_horse && horse, surrender });
        let place = Ref::from(self.content.city_place(city));
        let refs = [place, Ref::Number(die.into()), Ref::Number(loss.into()), Ref::Seat(seat)];
        out.emit(|| Event::new("siege_die", rules::RESOLUTION, &refs));
    }

    pub(in super::super) fn examine_attrition(
        &self,
        state: &State,
        _: Seat,
        (city, horse): (CityId, bool),
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let Action::Lose(block) = action else { return why.refuse(CONTRACT, "NOT_NOW") };
        let piece = Ref::from(block);
        let within = state.at(self.content.city_place(city)) & self.content.field();
        why.demand(within.contains(block), rules::SIEGE_ATTRITION, "NOT_THERE", &[piece])?;
        let mounted = !horse || self.content.horse.contains(block);
        why.require(mounted, rules::SIEGE_ATTRITION, "CAVALRY_FIRST", &[piece])
    }

    pub(in super::super) fn apply_attrition(
        &self,
        state: &mut State,
        _: Seat,
        _: (CityId, bool),
        action: Action,
        out: &mut Events,
    ) {
        let Action::Lose(block) = action else { unreachable!("an illegal action was applied") };
        let Some(Frame::Attrition { city, left, surrender, .. }) = state.frames.close() else {
            unreachable!("losses of a Siege are taken within its Attrition")
        };
        state.frames.open(Frame::Attrition { city, left: left - 1, horse: false, surrender });
        self.lose_one(state, block, rules::SIEGE_ATTRITION, out);
    }
}
