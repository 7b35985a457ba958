//! Knowledge of blocks that stand upright, as bags (RULINGS section 9 of the ledger, rule K1): everybody
//! knows which blocks a bag holds and the places of its members, not who is where.

use super::super::content::Content;
use super::super::state::{Block, POOL, SHOWN, State, TAKEN, each};

/// The properties of an upright block that everybody can see.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in super::super) struct ViewTracker {
    pub(in super::super) at: u8,
    pub(in super::super) flags: u16,
    pub(in super::super) by: u8,
}

impl Block {
    pub(in super::super) const fn sight(&self) -> ViewTracker {
        ViewTracker { at: self.at, flags: self.flags & !TAKEN, by: self.by }
    }
}

impl State {
    /// The blocks of a bag.
    pub(in super::super) fn bag(&self, content: &Content, bag: u8) -> u64 {
        (0..content.blocks.len()).filter(|&b| self.blocks[b].bag == bag).fold(0, |set, b| set | 1 << b)
    }

    /// Makes one bag of all bags that have a member in `set`.
    fn merge(&mut self, content: &Content, set: u64) {
        let bags = each(set).fold(0u64, |bags, block| bags | 1 << self.blocks[block].bag);
        if bags.count_ones() < 2 {
            return;
        }
        let first = bags.trailing_zeros() as usize;
        let sum =
            |at: usize, stir: &[[u8; 2]]| each(bags).fold(0u8, |sum, bag| sum.saturating_add(stir[bag][at]));
        let stir = [sum(0, &self.stir), sum(1, &self.stir)];
        each(bags).for_each(|bag| self.stir[bag] = [0; 2]);
        self.stir[first] = stir;
        for block in 0..content.blocks.len() {
            if bags >> self.blocks[block].bag & 1 != 0 {
                self.blocks[block].bag = first as u8;
            }
        }
    }

    /// Blocks are about to leave what they look like now: who of those that look so can't be told, unless all go.
    pub(in super::super) fn depart(&mut self, content: &Content, leaving: u64) {
        let mut left = leaving;
        while left != 0 {
            let block = left.trailing_zeros() as usize;
            let sight = self.blocks[block].sight();
            let side = content.of_side[content.blocks[block].side.index()];
            let alike = each(self.at(sight.at) & side)
                .filter(|&other| self.blocks[other].sight() == sight)
                .fold(0u64, |set, other| set | 1 << other);
            if self.blocks[block].flags & SHOWN == 0 && alike & !leaving != 0 {
                self.merge(content, alike);
            }
            left &= !(alike | 1 << block);
        }
    }

    /// Strength of some upright blocks at a place has changed, up or down: which of them can't be told.
    pub(in super::super) fn stirred(&mut self, content: &Content, block: usize, up: bool, by: u8) {
        if self.blocks[block].flags & SHOWN != 0 {
            return;
        }
        let side = content.of_side[content.blocks[block].side.index()];
        let here = self.at(self.blocks[block].at) & side;
        self.last = Some((self.blocks[block].at, up));
        self.merge(content, here & !self.flagged(here, SHOWN));
        let stir = &mut self.stir[usize::from(self.blocks[block].bag)][usize::from(!up)];
        *stir = stir.saturating_add(by);
    }

    /// Turns blocks up: they are known one by one.
    pub(in super::super) fn reveal(&mut self, content: &Content, blocks: u64) {
        for block in each(blocks) {
            let bag = self.blocks[block].bag;
            let rest = self.bag(content, bag) & !(1 << block);
            let stir = std::mem::take(&mut self.stir[usize::from(bag)]);
            let (seen, strength) = (self.blocks[block].seen, self.blocks[block].strength);
            self.blocks[block].bag = block as u8;
            self.blocks[block].seen = strength;
            self.blocks[block].flags |= SHOWN;
            if rest != 0 {
                let first = rest.trailing_zeros() as usize;
                each(rest).for_each(|other| self.blocks[other].bag = first as u8);
                let [up, down] = stir;
                self.stir[first] = [
                    up.saturating_sub(strength.saturating_sub(seen)),
                    down.saturating_sub(seen.saturating_sub(strength)),
                ];
            }
        }
    }

    /// Takes strength from a block; at none left it goes to the pool. Upright, others learn that one at this place has lost it.
    pub(in super::super) fn weaken(&mut self, content: &Content, block: usize, by: u8) {
        self.stirred(content, block, false, by);
        let strength = self.blocks[block].strength.saturating_sub(by);
        self.blocks[block].strength = strength;
        if self.blocks[block].flags & SHOWN != 0 {
            self.blocks[block].seen = strength;
        }
        if strength == 0 {
            self.eliminate(content, block);
        }
    }

    /// 7.8: a block goes to the pool.
    pub(in super::super) fn eliminate(&mut self, content: &Content, block: usize) {
        let shown = self.blocks[block].flags & SHOWN != 0;
        if !shown {
            self.depart(content, 1 << block);
        }
        let area = content.area_of(self.blocks[block].at);
        self.put(block, POOL);
        let old = self.blocks[block];
        self.blocks[block] = Block {
            at: POOL,
            strength: 0,
            flags: 0,
            by: super::super::state::NONE,
            began: super::super::state::NONE,
            via: super::super::state::NONE,
            seen: if shown { 0 } else { old.seen },
            bag: old.bag,
        };
        // Of a bag that is in the pool as a whole nothing is left to be known.
        let bag = self.bag(content, old.bag);
        if bag & !self.at(POOL) == 0 {
            each(bag).for_each(|block| self.blocks[block].seen = 0);
            self.stir[usize::from(old.bag)] = [0; 2];
        }
        if let Some(area) = area {
            self.touch(content, area);
        }
    }

    /// Adds a point of strength to an upright block.
    pub(in super::super) fn strengthen(&mut self, content: &Content, block: usize) {
        self.stirred(content, block, true, 1);
        self.blocks[block].strength += 1;
    }
}
