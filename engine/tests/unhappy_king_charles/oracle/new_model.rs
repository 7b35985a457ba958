//! Section 6.5: the New Model Army, step by step.

use std::collections::BTreeSet;

use super::atlas::{Line, PARLIAMENT, ROYALIST};
use super::fight::{Battle, Kind};
use super::model::Model;
use super::umpire::Play;
use super::world::{At, Post, Presence, Stay, World, other};

/// Generals who leave the game, beside Lord Willoughby.
const LORDS: [&str; 4] = ["essex", "manchester", "waller", "lord-fairfax"];
/// Local Notables, and the Generals who take their places.
const EXCHANGES: [(&str, &str); 3] =
    [("massey", "general-massey"), ("brereton", "general-brereton"), ("lord-herbert", "gerard")];
/// Brigades that Parliament gives up.
const GIVEN_UP: usize = 4;
/// Brigades that come with Cromwell, and with the Lord General.
const COMING: [usize; 2] = [2, 3];
/// The lines along which Brigades and Armies are moved.
const WAY: usize = 3;
/// A Major Army (6.2).
const MAJOR: usize = 5;

/// A Leader who has to fight, since they have lost their Fortress.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Relieved {
    General(usize),
    Willoughby,
}

/// All that the steps hand on.
#[derive(Default, Debug)]
struct Formed {
    /// The Areas that a General left.
    vacated: BTreeSet<usize>,
    fighting: Vec<Relieved>,
}

impl World<'_> {
    /// MC20, MC21: the Areas under Parliament's marker without Royalist Brigades.
    fn free_for_parliament(&self) -> Vec<usize> {
        let own = |&area: &usize| {
            self.controller(area) == Some(PARLIAMENT) && self.in_area(ROYALIST, area).is_empty()
        };
        (0..self.atlas.areas.len()).filter(own).collect()
    }

    /// MC24, MC25: the Areas up to three lines away, never through or into enemy Brigades; over water for two Brigades at most.
    fn free_ways(&self, side: usize, from: usize, brigades: usize) -> Vec<usize> {
        let enemy = other(side);
        let mut reached = BTreeSet::from([from]);
        let mut edge = if self.stack(enemy, from).is_empty() { vec![from] } else { Vec::new() };
        for _ in 0..WAY {
            let near = edge.iter().flat_map(|&area| self.atlas.areas[area].next.iter());
            let open = near.filter(|&&(to, line)| {
                (brigades <= 2 || line != Line::Maritime) && self.in_area(enemy, to).is_empty()
            });
            let next: BTreeSet<usize> = open.map(|&(to, _)| to).filter(|to| !reached.contains(to)).collect();
            reached.extend(&next);
            edge = next.into_iter().collect();
        }
        reached.remove(&from);
        reached.into_iter().collect()
    }

    fn is_english(&self, general: usize) -> bool {
        self.atlas.generals[general].faction == "parliament"
    }

    fn is_inside(&self, general: usize) -> bool {
        matches!(self.posts[self.commander(general)], Post::Inside(_))
    }

    /// The Area of a place of Brigades on the map.
    fn area_of_place(&self, at: At) -> Option<usize> {
        match at {
            At::General(general) => self.area_of(general),
            At::Notable(notable) => Some(self.atlas.notables[notable].area),
            At::Outside(area) | At::Inside(area) => Some(area),
            _ => None,
        }
    }

    /// MC24: a Brigade that may be moved: without a General where one has left, or in what would be a new Major Army.
    fn is_loose(&self, brigade: usize, vacated: &BTreeSet<usize>) -> bool {
        let one = self.brigades[brigade];
        let loose = match one.at {
            At::Outside(area) | At::Inside(area) => vacated.contains(&area),
            At::General(general) => {
                let area = self.area_of(general).expect("those on the map are asked about");
                let english = self.outside(PARLIAMENT, area).into_iter().filter(|&one| self.is_english(one));
                self.is_english(general)
                    && self.is_english(self.commander(general))
                    && !self.is_inside(general)
                    && english.map(|one| self.size(one)).sum::<usize>() >= MAJOR
            }
            _ => false,
        };
        loose && !one.moved && self.faction(brigade) != "covenanter"
    }

    /// MC24: the Generals in place who may take a Brigade from the ground, or from a Local Notable.
    fn takers(&self, brigade: usize) -> Vec<usize> {
        let at = self.brigades[brigade].at;
        let (Some(area), false) = (self.area_of_place(at), matches!(at, At::General(_))) else {
            return Vec::new();
        };
        let enters = matches!(at, At::Outside(_));
        let crowded = self.garrison(area).len() >= self.room(area);
        let takes = |&general: &usize| {
            let commander = self.commander(general);
            self.atlas.generals[general].side == PARLIAMENT
                && self.area_of(general) == Some(area)
                && self.size(commander) < self.limit(commander)
                && (self.faction(brigade) != "covenanter"
                    || self.atlas.generals[general].faction == "covenanter")
                && !(enters && crowded && self.is_inside(general))
        };
        (0..self.posts.len()).filter(takes).collect()
    }

    /// Where a Brigade may go: Generals, then Areas.
    fn goals(&self, brigade: usize, vacated: &BTreeSet<usize>) -> Vec<At> {
        let mut goals: Vec<At> = self.takers(brigade).into_iter().map(At::General).collect();
        if self.is_loose(brigade, vacated) {
            let area = self.area_of_place(self.brigades[brigade].at).expect("it is on the map");
            goals.extend(self.free_ways(PARLIAMENT, area, 1).into_iter().map(At::Outside));
        }
        goals
    }

    /// Where Parliament's Train may go, that waits with nobody.
    fn train_goals(&self, moved: bool) -> Vec<At> {
        let Stay::In(area) = self.trains[PARLIAMENT] else { return Vec::new() };
        let here = |&general: &usize| {
            self.atlas.generals[general].side == PARLIAMENT && self.area_of(general) == Some(area)
        };
        let mut goals: Vec<At> = (0..self.posts.len()).filter(here).map(At::General).collect();
        if !moved {
            goals.extend(self.free_ways(PARLIAMENT, area, 1).into_iter().map(At::Outside));
        }
        goals
    }
}

