//! The Rounds of a Battle or Sally (7.3, 7.4, 8.2).

use super::atlas::Atlas;
use super::fight::{Fight, Kind, Model};
use super::umpire::Play;

impl Model<'_> {
    /// Three Rounds at most; the side that was wiped out, if that ended it.
    pub(crate) fn fight_rounds(&mut self, fight: &mut Fight) -> Play<Option<usize>> {
        for round in 1..=3 {
            fight.round = round;
            let revealed =
                if round == 1 { fight.fighting.clone() } else { std::mem::take(&mut fight.reserve) };
            if round > 1 {
                fight.fighting.extend(&revealed);
            }
            self.ask_stand(fight, &revealed)?;
            if round == 2 {
                self.ask_well(fight)?;
            }
            for side in [fight.defender(), fight.attacker] {
                self.fire_guns(fight, side)?;
            }
            for side in [fight.defender(), fight.attacker] {
                self.engage_horse(fight, side)?;
            }
            for side in [fight.defender(), fight.attacker] {
                self.engage_foot(fight, side)?;
            }
            if fight.kind == Kind::Sally {
                self.overrun(fight);
            }
            let wiped = [0, 1].map(|side| self.remaining(fight, side).is_empty());
            if wiped == [true, true] {
                return Ok(Some(fight.attacker));
            }
            if let Some(side) = wiped.iter().position(|wiped| *wiped) {
                return Ok(Some(side));
            }
            if round == 1 {
                self.swap_roles(fight);
            }
            if fight.kind == Kind::Sally && round < 3 {
                let go_on = self.ask(fight.attacker, &["on".into(), "halt".into()])?;
                if go_on == "halt" {
                    return Ok(None);
                }
            }
        }
        Ok(None)
    }

    /// 7.97: at the start of Round 2.
    fn ask_well(&mut self, fight: &mut Fight) -> Play<()> {
        for side in [fight.defender(), fight.attacker] {
            let mut guns = self.fighters(fight, side);
            guns.retain(|&block| self.atlas.is_gun(block));
            if fight.well[side] && !guns.is_empty() {
                let mut options = self.ids("gun", &guns);
                options.push("pass".into());
                let chosen = self.ask(side, &options)?;
                fight.gun[side] = chosen.strip_prefix("gun ").map(|id| self.block(id));
            }
        }
        Ok(())
    }

    /// 7.41: each gun declares, then one roll.
    fn fire_guns(&mut self, fight: &mut Fight, side: usize) -> Play<()> {
        let mut guns = self.fighters(fight, side);
        guns.retain(|&block| {
            self.atlas.is_gun(block) && (fight.round == 1 || fight.gun[side] == Some(block))
        });
        let enemies = self.fighters(fight, 1 - side);
        let horse = enemies.iter().any(|&block| self.atlas.is_horse(block));
        let foot = enemies.iter().any(|&block| self.atlas.is_foot(block));
        if guns.is_empty() || !(horse || foot) {
            return Ok(());
        }
        let mut aimed = Vec::new();
        for gun in guns {
            let at_horse = if horse && foot {
                let options = [self.ids("horse", &[gun]), self.ids("foot", &[gun])].concat();
                self.ask(side, &options)?.starts_with("horse")
            } else {
                horse
            };
            // 8.2: in a Sally one less, whatever is targeted.
            let less = if fight.kind == Kind::Sally { 1 } else { i32::from(at_horse) };
            aimed.push((gun, self.atlas.blocks[gun].effectiveness - less, at_horse));
        }
        let shots: Vec<(usize, i32)> =
            aimed.iter().map(|&(gun, effectiveness, _)| (gun, effectiveness)).collect();
        let hits = self.shoot(fight, &shots)?;
        let on = |horse: bool| -> usize {
            aimed
                .iter()
                .zip(&hits)
                .filter(|((.., at_horse), _)| *at_horse == horse)
                .map(|(_, hits)| *hits)
                .sum()
        };
        let (on_horse, on_foot) = (on(true), on(false));
        self.take_hits(fight, 1 - side, on_horse, Atlas::is_horse)?;
        self.take_hits(fight, 1 - side, on_foot, Atlas::is_foot)?;
        Ok(())
    }

    /// 7.42, 7.95.
    fn engage_horse(&mut self, fight: &mut Fight, side: usize) -> Play<()> {
        let mut horse = self.fighters(fight, side);
        horse.retain(|&block| self.atlas.is_horse(block));
        let enemies = self.fighters(fight, 1 - side);
        let against_horse = enemies.iter().any(|&block| self.atlas.is_horse(block));
        let against_foot = enemies.iter().any(|&block| self.atlas.is_foot(block));
        if horse.is_empty() || !(against_horse || against_foot) {
            return Ok(());
        }
        let more = i32::from(!against_horse) - i32::from(fight.disfavours);
        let effectiveness = |block: usize| self.atlas.blocks[block].effectiveness + more;
        let shots: Vec<(usize, i32)> = horse.iter().map(|&block| (block, effectiveness(block))).collect();
        let hits = self.shoot(fight, &shots)?.iter().sum();
        let target = if against_horse { Atlas::is_horse } else { Atlas::is_foot };
        self.take_hits(fight, 1 - side, hits, target)?;
        Ok(())
    }

    /// 7.44.
    fn engage_foot(&mut self, fight: &mut Fight, side: usize) -> Play<()> {
        let mut foot = self.fighters(fight, side);
        foot.retain(|&block| self.atlas.is_foot(block));
        let enemies = self.world.field(self.fighters(fight, 1 - side));
        if foot.is_empty() || enemies.is_empty() {
            return Ok(());
        }
        let effectiveness = |block: usize| self.atlas.blocks[block].effectiveness;
        let shots: Vec<(usize, i32)> = foot.iter().map(|&block| (block, effectiveness(block))).collect();
        let hits = self.shoot(fight, &shots)?.iter().sum();
        let excess = self.take_hits(fight, 1 - side, hits, Atlas::is_foot)?;
        self.take_hits(fight, 1 - side, excess, Atlas::is_horse)?;
        Ok(())
    }

    /// 8.2: a Round of a Sally ends without horse or foot among the Defending blocks.
    fn overrun(&mut self, fight: &Fight) {
        if self.remaining(fight, fight.defender()).is_empty() {
            for gun in self.fighters(fight, fight.defender()) {
                self.world.weaken(gun);
            }
        }
    }

    /// 7.1, T20: the Defending field blocks are gone but for the Reserve.
    fn swap_roles(&mut self, fight: &mut Fight) {
        let defence = self.world.field(self.fighters(fight, fight.defender()));
        let reserve = self.remaining(fight, fight.defender());
        if defence.is_empty() && !reserve.is_empty() {
            fight.attacker = fight.defender();
            self.world.defender[fight.area] = Some(fight.defender());
        }
    }
}
