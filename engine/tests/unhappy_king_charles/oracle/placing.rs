//! Sections 7.2.3, 8.1 and 6.5: Generals who come from off the map, in a recruitment or by a card.

use super::model::Model;
use super::umpire::Play;
use super::world::{At, Post, Stay, World, other};

/// Where Covenanters enter (6.5).
pub(crate) const ENTRIES: [&str; 2] = ["carlisle", "berwick"];
/// Late 1644, from when on Callander comes (MC8).
const CALLANDER_FROM: usize = 7;

impl World<'_> {
    /// 7.2.3: an Area without any enemy counter; of a Regional General an own Region, or one where its Brigades are recruited.
    fn is_open_to(&self, general: usize, area: usize) -> bool {
        let of = &self.atlas.generals[general];
        let enemy = other(of.side);
        let met = (0..self.posts.len())
            .any(|one| self.atlas.generals[one].side == enemy && self.area_of(one) == Some(area));
        let there = &self.atlas.areas[area];
        let home = |region: &String| there.region == *region || there.drummers[of.side].contains(region);
        self.controller(area) != Some(enemy)
            && self.in_area(enemy, area).is_empty()
            && !met
            && (of.regions.is_empty() || of.regions.iter().any(home))
    }

    /// R13: the Brigades there that a General may take: unled ones, and those of a Local Notable.
    fn found_by(&self, general: usize, area: usize) -> Vec<usize> {
        let side = self.atlas.generals[general].side;
        let mut found: Vec<usize> =
            self.pick_up_places(area).into_iter().flat_map(|place| self.at(place)).collect();
        found.retain(|&one| self.side(one) == side && self.may_lead(general, one));
        found
    }

    /// R14, MC27: no Army of their own side stands there, or it could become one with the newcomer's Brigades.
    fn stands_with_all(&self, general: usize, area: usize, brigades: usize) -> bool {
        let company = self.company(general, area, false);
        let joins = |&one: &usize| self.takes_in(general, one, self.size(one) + brigades).is_some();
        company.len() < 2 && company.iter().all(joins)
    }

    /// R15: the Areas where a General of the Reinforcements Box may be placed by a card.
    fn placed_by_card(&self, general: usize) -> Vec<usize> {
        let fits = |&area: &usize| {
            self.is_open_to(general, area)
                && !self.found_by(general, area).is_empty()
                && self.stands_with_all(general, area, 1)
        };
        (0..self.atlas.areas.len()).filter(fits).collect()
    }

    /// The Brigades that are still to come with Callander.
    fn callanders(&self) -> Vec<usize> {
        let mut all = self.at(At::Away);
        all.retain(|&one| self.atlas.faces[self.brigades[one].face].id == "covenanter-callanders");
        all
    }

    /// The Brigades with which a General comes from off the map; none if they can't come at all.
    fn comes_with(&self, general: usize) -> Option<usize> {
        let callander = self.atlas.generals[general].id == "callander";
        match self.posts[general] {
            Post::Reinforcements => Some(0),
            Post::Scotland => Some(self.at(At::General(general)).len()).filter(|&own| own > 0),
            Post::Waiting if callander && self.has("league") && self.turn >= CALLANDER_FROM => {
                Some(self.callanders().len()).filter(|&own| own > 0)
            }
            _ => None,
        }
    }

    /// The Areas to which a General may come by a card.
    pub(crate) fn arrivals(&self, general: usize) -> Vec<usize> {
        let Some(brigades) = self.comes_with(general) else { return Vec::new() };
        if self.posts[general] == Post::Reinforcements {
            return self.placed_by_card(general);
        }
        let enemy = other(self.atlas.generals[general].side);
        let mut areas = ENTRIES.map(|id| self.atlas.area(id)).to_vec();
        areas.sort_unstable();
        areas.retain(|&area| {
            (self.has("standard") || self.in_area(enemy, area).is_empty())
                && self.stands_with_all(general, area, brigades)
        });
        areas
    }

    /// 8.1, MC6, MC8: who can be Activated from off the map.
    pub(crate) fn can_come(&self, side: usize, general: usize, card: Option<i32>) -> bool {
        let of = &self.atlas.generals[general];
        let fits =
            |brigades: usize| card.is_none_or(|card| of.activation <= card && (brigades < 5 || card >= 3));
        of.side == side
            && self.comes_with(general).is_some_and(fits)
            && (self.has("standard") || of.id != "waller")
            && !self.arrivals(general).is_empty()
    }
}

/// A General who is placed in a recruitment (7.2.3).
pub(crate) struct Placed {
    pub(crate) general: usize,
    /// A Local Notable whose only Brigade is one that the Grandee card has brought (R16).
    pub(crate) barred: Vec<At>,
}

