//! Battles (7.1-7.5, 8.1): the Siege is maintained or not, Main Attack, Withdraw Before Battle, Rounds, End.

use super::fight::{Fight, Kind, Model};
use super::umpire::Play;

impl Model<'_> {
    /// 7.02: Battles, in the order of Player 1.
    pub(crate) fn battles(&mut self) -> Play<()> {
        loop {
            let areas: Vec<usize> =
                (0..self.atlas.areas.len()).filter(|&area| self.world.is_contested(area)).collect();
            let area = match areas.as_slice() {
                [] => return Ok(()),
                [area] => *area,
                _ => {
                    let options: Vec<String> =
                        areas.iter().map(|&area| format!("battle {}", self.atlas.areas[area].id)).collect();
                    let chosen = self.ask(self.world.first, &options)?;
                    self.atlas.area(&chosen["battle ".len()..])
                }
            };
            self.battle(area)?;
        }
    }

    fn battle(&mut self, area: usize) -> Play<()> {
        let defender = self.world.defender[area].expect("a Contested Area has a Defender");
        let attacker = 1 - defender;
        let city = self.atlas.fortress(area);
        let mut fight = Fight::new(Kind::Battle, area, city, attacker);
        self.world.fighting = Some(area);
        self.world.aside.clear();
        self.take_events(&mut fight);
        let relieved = city.filter(|&city| self.world.besieged[city]);
        let held = match relieved.filter(|&city| self.world.marker[city].is_some()) {
            Some(city) => self.maintain_or_break_off(area, city, defender)?,
            None => None,
        };
        self.main_attack(&mut fight)?;
        for block in self.world.outside(area, defender) {
            if held.as_ref().is_some_and(|held| held.contains(&block)) {
                continue;
            }
            if self.world.pieces[block].reserve {
                fight.reserve.push(block);
            } else {
                fight.fighting.push(block);
            }
        }
        fight.late = fight.reserve.clone();
        let withdrew = self.withdraw_before_battle(&mut fight)?;
        let loser = if withdrew {
            defender
        } else {
            if let Some(city) = relieved.filter(|_| held.is_none()) {
                self.join(&mut fight, city)?;
            }
            self.fight_to_the_end(&mut fight)?
        };
        self.end_battle(&fight, loser, relieved)
    }

    /// The Rounds and what decides (7.3, 7.5); the Loser.
    fn fight_to_the_end(&mut self, fight: &mut Fight) -> Play<usize> {
        let wiped = self.fight_rounds(fight)?;
        self.recover(fight);
        if let Some(side) = wiped {
            return Ok(side);
        }
        let left = [0, 1].map(|side| self.remaining(fight, side).len());
        let (attackers, defenders) = (left[fight.attacker], left[fight.defender()]);
        Ok(if attackers <= defenders { fight.attacker } else { fight.defender() })
    }

    /// 7.5-7.8.
    fn end_battle(&mut self, fight: &Fight, loser: usize, relieved: Option<usize>) -> Play<()> {
        let mut touched = vec![fight.area];
        self.retreat(fight, loser, relieved, &mut touched)?;
        self.world.sallied.clear();
        self.world.settle();
        self.regroup(fight, 1 - loser, &mut touched)?;
        for piece in &mut self.world.pieces {
            piece.reserve = piece.reserve && piece.place != super::world::Place::Area(fight.area);
        }
        self.world.fighting = None;
        self.world.settle();
        self.check_stranded(&touched);
        Ok(())
    }

    /// 8.1, G5, G6: the blocks that are held back, if the Siege is maintained.
    fn maintain_or_break_off(
        &mut self,
        area: usize,
        city: usize,
        besieger: usize,
    ) -> Play<Option<Vec<usize>>> {
        let size = self.atlas.cities[city].size;
        let besiegers = self.world.outside(area, besieger);
        let field = self.world.field(besiegers.clone()).len();
        let mut maintains = false;
        if besiegers.len() > size {
            let mut options = vec!["break".to_owned()];
            if field > size {
                options.push("maintain".into());
            }
            maintains = self.ask(besieger, &options)? == "maintain";
        }
        if !maintains {
            self.world.marker[city] = self.world.marker[city].and_then(|value| value.checked_sub(1));
            return Ok(None);
        }
        let mut held: Vec<usize> = Vec::new();
        loop {
            let held_field = self.world.field(held.clone()).len();
            let free: Vec<usize> = besiegers
                .iter()
                .copied()
                .filter(|&block| {
                    !held.contains(&block) && (self.atlas.is_gun(block) || held_field + 1 < field)
                })
                .collect();
            let mut options = self.ids("hold", &free);
            if held_field >= size {
                options.push("done".into());
            }
            let chosen = self.ask(besieger, &options)?;
            match chosen.strip_prefix("hold ") {
                Some(id) => held.push(self.block(id)),
                None => return Ok(Some(held)),
            }
        }
    }

    /// 7.1: blocks over one border fight Round 1, the others are Reserve.
    fn main_attack(&mut self, fight: &mut Fight) -> Play<()> {
        let attackers = self.world.outside(fight.area, fight.attacker);
        let mut borders: Vec<usize> =
            attackers.iter().map(|&block| self.world.pieces[block].from.expect("it attacked")).collect();
        borders.sort_unstable();
        borders.dedup();
        let main = if let [only] = borders[..] {
            only
        } else {
            let options: Vec<String> =
                borders.iter().map(|&from| format!("main {}", self.atlas.areas[from].id)).collect();
            let chosen = self.ask(fight.attacker, &options)?;
            self.atlas.area(&chosen["main ".len()..])
        };
        let (first, others) =
            attackers.iter().partition(|&&block| self.world.pieces[block].from == Some(main));
        fight.fighting.extend::<Vec<usize>>(first);
        fight.reserve.extend::<Vec<usize>>(others);
        Ok(())
    }

    /// 7.2: whether the Defender got away.
    fn withdraw_before_battle(&mut self, fight: &mut Fight) -> Play<bool> {
        let defender = fight.defender();
        if self.ask(defender, &["retire".into(), "fight".into()])? == "fight" {
            return Ok(false);
        }
        let defence = self.fighters(fight, defender);
        let horse = |model: &Self, side: usize| -> i32 {
            model.fighters(fight, side).iter().filter(|&&block| model.atlas.is_horse(block)).count() as i32
        };
        let (own, enemy) = (horse(self, defender), horse(self, fight.attacker));
        let (success, loss) = if own > 0 && enemy == 0 {
            (true, 0)
        } else if own == 0 && enemy > 0 {
            (false, 2)
        } else {
            let only_horse = own > 0 && own as usize == defence.len();
            let guns = defence.iter().any(|&block| self.atlas.is_gun(block));
            let die = i32::from(self.roll(1)?[0]) + i32::from(only_horse) - i32::from(guns) + own - enemy;
            match die {
                ..=1 => (false, 2),
                2 => (false, 1),
                3 => (false, 0),
                4 => (true, 2),
                5 => (true, 1),
                _ => (true, 0),
            }
        };
        for _ in 0..loss {
            let field = self.world.field(self.fighters(fight, defender));
            let mut able: Vec<usize> =
                field.iter().copied().filter(|&block| self.atlas.is_horse(block)).collect();
            if able.is_empty() {
                able = field;
            }
            if able.is_empty() {
                self.ask(defender, &["pass".into()])?;
                break;
            }
            let chosen = self.ask(defender, &self.ids("lose", &able))?;
            self.world.weaken(self.block(&chosen["lose ".len()..]));
        }
        if success {
            return Ok(true);
        }
        let defence = self.fighters(fight, defender);
        if !defence.is_empty() && defence.iter().all(|&block| self.atlas.is_horse(block)) {
            let foot = |block: &usize| {
                self.atlas.is_foot(*block) && self.atlas.blocks[*block].side == fight.attacker
            };
            let waiting: Vec<usize> = fight.fighting.iter().copied().filter(foot).collect();
            fight.fighting.retain(|block| !waiting.contains(block));
            fight.reserve.extend(&waiting);
            fight.late.extend(&waiting);
        }
        Ok(false)
    }

    /// 8.1, G8: the Besieged join as Reserve.
    fn join(&mut self, fight: &mut Fight, city: usize) -> Play<()> {
        let mut able = self.world.inside(city, fight.attacker);
        if able.is_empty() {
            return Ok(());
        }
        loop {
            let mut options = self.ids("join", &able);
            options.push("done".into());
            let chosen = self.ask(fight.attacker, &options)?;
            let Some(id) = chosen.strip_prefix("join ") else { break };
            let block = self.block(id);
            able.retain(|&other| other != block);
            fight.sallied.push(block);
            self.world.sallied.push(block);
            fight.reserve.push(block);
            fight.late.push(block);
        }
        Ok(())
    }

    /// 8.2, G11: a Sally where there is no Siege Marker is a Battle.
    pub(crate) fn sally_battle(&mut self, city: usize, sallying: &[usize]) -> Play<()> {
        let area = self.atlas.cities[city].area;
        let besieged = self.world.garrison(city).expect("the City is Besieged");
        let mut fight = Fight::new(Kind::SallyBattle, area, Some(city), besieged);
        self.world.fighting = Some(area);
        self.world.aside.clear();
        self.take_events(&mut fight);
        fight.sallied = sallying.to_vec();
        self.world.sallied = sallying.to_vec();
        fight.fighting = sallying.to_vec();
        let mut besiegers = self.world.outside(area, 1 - besieged);
        besiegers.retain(|&block| !self.world.pieces[block].tired);
        fight.fighting.extend(besiegers);
        let withdrew = self.withdraw_before_battle(&mut fight)?;
        let loser = if withdrew { 1 - besieged } else { self.fight_to_the_end(&mut fight)? };
        self.end_battle(&fight, loser, Some(city))
    }
}
