//! Knowledge of blocks that stand upright, as bags (RULINGS section 9 of the ledger, rule K1): everybody
//! knows which blocks a bag holds and the places of its members, not who is where.

use crate::numbered::Listed;
use crate::reference::Ref;
use crate::seat::Seat;
use crate::view::{HiddenSet, Phrase, PieceGroup};

use super::super::content::Content;
use super::super::content::things::{AreaId, BlockId, BlockSet, Place};
use super::super::state::{BLOCKS, Block, Flags, State};
use super::back_group;

/// The properties of an upright block that everybody can see.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in super::super) struct Sight {
    pub(in super::super) at: Place,
    pub(in super::super) flags: Flags,
    pub(in super::super) by: Option<AreaId>,
}

impl Block {
    pub(in super::super) fn sight(&self) -> Sight {
        Sight { at: self.at, flags: self.flags - Flags::TAKEN, by: self.by }
    }
}

/// Tells the upright blocks of a side by their bags. Bags that are whole at one place, with nothing open, are told together.
pub(super) fn tell(content: &Content, state: &State, side: Seat, sets: &mut Vec<HiddenSet>) {
    let own = content.of_side[side.index()];
    let upright = own - state.flagged(own, Flags::SHOWN);
    let mut bags = [BlockSet::EMPTY; BLOCKS];
    for block in upright {
        bags[state.blocks[block].bag].insert(block);
    }
    let mut told = BlockSet::EMPTY;
    for bag in upright.iter().map(|block| state.blocks[block].bag) {
        let members = bags[bag] - told;
        let Some(first) = members.first() else { continue };
        told |= members;
        let sight = state.blocks[first].sight();
        let is_plain = |bag: BlockId, members: BlockSet| {
            state.stir[bag] == [0; 2] && members.iter().all(|block| state.blocks[block].sight() == sight)
        };
        if !is_plain(bag, members) {
            sets.push(told_bag(state, side, members, state.stir[bag]));
            continue;
        }
        let mut together = members;
        for block in upright - told {
            let other = state.blocks[block].bag;
            if !told.contains(block) && is_plain(other, bags[other]) {
                together |= bags[other];
                told |= bags[other];
            }
        }
        sets.push(told_bag(state, side, together, [0; 2]));
    }
}

/// The blocks of a bag, or of several, over the places where they stand; what its strength gained and lost unseen.
fn told_bag(state: &State, side: Seat, members: BlockSet, [gained, lost]: [u8; 2]) -> HiddenSet {
    let mut places: Vec<(PieceGroup, u16)> = Vec::new();
    for block in members {
        let group = back_group(state.blocks[block].sight(), side);
        match places.binary_search_by_key(&group, |&(group, _)| group) {
            Ok(at) => places[at].1 += 1,
            Err(at) => places.insert(at, (group, 1)),
        }
    }
    let fact = |(code, number): (&'static str, u8)| {
        (number > 0).then(|| Phrase::new(code, &[Ref::Number(number.into())]))
    };
    HiddenSet {
        owner: Some(side),
        by: None,
        faces: members.iter().map(|b| (Ref::from(b), Some(state.blocks[b].seen.into()))).collect(),
        places,
        facts: [("gained", gained), ("lost", lost)].into_iter().filter_map(fact).collect(),
    }
}

impl State {
    /// The blocks of a bag.
    pub(in super::super) fn bag(&self, content: &Content, bag: BlockId) -> BlockSet {
        BlockId::all(content).filter(|&b| self.blocks[b].bag == bag).collect()
    }

    /// Makes one bag of all bags that have a member in `set`.
    fn merge(&mut self, content: &Content, set: BlockSet) {
        let bags: BlockSet = set.iter().map(|block| self.blocks[block].bag).collect();
        let Some(first) = bags.first().filter(|_| bags.count() > 1) else { return };
        let sum =
            |at: usize, stir: &[[u8; 2]]| bags.iter().fold(0u8, |sum, bag| sum.saturating_add(stir[bag][at]));
        let stir = [sum(0, &self.stir), sum(1, &self.stir)];
        bags.iter().for_each(|bag| self.stir[bag] = [0; 2]);
        self.stir[first] = stir;
        for block in BlockId::all(content) {
            if bags.contains(self.blocks[block].bag) {
                self.blocks[block].bag = first;
            }
        }
    }

