//! The Tactical Phase (7.0) and the Supply Phase, one after the other.

use super::fight::Model;
use super::umpire::Play;

impl Model<'_> {
    /// From the Tactical events to the end of the Supply Phase.
    pub(crate) fn play(&mut self) -> Play<()> {
        for side in [self.world.first, 1 - self.world.first] {
            self.name_area(side)?;
        }
        self.battles()?;
        for piece in &mut self.world.pieces {
            piece.from = None;
        }
        self.siege_combat()?;
        self.supply_phase()?;
        super::umpire::compare(self.umpire.game, &self.umpire.state, &self.world)
    }

    /// 7.01, T1, T2.
    fn name_area(&mut self, side: usize) -> Play<()> {
        let event = self.world.event[side].clone();
        let tactical = [
            "advantageous-terrain",
            "determined-last-stand",
            "terrain-disfavours-cavalry",
            "well-positioned-artillery",
        ];
        if !tactical.contains(&event.as_str()) {
            return Ok(());
        }
        let mut options = vec!["decline".to_owned()];
        for area in 0..self.atlas.areas.len() {
            let besieged = self.atlas.fortress(area).filter(|&city| self.world.besieged[city]);
            let contested = self.world.is_contested(area);
            if !contested && besieged.is_none() {
                continue;
            }
            let defends = contested && self.world.defender[area] == Some(side);
            let sallied_upon = besieged.is_some_and(|city| self.world.garrison(city) == Some(1 - side));
            let stormed = besieged.is_some_and(|city| {
                let open = self.atlas.cities[city].class == "london" && !self.world.walls;
                self.world.garrison(city) == Some(side) && !open
            });
            if event != "advantageous-terrain" || defends || sallied_upon || stormed {
                options.push(format!("tactic {}", self.atlas.areas[area].id));
            }
        }
        if options.len() == 1 {
            return Ok(());
        }
        let chosen = self.ask(side, &options)?;
        self.world.named[side] = chosen.strip_prefix("tactic ").map(|id| self.atlas.area(id));
        Ok(())
    }
}
