//! Retreat and Regroup (7.6, 7.7).

use super::atlas::Kind;
use super::fight::{Fight, Model};
use super::umpire::Play;
use super::world::Place;

impl Model<'_> {
    fn place_id(&self, place: Place) -> String {
        match place {
            Place::Pool => "pool".into(),
            Place::Area(area) => format!("to {}", self.atlas.areas[area].id),
            Place::City(city) => format!("to {}", self.atlas.cities[city].id),
        }
    }

    /// V4: whether the enemy came by a border, and was the last to do so.
    fn is_closed(&self, area: usize, next: usize, side: usize) -> bool {
        let crossed = |by: usize| self.world.crossed.contains(&(next, area, by));
        crossed(1 - side) && !(crossed(side) && side != self.world.first)
    }

    fn goals(
        &self,
        fight: &Fight,
        block: usize,
        gone: &[(usize, usize)],
        relieved: Option<usize>,
    ) -> Vec<Place> {
        let side = self.atlas.blocks[block].side;
        let mut goals = Vec::new();
        for &(next, limit) in &self.atlas.areas[fight.area].next {
            let open = self.world.is_friendly(next, side) || self.world.is_vacant(next);
            let used = gone.iter().filter(|(_, to)| *to == next).count();
            let regional = self.atlas.blocks[block].kind == Kind::Regional;
            let allowed =
                !regional || self.atlas.is_home(block, next) || self.world.has_chaperone(block, next);
            if open && allowed && used < limit && !self.is_closed(fight.area, next, side) {
                goals.push(Place::Area(next));
            }
        }
        if let Some(city) = self.atlas.fortress(fight.area)
            && self.world.holder(city) == Some(side)
        {
            // 8.1, 8.2: those who came out of a Besieged City may go back, and no others; else it shelters the Defender.
            let may =
                if relieved.is_some() { fight.sallied.contains(&block) } else { side == fight.defender() };
            let mut within = self.world.inside(city, side);
            within.retain(|other| {
                !fight.sallied.contains(other) || gone.iter().any(|(block, _)| block == other)
            });
            let room = self.world.field(within).len() < self.atlas.cities[city].size;
            if may && (self.atlas.is_gun(block) || room) {
                goals.push(Place::City(city));
            }
        }
        goals
    }

    /// 7.6: the Loser places block by block; what can go nowhere dies.
    pub(crate) fn retreat(
        &mut self,
        fight: &Fight,
        loser: usize,
        relieved: Option<usize>,
        touched: &mut Vec<usize>,
    ) -> Play<()> {
        let mut pending = self.world.outside(fight.area, loser);
        pending.retain(|block| !self.world.aside.contains(block));
        pending.extend(
            fight
                .sallied
                .iter()
                .filter(|&&block| {
                    self.world.is_alive(block)
                        && self.atlas.blocks[block].side == loser
                        && !pending.contains(&block)
                })
                .copied()
                .collect::<Vec<_>>(),
        );
        if self.world.field(pending.clone()).is_empty() {
            for gun in pending {
                self.world.eliminate(gun);
            }
            return Ok(());
        }
        let mut gone: Vec<(usize, usize)> = Vec::new();
        if pending.is_empty() {
            return Ok(());
        }
        loop {
            let able: Vec<usize> = pending
                .iter()
                .copied()
                .filter(|&block| !self.goals(fight, block, &gone, relieved).is_empty())
                .collect();
            if able.is_empty() {
                self.ask(loser, &["done".into()])?;
                for block in pending {
                    self.world.eliminate(block);
                }
                return Ok(());
            }
            let chosen = self.ask(loser, &self.ids("retreat", &able))?;
            let block = self.block(&chosen["retreat ".len()..]);
            let goals = self.goals(fight, block, &gone, relieved);
            let options: Vec<String> = goals.iter().map(|&goal| self.place_id(goal)).collect();
            let chosen = self.ask(loser, &options)?;
            let goal = goals[options.iter().position(|option| *option == chosen).expect("it was an option")];
            pending.retain(|&other| other != block);
            if let Place::Area(area) = goal {
                touched.push(area);
                let sieging = self.atlas.fortress(area).is_some_and(|city| self.world.besieged[city]);
                self.world.pieces[block].tired = sieging;
                gone.push((block, area));
            } else {
                gone.push((block, usize::MAX));
            }
            self.world.put(block, goal);
        }
    }

    /// 7.7: the Victor names an Area, then blocks.
    pub(crate) fn regroup(&mut self, fight: &Fight, victor: usize, touched: &mut Vec<usize>) -> Play<()> {
        let mut able = [fight.fighting.clone(), fight.reserve.clone()].concat();
        able.retain(|&block| self.atlas.blocks[block].side == victor && self.world.is_alive(block));
        let next = self.atlas.areas[fight.area].next.iter().map(|&(next, _)| next);
        let open: Vec<usize> =
            next.filter(|&next| self.world.is_friendly(next, victor) || self.world.is_vacant(next)).collect();
        if able.is_empty() || open.is_empty() {
            return Ok(());
        }
        let mut options: Vec<String> =
            open.iter().map(|&area| format!("regroup {}", self.atlas.areas[area].id)).collect();
        options.push("pass".into());
        let chosen = self.ask(victor, &options)?;
        let Some(id) = chosen.strip_prefix("regroup ") else { return Ok(()) };
        let goal = self.atlas.area(id);
        touched.push(goal);
        let mut taken: Vec<usize> = Vec::new();
        loop {
            let legal: Vec<usize> = able
                .iter()
                .copied()
                .filter(|&block| {
                    !taken.contains(&block)
                        && (self.atlas.blocks[block].kind != Kind::Regional
                            || self.atlas.is_home(block, goal)
                            || taken.iter().any(|&leader| self.atlas.chaperones(leader, block)))
                })
                .collect();
            let mut options = self.ids("take", &legal);
            options.push("done".into());
            let chosen = self.ask(victor, &options)?;
            let Some(id) = chosen.strip_prefix("take ") else { break };
            taken.push(self.block(id));
        }
        for block in taken {
            self.world.put(block, Place::Area(goal));
        }
        Ok(())
    }
}