impl Model<'_, '_> {
    /// MC13: the eight steps, all of them Parliament's.
    pub(crate) fn new_model(&mut self) -> Play<()> {
        self.forming = true;
        self.world.happened.insert("new-model".to_owned());
        let mut formed = Formed::default();
        self.lords_leave(&mut formed)?;
        self.give_up()?;
        self.exchange(&mut formed)?;
        self.relieve_all(&mut formed)?;
        self.cromwell_comes()?;
        self.lord_general_comes()?;
        self.poyntz_comes()?;
        self.gather(&formed.vacated)?;
        self.stacks_part()?;
        self.forming = false;
        let held = self.world.held_under_siege();
        self.consequences(&held, false)?;
        self.illegal_positions(ROYALIST)
    }

    /// MC14.
    fn lords_leave(&mut self, formed: &mut Formed) -> Play<()> {
        let atlas = self.world.atlas;
        let held = self.world.held_under_siege();
        let willoughby = atlas.notable("willoughby");
        if let Some(area) = self.notable_leaves(willoughby) {
            self.all_go(At::Notable(willoughby), At::Outside(area));
            formed.vacated.insert(area);
            if self.are_face_to_face(area) {
                formed.fighting.push(Relieved::Willoughby);
            }
        }
        for lord in LORDS.map(|id| atlas.general(id)) {
            formed.vacated.extend(self.world.area_of(lord));
            self.lord_leaves(lord);
        }
        self.consequences(&held, false)
    }

    fn all_go(&mut self, from: At, to: At) {
        for brigade in self.world.at(from) {
            self.world.brigades[brigade].at = to;
        }
    }

    fn are_face_to_face(&self, area: usize) -> bool {
        [ROYALIST, PARLIAMENT].iter().all(|&side| !self.world.stack(side, area).is_empty())
    }

    /// A Local Notable is out; their Area, if they were in play.
    fn notable_leaves(&mut self, notable: usize) -> Option<usize> {
        let was = std::mem::replace(&mut self.world.notables[notable], Presence::Out);
        let area = self.world.atlas.notables[notable].area;
        (was == Presence::InPlay).then(|| {
            self.world.sieges.remove(&area);
            area
        })
    }

    fn lord_leaves(&mut self, lord: usize) {
        if let Some(area) = self.world.area_of(lord) {
            let post = self.world.posts[self.world.commander(lord)];
            if self.has_siege_marker(lord) {
                self.world.sieges.remove(&area);
            }
            if self.world.commands(lord) {
                for one in self.world.army(lord) {
                    self.world.posts[one] = post;
                }
            }
            let inside = matches!(post, Post::Inside(_));
            self.all_go(At::General(lord), if inside { At::Inside(area) } else { At::Outside(area) });
            if self.world.trains[PARLIAMENT] == Stay::With(lord) {
                self.world.trains[PARLIAMENT] = Stay::In(area);
            }
        }
        self.world.posts[lord] = Post::Out;
    }

