//! Siege Resolution: dice at each City, and what the besieged lose (9.2, 9.21).

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::actions::Action;
use super::super::content::AttritionCell;
use super::super::frames::Frame;
use super::super::state::{State, each};
use super::super::{ThisWar, rules};

impl ThisWar {
    /// The blocks in the City.
    pub(in super::super) fn offer_attrition(&self, state: &State, city: u8, offer: &mut impl FnMut(Action)) {
        each(state.at(self.content.city_place(city))).for_each(|block| offer(Action::Lose(block as u8)));
    }

    /// 9.2: the next City whose marker shows 1 or more; when there is none left, markers rise and the Turn ends.
    pub(in super::super) fn resolution(&self, state: &mut State, city: u8, out: &mut Events) -> bool {
        let cities = self.content.cities.len() as u8;
        let next = (city..cities).find(|&city| state.siege[usize::from(city)] >= 1 && rules::RESOLUTION.on());
        if let Some(next) = next {
            self.replace(state, Frame::Resolution { city: next });
            return false;
        }
        let scene = Scene::open(self, state, 2, out);
        for marker in &mut state.siege {
            if *marker >= 0 && rules::PROGRESSION.on() {
                *marker = (*marker + 1).min(self.content.marker_max());
            }
        }
        scene.publish(self, state, out, || Event::new("sieges_progress", rules::PROGRESSION, &[]));
        self.end_turn(state, out);
        true
    }

    /// Returns the seat that is in a besieged City.
    pub(in super::super) fn besieged(&self, state: &State, city: u8) -> Seat {
        let within = state.at(self.content.city_place(city));
        Seat::new(u8::from(within & self.content.of_side[0] == 0))
    }

    /// 9.21: what the die says; the loss is announced.
    pub(in super::super) fn resolve_siege(&self, state: &mut State, city: u8, die: u8, out: &mut Events) {
        let seat = self.besieged(state, city);
        let within = state.at(self.content.city_place(city));
        let field = within & self.content.field();
        let horse = within & self.content.horse != 0;
        let port = self.content.cities[usize::from(city)].port;
        let (cell, surrender) = self.content.siege(state.siege[usize::from(city)], die);
        let (by_horse, applies) = match cell {
            AttritionCell::None => (false, false),
            AttritionCell::Cavalry => (true, horse),
            AttritionCell::NonPort => (false, !port),
            AttritionCell::CavalryOrNonPort => (true, horse || !port),
            AttritionCell::All => (false, true),
        };
        let loss = if applies && rules::SIEGE_ATTRITION.on() { field.count_ones() as u8 } else { 0 };
        let left = u32::from(loss).min(state.strength(field)) as u8;
        self.replace(state, Frame::Resolution { city: city + 1 });
        state.frames.open(Frame::Attrition { city, left, horse: by_horse && horse, surrender });
        let place = Ref::Space(self.content.city_place(city).into());
        let refs = [place, Ref::Number(die.into()), Ref::Number(loss.into()), Ref::Seat(seat)];
        out.emit(|| Event::new("siege_die", rules::RESOLUTION, &refs));
    }

    pub(in super::super) fn examine_attrition(
        &self,
        state: &State,
        (city, horse): (u8, bool),
        block: u8,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let piece = Ref::Piece(block.into());
        let within = state.at(self.content.city_place(city)) & self.content.field();
        why.demand(within >> block & 1 != 0, rules::SIEGE_ATTRITION, "NOT_THERE", &[piece])?;
        let mounted = !horse || self.content.horse >> block & 1 != 0;
        why.require(mounted, rules::SIEGE_ATTRITION, "CAVALRY_FIRST", &[piece])
    }

    pub(in super::super) fn suffer(&self, state: &mut State, block: u8, out: &mut Events) {
        let Some(Frame::Attrition { city, left, surrender, .. }) = state.frames.close() else { return };
        state.frames.open(Frame::Attrition { city, left: left - 1, horse: false, surrender });
        self.lose_one(state, block.into(), rules::SIEGE_ATTRITION, out);
    }
}
