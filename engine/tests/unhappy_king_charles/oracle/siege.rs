//! Sections 6.1, 6.2 and 13.0 to 14.5: who is Activated by a card, Bombardment, Assault, Raids, the Blockade Phase.

use std::collections::BTreeSet;

use super::model::Model;
use super::umpire::Play;
use super::world::{At, Post, Presence, Stay, World, other};

impl World<'_> {
    /// 6.1, 6.2, AC1 to AC4, K4: who on the map can be Activated to move; a card without a value Activates anybody.
    pub(crate) fn can_be_activated(&self, side: usize, general: usize, card: Option<i32>) -> bool {
        let of = &self.atlas.generals[general];
        let own = self.at(At::General(general));
        let standard = self.has("standard");
        let commander = self.commander(general);
        let shut = match self.posts[commander] {
            Post::Inside(area) => self.invests(other(side), area),
            _ => false,
        };
        let (size, free) = match self.posts[general] {
            // The commander keeps a Brigade, and nobody comes out of an invested Fortress alone.
            Post::Under(commander) => (own.len(), self.size(commander) > own.len() && !shut),
            Post::Area(_) | Post::Inside(_) => (self.size(general), standard || !shut),
            _ => return false,
        };
        of.side == side
            && free
            && card.is_none_or(|card| of.activation <= card && (size < 5 || card >= 3))
            && (standard || of.id != "waller")
            && own.iter().all(|&one| !self.brigades[one].moved)
    }

    /// F6: who can Bombard.
    pub(crate) fn can_bombard(&self, side: usize, general: usize, card: Option<i32>) -> bool {
        let of = &self.atlas.generals[general];
        let Post::Area(area) = self.posts[general] else { return false };
        let size = self.size(general);
        of.side == side
            && self.has("standard")
            && self.is_fortress(area)
            && self.controller(area) == Some(other(side))
            && size >= self.siege_need(area)
            && card.is_none_or(|card| of.activation <= card && (size < 5 || card >= 3))
    }

    /// NB1: the Areas that a Local Notable may Raid.
    pub(crate) fn raided_by(&self, notable: usize) -> Vec<usize> {
        let of = &self.atlas.notables[notable];
        let mut near = BTreeSet::from([of.area]);
        for _ in 0..2 {
            near = near.iter().flat_map(|&area| self.neighbours(area)).chain(near.iter().copied()).collect();
        }
        let raided = |&area: &usize| {
            self.atlas.areas[area].region == self.atlas.areas[of.area].region
                && !self.is_fortress(area)
                && self.controller(area) != Some(of.side)
                && self.in_area(other(of.side), area).is_empty()
        };
        near.into_iter().filter(raided).collect()
    }

    /// NB2: who can Raid.
    pub(crate) fn can_raid(&self, side: usize, notable: usize) -> bool {
        let of = &self.atlas.notables[notable];
        of.side == side
            && self.notables[notable] == Presence::InPlay
            && !self.besieged(of.area)
            && !self.raided_by(notable).is_empty()
    }
}

impl Model<'_, '_> {
    fn generals_that(&self, may: impl Fn(usize) -> bool) -> Vec<usize> {
        (0..self.world.posts.len()).filter(|&general| may(general)).collect()
    }

    /// The Generals who can be Activated to move, on the map or from off it.
    pub(crate) fn activated_by(&self, side: usize, card: Option<i32>) -> Vec<usize> {
        self.generals_that(|general| {
            self.world.can_be_activated(side, general, card) || self.world.can_come(side, general, card)
        })
    }

    /// An Operations card to move: the General, then the Activation. `false` if nobody can be Activated.
    pub(crate) fn activate_by(&mut self, side: usize, card: i32) -> Play<()> {
        let may = self.activated_by(side, Some(card));
        let words: Vec<String> = may.iter().map(|&one| self.general_word("activate", one)).collect();
        let general = may[self.ask_place(side, &words)?];
        self.begin_activation(general, Some(card))?;
        self.activation()
    }

