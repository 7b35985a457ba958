//! Section 12: the selection of deserters by categories, the removal, Supply Attrition, and what follows.

use std::collections::BTreeSet;

use super::model::Model;
use super::umpire::Play;
use super::world::{At, Post, World, other};

impl World<'_> {
    /// Brigades of some that are not selected yet (H2).
    fn staying(&self, mut brigades: Vec<usize>) -> Vec<usize> {
        brigades.retain(|&brigade| !self.brigades[brigade].marked);
        brigades
    }

    /// H10, H11: who may desert now.
    fn may_desert(&self, side: usize) -> Vec<usize> {
        let all = self.staying(self.on_map(side));
        if all.len() <= 5 {
            return Vec::new();
        }
        let steadfast = |&brigade: &usize| matches!(self.faction(brigade), "irish" | "covenanter");
        let (kept, others): (Vec<usize>, Vec<usize>) = all.into_iter().partition(steadfast);
        if others.len() > 5 { others } else { kept }
    }

    /// H6: a General of an Army is abroad.
    fn is_abroad(&self, general: usize, area: usize) -> bool {
        let (of, region) = (&self.atlas.generals[general], &self.atlas.areas[area].region);
        if of.faction == "covenanter" {
            let own = self.staying(self.at(At::General(general)));
            return region != "north" && own.iter().any(|&one| self.faction(one) != "covenanter");
        }
        !of.regions.is_empty() && !of.regions.contains(region)
    }

    /// H8: an enemy Army next to or in an Area, which is not shut up in a Fortress.
    fn enemy_is_near(&self, side: usize, area: usize) -> bool {
        self.commanders(other(side)).into_iter().any(|general| {
            let there = self.area_of(general).expect("commanders are on the map");
            let near = there == area || self.neighbours(area).any(|next| next == there);
            let shut = matches!(self.posts[general], Post::Inside(_)) && self.invests(side, there);
            near && !shut
        })
    }

    /// H4 to H9: the Brigades of an Area of which a category takes one.
    fn of_category(&self, side: usize, category: usize, area: usize) -> Vec<usize> {
        if category == 5 {
            return self.staying(self.in_area(side, area));
        }
        let mut armies = self.commanders(side);
        armies.retain(|&general| self.area_of(general) == Some(area));
        armies.retain(|&general| match category {
            1 => self.army(general).iter().any(|&one| self.is_abroad(one, area)),
            2 => self.staying(self.led(general)).len() > 3,
            3 => self.enemy_is_near(side, area),
            _ => self.controller(area) == Some(other(side)),
        });
        let mut all: Vec<usize> = armies.into_iter().flat_map(|general| self.led(general)).collect();
        all.sort_unstable();
        self.staying(all)
    }

    /// H3: the Areas that a category asks now.
    pub(crate) fn deserting_areas(
        &self,
        side: usize,
        category: usize,
        left: usize,
        done: &BTreeSet<usize>,
    ) -> Vec<usize> {
        let may = self.may_desert(side);
        let fits = |&area: &usize| {
            !done.contains(&area)
                && self.of_category(side, category, area).iter().any(|one| may.contains(one))
        };
        let areas: Vec<usize> = (0..self.atlas.areas.len()).filter(fits).collect();
        // H10 to H12: no more are due than the five let go, nor more of the others than until Irish and Covenanters must.
        let steadfast = may.iter().any(|&one| matches!(self.faction(one), "irish" | "covenanter"));
        let bound = if steadfast { self.staying(self.on_map(side)).len() } else { may.len() };
        let due = left.min(bound.saturating_sub(5));
        let several = |&area: &usize| self.staying(self.in_area(side, area)).len() > 1;
        if areas.len() > due && areas.iter().any(several) {
            areas.into_iter().filter(several).collect()
        } else {
            areas
        }
    }
}

impl Model<'_, '_> {
    /// 5.7: the whole phase.
    pub(crate) fn desertion_phase(&mut self) -> Play<()> {
        // O2, O7.
        let die = if self.world.option("random-desertion") { self.roll(1)?[0] } else { 1 };
        for side in [1, 0] {
            self.select_deserters(side, if die == 6 { 1 } else { die as usize })?;
        }
        self.marked_leave()?;
        for side in [1, 0] {
            for area in 0..self.world.atlas.areas.len() {
                let there = self.world.in_area(side, area);
                if there.len() >= 5 {
                    let starving = self.pick_brigade(side, &there, &there)?;
                    self.world.brigades[starving].marked = true;
                }
            }
        }
        self.marked_leave()
    }

    /// S9: with the Turn it is over that Waller stands beside Essex; Parliament's Armies that may not stand together join or part.
    pub(crate) fn ventures_end(&mut self) -> Play<()> {
        if self.world.happened.remove("joint-venture") { self.illegal_positions(1) } else { Ok(()) }
    }

    /// 12.2, H3 to H5.
    fn select_deserters(&mut self, side: usize, first: usize) -> Play<()> {
        let mut left = self.world.atlas.turns[self.world.turn - 1].desertion;
        let (mut category, mut done, mut picked) = (first, BTreeSet::new(), false);
        loop {
            let may = self.world.may_desert(side);
            if left == 0 || may.is_empty() {
                break;
            }
            let areas = self.world.deserting_areas(side, category, left, &done);
            if areas.is_empty() {
                category = category % 5 + 1;
                done.clear();
                continue;
            }
            let ids: Vec<String> = areas.iter().map(|&area| self.area_word("at", area)).collect();
            let area = areas[self.ask_place(side, &ids)?];
            let among = self.world.of_category(side, category, area);
            let allowed: Vec<usize> = among.iter().copied().filter(|one| may.contains(one)).collect();
            let deserter = self.pick_brigade(side, &among, &allowed)?;
            self.world.brigades[deserter].marked = true;
            done.insert(area);
            (left, picked) = (left - 1, true);
        }
        if picked {
            self.ask(side, &["done".to_owned()])?;
        }
        Ok(())
    }

    /// H1, H14: all who were selected go, then what follows of it, Parliament's first.
    fn marked_leave(&mut self) -> Play<()> {
        let held = self.world.held_under_siege();
        for brigade in 0..self.world.brigades.len() {
            if self.world.brigades[brigade].marked {
                self.world.brigades[brigade].at = self.world.pool_of(brigade);
                self.world.brigades[brigade].marked = false;
            }
        }
        self.consequences(&held, false)
    }
}
