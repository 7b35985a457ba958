//! Surrender: a City is left, and who finds no way is lost (9.22, 7.82).

use std::ops::{BitOr, ControlFlow};

use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::actions::Action;
use super::super::content::things::{AreaId, AreaSet, BlockId, BlockSet, CityId, Place, PlaceSet};
use super::super::frames::Frame;
use super::super::state::{FREE, State};
use super::super::{ThisWar, rules};
use super::control::{Control, chaperoned};

impl ThisWar {
    /// The blocks in the City, then that all have left; of a block the places.
    pub(in super::super) fn offer_surrender(
        &self,
        state: &State,
        _: Seat,
        frame: Frame,
        offer: &mut impl FnMut(Action),
    ) {
        match frame {
            Frame::Surrender { city, .. } => {
                let blocks = state.at(self.content.city_place(city));
                blocks.iter().for_each(|block| offer(Action::Retreat(block)));
                offer(Action::Done);
            }
            _ => (0..self.content.places()).map(Place::new).map(Action::To).for_each(offer),
        }
    }

    /// 9.22: a block that has a way out; then one of its ways.
    pub(in super::super) fn examine_surrender(
        &self,
        state: &State,
        seat: Seat,
        frame: Frame,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match (frame, action) {
            (Frame::Surrender { city, .. }, Action::Retreat(block)) => {
                let here = state.blocks[block].at == self.content.city_place(city);
                let goals = if here { self.goals_of(state, seat, block) } else { PlaceSet::EMPTY };
                why.require(!goals.is_empty(), rules::SURRENDER, "NO_WAY_OUT", &[Ref::from(block)])
            }
            (Frame::Surrender { city, .. }, Action::Done) => {
                let left = state.at(self.content.city_place(city));
                let able = left.iter().any(|block| !self.goals_of(state, seat, block).is_empty());
                why.require(!able, rules::SURRENDER, "MUST_LEAVE", &[])
            }
            (Frame::RetreatTo { block, .. }, Action::To(place)) => {
                let goals = self.goals_of(state, seat, block);
                why.require(goals.contains(place), rules::RETREAT, "NOT_OPEN", &[Ref::from(place)])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_surrender(
        &self,
        state: &mut State,
        seat: Seat,
        frame: Frame,
        action: Action,
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
                    entered.extend(self.content.as_area(place));
                }
                self.relocate(state, block, place, ("marches_out", rules::SURRENDER), out);
            }
            _ => self.surrender_over(state, out),
        }
    }

    /// Where the block of a retreat, or of a City that surrendered, may go.
    fn goals_of(&self, state: &State, seat: Seat, block: BlockId) -> PlaceSet {
        let surrender = state.frames.iter().find_map(|frame| match frame {
            Frame::Surrender { city, far, .. } => Some((*city, *far)),
            _ => None,
        });
        match (surrender, &state.fight) {
            (Some((city, far)), _) => {
                let areas = self.surrender_goals(state, (seat, city, far), block);
                areas.iter().map(Place::from).collect()
            }
            (None, Some(fight)) => self.retreat_goals(state, fight, block),
            (None, None) => PlaceSet::EMPTY,
        }
    }

    /// 9.22: the City surrenders, or holds on.
    pub(in super::super) fn after_attrition(
        &self,
        state: &mut State,
        city: CityId,
        surrender: bool,
        out: &mut Events,
    ) {
        state.frames.close();
        let place = self.content.city_place(city);
        let area = self.content.cities[city].area;
        let scene = Scene::open(self, state, 2, out);
        if state.at(place).is_empty() || rules::SURRENDER.allows(!surrender) {
            // Before anybody is stranded, which follows from hidden faces and is told behind it.
            let code = if state.at(place).is_empty() { "emptied" } else { "holds_on" };
            let stranded = self.strand(state, AreaSet::one(area));
            let refs = [Ref::from(place)];
            scene.publish(self, state, out, || Event::new(code, rules::SURRENDER, &refs));
            return publish_stranded(&stranded, out);
        }
        let seat = self.besieged(state, city);
        let guns = state.at(place) & self.content.guns;
        guns.iter().for_each(|gun| state.eliminate(&self.content, gun));
        let far = !self.content.areas[area].near.iter().any(|area| self.receives(state, seat, area));
        let mut losers = BlockSet::EMPTY;
        if far {
            // Nobody near receives them: each loses one strength more on its long way.
            losers = state.at(place);
            losers.iter().for_each(|block| state.weaken(&self.content, block, 1));
        }
        let mut stranded = Vec::new();
        if !state.at(place).is_empty() {
            state.frames.open(Frame::Surrender { seat, city, far, entered: AreaSet::EMPTY });
        } else {
            stranded = self.strand(state, AreaSet::one(area));
        }
        let refs = [Ref::from(place), Ref::Seat(seat)];
        scene.publish(self, state, out, || Event::new("surrenders", rules::SURRENDER, &refs));
        publish_guns(guns, seat, place, rules::SURRENDER, out);
        if !losers.is_empty() {
            let count = Ref::Number(losers.count() as i32);
            let refs = [Ref::Seat(seat), count, Ref::from(place)];
            out.emit(|| Event::new("surrender_loss", rules::SURRENDER, &refs));
        }
        publish_stranded(&stranded, out);
        out.revealed();
    }