    /// An Operations card to Bombard.
    pub(crate) fn bombard_by(&mut self, side: usize, card: i32) -> Play<()> {
        let may = self.generals_that(|general| self.world.can_bombard(side, general, Some(card)));
        let words: Vec<String> = may.iter().map(|&one| self.general_word("bombard", one)).collect();
        let general = may[self.ask_place(side, &words)?];
        self.bombard(general, false)
    }

    /// A Campaign card: each General and Notable once (K3, K4). The bonus sets that an Activation won are played before the next.
    pub(crate) fn campaign(&mut self, side: usize, activations: usize) -> Play<()> {
        let (mut used, mut raided) = (BTreeSet::new(), BTreeSet::new());
        for round in 0..activations {
            let fresh = |general: &usize| !used.contains(general);
            let movers: Vec<usize> = self.activated_by(side, None).into_iter().filter(fresh).collect();
            let gunners: Vec<usize> = self
                .generals_that(|general| self.world.can_bombard(side, general, None))
                .into_iter()
                .filter(fresh)
                .collect();
            let raiders: Vec<usize> = (0..self.world.notables.len())
                .filter(|notable| !raided.contains(notable) && self.world.can_raid(side, *notable))
                .collect();
            let mut words: Vec<String> =
                movers.iter().map(|&one| self.general_word("activate", one)).collect();
            words.extend(gunners.iter().map(|&one| self.general_word("bombard", one)));
            words.extend(raiders.iter().map(|&one| format!("raid {}", self.world.atlas.notables[one].id)));
            if words.is_empty() {
                return Ok(());
            }
            words.extend((round > 0).then(|| "done".to_owned()));
            let place = self.ask_place(side, &words)?;
            if let Some(&general) = movers.get(place) {
                used.insert(general);
                self.begin_activation(general, None)?;
                self.activation_of_campaign()?;
            } else if let Some(&general) = gunners.get(place - movers.len()) {
                used.insert(general);
                self.bombard(general, false)?;
            } else if let Some(&notable) = raiders.get(place - movers.len() - gunners.len()) {
                raided.insert(notable);
                self.raid(notable)?;
            } else {
                return Ok(());
            }
            if !self.plays_sets {
                self.sets_within_campaign()?;
            }
        }
        Ok(())
    }

    /// K4, X6: what took a line in the Activation has moved on the card.
    fn activation_of_campaign(&mut self) -> Play<()> {
        self.activation()?;
        for brigade in std::mem::take(&mut self.crossed) {
            self.world.brigades[brigade].moved = true;
        }
        Ok(())
    }

    /// NB3: so many Local Notables, one after the other.
    pub(crate) fn raids(&mut self, side: usize, mut left: usize) -> Play<()> {
        let mut used = BTreeSet::new();
        while left > 0 {
            let raiders: Vec<usize> = (0..self.world.notables.len())
                .filter(|notable| !used.contains(notable) && self.world.can_raid(side, *notable))
                .collect();
            if raiders.is_empty() {
                break;
            }
            let mut words: Vec<String> =
                raiders.iter().map(|&one| format!("raid {}", self.world.atlas.notables[one].id)).collect();
            words.extend((!used.is_empty()).then(|| "done".to_owned()));
            let Some(&notable) = raiders.get(self.ask_place(side, &words)?) else {
                break;
            };
            used.insert(notable);
            left -= 1;
            self.raid(notable)?;
        }
        Ok(())
    }

    fn raid(&mut self, notable: usize) -> Play<()> {
        let side = self.world.atlas.notables[notable].side;
        let areas = self.world.raided_by(notable);
        let words: Vec<String> = areas.iter().map(|&area| self.area_word("at", area)).collect();
        let area = areas[self.ask_place(side, &words)?];
        self.world.set_control(area, side);
        Ok(())
    }

