//! Sections 5.1, 5.2 and 11: Isolation, Housekeeping's Areas, the Political Control Phase.

use std::collections::BTreeSet;

use super::world::{Presence, World, other};

impl World<'_> {
    /// Areas with an Army of a side, outside or inside.
    fn army_areas(&self, side: usize) -> BTreeSet<usize> {
        self.commanders(side).into_iter().filter_map(|general| self.area_of(general)).collect()
    }

    fn notable_areas(&self, side: usize) -> BTreeSet<usize> {
        let notables = self.atlas.notables.iter().enumerate();
        let own = notables
            .filter(|&(number, notable)| notable.side == side && self.notables[number] == Presence::InPlay);
        own.map(|(_, notable)| notable.area).collect()
    }

    /// 11.3, P2: one chain of a marker, followed by a search of its own.
    fn is_isolated(&self, side: usize, from: usize) -> bool {
        // P3: Fortresses never are.
        if self.is_fortress(from) {
            return false;
        }
        let ends = |area: usize| {
            let supply = self.atlas.areas[area].supply
                && self.controller(area) == Some(side)
                && !self.invests(other(side), area)
                && !self.besieged(area);
            let notable = self.notable_areas(side).contains(&area) && !self.besieged(area);
            supply || notable || self.army_areas(side).contains(&area)
        };
        let [hull, gainsborough] = ["hull", "gainsborough"].map(|id| self.atlas.area(id));
        let (mut reached, mut open) = (BTreeSet::from([from]), vec![from]);
        while let Some(area) = open.pop() {
            if ends(area) {
                return false;
            }
            for next in self.neighbours(area) {
                let barred = (area, next) == (hull, gainsborough) || (area, next) == (gainsborough, hull);
                if barred || !reached.insert(next) {
                    continue;
                }
                // An Army's Area ends the chain whatever marker lies there.
                if self.controller(next) == Some(other(side)) {
                    if self.army_areas(side).contains(&next) {
                        return false;
                    }
                } else {
                    open.push(next);
                }
            }
        }
        true
    }

    /// The Isolated markers of a side.
    pub(crate) fn isolated(&self, side: usize) -> BTreeSet<usize> {
        let own = self.control.iter().filter(|&(_, &of)| of == side).map(|(&area, _)| area);
        own.filter(|&area| self.is_isolated(side, area)).collect()
    }

    /// 5.1, T2: the Areas of a side's marker in the Housekeeping Phase.
    pub(crate) fn housekeeping(&self, side: usize) -> BTreeSet<usize> {
        let enemy = other(side);
        let near = |area: usize, shunned: &BTreeSet<usize>| {
            shunned.contains(&area) || self.neighbours(area).any(|next| shunned.contains(&next))
        };
        let (armies, notables) = (self.army_areas(enemy), self.notable_areas(enemy));
        let isolated = [0, 1].map(|of| self.isolated(of));
        let fits = |&area: &usize| {
            let next_to = |of: usize| self.neighbours(area).any(|next| self.controller(next) == Some(of));
            // 11.1: a Fortress changes control by Surrender and events alone.
            if self.controller(area).is_some() || self.is_fortress(area) || !next_to(side) || next_to(enemy) {
                return false;
            }
            if near(area, &armies) || near(area, &notables) {
                return false;
            }
            let mut after = self.clone();
            after.control.insert(area, side);
            (0..2).all(|of| after.isolated(of).iter().all(|one| *one == area || isolated[of].contains(one)))
        };
        (0..self.atlas.areas.len()).filter(fits).collect()
    }

    /// 5.2, 11.2: the Political Control Phase.
    pub(crate) fn political_control(&mut self) {
        let mut taken = Vec::new();
        for area in (0..self.atlas.areas.len()).filter(|&area| self.atlas.areas[area].printed.is_none()) {
            for side in 0..2 {
                let notable = self.notable_areas(side).contains(&area);
                // A Notable's Area is a Fortress: the enemy before it changes nothing.
                let held = self.notable_in(area).is_none() && !self.in_area(side, area).is_empty();
                if notable || held {
                    taken.push((area, side));
                }
            }
        }
        for (area, side) in taken {
            self.set_control(area, side);
        }
        for side in [1, 0] {
            for area in self.isolated(side) {
                self.control.remove(&area);
            }
        }
    }
}
