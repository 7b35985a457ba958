//! Sections 9.7, 10.1 and 14.6: what happens when the active Army enters an Area, or comes out of its Fortress.

use super::atlas::Line;
use super::fight::{Battle, Kind, SiegeFight};
use super::march::allowance;
use super::model::Model;
use super::umpire::Play;
use super::world::{At, Post, other};

/// 9.7.2, 10.1: what a better or worse Strategy Rating adds.
fn better(own: i32, enemy: i32) -> i32 {
    (enemy - own).signum()
}

impl Model<'_, '_> {
    /// Nothing has ended the Activation, and the Army is where it came.
    fn goes_on(&self) -> bool {
        !self.march().over && self.world.commands(self.march().general)
    }

    /// The Area is entered (Flow).
    pub(crate) fn entry(&mut self) -> Play<()> {
        self.umpire.no_response(&self.world, other(self.march().side))?;
        if self.world.has("standard") {
            self.interception()?;
        }
        self.approach(false)
    }

    /// I2, I4: who may try to intercept in the Area that was entered.
    fn interceptors(&self, area: usize) -> Vec<usize> {
        let march = self.march();
        let enemy = other(march.side);
        if !self.world.in_area(enemy, area).is_empty() {
            return Vec::new();
        }
        let mut all = self.world.commanders(enemy);
        all.retain(|&general| {
            let from = self.world.area_of(general).expect("commanders are on the map");
            let held = match self.world.posts[general] {
                Post::Inside(_) => self.world.invests(march.side, from),
                _ => self.has_siege_marker(general),
            };
            let near = matches!(self.world.line(from, area), Some(Line::Road | Line::Mountain));
            near && !held && !march.tried.contains(&general)
        });
        all
    }

    fn interception(&mut self) -> Play<()> {
        let (active, side) = (self.march().general, self.march().side);
        let enemy = other(side);
        let area = self.world.area_of(active).expect("it is on the map");
        let candidates = self.interceptors(area);
        if candidates.is_empty() {
            return Ok(());
        }
        let mut words: Vec<String> =
            candidates.iter().map(|&one| self.general_word("intercept", one)).collect();
        words.push("pass".to_owned());
        let Some(&general) = candidates.get(self.ask_place(enemy, &words)?) else {
            return Ok(());
        };
        self.march_mut().tried.insert(general);
        let leaving = self.left_by_interceptor(enemy, general)?;
        let from = self.world.area_of(general).expect("it is on the map");
        let rating = |one: usize| self.world.atlas.generals[one].strategy;
        let mountain = i32::from(self.world.line(from, area) == Some(Line::Mountain));
        let added = better(rating(general), rating(active)) - mountain;
        if self.roll(1)?[0] + added < 4 {
            return Ok(());
        }
        let others = self.world.in_area(side, area).len() > self.world.size(active);
        let held = self.world.held_under_siege();
        let post = self.world.posts[general];
        self.leave_together(&leaving, post);
        self.world.posts[general] = Post::Area(area);
        let kind = if others { Kind::Apart } else { Kind::Interception };
        let mut battle = Battle::new(area, kind, side);
        battle.commanders[side] = Some(active);
        battle.commanders[enemy] = Some(general);
        battle.origin = self.march().previous();
        battle.interceptor_origin = Some(post);
        self.battle = Some(battle);
        self.consequences(&held, false)?;
        self.fight()
    }

    /// I6: Subordinates whom an interceptor leaves.
    fn left_by_interceptor(&mut self, enemy: usize, general: usize) -> Play<Vec<usize>> {
        let mut leaving = Vec::new();
        let may = |model: &Self, leaving: &[usize]| -> Vec<usize> {
            let army = model.world.army(general);
            army[1..].iter().copied().filter(|&one| model.may_leave(general, one, leaving)).collect()
        };
        // Nobody may be left, and no card may be in hand that is asked for.
        if may(self, &leaving).is_empty() && self.umpire.is_rolling() {
            return Ok(leaving);
        }
        loop {
            let open = may(self, &leaving);
            let mut words: Vec<String> = open.iter().map(|&one| self.general_word("leave", one)).collect();
            words.push("done".to_owned());
            match open.get(self.ask_place(enemy, &words)?) {
                Some(&one) => leaving.push(one),
                None => return Ok(leaving),
            }
        }
    }

