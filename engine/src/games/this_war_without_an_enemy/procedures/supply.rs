//! The Supply Phase: attrition, Siege Resolution, surrender (9).

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::content::AttritionCell;
use super::super::state::{FREE, Frame, State, each};
use super::super::{ThisWar, rules};
use super::control::{Control, chaperoned};

impl State {
    /// The Areas from this one that were announced to be short, and of how many blocks each.
    pub(in super::super) fn announced_short(&self, from: u8) -> impl Iterator<Item = (u8, u8)> {
        let areas = (0..).zip(self.short).skip(usize::from(from));
        areas.filter(|&(_, short)| short > 0)
    }
}

impl ThisWar {
    /// 9.12: a player's Areas, one after the other; where blocks are short is announced first, and stands in the state until the
    /// Area's turn comes: a loss in one Area makes no difference to another.
    pub(in super::super) fn supply(&self, state: &mut State, done: u8, area: u8, out: &mut Events) {
        let areas = self.content.areas.len() as u8;
        if done == 2 {
            self.replace(state, Frame::Resolution { city: 0 });
            return;
        }
        let seat = state.player(done);
        if area == 0 {
            for area in 0..areas {
                state.short[usize::from(area)] = self.shortage(state, seat, area, 0, 0) as u8;
            }
            out.revealed();
            out.emit(|| {
                let all: i32 = state.announced_short(0).map(|(_, short)| i32::from(short)).sum();
                let mut refs = vec![Ref::Seat(seat), Ref::Number(all)];
                for (area, short) in state.announced_short(0) {
                    refs.extend([Ref::Space(area.into()), Ref::Number(short.into())]);
                }
                Event::new("supply", rules::SUPPLY, &refs)
            });
        }
        let next = state.announced_short(area).next().filter(|_| rules::SUPPLY_ATTRITION.on());
        match next {
            Some((area, left)) => {
                state.short[usize::from(area)] = 0;
                self.replace(state, Frame::Supply { done, area: area + 1 });
                state.frames.open(Frame::Short { seat, area, left, picked: 0, losing: false });
            }
            None => self.replace(state, Frame::Supply { done: done + 1, area: 0 }),
        }
    }

    /// 9.12: a pick lowers the shortage by one.
    pub(in super::super) fn examine_short(
        &self,
        state: &State,
        (seat, area, picked): (Seat, u8, u64),
        block: u8,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let piece = Ref::Piece(block.into());
        let here = state.out(&self.content, area, seat) & self.content.field() & !picked;
        why.demand(here >> block & 1 != 0, rules::SUPPLY_ATTRITION, "NOT_THERE", &[piece])?;
        let before = self.shortage(state, seat, area, picked, 0);
        let after = self.shortage(state, seat, area, picked | 1 << block, 0);
        why.require(after < before, rules::SUPPLY_ATTRITION, "IS_SUPPLIED", &[piece])
    }

