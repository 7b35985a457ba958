//! Sections 8.3 and 8.4: Brigades that an Army takes up, or puts down.

use std::collections::BTreeMap;

use super::model::Model;
use super::umpire::Play;
use super::world::{At, Post, World};

impl World<'_> {
    /// 8.3, MC10: a General may have a Brigade on their display.
    pub(crate) fn may_lead(&self, general: usize, brigade: usize) -> bool {
        let faction = &*self.atlas.generals[general].faction;
        match self.faction(brigade) {
            "covenanter" => faction == "covenanter",
            "lorrainer" => faction == "lorrainer",
            _ => faction != "lorrainer",
        }
    }

    /// G4: the places of an Area where unled and Notables' Brigades are.
    pub(crate) fn pick_up_places(&self, area: usize) -> Vec<At> {
        match self.notable_in(area) {
            Some(notable) => vec![At::Notable(notable), At::Outside(area)],
            None => vec![At::Outside(area), At::Inside(area)],
        }
    }
}

impl Model<'_, '_> {
    /// 8.4, G6, G8, AC2: the Generals of an Army who may take a Brigade up.
    fn takers(&self, commander: usize, brigade: usize) -> Vec<usize> {
        let size = self.world.size(commander) + 1;
        let active = self.march.as_ref().is_some_and(|march| march.general == commander);
        if size > self.world.limit(commander) || active && !self.fits_card(size) {
            return Vec::new();
        }
        let mut army = self.world.army(commander);
        army.retain(|&general| {
            self.world.may_lead(general, brigade)
                && self.world.at(At::General(general)).len() < self.world.limit(general)
        });
        army
    }

    /// G4, G7, G10: the places with Brigades that an Army may take up, or its Generals may put down, and those Brigades.
    pub(crate) fn sources(&self, commander: usize) -> BTreeMap<At, Vec<usize>> {
        let area = self.world.area_of(commander).expect("it is on the map");
        let side = self.world.atlas.generals[commander].side;
        let active = self.march.as_ref().filter(|march| march.general == commander);
        let mut sources = BTreeMap::new();
        for place in self.world.pick_up_places(area) {
            let mut there = self.world.at(place);
            let dropped =
                place == At::Outside(area) && active.is_some_and(|march| march.dropped.contains(&area));
            there.retain(|&one| {
                self.world.side(one) == side
                    && !(dropped && self.world.is_foreign(one))
                    && !self.takers(commander, one).is_empty()
            });
            sources.insert(place, there);
        }
        if active.is_some() {
            for general in self.world.army(commander) {
                let faction = &*self.world.atlas.generals[general].faction;
                let mut own = self.world.at(At::General(general));
                if own.len() > 1 && ["covenanter", "lorrainer"].contains(&faction) {
                    own.retain(|&one| self.world.faction(one) == faction);
                    sources.insert(At::General(general), own);
                }
            }
        }
        sources.retain(|_, there| !there.is_empty());
        sources
    }

    /// 8.3: a Brigade is taken up, or put down: its face and its display are asked where there are several. Whoever is attacked may stand
    /// at any moment (EV15): `false`.
    pub(crate) fn take_up(
        &mut self,
        side: usize,
        commander: usize,
        from: At,
        there: &[usize],
        attacked: bool,
    ) -> Play<bool> {
        let stand = attacked.then(|| "stand".to_owned());
        let brigade = match there {
            [only] => *only,
            _ => {
                let mut words = self.face_words(there);
                words.extend(stand.clone());
                let chosen = self.ask(side, &words)?;
                if Some(&chosen) == stand.as_ref() {
                    return Ok(false);
                }
                self.of_face(there, &chosen)
            }
        };
        if let At::General(general) = from {
            let held = self.world.held_under_siege();
            let area = self.world.area_of(general).expect("it is on the map");
            self.world.brigades[brigade].at = At::Outside(area);
            self.march_mut().dropped.insert(area);
            self.consequences(&held, false)?;
            return Ok(true);
        }
        let takers = self.takers(commander, brigade);
        let taker = match takers[..] {
            [only] => only,
            _ => {
                let mut words: Vec<String> = takers.iter().map(|&one| self.general_word("to", one)).collect();
                words.extend(stand);
                let place = self.ask_place(side, &words)?;
                let Some(&taker) = takers.get(place) else { return Ok(false) };
                taker
            }
        };
        self.world.brigades[brigade].at = At::General(taker);
        if let Post::Inside(area) = self.world.posts[commander]
            && self.world.garrison(area).len() > self.world.room(area)
        {
            self.world.posts[commander] = Post::Area(area);
        }
        Ok(true)
    }
}
