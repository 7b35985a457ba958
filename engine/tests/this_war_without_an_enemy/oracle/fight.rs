//! The common parts of Battles, Sallies and Stormings: dice, hits, half-hits (7.4, 8.31, 7.91, 7.92), events (7.01).

use super::atlas::Atlas;
use super::umpire::{Play, Umpire};
use super::world::World;

/// A whole Tactical and Supply Phase, as the rulebook tells it.
pub(crate) struct Model<'a> {
    pub(crate) atlas: &'a Atlas,
    pub(crate) world: World<'a>,
    pub(crate) umpire: Umpire<'a>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Battle,
    /// A Sally where there is no Siege Marker (8.2).
    SallyBattle,
    Sally,
    Storming,
}

pub(crate) struct Fight {
    pub(crate) kind: Kind,
    pub(crate) area: usize,
    pub(crate) city: Option<usize>,
    pub(crate) attacker: usize,
    pub(crate) round: usize,
    /// Blocks that take part in the present Round; the dead stay in the list.
    pub(crate) fighting: Vec<usize>,
    pub(crate) reserve: Vec<usize>,
    /// Blocks that began in Reserve.
    pub(crate) late: Vec<usize>,
    /// Blocks that came out of the City for it.
    pub(crate) sallied: Vec<usize>,
    /// Blocks with a half-hit.
    pub(crate) half: Vec<usize>,
    /// 7.91, 7.92, 7.97, 7.95: events in force, by side, and for both.
    pub(crate) terrain: [bool; 2],
    pub(crate) stand: [bool; 2],
    pub(crate) well: [bool; 2],
    pub(crate) disfavours: bool,
    /// The block of a Determined Last Stand, and the gun that is well positioned.
    pub(crate) last: [Option<usize>; 2],
    pub(crate) gun: [Option<usize>; 2],
    /// 8.31 holds for the Besieged.
    pub(crate) walls: bool,
}

impl Fight {
    pub(crate) fn new(kind: Kind, area: usize, city: Option<usize>, attacker: usize) -> Self {
        Self {
            kind,
            area,
            city,
            attacker,
            round: 0,
            fighting: Vec::new(),
            reserve: Vec::new(),
            late: Vec::new(),
            sallied: Vec::new(),
            half: Vec::new(),
            terrain: [false; 2],
            stand: [false; 2],
            well: [false; 2],
            disfavours: false,
            last: [None; 2],
            gun: [None; 2],
            walls: false,
        }
    }

    pub(crate) fn defender(&self) -> usize {
        1 - self.attacker
    }
}

impl<'a> Model<'a> {
    pub(crate) fn ids(&self, verb: &str, blocks: &[usize]) -> Vec<String> {
        blocks.iter().map(|&block| format!("{verb} {}", self.atlas.blocks[block].id)).collect()
    }

    pub(crate) fn block(&self, id: &str) -> usize {
        self.atlas.blocks.iter().position(|block| block.id == id).expect("a block")
    }

    pub(crate) fn ask(&mut self, seat: usize, options: &[String]) -> Play<String> {
        self.umpire.ask(&self.world, seat, options)
    }

    pub(crate) fn roll(&mut self, dice: usize) -> Play<Vec<u8>> {
        self.umpire.roll(&self.world, dice)
    }

    /// 7.01, T1: the events that work in this fight.
    pub(crate) fn take_events(&mut self, fight: &mut Fight) {
        let unwalled = fight.kind == Kind::Storming
            && fight.city.is_some_and(|city| self.atlas.cities[city].class == "london")
            && !self.world.walls;
        for side in 0..2 {
            if self.world.named[side] != Some(fight.area) {
                continue;
            }
            let works = match self.world.event[side].as_str() {
                "advantageous-terrain" => side == fight.defender() && !unwalled,
                "well-positioned-artillery" => fight.kind != Kind::Storming,
                _ => true,
            };
            if !works {
                continue;
            }
            self.world.named[side] = None;
            match self.world.event[side].as_str() {
                "advantageous-terrain" => fight.terrain[side] = true,
                "well-positioned-artillery" => fight.well[side] = true,
                "determined-last-stand" => fight.stand[side] = true,
                "terrain-disfavours-cavalry" => fight.disfavours = true,
                _ => {}
            }
        }
    }

    /// Those of a side that take part in the Round and are alive.
    pub(crate) fn fighters(&self, fight: &Fight, side: usize) -> Vec<usize> {
        let mut blocks = fight.fighting.clone();
        blocks.retain(|&block| self.atlas.blocks[block].side == side && self.world.is_alive(block));
        blocks.sort_unstable();
        blocks
    }

    /// Field blocks of a side that are left in the fight, Reserve included (T19).
    pub(crate) fn remaining(&self, fight: &Fight, side: usize) -> Vec<usize> {
        let mut blocks = [fight.fighting.clone(), fight.reserve.clone()].concat();
        blocks.retain(|&block| self.atlas.blocks[block].side == side && self.world.is_alive(block));
        self.world.field(blocks)
    }