    /// 5.6, T19: Parliament's Blockades, then the Royalist's, each Bombards once or not.
    pub(crate) fn blockade_phase(&mut self) -> Play<()> {
        for side in [1, 0] {
            let mut done = BTreeSet::new();
            while self.world.has("standard") {
                let blockades: Vec<usize> = (self.world.sieges.iter())
                    .filter(|&(area, siege)| {
                        let own = self.world.controller(*area) == Some(other(side));
                        siege.blockade && own && !done.contains(area)
                    })
                    .map(|(&area, _)| area)
                    .collect();
                let armies: Vec<usize> = blockades
                    .iter()
                    .filter_map(|&area| self.world.outside(side, area).first().copied())
                    .collect();
                if armies.is_empty() {
                    break;
                }
                let mut words: Vec<String> =
                    armies.iter().map(|&one| self.general_word("bombard", one)).collect();
                words.push("done".to_owned());
                let Some(&general) = armies.get(self.ask_place(side, &words)?) else { break };
                done.insert(self.world.area_of(general).expect("it is on the map"));
                self.bombard(general, true)?;
            }
        }
        Ok(())
    }

    /// 14.3 to 14.5: one Bombardment, and the Assault after it; without a card none follows (T20).
    pub(crate) fn bombard(&mut self, general: usize, free: bool) -> Play<()> {
        let side = self.world.atlas.generals[general].side;
        let area = self.world.area_of(general).expect("it is on the map");
        self.lay_siege(area, false);
        let army = self.world.army(general);
        let led = self.world.led(general);
        let new_model = led.iter().filter(|&&one| self.world.faction(one) == "new-model").count();
        let train = matches!(self.world.trains[side], Stay::With(one) if army.contains(&one));
        let notable = self.world.notable_in(area).is_some();
        let sea = self.world.atlas.areas[area].port && !notable && self.world.sea_helps(other(side));
        let siege = self.world.sieges[&area];
        let added = siege.bonus + i32::from(train || new_model >= 3)
            - if sea { 2 } else { 0 }
            - if notable { 2 } else { 0 };
        let score = (self.roll(1)?[0] + added).max(0);
        let siege = self.world.sieges.get_mut(&area).expect("it is under way");
        siege.value += score;
        siege.bonus = 0;
        let value = siege.value;
        let falls = if notable { 4 } else { self.world.atlas.areas[area].surrender as i32 };
        if value >= falls {
            return self.surrender(side, area, false);
        }
        let may = !free
            && !notable
            && !self.world.may_not_assault.contains(&general)
            && (value >= 5 || self.world.atlas.generals[general].assaults);
        if may && self.ask_word(side, &["assault", "pass"])? == "assault" {
            self.assault(general, area, value)?;
        }
        Ok(())
    }

    /// 14.5, F12.
    fn assault(&mut self, general: usize, area: usize, value: i32) -> Play<()> {
        let side = self.world.atlas.generals[general].side;
        let class = match self.world.class(area) {
            1 => 1,
            3 => -2,
            _ => 0,
        };
        let attackers = self.world.size(general).min(3) as i32;
        let defenders = self.world.garrison(area).len() as i32;
        let early = if value < 5 { 2 } else { 0 };
        let dice: i32 = self.roll(2)?.into_iter().sum();
        let storms = dice + attackers + class - defenders - early >= 10;
        let led = self.world.led(general);
        let lost = match led[..] {
            [only] => only,
            _ => {
                let best = led.iter().map(|&one| self.world.value(one)).max();
                let mut allowed = led.clone();
                allowed.retain(|&one| Some(self.world.value(one)) == best);
                self.pick_brigade(side, &led, &allowed)?
            }
        };
        let held = self.world.held_under_siege();
        self.world.brigades[lost].at = At::Out;
        self.consequences(&held, false)?;
        if storms {
            return self.surrender(side, area, true);
        }
        self.world.may_not_assault.insert(general);
        if self.world.atlas.generals[general].id == "tom-fairfax-north" {
            let lord = self.world.atlas.general("lord-general-tom-fairfax");
            self.world.may_not_assault.insert(lord);
        }
        Ok(())
    }
}