impl Model<'_, '_> {
    /// The Brigades that the General takes, or would take once they stand there: inside a Fortress only as many as it holds.
    fn enlisted(&self, of: &Placed, area: usize, inside: bool) -> Vec<usize> {
        let full = self.world.garrison(area).len() >= self.world.room(area);
        let mut found = self.world.found_by(of.general, area);
        found.retain(|&one| {
            let at = self.world.brigades[one].at;
            let crowded = inside && full && at == At::Outside(area);
            !crowded && !of.barred.contains(&at)
        });
        found
    }

    /// R13, R14: the Areas where a General may be placed in a recruitment.
    pub(crate) fn placements(&self, of: &Placed) -> Vec<usize> {
        let fits = |&area: &usize| {
            let one = self.world.company(of.general, area, false).first().copied();
            let inside = one.is_some_and(|one| {
                let under = self.world.takes_in(of.general, one, self.world.size(one) + 1);
                matches!(self.world.posts[one], Post::Inside(_)) && under.is_some_and(|(over, _)| over == one)
            });
            self.world.is_open_to(of.general, area)
                && self.world.stands_with_all(of.general, area, 1)
                && !self.enlisted(of, area, inside).is_empty()
        };
        (0..self.world.atlas.areas.len()).filter(fits).collect()
    }

    /// 7.2.3: they come to an Area, become one Army with who is there, and take one Brigade at least.
    pub(crate) fn place_general(&mut self, of: &Placed) -> Play<()> {
        let (general, side) = (of.general, self.world.atlas.generals[of.general].side);
        let areas = self.placements(of);
        let words: Vec<String> = areas.iter().map(|&area| self.area_word("at", area)).collect();
        let area = areas[self.ask_place(side, &words)?];
        let meeting = self.world.company(general, area, false).first().map(|&one| {
            let brigades = self.world.size(one) + 1;
            self.world.takes_in(general, one, brigades).expect("they become one Army")
        });
        match meeting {
            Some((over, under)) if under == general => self.world.posts[general] = Post::Under(over),
            Some((_, under)) => {
                for one in self.world.army(under) {
                    self.world.posts[one] = Post::Under(general);
                }
                self.world.posts[general] = Post::Area(area);
            }
            None => self.world.posts[general] = Post::Area(area),
        }
        let mut taken = false;
        loop {
            let commander = self.world.commander(general);
            let inside = matches!(self.world.posts[commander], Post::Inside(_));
            // R16: the recruit is not the Brigade that they need, but may follow it.
            let open = Placed { general, barred: if taken { Vec::new() } else { of.barred.clone() } };
            let mut found = self.enlisted(&open, area, inside);
            if self.world.size(commander) >= self.world.limit(commander) {
                found.clear();
            }
            let train = self.world.trains[side] == Stay::In(area);
            if taken && found.is_empty() && !train {
                return Ok(());
            }
            let places = self.places(&found);
            let mut words: Vec<String> = places.iter().map(|&at| self.holder_word("from", at)).collect();
            words.extend(train.then(|| "train take".to_owned()));
            words.extend(taken.then(|| "done".to_owned()));
            let chosen = self.ask(side, &words)?;
            if chosen == "done" {
                return Ok(());
            }
            if chosen == "train take" {
                self.world.trains[side] = Stay::With(general);
                continue;
            }
            let place = *places.iter().find(|&&at| self.holder_word("from", at) == chosen).expect("offered");
            let there = self.at_place(&found, place);
            let brigade = self.pick_face(side, &there)?;
            let held = self.world.held_under_siege();
            self.world.brigades[brigade].at = At::General(general);
            self.consequences(&held, false)?;
            taken = true;
        }
    }

    /// 8.1, 6.5: the active General comes to an Area: with a first Brigade that they find there, or as Covenanters who enter.
    pub(crate) fn come(&mut self) -> Play<()> {
        let (general, side) = (self.march().general, self.march().side);
        if self.world.posts[general] == Post::Waiting {
            for brigade in self.world.callanders() {
                self.world.brigades[brigade].at = At::General(general);
            }
            self.world.posts[general] = Post::Scotland;
        }
        let areas = self.world.arrivals(general);
        let words: Vec<String> = areas.iter().map(|&area| self.area_word("at", area)).collect();
        let area = areas[self.ask_place(side, &words)?];
        let enters = self.world.posts[general] == Post::Scotland;
        self.world.posts[general] = Post::Area(area);
        self.march_mut().path.push(area);
        if enters {
            self.entry()?;
            return self.activation_steps();
        }
        let sources = self.sources(general);
        let places: Vec<At> = sources.keys().copied().collect();
        let words: Vec<String> = places.iter().map(|&at| self.holder_word("from", at)).collect();
        let place = places[self.ask_place(side, &words)?];
        self.take_up(side, general, place, &sources[&place], false)?;
        self.activation()
    }
}