    fn has_terrain(&self, fight: &Fight, block: usize) -> bool {
        let side = self.atlas.blocks[block].side;
        side == fight.defender()
            && fight.terrain.contains(&true)
            && self.atlas.is_foot(block)
            && !fight.late.contains(&block)
            && !(fight.kind == Kind::Storming && fight.walls)
    }

    /// Returns whether two hits are needed for a strength.
    fn is_protected(&self, fight: &Fight, block: usize) -> bool {
        let side = self.atlas.blocks[block].side;
        let behind_walls = fight.kind == Kind::Storming && fight.walls && side == fight.defender();
        behind_walls || fight.last[side] == Some(block) || self.has_terrain(fight, block)
    }

    fn rounds_down(&self, fight: &Fight, block: usize) -> bool {
        let side = self.atlas.blocks[block].side;
        fight.last[side] != Some(block) && self.has_terrain(fight, block)
    }

    /// The dice of a block (7.4, 7.91, 8.31).
    pub(crate) fn dice(&self, fight: &Fight, block: usize) -> usize {
        let strength = usize::from(self.world.pieces[block].strength);
        let down = fight.half.contains(&block) && self.rounds_down(fight, block);
        strength - usize::from(down)
    }

    /// Rolls for blocks at their effectiveness; how many hits each has. Without dice nothing is rolled.
    pub(crate) fn shoot(&mut self, fight: &Fight, blocks: &[(usize, i32)]) -> Play<Vec<usize>> {
        let dice: Vec<usize> = blocks.iter().map(|&(block, _)| self.dice(fight, block)).collect();
        if dice.iter().sum::<usize>() == 0 {
            return Ok(vec![0; blocks.len()]);
        }
        let faces = self.roll(dice.iter().sum())?;
        let mut faces = faces.into_iter();
        let hits = |(&(_, effectiveness), dice): (&(usize, i32), usize)| {
            faces.by_ref().take(dice).filter(|&face| i32::from(face) <= effectiveness).count()
        };
        Ok(blocks.iter().zip(dice).map(hits).collect())
    }

    /// 7.4: hits on the strongest of a side that are of a kind, one by one; how many found nobody.
    pub(crate) fn take_hits(
        &mut self,
        fight: &mut Fight,
        side: usize,
        hits: usize,
        of: impl Fn(&Atlas, usize) -> bool,
    ) -> Play<usize> {
        for hit in 0..hits {
            let mut targets = self.fighters(fight, side);
            targets.retain(|&block| of(self.atlas, block));
            if targets.is_empty() {
                return Ok(hits - hit);
            }
            let target = match targets.iter().find(|block| fight.half.contains(block)) {
                Some(&block) => block,
                None => self.choose_strongest(side, &targets)?,
            };
            if !self.is_protected(fight, target) {
                self.world.weaken(target);
            } else if fight.half.contains(&target) {
                fight.half.retain(|&block| block != target);
                self.world.weaken(target);
            } else {
                fight.half.push(target);
            }
        }
        Ok(0)
    }

    fn choose_strongest(&mut self, side: usize, targets: &[usize]) -> Play<usize> {
        let strength = |block: &usize| self.world.pieces[*block].strength;
        let most = targets.iter().map(strength).max().expect("there is a target");
        let strongest: Vec<usize> = targets.iter().copied().filter(|block| strength(block) == most).collect();
        if strongest.len() == 1 {
            return Ok(strongest[0]);
        }
        let chosen = self.ask(side, &self.ids("hit", &strongest))?;
        Ok(self.block(&chosen["hit ".len()..]))
    }

    /// 7.92: one of the foot in the fight, when some of it is revealed.
    pub(crate) fn ask_stand(&mut self, fight: &mut Fight, revealed: &[usize]) -> Play<()> {
        for side in [fight.defender(), fight.attacker] {
            let mut foot = self.fighters(fight, side);
            foot.retain(|&block| self.atlas.is_foot(block));
            let shown = foot.iter().any(|block| revealed.contains(block));
            if !fight.stand[side] || fight.last[side].is_some() || !shown {
                continue;
            }
            let mut options = self.ids("stand", &foot);
            options.push("pass".into());
            let chosen = self.ask(side, &options)?;
            fight.last[side] = chosen.strip_prefix("stand ").map(|id| self.block(id));
        }
        Ok(())
    }

    /// 7.91, 8.31: half-hits at the end of a fight.
    pub(crate) fn recover(&mut self, fight: &mut Fight) {
        for block in std::mem::take(&mut fight.half) {
            let rounds_down = {
                fight.half.push(block);
                let down = self.rounds_down(fight, block);
                fight.half.clear();
                down
            };
            if self.world.is_alive(block) && rounds_down {
                self.world.weaken(block);
            }
        }
    }

    /// 7.82, E9: Regional blocks without a chaperone outside their home, in these Areas.
    pub(crate) fn check_stranded(&mut self, areas: &[usize]) {
        let stranded: Vec<usize> = (0..self.world.pieces.len())
            .filter(|&block| {
                self.world.area_of(block).is_some_and(|area| areas.contains(&area))
                    && self.world.is_stranded(block)
            })
            .collect();
        for block in stranded {
            self.world.eliminate(block);
        }
    }
}
