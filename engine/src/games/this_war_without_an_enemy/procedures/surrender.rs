//! Surrender: a City is left, and who finds no way is lost (9.22, 7.82).

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::actions::Action;
use super::super::frames::Frame;
use super::super::state::{FREE, State, each};
use super::super::{ThisWar, rules};
use super::control::{Control, chaperoned};

impl ThisWar {
    /// The blocks in the City, then that all have left; of a block the places.
    pub(in super::super) fn offer_surrender(
        &self,
        state: &State,
        frame: Frame,
        offer: &mut impl FnMut(Action),
    ) {
        match frame {
            Frame::Surrender { city, .. } => {
                let blocks = state.at(self.content.city_place(city));
                each(blocks).for_each(|block| offer(Action::Retreat(block as u8)));
                offer(Action::Done);
            }
            _ => (0..self.content.places() as u8).map(Action::To).for_each(offer),
        }
    }

    /// 9.22: a block that has a way out; then one of its ways.
    pub(in super::super) fn examine_surrender(
        &self,
        state: &State,
        seat: Seat,
        (frame, action): (Frame, Action),
        why: &mut Why,
    ) -> ControlFlow<()> {
        match (frame, action) {
            (Frame::Surrender { city, .. }, Action::Retreat(block)) => {
                let here = state.blocks[usize::from(block)].at == self.content.city_place(city);
                let goals = if here { self.goals_of(state, seat, block) } else { 0 };
                why.require(goals != 0, rules::SURRENDER, "NO_WAY_OUT", &[Ref::Piece(block.into())])
            }
            (Frame::Surrender { city, .. }, Action::Done) => {
                let left = state.at(self.content.city_place(city));
                let able = each(left).any(|block| self.goals_of(state, seat, block as u8) != 0);
                why.require(!able, rules::SURRENDER, "MUST_LEAVE", &[])
            }
            (Frame::RetreatTo { block, .. }, Action::To(place)) => {
                let goals = self.goals_of(state, seat, block);
                why.require(goals >> place & 1 != 0, rules::RETREAT, "NOT_OPEN", &[Ref::Space(place.into())])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_surrender(
        &self,
        state: &mut State,
        seat: Seat,
        (frame, action): (Frame, Action),
        out: &mut Events,
    ) {
        match (frame, action) {
            (Frame::Surrender { .. }, Action::Retreat(block)) => self.open_goals(state, seat, block, out),
            (Frame::RetreatTo { block, .. }, Action::To(place)) if state.fight.is_some() => {
                self.retreat(state, block, place, out);
            }
            (Frame::RetreatTo { block, .. }, Action::To(place)) => {
                state.frames.close();
                if let Some(Frame::Surrender { entered, .. }) = state.frames.top_mut() {
                    *entered |= 1 << place;
                }
                self.relocate(state, block, place, ("marches_out", rules::SURRENDER), out);
            }
            _ => self.surrender_over(state, out),
        }
    }

    /// Where the block of a retreat, or of a City that surrendered, may go.
    fn goals_of(&self, state: &State, seat: Seat, block: u8) -> u64 {
        let surrender = state.frames.iter().find_map(|frame| match frame {
            Frame::Surrender { city, far, .. } => Some((*city, *far)),
            _ => None,
        });
        match (surrender, &state.fight) {
            (Some((city, far)), _) => self.surrender_goals(state, (seat, city, far), block),
            (None, Some(fight)) => self.retreat_goals(state, fight, block),
            _ => 0,
        }
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