    /// MC15.
    fn give_up(&mut self) -> Play<()> {
        for _ in 0..GIVEN_UP {
            let veterans = |world: &World<'_>, all: &[usize]| -> Vec<usize> {
                all.iter().copied().filter(|&one| world.value(one) == 2).collect()
            };
            let mut on_map = self.world.on_map(PARLIAMENT);
            on_map.retain(|&one| self.world.faction(one) != "covenanter");
            let first = if on_map.is_empty() {
                veterans(&self.world, &self.world.at(At::Pool(PARLIAMENT)))
            } else {
                veterans(&self.world, &on_map)
            };
            let allowed = if first.is_empty() { on_map } else { first };
            if allowed.is_empty() {
                return Ok(());
            }
            let brigade = self.pick_from_a_place(&allowed)?;
            let held = self.world.held_under_siege();
            self.world.brigades[brigade].at = At::Out;
            self.consequences(&held, false)?;
        }
        Ok(())
    }

    /// Parliament names a place, then a face.
    fn pick_from_a_place(&mut self, allowed: &[usize]) -> Play<usize> {
        let places = self.places(allowed);
        let words: Vec<String> = places.iter().map(|&at| self.holder_word("from", at)).collect();
        let place = places[self.ask_place(PARLIAMENT, &words)?];
        let there = self.at_place(allowed, place);
        self.pick_face(PARLIAMENT, &there)
    }

    /// MC16, MC17.
    fn exchange(&mut self, formed: &mut Formed) -> Play<()> {
        let atlas = self.world.atlas;
        let held = self.world.held_under_siege();
        let [tom, lord] = ["tom-fairfax-north", "lord-general-tom-fairfax"].map(|id| atlas.general(id));
        if self.world.area_of(tom).is_some() {
            self.succeed(tom, lord);
        }
        if self.world.may_not_assault.contains(&tom) {
            self.world.may_not_assault.insert(lord);
        }
        self.world.posts[tom] = Post::Out;
        if self.world.trains[PARLIAMENT] == Stay::With(tom) {
            self.world.trains[PARLIAMENT] = Stay::With(lord);
        }
        for (notable, general) in EXCHANGES.map(|(one, two)| (atlas.notable(one), atlas.general(two))) {
            if self.world.notables[notable] != Presence::InPlay {
                continue;
            }
            let area = self.notable_leaves(notable).expect("they are in play");
            self.all_go(At::Notable(notable), At::General(general));
            let beset = !self.world.stack(other(atlas.generals[general].side), area).is_empty();
            let alone = self.world.at(At::General(general)).is_empty();
            self.world.posts[general] = if beset && alone { Post::Unemployed } else { Post::Area(area) };
            if beset && !alone {
                formed.fighting.push(Relieved::General(general));
            }
        }
        self.consequences(&held, false)
    }

    /// A General takes the place of another, with those Subordinates who may serve them.
    fn succeed(&mut self, general: usize, successor: usize) {
        let commander = self.world.commander(general);
        let post = self.world.posts[commander];
        let army = self.world.army(general);
        let serves = commander != general && self.world.serves(successor, commander);
        self.world.posts[successor] = if serves { Post::Under(commander) } else { post };
        for &one in &army[1..] {
            let stays = self.world.serves(one, successor);
            self.world.posts[one] = if stays { Post::Under(successor) } else { post };
        }
        self.all_go(At::General(general), At::General(successor));
    }

    /// MC18, MC28.
    fn relieve_all(&mut self, formed: &mut Formed) -> Play<()> {
        while let Some(&first) = formed.fighting.first() {
            let mut next = first;
            if formed.fighting.len() > 1 {
                let word = |one: &Relieved| match *one {
                    Relieved::General(general) => self.general_word("general", general),
                    Relieved::Willoughby => "general willoughby".to_owned(),
                };
                let words: Vec<String> = formed.fighting.iter().map(word).collect();
                next = formed.fighting[self.ask_place(PARLIAMENT, &words)?];
            }
            formed.fighting.retain(|&one| one != next);
            self.relieve(next)?;
        }
        Ok(())
    }

    fn relieve(&mut self, one: Relieved) -> Play<()> {
        let atlas = self.world.atlas;
        let (area, side) = match one {
            Relieved::General(general) => (self.world.area_of(general), atlas.generals[general].side),
            Relieved::Willoughby => (Some(atlas.notables[atlas.notable("willoughby")].area), PARLIAMENT),
        };
        while let Some(area) = area.filter(|&area| self.are_face_to_face(area)) {
            self.relief_battle(area, side)?;
        }
        Ok(())
    }

    /// Armies that a Lord has left become one if they can; else one fights after the other.
    fn relief_battle(&mut self, area: usize, side: usize) -> Play<()> {
        loop {
            let besiegers = self.world.outside(other(side), area);
            if besiegers.len() < 2 || !self.join_crowd(&besiegers)? {
                break;
            }
        }
        let commanders = [ROYALIST, PARLIAMENT].map(|side| {
            let armies = self.world.outside(side, area);
            armies.iter().find(|&&one| self.world.size(one) > 0).or(armies.first()).copied()
        });
        let attacker = match (commanders[other(side)], commanders[side]) {
            (Some(_), _) => other(side),
            (None, Some(_)) => side,
            (None, None) => {
                let going = self.world.unled(side, area);
                return self.disperse(side, &[], &going);
            }
        };
        let mut battle = Battle::new(area, Kind::Relief, attacker);
        battle.commanders = commanders;
        self.battle = Some(battle);
        self.fight()
    }

    /// MC20.
    fn cromwell_comes(&mut self) -> Play<()> {
        let atlas = self.world.atlas;
        let free = self.world.free_for_parliament();
        let east = |&area: &usize| atlas.areas[area].region == "east";
        let in_east: Vec<usize> = free.iter().copied().filter(east).collect();
        let areas = match (free.contains(&atlas.area("london")), in_east.is_empty()) {
            (true, _) => vec![atlas.area("london")],
            (false, false) => in_east,
            (false, true) => free,
        };
        self.arrive(atlas.general("cromwell"), &areas, COMING[0])
    }

    /// MC16, MC21.
    fn lord_general_comes(&mut self) -> Play<()> {
        let atlas = self.world.atlas;
        let lord = atlas.general("lord-general-tom-fairfax");
        if self.world.area_of(lord).is_some() {
            self.raise(lord, COMING[1]);
            return Ok(());
        }
        let free = self.world.free_for_parliament();
        let named = |&area: &usize| ["east", "south", "north"].contains(&&*atlas.areas[area].region);
        let first: Vec<usize> = free.iter().copied().filter(named).collect();
        self.arrive(lord, if first.is_empty() { &free } else { &first }, COMING[1])
    }

    fn arrive(&mut self, general: usize, areas: &[usize], brigades: usize) -> Play<()> {
        let area = match *areas {
            [] => None,
            [only] => Some(only),
            _ => {
                let words: Vec<String> = areas.iter().map(|&area| self.area_word("at", area)).collect();
                Some(areas[self.ask_place(PARLIAMENT, &words)?])
            }
        };
        self.world.posts[general] = area.map_or(Post::Reinforcements, Post::Area);
        self.raise(general, brigades);
        Ok(())
    }

    /// MC21, MC22, 14.1: New Model Army Brigades come to a display as far as there is room; off the map, to the pool.
    fn raise(&mut self, general: usize, brigades: usize) {
        let new_model = |&one: &usize| self.world.faction(one) == "new-model";
        let coming: Vec<usize> =
            self.world.at(At::Away).into_iter().filter(new_model).take(brigades).collect();
        let Some(area) = self.world.area_of(general) else {
            for brigade in coming {
                self.world.brigades[brigade].at = At::Pool(PARLIAMENT);
            }
            return;
        };
        let commander = self.world.commander(general);
        let mut room = self.world.limit(general).saturating_sub(self.world.size(commander));
        if self.world.is_inside(general) {
            let within = self.world.room(area).saturating_sub(self.world.garrison(area).len());
            if coming.len() <= within || self.world.invests(ROYALIST, area) {
                room = room.min(within);
            } else {
                self.world.posts[commander] = Post::Area(area);
            }
        }
        for (place, brigade) in coming.into_iter().enumerate() {
            let joins = place < room;
            self.world.brigades[brigade].at = if joins { At::General(general) } else { At::Out };
        }
    }

    /// MC23.
    fn poyntz_comes(&mut self) -> Play<()> {
        let poyntz = self.world.atlas.general("poyntz");
        let stands = |&area: &usize| !self.world.stack(PARLIAMENT, area).is_empty();
        let areas: Vec<usize> = (0..self.world.atlas.areas.len()).filter(stands).collect();
        let mut post = Post::Reinforcements;
        if !areas.is_empty() {
            let mut words: Vec<String> = areas.iter().map(|&area| self.area_word("at", area)).collect();
            words.push("pass".to_owned());
            let place = self.ask_place(PARLIAMENT, &words)?;
            post = areas.get(place).map_or(post, |&area| Post::Area(area));
        }
        self.world.posts[poyntz] = post;
        Ok(())
    }

    fn forget_moves(&mut self) {
        for brigade in 0..self.world.brigades.len() {
            if self.world.side(brigade) == PARLIAMENT {
                self.world.brigades[brigade].moved = false;
            }
        }
    }

    /// MC24.
    fn gather(&mut self, vacated: &BTreeSet<usize>) -> Play<()> {
        self.forget_moves();
        let mut train_moved = false;
        loop {
            let mut going = self.world.on_map(PARLIAMENT);
            going.retain(|&one| !self.world.goals(one, vacated).is_empty());
            let places = self.places(&going);
            let mut words: Vec<String> = places.iter().map(|&at| self.holder_word("from", at)).collect();
            let train = self.world.train_goals(train_moved);
            words.extend((!train.is_empty()).then(|| "train take".to_owned()));
            words.push("done".to_owned());
            match &*self.ask(PARLIAMENT, &words)? {
                "done" => return Ok(()),
                "train take" => {
                    self.world.trains[PARLIAMENT] = match self.ask_goal(&train)? {
                        At::General(general) => Stay::With(general),
                        At::Outside(area) => {
                            train_moved = true;
                            Stay::In(area)
                        }
                        at => unreachable!("{at:?} was offered"),
                    };
                }
                chosen => {
                    let place = places.iter().find(|&&at| self.holder_word("from", at) == chosen);
                    let mut there = self.at_place(&going, *place.expect("it was offered"));
                    // Of those that look alike, one that can go furthest.
                    there.sort_by_key(|&one| {
                        (!self.world.is_loose(one, vacated), self.world.brigades[one].moved)
                    });
                    let brigade = self.pick_face(PARLIAMENT, &there)?;
                    let to = self.ask_goal(&self.world.goals(brigade, vacated))?;
                    let held = self.world.held_under_siege();
                    self.world.brigades[brigade].at = to;
                    self.world.brigades[brigade].moved |= matches!(to, At::Outside(_));
                    self.consequences(&held, false)?;
                }
            }
        }
    }

    fn ask_goal(&mut self, goals: &[At]) -> Play<At> {
        let words: Vec<String> = goals.iter().map(|&at| self.holder_word("to", at)).collect();
        Ok(goals[self.ask_place(PARLIAMENT, &words)?])
    }

    /// MC25.
    fn stacks_part(&mut self) -> Play<()> {
        self.forget_moves();
        while let Some(crowd) = self.crowd(PARLIAMENT) {
            if self.join_crowd(&crowd)? {
                continue;
            }
            let able: Vec<usize> =
                crowd.iter().copied().filter(|&general| !self.exits(general).is_empty()).collect();
            let parting = if able.is_empty() { crowd } else { able };
            let words: Vec<String> =
                parting.iter().map(|&general| self.general_word("general", general)).collect();
            let general = parting[self.ask_place(PARLIAMENT, &words)?];
            let exits = self.exits(general);
            let held = self.world.held_under_siege();
            if exits.is_empty() {
                self.end_siege_of(general);
                self.disband(general);
            } else {
                let words: Vec<String> = exits.iter().map(|&area| self.area_word("at", area)).collect();
                let to = exits[self.ask_place(PARLIAMENT, &words)?];
                self.end_siege_of(general);
                self.world.posts[general] = Post::Area(to);
            }
            self.consequences(&held, false)?;
        }
        Ok(())
    }

    fn exits(&self, general: usize) -> Vec<usize> {
        let from = self.world.area_of(general).expect("it is on the map");
        let mut ways = self.world.free_ways(PARLIAMENT, from, self.world.size(general));
        ways.retain(|&to| self.may_stay(general, to));
        ways
    }

    fn end_siege_of(&mut self, general: usize) {
        if let (true, Some(area)) = (self.has_siege_marker(general), self.world.area_of(general)) {
            self.world.sieges.remove(&area);
        }
    }

    fn disband(&mut self, commander: usize) {
        let area = self.world.area_of(commander).expect("it is on the map");
        let army = self.world.army(commander);
        for brigade in self.world.led(commander) {
            self.world.brigades[brigade].at = self.world.pool_of(brigade);
        }
        for general in army {
            self.world.leave_display(general, area);
            self.world.posts[general] = Post::Unemployed;
        }
    }
}
