//! Siege Combat: bombardment from the City, Sallies (8.2).

use super::atlas::Atlas;
use super::fight::{Fight, Kind, Model};
use super::umpire::Play;

impl Model<'_> {
    /// 7.03, G10: Besieged Cities, each once, in the order of Player 1.
    pub(crate) fn siege_combat(&mut self) -> Play<()> {
        let mut resolved: Vec<usize> = Vec::new();
        loop {
            let cities: Vec<usize> = (0..self.atlas.cities.len())
                .filter(|&city| self.world.besieged[city] && !resolved.contains(&city))
                .collect();
            let city = match cities.as_slice() {
                [] => return Ok(()),
                [city] => *city,
                _ => {
                    let options: Vec<String> =
                        cities.iter().map(|&city| format!("siege {}", self.atlas.cities[city].id)).collect();
                    let chosen = self.ask(self.world.first, &options)?;
                    cities[options.iter().position(|option| *option == chosen).expect("an option")]
                }
            };
            resolved.push(city);
            self.besieged_part(city)?;
            if self.world.besieged[city] {
                self.besieger_part(city)?;
            }
        }
    }

    /// Besiegers that may take part (V7).
    pub(crate) fn besiegers(&self, city: usize, besieger: usize) -> Vec<usize> {
        let mut besiegers = self.world.outside(self.atlas.cities[city].area, besieger);
        besiegers.retain(|&block| !self.world.pieces[block].tired);
        besiegers
    }

    fn besieged_part(&mut self, city: usize) -> Play<()> {
        let besieged = self.world.garrison(city).expect("the City is Besieged");
        if self.world.marker[city].is_none() {
            let picked = self.pick_sally(city, besieged, false)?;
            return if picked.is_empty() { Ok(()) } else { self.sally_battle(city, &picked) };
        }
        self.fire_from_city(city, besieged)?;
        if !self.world.besieged[city] {
            return Ok(());
        }
        let picked = self.pick_sally(city, besieged, true)?;
        if picked.is_empty() { Ok(()) } else { self.sally(city, besieged, &picked) }
    }

    /// 8.2, G12: each gun may fire, at a block drawn of all besiegers.
    fn fire_from_city(&mut self, city: usize, besieged: usize) -> Play<()> {
        let area = self.atlas.cities[city].area;
        let mut guns = self.world.inside(city, besieged);
        guns.retain(|&block| self.atlas.is_gun(block));
        loop {
            let targets = self.besiegers(city, 1 - besieged);
            let mut options = if targets.is_empty() { Vec::new() } else { self.ids("fire", &guns) };
            options.push("done".into());
            let chosen = self.ask(besieged, &options)?;
            let Some(id) = chosen.strip_prefix("fire ") else { return Ok(()) };
            let gun = self.block(id);
            guns.retain(|&other| other != gun);
            let target = self.umpire.draw(&self.world, &targets)?;
            let fight = Fight::new(Kind::Sally, area, Some(city), besieged);
            let effectiveness = self.atlas.blocks[gun].effectiveness - 1;
            let hits = self.shoot(&fight, &[(gun, effectiveness)])?[0];
            for _ in 0..hits {
                if self.world.is_alive(target) {
                    self.world.weaken(target);
                }
            }
            if !self.world.besieged[city] {
                return Ok(());
            }
        }
    }

    /// Picks the blocks that sally: with a marker field blocks, without one any, one field block at least (G11, G13).
    fn pick_sally(&mut self, city: usize, besieged: usize, marked: bool) -> Play<Vec<usize>> {
        let mut able = self.world.inside(city, besieged);
        if marked {
            able = self.world.field(able);
        }
        let field = self.world.field(able.clone());
        if field.is_empty() {
            able = field;
        }
        let mut picked: Vec<usize> = Vec::new();
        loop {
            let mut options = self.ids("sally", &able);
            if picked.is_empty() || picked.iter().any(|&block| self.atlas.is_field(block)) {
                options.push("done".into());
            }
            let chosen = self.ask(besieged, &options)?;
            let Some(id) = chosen.strip_prefix("sally ") else { return Ok(picked) };
            let block = self.block(id);
            able.retain(|&other| other != block);
            picked.push(block);
        }
    }

    /// 8.2, G13: against as many besiegers, drawn.
    fn sally(&mut self, city: usize, besieged: usize, picked: &[usize]) -> Play<()> {
        let area = self.atlas.cities[city].area;
        let mut fight = Fight::new(Kind::Sally, area, Some(city), besieged);
        self.take_events(&mut fight);
        self.world.fighting = Some(area);
        self.world.sallied = picked.to_vec();
        let mut able = self.besiegers(city, 1 - besieged);
        fight.fighting = picked.to_vec();
        fight.sallied = picked.to_vec();
        if able.len() <= picked.len() {
            fight.fighting.extend(&able);
        } else {
            for _ in 0..picked.len() {
                let drawn = self.umpire.draw(&self.world, &able)?;
                able.retain(|&other| other != drawn);
                fight.fighting.push(drawn);
            }
        }
        self.fight_rounds(&mut fight)?;
        self.recover(&mut fight);
        self.world.sallied.clear();
        self.world.fighting = None;
        self.world.settle();
        self.check_stranded(&[area]);
        Ok(())
    }

    /// 8.3: mining, bombardment, storming.
    fn besieger_part(&mut self, city: usize) -> Play<()> {
        let besieger = 1 - self.world.garrison(city).expect("the City is Besieged");
        if self.besiegers(city, besieger).is_empty() {
            return Ok(());
        }
        let open = self.atlas.cities[city].class == "london" && !self.world.walls;
        let mut breach = false;
        if self.world.mining[besieger] {
            let chosen = self.ask(besieger, &["mine".into(), "pass".into()])?;
            if chosen == "mine" {
                self.world.mining[besieger] = false;
                breach = self.roll(1)?[0] >= 4;
            }
        }
        if !open && !breach {
            let guns = self.besiegers(city, besieger);
            let guns = guns.iter().filter(|&&block| self.atlas.is_gun(block));
            let strength: u32 = guns.map(|&gun| u32::from(self.world.pieces[gun].strength)).sum();
            let mut options = vec!["pass".to_owned()];
            if strength >= 2 {
                options.push("bombard".into());
            }
            if self.ask(besieger, &options)? == "bombard" {
                let least = match strength {
                    ..=4 => 6,
                    5..=7 => 5,
                    8..=10 => 4,
                    _ => 3,
                };
                breach = self.roll(1)?[0] >= least;
            }
        }
        self.storm(city, besieger, !(breach || open))
    }

    /// Picks the blocks that storm: as many as may (G17), of those that can.
    fn pick_stormers(&mut self, city: usize, besieger: usize, must: bool) -> Play<Vec<usize>> {
        let size = self.atlas.cities[city].size;
        let limit = if self.atlas.cities[city].id == "hull" { 1 } else { 2 * size };
        let mut able = self.world.field(self.besiegers(city, besieger));
        let mut picked = Vec::new();
        loop {
            let mut options = if picked.len() < limit { self.ids("storm", &able) } else { Vec::new() };
            if !(must && picked.is_empty()) {
                options.push("done".into());
            }
            let chosen = self.ask(besieger, &options)?;
            let Some(id) = chosen.strip_prefix("storm ") else { return Ok(picked) };
            let block = self.block(id);
            able.retain(|&other| other != block);
            picked.push(block);
        }
    }

    fn storm(&mut self, city: usize, besieger: usize, walls: bool) -> Play<()> {
        let area = self.atlas.cities[city].area;
        let picked = self.pick_stormers(city, besieger, false)?;
        if picked.is_empty() {
            return Ok(());
        }
        let mut fight = Fight::new(Kind::Storming, area, Some(city), besieger);
        fight.walls = walls;
        self.take_events(&mut fight);
        let besieged = 1 - besieger;
        fight.fighting = [picked, self.world.inside(city, besieged)].concat();
        let mut revealed = fight.fighting.clone();
        let mut shown = revealed.clone();
        for round in 1..=3 {
            fight.round = round;
            self.ask_stand(&mut fight, &revealed)?;
            self.storm_round(&mut fight)?;
            let able = self.world.field(self.besiegers(city, besieger));
            let defence = self.world.field(self.world.inside(city, besieged));
            if able.is_empty() || defence.is_empty() || round == 3 {
                break;
            }
            if self.ask(besieger, &["on".into(), "halt".into()])? == "halt" {
                break;
            }
            let stormers = self.fighters(&fight, besieger);
            // Guns are in Reserve, too, as far as anybody can see.
            if self.besiegers(city, besieger).iter().all(|block| stormers.contains(block)) {
                revealed = Vec::new();
                continue;
            }
            let picked = self.pick_stormers(city, besieger, true)?;
            // A face that was up stays up.
            revealed = picked.iter().copied().filter(|block| !shown.contains(block)).collect();
            shown.extend(&revealed);
            fight.fighting.retain(|&block| self.atlas.blocks[block].side == besieged);
            fight.fighting.extend(picked);
        }
        self.recover(&mut fight);
        self.end_storm(city, area, besieger);
        Ok(())
    }

    /// G18: guns in Round 1, the Besieged, the stormers.
    fn storm_round(&mut self, fight: &mut Fight) -> Play<()> {
        let (besieger, besieged) = (fight.attacker, fight.defender());
        let guns: fn(&Atlas, usize) -> bool = Atlas::is_gun;
        let field: fn(&Atlas, usize) -> bool = Atlas::is_field;
        for (side, of) in [(besieged, guns), (besieged, field), (besieger, field)] {
            if self.world.field(self.fighters(fight, 1 - side)).is_empty() {
                continue;
            }
            let mut shooters = self.fighters(fight, side);
            shooters.retain(|&block| of(self.atlas, block));
            if shooters.first().is_some_and(|&block| self.atlas.is_gun(block)) && fight.round > 1 {
                continue;
            }
            let effectiveness = |block: usize| {
                let plain = self.atlas.blocks[block].effectiveness;
                let more = i32::from(side == besieged && self.atlas.is_foot(block));
                plain + more - i32::from(fight.disfavours && self.atlas.is_horse(block))
            };
            let shots: Vec<(usize, i32)> =
                shooters.iter().map(|&block| (block, effectiveness(block))).collect();
            let hits = self.shoot(fight, &shots)?.iter().sum();
            self.take_hits(fight, 1 - side, hits, field)?;
        }
        Ok(())
    }

    /// G22, G23: the City falls, or the Siege, or neither.
    fn end_storm(&mut self, city: usize, area: usize, besieger: usize) {
        let besieged = 1 - besieger;
        if self.world.field(self.world.inside(city, besieged)).is_empty() {
            for gun in self.world.inside(city, besieged) {
                self.world.eliminate(gun);
            }
        }
        if self.world.field(self.world.outside(area, besieger)).is_empty() {
            for gun in self.world.outside(area, besieger) {
                self.world.eliminate(gun);
            }
        }
        self.check_stranded(&[area]);
    }
}