    /// 9.22: a Friendly Area, or a Neutral one with a City that sympathises.
    fn receives(&self, state: &State, seat: Seat, area: AreaId) -> bool {
        match state.control(&self.content, area) {
            Control::Of(holder) => holder == seat,
            Control::Neutral => {
                let city = self.content.areas[area].city;
                city.is_some_and(|c| self.content.cities[c].sympathy == Some(seat))
            }
            Control::Contested => false,
        }
    }

    /// The nearest of these Areas, by borders.
    fn nearest(&self, from: AreaId, wanted: impl Fn(AreaId) -> bool) -> AreaSet {
        let (mut seen, mut ring) = (AreaSet::one(from), AreaSet::one(from));
        loop {
            let next = ring.iter().map(|area| self.content.areas[area].near);
            let next = next.fold(AreaSet::EMPTY, BitOr::bitor) - seen;
            let found = next.that(&wanted);
            if next.is_empty() || !found.is_empty() {
                return found;
            }
            (seen, ring) = (seen | next, next);
        }
    }

    /// 9.22: where a block of a City that surrendered may go.
    pub(in super::super) fn surrender_goals(
        &self,
        state: &State,
        (seat, city, far): (Seat, CityId, bool),
        block: BlockId,
    ) -> AreaSet {
        let area = self.content.cities[city].area;
        let index = block;
        let receives = |area: AreaId| self.receives(state, seat, area);
        let company = |area: AreaId| {
            let led = chaperoned(&self.content, index, state.out(&self.content, area, seat));
            rules::SURRENDER_REGIONAL.allows(led || !self.content.abroad(index, area))
        };
        let near = self.content.areas[area].near;
        let adjacent = near.that(|area| receives(area) && company(area));
        if !adjacent.is_empty() {
            return adjacent;
        }
        if rules::SURRENDER_REGIONAL.applies(self.content.regional.contains(block)) {
            let home = self.content.blocks[index].home;
            return self.nearest(area, |a| home.contains(a) && state.friendly(&self.content, a, seat));
        }
        if far { self.nearest(area, receives) } else { AreaSet::EMPTY }
    }

    /// 9.22: the last block has gone; who found no way is lost.
    pub(in super::super) fn surrender_over(&self, state: &mut State, out: &mut Events) {
        let Some(Frame::Surrender { seat, city, entered, .. }) = state.frames.close() else {
            unreachable!("blocks march out within a Surrender")
        };
        let scene = Scene::open(self, state, 2, out);
        let place = self.content.city_place(city);
        state.at(place).iter().for_each(|block| state.eliminate(&self.content, block));
        state.siege[city] = FREE;
        let area = self.content.cities[city].area;
        let stranded = self.strand(state, AreaSet::one(area) | entered);
        let refs = [Ref::Seat(seat), Ref::from(place)];
        scene.publish(self, state, out, || Event::new("marched_out", rules::SURRENDER, &refs));
        publish_stranded(&stranded, out);
    }

    /// 7.82: Regional blocks outside home without a chaperone are lost.
    pub(in super::super) fn strand(&self, state: &mut State, areas: AreaSet) -> Vec<Stranded> {
        let mut told = Vec::new();
        let content = &self.content;
        let mut lost = BlockSet::EMPTY;
        for area in areas {
            for seat in [0, 1].map(Seat::new) {
                let here = state.out(content, area, seat) | state.inside(content, area, seat);
                let alone = |block| content.abroad(block, area) && !chaperoned(content, block, here);
                let stranded = (here & content.regional).that(|block| rules::STRANDED.applies(alone(block)));
                lost |= stranded;
                if !stranded.is_empty() {
                    told.push((seat, stranded, area));
                }
            }
        }
        lost.iter().for_each(|block| state.eliminate(content, block));
        told
    }
}

/// Stranded blocks of a side in an Area.
pub(in super::super) type Stranded = (Seat, BlockSet, AreaId);

/// Tells who was stranded, behind the event on whose board they are gone: whether there are any follows from hidden faces.
pub(in super::super) fn publish_stranded(stranded: &[Stranded], out: &mut Events) {
    for &(seat, blocks, area) in stranded {
        let refs = [Ref::Seat(seat), Ref::Number(blocks.count() as i32), Ref::from(area)];
        out.emit(|| {
            let mut own = refs.to_vec();
            own.extend(blocks.iter().map(Ref::from));
            Event::new("stranded", rules::STRANDED, &refs).private(seat, &own, [])
        });
    }
}

/// Tells that a side's Artillery is lost with what it belonged to.
pub(in super::super) fn publish_guns(
    guns: BlockSet,
    seat: Seat,
    place: Place,
    rule: crate::ledger::Rule,
    out: &mut Events,
) {
    if !guns.is_empty() {
        let refs = [Ref::Seat(seat), Ref::Number(guns.count() as i32), Ref::from(place)];
        out.emit(|| Event::new("guns_lost", rule, &refs));
    }
}