    /// 9.12: a block goes short, or the Quartermaster General supplies it.
    pub(in super::super) fn go_short(&self, state: &mut State, block: u8, exempt: bool, out: &mut Events) {
        let Some(Frame::Short { seat, area, left, picked, losing }) = state.frames.close() else { return };
        let bit = 1u64 << block;
        if exempt {
            let scene = Scene::open(self, state, 2, out);
            state.exempt[seat.index()] = state.exempt[seat.index()].saturating_sub(1);
            let refs = |what| [Ref::Seat(seat), what, Ref::Space(area.into())];
            let back = Ref::Kind(super::super::catalogue::BACK + seat.index() as u16);
            scene.publish(self, state, out, || {
                Event::new("supplies", rules::QUARTERMASTER, &refs(back)).private(
                    seat,
                    &refs(Ref::Piece(block.into())),
                    [],
                )
            });
        } else {
            self.lose_one(state, block.into(), rules::SUPPLY_ATTRITION, out);
        }
        if left > 1 {
            let (left, picked, losing) = (left - 1, picked | bit, losing || !exempt);
            state.frames.open(Frame::Short { seat, area, left, picked, losing });
        }
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

    /// 9.22: the City surrenders, or holds on.
    pub(in super::super) fn after_attrition(
        &self,
        state: &mut State,
        city: u8,
        surrender: bool,
        out: &mut Events,
    ) {
        state.frames.close();
        let place = self.content.city_place(city);
        let area = self.content.cities[usize::from(city)].area;
        let scene = Scene::open(self, state, 2, out);
        if state.at(place) == 0 || !surrender || !rules::SURRENDER.on() {
            let stranded = self.strand(state, 1 << area);
            let refs = [Ref::Space(place.into())];
            let code = if state.at(place) == 0 { "emptied" } else { "holds_on" };
            scene.publish(self, state, out, || Event::new(code, rules::SURRENDER, &refs));
            return publish_stranded(&stranded, out);
        }
        let seat = self.besieged(state, city);
        let guns = state.at(place) & self.content.guns;
        each(guns).for_each(|gun| state.eliminate(&self.content, gun));
        let near = each(self.content.areas[usize::from(area)].near);
        let far = !near.into_iter().any(|area| self.receives(state, seat, area as u8));
        let mut losers = 0;
        if far {
            // Nobody near receives them: each loses one strength more on its long way.
            losers = state.at(place);
            each(losers).for_each(|block| state.weaken(&self.content, block, 1));
        }
        let mut stranded = Vec::new();
        if state.at(place) != 0 {
            state.frames.open(Frame::Surrender { seat, city, far, entered: 0 });
        } else {
            stranded = self.strand(state, 1 << area);
        }
        let refs = [Ref::Space(place.into()), Ref::Seat(seat)];
        scene.publish(self, state, out, || Event::new("surrenders", rules::SURRENDER, &refs));
        publish_guns(guns, seat, place, rules::SURRENDER, out);
        if losers != 0 {
            let count = Ref::Number(losers.count_ones() as i32);
            let refs = [Ref::Seat(seat), count, Ref::Space(place.into())];
            out.emit(|| Event::new("surrender_loss", rules::SURRENDER, &refs));
        }
        publish_stranded(&stranded, out);
        out.revealed();
    }

    /// 9.22: a Friendly Area, or a Neutral one with a City that sympathises.
    fn receives(&self, state: &State, seat: Seat, area: u8) -> bool {
        match state.control(&self.content, area) {
            Control::Of(holder) => holder == seat,
            Control::Neutral => {
                let city = self.content.areas[usize::from(area)].city;
                city.is_some_and(|c| self.content.cities[usize::from(c)].sympathy == Some(seat))
            }
            Control::Contested => false,
        }
    }

    /// The nearest of these Areas, by borders.
    fn nearest(&self, from: u8, wanted: impl Fn(u8) -> bool) -> u64 {
        let (mut seen, mut ring) = (1u64 << from, 1u64 << from);
        loop {
            let next = each(ring).fold(0, |set, area| set | self.content.areas[area].near) & !seen;
            if next == 0 {
                return 0;
            }
            let found = each(next).filter(|&area| wanted(area as u8)).fold(0u64, |set, area| set | 1 << area);
            if found != 0 {
                return found;
            }
            (seen, ring) = (seen | next, next);
        }
    }

    /// 9.22: where a block of a City that surrendered may go.
    pub(in super::super) fn surrender_goals(
        &self,
        state: &State,
        (seat, city, far): (Seat, u8, bool),
        block: u8,
    ) -> u64 {
        let area = self.content.cities[usize::from(city)].area;
        let index = usize::from(block);
        let receives = |area: u8| self.receives(state, seat, area);
        let company = |area: u8| {
            chaperoned(&self.content, index, state.out(&self.content, area, seat))
                || !self.content.abroad(index, area)
                || !rules::SURRENDER_REGIONAL.on()
        };
        let near = self.content.areas[usize::from(area)].near;
        let adjacent = each(near).filter(|&a| receives(a as u8) && company(a as u8));
        let adjacent = adjacent.fold(0u64, |set, area| set | 1 << area);
        if adjacent != 0 {
            return adjacent;
        }
        if self.content.regional >> block & 1 != 0 && rules::SURRENDER_REGIONAL.on() {
            let home = self.content.blocks[index].home;
            return self.nearest(area, |a| home >> a & 1 != 0 && state.friendly(&self.content, a, seat));
        }
        if far { self.nearest(area, receives) } else { 0 }
    }

    /// 9.22: the last block has gone; who found no way is lost.
    pub(in super::super) fn surrender_over(&self, state: &mut State, out: &mut Events) {
        let Some(Frame::Surrender { seat, city, entered, .. }) = state.frames.close() else { return };
        let scene = Scene::open(self, state, 2, out);
        let place = self.content.city_place(city);
        each(state.at(place)).for_each(|block| state.eliminate(&self.content, block));
        state.siege[usize::from(city)] = FREE;
        let area = self.content.cities[usize::from(city)].area;
        let stranded = self.strand(state, 1 << area | entered);
        let refs = [Ref::Seat(seat), Ref::Space(place.into())];
        scene.publish(self, state, out, || Event::new("marched_out", rules::SURRENDER, &refs));
        publish_stranded(&stranded, out);
    }

    /// 7.82: Regional blocks outside home without a chaperone are lost.
    pub(in super::super) fn strand(&self, state: &mut State, areas: u64) -> Vec<Stranded> {
        let mut told = Vec::new();
        if !rules::STRANDED.on() {
            return told;
        }
        let content = &self.content;
        let mut lost = 0u64;
        for area in each(areas).map(|area| area as u8) {
            for seat in [0, 1].map(Seat::new) {
                let here = state.out(content, area, seat) | state.inside(content, area, seat);
                let stranded = each(here & content.regional)
                    .filter(|&b| content.abroad(b, area) && !chaperoned(content, b, here));
                let stranded = stranded.fold(0u64, |set, b| set | 1 << b);
                lost |= stranded;
                if stranded != 0 {
                    told.push((seat, stranded, area));
                }
            }
        }
        each(lost).for_each(|block| state.eliminate(content, block));
        told
    }
}

/// Stranded blocks of a side in an Area.
pub(in super::super) type Stranded = (Seat, u64, u8);

/// Tells who was stranded, behind the event on whose board they are gone: whether there are any follows from hidden faces.
pub(in super::super) fn publish_stranded(stranded: &[Stranded], out: &mut Events) {
    for &(seat, blocks, area) in stranded {
        let refs = [Ref::Seat(seat), Ref::Number(blocks.count_ones() as i32), Ref::Space(area.into())];
        out.emit(|| {
            let mut own = refs.to_vec();
            own.extend(each(blocks).map(|block| Ref::Piece(block as u16)));
            Event::new("stranded", rules::STRANDED, &refs).private(seat, &own, [])
        });
    }
}

/// Tells that a side's Artillery is lost with what it belonged to.
pub(in super::super) fn publish_guns(
    guns: u64,
    seat: Seat,
    place: u8,
    rule: crate::ledger::Rule,
    out: &mut Events,
) {
    if guns != 0 {
        let refs = [Ref::Seat(seat), Ref::Number(guns.count_ones() as i32), Ref::Space(place.into())];
        out.emit(|| Event::new("guns_lost", rule, &refs));
    }
}
