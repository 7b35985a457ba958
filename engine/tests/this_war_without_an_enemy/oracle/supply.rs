//! Section 9: supply, Siege Resolution, surrender, progression.

use super::atlas::Kind;
use super::fight::Model;
use super::umpire::Play;
use super::world::{Control, Place};

#[derive(Copy, Clone, PartialEq, Eq)]
enum Attrition {
    None,
    Cavalry,
    CavalryOrNonPort,
    All,
}

use Attrition::{All as A, Cavalry as C, CavalryOrNonPort as E, None as N};

/// 9.2, H7: by the value of the marker and the die.
const ATTRITION: [[Attrition; 6]; 5] =
    [[N, N, N, C, E, A], [N, C, E, A, C, A], [C, E, A, C, A, A], [C, E, A, A, A, A], [N, A, A, A, A, A]];
/// The least die that brings surrender, by the value of the marker.
const SURRENDER: [u8; 5] = [6, 5, 4, 3, 1];

impl Model<'_> {
    /// The whole Supply Phase.
    pub(crate) fn supply_phase(&mut self) -> Play<()> {
        for side in [self.world.first, 1 - self.world.first] {
            for area in 0..self.atlas.areas.len() {
                self.supply(area, side)?;
            }
        }
        for city in 0..self.atlas.cities.len() {
            self.resolve(city)?;
        }
        for marker in self.world.marker.iter_mut().flatten() {
            *marker = (*marker + 1).min(5);
        }
        Ok(())
    }

    /// 9.12, H3, H5.
    fn supply(&mut self, area: usize, side: usize) -> Play<()> {
        let mut left = self.world.field(self.world.outside(area, side));
        let mut loses = false;
        let quartermaster = self.world.event[side] == "quartermaster-general";
        while self.world.shortage(area, side, &left) > 0 {
            let shortage = self.world.shortage(area, side, &left);
            let helps = |model: &Self, block: usize| {
                let without: Vec<usize> = left.iter().copied().filter(|&other| other != block).collect();
                model.world.shortage(area, side, &without) < shortage
            };
            let able: Vec<usize> = left.iter().copied().filter(|&block| helps(self, block)).collect();
            let mut options = self.ids("lose", &able);
            if quartermaster && self.world.exempt[side] > 0 && !loses {
                options.extend(self.ids("exempt", &able));
            }
            let chosen = self.ask(side, &options)?;
            let block = self.block(chosen.split_once(' ').expect("a block").1);
            left.retain(|&other| other != block);
            if chosen.starts_with("lose") {
                loses = true;
                self.world.weaken(block);
            } else {
                self.world.exempt[side] -= 1;
            }
        }
        Ok(())
    }

    /// 9.2.
    fn resolve(&mut self, city: usize) -> Play<()> {
        let Some(value) = self.world.marker[city].filter(|&value| value > 0) else { return Ok(()) };
        let besieged = self.world.garrison(city).expect("the City is Besieged");
        let die = self.roll(1)?[0];
        let field = self.world.field(self.world.inside(city, besieged));
        let horse = field.iter().any(|&block| self.atlas.is_horse(block));
        let cell = ATTRITION[usize::from(value) - 1][usize::from(die) - 1];
        let suffers = match cell {
            Attrition::None => false,
            Attrition::Cavalry => horse,
            Attrition::CavalryOrNonPort => horse || !self.atlas.cities[city].port,
            Attrition::All => true,
        };
        let horse_first = horse && matches!(cell, Attrition::Cavalry | Attrition::CavalryOrNonPort);
        let loss = if suffers { field.len() } else { 0 };
        for point in 0..loss {
            let mut able = self.world.field(self.world.inside(city, besieged));
            if point == 0 && horse_first {
                able.retain(|&block| self.atlas.is_horse(block));
            }
            if able.is_empty() {
                break;
            }
            let chosen = self.ask(besieged, &self.ids("lose", &able))?;
            self.world.weaken(self.block(&chosen["lose ".len()..]));
        }
        let mut touched = vec![self.atlas.cities[city].area];
        if die >= SURRENDER[usize::from(value) - 1] {
            self.surrender(city, besieged, &mut touched)?;
        }
        self.check_stranded(&touched);
        Ok(())
    }

    /// 9.22: where a side's blocks may go at all.
    fn shelters(&self, area: usize, side: usize) -> bool {
        let sympathetic = self
            .atlas
            .cities
            .iter()
            .any(|city| city.area == area && city.points > 0 && city.sympathy == Some(side));
        match self.world.control(area) {
            Control::Of(holder) => holder == side,
            Control::Neutral => sympathetic,
            Control::Contested => false,
        }
    }

    /// Fewest borders from an Area to each.
    fn distances(&self, from: usize) -> Vec<usize> {
        let mut far = vec![usize::MAX; self.atlas.areas.len()];
        far[from] = 0;
        let mut queue = std::collections::VecDeque::from([from]);
        while let Some(area) = queue.pop_front() {
            for &(next, _) in &self.atlas.areas[area].next {
                if far[next] == usize::MAX {
                    far[next] = far[area] + 1;
                    queue.push_back(next);
                }
            }
        }
        far
    }

    fn nearest(&self, from: usize, open: impl Fn(usize) -> bool) -> Vec<usize> {
        let far = self.distances(from);
        let open: Vec<usize> = (0..far.len()).filter(|&area| area != from && open(area)).collect();
        let least = open.iter().map(|&area| far[area]).min();
        open.into_iter().filter(|&area| Some(far[area]) == least).collect()
    }

    /// H9-H11: where a block that leaves a City may go.
    fn refuges(&self, from: usize, block: usize, far: bool) -> Vec<usize> {
        let side = self.atlas.blocks[block].side;
        let regional = self.atlas.blocks[block].kind == Kind::Regional;
        let fits = |area: usize| {
            !regional || self.atlas.is_home(block, area) || self.world.has_chaperone(block, area)
        };
        if far && !regional {
            return self.nearest(from, |area| self.shelters(area, side));
        }
        let next = self.atlas.areas[from].next.iter().map(|&(next, _)| next);
        let near: Vec<usize> = next.filter(|&next| self.shelters(next, side) && fits(next)).collect();
        if !near.is_empty() || !regional {
            return near;
        }
        self.nearest(from, |area| self.world.is_friendly(area, side) && self.atlas.is_home(block, area))
    }

    fn surrender(&mut self, city: usize, besieged: usize, touched: &mut Vec<usize>) -> Play<()> {
        let from = self.atlas.cities[city].area;
        for gun in self.world.inside(city, besieged) {
            if self.atlas.is_gun(gun) {
                self.world.eliminate(gun);
            }
        }
        let next = &self.atlas.areas[from].next;
        let far = !next.iter().any(|&(next, _)| self.shelters(next, besieged));
        if far {
            for block in self.world.inside(city, besieged) {
                self.world.weaken(block);
            }
        }
        let mut pending = self.world.inside(city, besieged);
        if pending.is_empty() {
            return Ok(());
        }
        loop {
            let able: Vec<usize> =
                pending.iter().copied().filter(|&block| !self.refuges(from, block, far).is_empty()).collect();
            if able.is_empty() {
                self.ask(besieged, &["done".into()])?;
                for block in pending {
                    self.world.eliminate(block);
                }
                return Ok(());
            }
            let chosen = self.ask(besieged, &self.ids("retreat", &able))?;
            let block = self.block(&chosen["retreat ".len()..]);
            let refuges = self.refuges(from, block, far);
            let options: Vec<String> =
                refuges.iter().map(|&area| format!("to {}", self.atlas.areas[area].id)).collect();
            let chosen = self.ask(besieged, &options)?;
            let goal = self.atlas.area(&chosen["to ".len()..]);
            pending.retain(|&other| other != block);
            touched.push(goal);
            self.world.put(block, Place::Area(goal));
        }
    }
}
