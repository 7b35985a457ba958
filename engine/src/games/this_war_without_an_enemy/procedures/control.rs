//! Control of the map, and what follows at once when blocks come and go: Sieges, markers, blocks that come
//! out of a City.

use crate::event::{Event, Events};
use crate::numbered::Listed;
use crate::reference::Ref;
use crate::seat::Seat;

use super::super::content::Content;
use super::super::content::things::{AreaId, AreaSet, BlockId, BlockSet, CityId};
use super::super::state::{CITIES, FREE, Fight, Flags, State, UNMARKED};
use super::super::{ThisWar, rules};

/// The control of an Area.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in super::super) enum Control {
    Of(Seat),
    Neutral,
    Contested,
}

impl State {
    /// The blocks of a side in an Area outside its City.
    pub(in super::super) fn out(&self, content: &Content, area: AreaId, side: Seat) -> BlockSet {
        self.here[area] & content.of_side[side.index()]
    }

    /// The blocks of a side in the City of an Area.
    pub(in super::super) fn inside(&self, content: &Content, area: AreaId, side: Seat) -> BlockSet {
        let city = content.areas[area].city;
        city.map_or(BlockSet::EMPTY, |city| self.at(content.city_place(city))) & content.of_side[side.index()]
    }

    /// 4.15: an Area.
    pub(in super::super) fn control(&self, content: &Content, area: AreaId) -> Control {
        let [royalist, parliament] = [0, 1].map(|side| !self.out(content, area, Seat::new(side)).is_empty());
        match (royalist, parliament) {
            (true, enemies) if rules::CONTROL.applies(enemies) => Control::Contested,
            (true, _) => Control::Of(Seat::new(0)),
            (false, true) => Control::Of(Seat::new(1)),
            (false, false) => content.areas[area].loyal.map_or(Control::Neutral, Control::Of),
        }
    }

    pub(in super::super) fn friendly(&self, content: &Content, area: AreaId, side: Seat) -> bool {
        self.control(content, area) == Control::Of(side)
    }

    /// No block of either side, the City included.
    pub(in super::super) fn vacant(&self, content: &Content, area: AreaId) -> bool {
        let city = content.areas[area].city;
        self.at(area).is_empty() && city.is_none_or(|city| self.at(content.city_place(city)).is_empty())
    }

    pub(in super::super) fn contested(&self, content: &Content, area: AreaId) -> bool {
        self.control(content, area) == Control::Contested
    }

    /// 4.21: a City. Unless blocks in it say otherwise, it follows its Area; in a Contested one, who was there first.
    pub(in super::super) fn holder(&self, content: &Content, city: CityId) -> Option<Seat> {
        let def = &content.cities[city];
        let within = self.at(content.city_place(city));
        let side = |set: BlockSet| if set.meets(content.of_side[0]) { Seat::new(0) } else { Seat::new(1) };
        if !within.is_empty() {
            return Some(side(within));
        }
        match self.control(content, def.area) {
            Control::Of(seat) => Some(seat),
            Control::Neutral => rules::SYMPATHY.gives(def.sympathy, None),
            Control::Contested => Some(self.attacker(content, def.area).other()),
        }
    }

    /// 6.14, 8.1: who attacks in a Contested Area: Player 1, unless every block of Player 2 has moved in.
    pub(in super::super) fn attacker(&self, content: &Content, area: AreaId) -> Seat {
        if let Some(fight) = self.fight.filter(|fight| fight.area == area) {
            return fight.attacker;
        }
        let second = self.player1.other();
        let stayed = self.out(content, area, second).iter().any(|b| self.blocks[b].by.is_none());
        if stayed { self.player1 } else { second }
    }

    /// 4.21: the holders of all Cities.
    fn holders(&self, content: &Content) -> [Option<Seat>; CITIES] {
        let mut holders = [None; CITIES];
        for city in CityId::all(content) {
            holders[city] = self.holder(content, city);
        }
        holders
    }

    /// 4.5, 4.51: the Royalists' points; Parliament's are the negative.
    pub(in super::super) fn points(&self, content: &Content) -> i32 {
        Self::points_of(content, &self.holders(content))
    }

    /// 4.5, 4.51: the Royalists' points if these hold the Cities.
    fn points_of(content: &Content, holders: &[Option<Seat>; CITIES]) -> i32 {
        let change = |id: CityId| {
            let (city, holder) = (&content.cities[id], holders[id]);
            if rules::CAPTURE.allows(holder == city.start) {
                return 0;
            }
            let value = i32::from(city.points);
            let lost = |seat: Option<Seat>| match seat.map(Seat::index) {
                Some(0) => -value,
                Some(_) => value,
                None => 0,
            };
            // Each change of hands is worth the City's points once.
            match (city.start, holder) {
                (Some(_), _) => lost(city.start),
                (None, holder) => -lost(holder),
            }
        };
        -i32::from(content.start_points) + CityId::all(content).map(change).sum::<i32>()
    }