    /// EV2, steps 1 to 4, and the Battle with whoever stands outside.
    pub(crate) fn approach(&mut self, sortie: bool) -> Play<()> {
        if !self.goes_on() {
            return Ok(());
        }
        let (active, side) = (self.march().general, self.march().side);
        let enemy = other(side);
        let area = self.world.area_of(active).expect("it is on the map");
        let (mut surplus, mut lifted) = (Vec::new(), false);
        if let Some(&army) = self.world.outside(enemy, area).first() {
            self.pick_up_when_attacked(enemy, army)?;
            if self.has_siege_marker(army) {
                (surplus, lifted) = self.siege_choice(enemy, army, area)?;
            }
            if surplus.is_empty() {
                self.evasion(enemy, army, area)?;
                // EV1: whom an evader has just left there does not Evade, but may withdraw.
                if let Some(&army) = self.world.outside(enemy, area).first() {
                    self.withdrawal(enemy, army, area)?;
                }
            }
        }
        if !self.world.stack(enemy, area).is_empty() {
            self.field_battle(area, sortie, surplus, lifted)?;
        }
        if self.goes_on()
            && let Post::Inside(area) = self.world.posts[active]
            && sortie
        {
            self.world.posts[active] = Post::Area(area);
        }
        Ok(())
    }

    /// G5.
    fn pick_up_when_attacked(&mut self, enemy: usize, army: usize) -> Play<()> {
        loop {
            let sources = self.sources(army);
            if sources.is_empty() {
                return Ok(());
            }
            let places: Vec<At> = sources.keys().copied().collect();
            let mut words: Vec<String> = places.iter().map(|&at| self.holder_word("from", at)).collect();
            words.push("stand".to_owned());
            let Some(at) = places.get(self.ask_place(enemy, &words)?) else {
                return Ok(());
            };
            if !self.take_up(enemy, army, *at, &sources[at], true)? {
                return Ok(());
            }
        }
    }

    /// F13: the Siege is lifted, or the surplus over what it needs is picked to fight.
    fn siege_choice(&mut self, enemy: usize, army: usize, area: usize) -> Play<(Vec<usize>, bool)> {
        let size = self.world.size(army);
        let need = self.world.siege_need(area);
        if size <= need || self.ask_word(enemy, &["lift", "surplus"])? == "lift" {
            self.world.sieges.remove(&area);
            return Ok((Vec::new(), true));
        }
        let mut surplus = Vec::new();
        while surplus.len() < size - need {
            let mut left = self.world.led(army);
            left.retain(|one| !surplus.contains(one));
            let places = self.places(&left);
            let words: Vec<String> = places.iter().map(|&at| self.holder_word("from", at)).collect();
            let place = places[self.ask_place(enemy, &words)?];
            let there = self.at_place(&left, place);
            surplus.push(self.pick_face(enemy, &there)?);
        }
        Ok((surplus, false))
    }

    /// EV4: the Areas to which an evader may step.
    fn evasion_steps(&self, general: usize, from: usize) -> Vec<usize> {
        let enemy = self.march().side;
        let few = self.world.size(general) <= 2;
        let open = |&(to, line): &(usize, Line)| {
            let way = (few || line != Line::Maritime) && Some(to) != self.march().previous();
            (way && self.world.in_area(enemy, to).is_empty()).then_some(to)
        };
        self.world.atlas.areas[from].next.iter().filter_map(open).collect()
    }

    /// EV14: an end can be reached from an Area in so many steps.
    fn can_evade(&self, general: usize, from: usize, left: usize) -> bool {
        left > 0
            && self
                .evasion_steps(general, from)
                .into_iter()
                .any(|to| self.may_stay(general, to) || self.can_evade(general, to, left - 1))
    }

    /// 10.1.
    fn evasion(&mut self, enemy: usize, army: usize, area: usize) -> Play<()> {
        if !self.can_evade(army, area, allowance(self.world.size(army)).1)
            || self.ask_word(enemy, &["evade", "stand"])? == "stand"
        {
            return Ok(());
        }
        let rating = |one: usize| self.world.atlas.generals[one].strategy;
        let rough = matches!(self.march().line, Some(Line::Mountain | Line::Maritime));
        let added = better(rating(army), rating(self.march().general)) - i32::from(rough);
        if self.roll(1)?[0] + added < 4 {
            return Ok(());
        }
        let mut left = None;
        loop {
            let here = self.world.area_of(army).expect("it is on the map");
            let areas = left.unwrap_or_else(|| allowance(self.world.size(army)).1);
            let mut goals = if areas == 0 { Vec::new() } else { self.evasion_steps(army, here) };
            goals.retain(|&to| self.may_stay(army, to) || self.can_evade(army, to, areas - 1));
            let mut words: Vec<String> = goals.iter().map(|&to| self.area_word("move", to)).collect();
            let leaving = self.evaders_who_may_stay(army, left.is_none());
            words.extend(leaving.iter().map(|&one| self.general_word("leave", one)));
            let stays = left.is_some() && self.may_stay(army, here);
            words.extend(stays.then(|| "done".to_owned()));
            if areas == 0 {
                break;
            }
            let place = self.ask_place(enemy, &words)?;
            if let Some(&to) = goals.get(place) {
                self.world.posts[army] = Post::Area(to);
                left = Some(areas - 1);
            } else if let Some(&one) = leaving.get(place - goals.len()) {
                self.leave_behind(army, one)?;
            } else {
                break;
            }
        }
        let held = self.world.held_under_siege();
        self.consequences(&held, false)?;
        self.join_there(army)
    }