    /// Parts the bags that nobody tells from others any more: all of their blocks look alike, and nothing of their strength is open.
    pub(in super::super) fn part_plain_bags(&mut self, content: &Content) {
        let mut left: BlockSet =
            BlockId::all(content).filter(|&block| self.blocks[block].bag != block).collect();
        while let Some(block) = left.first() {
            let bag = self.blocks[block].bag;
            let members = self.bag(content, bag);
            left -= members;
            let sight = self.blocks[block].sight();
            if self.stir[bag] == [0; 2] && members.iter().all(|other| self.blocks[other].sight() == sight) {
                members.iter().for_each(|other| self.blocks[other].bag = other);
            }
        }
    }

    /// Blocks are about to leave what they look like now: who of those that look so can't be told, unless all go.
    pub(in super::super) fn depart(&mut self, content: &Content, leaving: BlockSet) {
        let mut left = leaving;
        while let Some(block) = left.first() {
            let sight = self.blocks[block].sight();
            let side = content.of_side[content.blocks[block].side.index()];
            let alike = (self.at(sight.at) & side)
                .iter()
                .filter(|&other| self.blocks[other].sight() == sight)
                .collect::<BlockSet>();
            if !self.blocks[block].flags.contains(Flags::SHOWN) && !(alike - leaving).is_empty() {
                self.merge(content, alike);
            }
            left -= alike | BlockSet::one(block);
        }
    }

    /// Strength of some upright blocks at a place has changed, up or down: which of them can't be told.
    pub(in super::super) fn stirred(&mut self, content: &Content, block: BlockId, up: bool, by: u8) {
        if self.blocks[block].flags.contains(Flags::SHOWN) {
            return;
        }
        let side = content.of_side[content.blocks[block].side.index()];
        let here = self.at(self.blocks[block].at) & side;
        self.last = Some((self.blocks[block].at, up));
        self.merge(content, here - self.flagged(here, Flags::SHOWN));
        let stir = &mut self.stir[self.blocks[block].bag][usize::from(!up)];
        *stir = stir.saturating_add(by);
    }

    /// Turns blocks up: they are known one by one.
    pub(in super::super) fn reveal(&mut self, content: &Content, blocks: BlockSet) {
        for block in blocks.iter() {
            let bag = self.blocks[block].bag;
            let rest = self.bag(content, bag) - BlockSet::one(block);
            let stir = std::mem::take(&mut self.stir[bag]);
            let (seen, strength) = (self.blocks[block].seen, self.blocks[block].strength);
            self.blocks[block].bag = block;
            self.blocks[block].seen = strength;
            self.blocks[block].flags |= Flags::SHOWN;
            if let Some(first) = rest.first() {
                rest.iter().for_each(|other| self.blocks[other].bag = first);
                let [up, down] = stir;
                self.stir[first] = [
                    up.saturating_sub(strength.saturating_sub(seen)),
                    down.saturating_sub(seen.saturating_sub(strength)),
                ];
            }
        }
    }

    /// Takes strength from a block; at none left it goes to the pool. Upright, others learn that one at this place has lost it.
    pub(in super::super) fn weaken(&mut self, content: &Content, block: BlockId, by: u8) {
        self.stirred(content, block, false, by);
        let strength = self.blocks[block].strength.saturating_sub(by);
        self.blocks[block].strength = strength;
        if self.blocks[block].flags.contains(Flags::SHOWN) {
            self.blocks[block].seen = strength;
        }
        if strength == 0 {
            self.eliminate(content, block);
        }
    }

    /// 7.8: a block goes to the pool.
    pub(in super::super) fn eliminate(&mut self, content: &Content, block: BlockId) {
        let shown = self.blocks[block].flags.contains(Flags::SHOWN);
        if !shown {
            self.depart(content, BlockSet::one(block));
        }
        let area = content.area_of(self.blocks[block].at);
        self.put(block, Place::POOL);
        let old = self.blocks[block];
        let seen = if shown { 0 } else { old.seen };
        self.blocks[block] = Block { seen, ..Block::pooled(old.bag) };
        // Of a bag that is in the pool as a whole nothing is left to be known.
        let bag = self.bag(content, old.bag);
        if (bag - self.at(Place::POOL)).is_empty() {
            bag.iter().for_each(|block| self.blocks[block].seen = 0);
            self.stir[old.bag] = [0; 2];
        }
        if let Some(area) = area {
            self.touch(content, area);
        }
    }

    /// Adds a point of strength to an upright block.
    pub(in super::super) fn strengthen(&mut self, content: &Content, block: BlockId) {
        self.stirred(content, block, true, 1);
        self.blocks[block].strength += 1;
    }
}