    /// Areas in which a side's enemy stands outside the City.
    pub(in super::super) fn held_by(&self, content: &Content, side: Seat) -> AreaSet {
        let enemy = content.of_side[side.index()];
        AreaId::all(content).filter(|&area| self.at(area).meets(enemy)).collect()
    }

    /// 8.0, 8.01: what follows from a change of the blocks in an Area.
    pub(in super::super) fn touch(&mut self, content: &Content, area: AreaId) {
        let Some(city) = content.areas[area].city else { return };
        let place = content.city_place(city);
        let within = self.at(place);
        let siege = &mut self.siege[city];
        if within.is_empty() {
            *siege = FREE;
            return;
        }
        let side = Seat::new(u8::from(!within.meets(content.of_side[0])));
        let enemies = self.here[area] & content.of_side[side.other().index()];
        if enemies.is_empty() {
            *siege = FREE;
            // Blocks that came out for a Battle count as in the City until it ends; others that come out in
            // it have no part in it.
            let fighting = self.fight.is_some_and(|fight| fight.area == area);
            let out = if fighting { within - self.flagged(within, Flags::JOINED) } else { within };
            if fighting {
                self.set_flags(out - self.flagged(out, Flags::FIGHTING), Flags::HELD);
            }
            out.iter().for_each(|block| self.put(block, area.into()));
            return;
        }
        let own = self.here[area] & content.of_side[side.index()];
        let fighting = self.fight.is_some_and(|fight| fight.area == area);
        if *siege == FREE {
            // A Battle ends before the Siege that it leads to begins.
            if rules::SIEGE.allows(!own.is_empty() || fighting) {
                return;
            }
            *siege = UNMARKED;
        }
        let enough = (enemies & content.field()).count() >= u32::from(content.cities[city].size);
        if rules::MARKER.applies(!enough) {
            *siege = UNMARKED;
        } else if *siege == UNMARKED && !fighting {
            *siege = 0;
        }
    }
}

/// The Victory Cities' holders and the Royalist's points, as somebody who listens was told them last.
pub(in super::super) type Cities = Option<([Option<Seat>; CITIES], i32)>;

impl ThisWar {
    /// The Cities as they are held now, if anybody listens.
    pub(in super::super) fn cities(&self, state: &State, out: &Events) -> Cities {
        out.is_recording().then(|| {
            let holders = state.holders(&self.content);
            (holders, State::points_of(&self.content, &holders))
        })
    }

    /// Tells which Cities have changed hands since, and where the points stand if they moved (4.21, 4.51).
    pub(in super::super) fn publish_cities(&self, state: &State, before: Cities, out: &mut Events) {
        let Some((holders, points)) = before else { return };
        let Some((now, now_points)) = self.cities(state, out) else { return };
        for city in CityId::all(&self.content).filter(|&city| holders[city] != now[city]) {
            let (was, is) = (holders[city], now[city]);
            let place = city.reference(&self.content);
            out.emit(|| match (is, was) {
                (Some(seat), _) => Event::new("city_taken", rules::SYMPATHY, &[place, Ref::Seat(seat)]),
                (None, Some(seat)) => Event::new("city_lost", rules::SYMPATHY, &[place, Ref::Seat(seat)]),
                (None, None) => unreachable!("a holder that changed was somebody, or is"),
            });
        }
        if points != now_points {
            let refs = [0, 1].map(|seat| Ref::Seat(Seat::new(seat)));
            let refs = [refs[0], Ref::Number(now_points), refs[1], Ref::Number(-now_points)];
            out.emit(|| Event::new("points", rules::CAPTURE, &refs));
        }
    }

    /// Returns whether what followed of an action of `seat` revealed something of the other side's hidden faces:
    /// a fight is over, and a block that is stranded is lost (7.82); or a Siege of its own City has begun,
    /// and has a marker only if enough of the besiegers are Infantry and Cavalry (8.01). That nothing is seen
    /// shows as much.
    pub(in super::super) fn has_revealed(
        &self,
        state: &State,
        seat: Seat,
        sieges: &[i8; CITIES],
        fight: Option<&Fight>,
    ) -> bool {
        let goes_on =
            |fight: &Fight| state.fight.is_some_and(|now| (now.area, now.kind) == (fight.area, fight.kind));
        let begun = |city: CityId| state.siege[city] != FREE && sieges[city] == FREE;
        fight.is_some_and(|fight| !goes_on(fight))
            || CityId::all(&self.content).any(|city| begun(city) && self.besieged(state, city) == seat)
    }
}

/// Returns whether a block of a set could bring a Regional block out of its Home Region.
pub(in super::super) fn chaperoned(content: &Content, block: BlockId, company: BlockSet) -> bool {
    content.blocks[block].chaperones.meets(company)
}