    /// S5: Subordinates whom an evader may leave before it goes.
    fn evaders_who_may_stay(&self, army: usize, sets_out: bool) -> Vec<usize> {
        if !sets_out {
            return Vec::new();
        }
        let area = self.world.area_of(army).expect("it is on the map");
        let company = self.world.company(army, area, false);
        let staying: Vec<usize> = company.into_iter().flat_map(|one| self.world.army(one)).collect();
        self.world.army(army)[1..]
            .iter()
            .copied()
            .filter(|&one| self.may_leave(army, one, &staying))
            .collect()
    }

    /// EV8: the Army goes inside as a whole, and unled Brigades as far as there is room.
    fn withdrawal(&mut self, enemy: usize, army: usize, area: usize) -> Play<()> {
        let room = |model: &Self| {
            let inside = model.world.garrison(area).len();
            model.world.room(area).saturating_sub(inside)
        };
        let own =
            self.world.atlas.areas[area].printed.is_some() && self.world.controller(area) == Some(enemy);
        let inside = self.world.inside(enemy, area);
        let stacks = inside.is_none_or(|inside| self.meeting(army, inside).is_some());
        if !own || self.world.size(army) > room(self) || !stacks {
            return Ok(());
        }
        if self.ask_word(enemy, &["withdraw", "stand"])? == "stand" {
            return Ok(());
        }
        let mut commander = army;
        if let Some((over, under, _)) = inside.and_then(|inside| self.meeting(army, inside)) {
            for general in self.world.army(under) {
                self.world.posts[general] = Post::Under(over);
            }
            commander = over;
        }
        self.world.posts[commander] = Post::Inside(area);
        let unled = self.world.unled(enemy, area);
        if unled.len() <= room(self) {
            for brigade in unled {
                self.world.brigades[brigade].at = At::Inside(area);
            }
            return Ok(());
        }
        while room(self) > 0 {
            let unled = self.world.unled(enemy, area);
            let mut words = self.face_words(&unled);
            words.push("done".to_owned());
            let chosen = self.ask(enemy, &words)?;
            if chosen == "done" {
                break;
            }
            let brigade = self.of_face(&unled, &chosen);
            self.world.brigades[brigade].at = At::Inside(area);
        }
        Ok(())
    }

    /// 10.0, F13, F14: the Battle with the stack outside; the garrison of a Fortress that its Army holds up joins the attacker.
    fn field_battle(&mut self, area: usize, sortie: bool, surplus: Vec<usize>, lifted: bool) -> Play<()> {
        let (active, side) = (self.march().general, self.march().side);
        let enemy = other(side);
        let army = self.world.outside(enemy, area).first().copied();
        let mut battle = Battle::new(area, if sortie { Kind::Sortie } else { Kind::Field }, side);
        battle.commanders[side] = Some(active);
        battle.commanders[enemy] = army;
        battle.origin = self.march().previous().filter(|_| !sortie);
        if !surplus.is_empty() {
            battle.siege = SiegeFight::Surplus;
            battle.picked = surplus;
        } else if army.is_some() && self.world.invests(enemy, area) {
            if lifted {
                battle.siege = SiegeFight::Lifted;
            }
            let inside = self.world.inside(side, area).filter(|&inside| inside != active);
            let meeting = inside.and_then(|inside| self.meeting(active, inside));
            let apart =
                inside.filter(|_| meeting.is_none()).map_or(Vec::new(), |inside| self.world.led(inside));
            let own = self.world.led(active);
            battle.picked = self.world.garrison(area);
            battle.picked.retain(|one| !own.contains(one) && !apart.contains(one));
            battle.commanders[side] = Some(meeting.map_or(active, |meeting| meeting.0));
        }
        self.battle = Some(battle);
        self.fight()
    }
}
