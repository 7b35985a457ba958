//! Regional blocks on the move (6.16): whether an action can still be completed lawfully (E7).
//!
//! Invariant: whatever is picked or crosses, every block that would then stand outside its Home Region has
//! company that may stand there, or a border of its own to step home by, whatever the other seat answers.

use std::ops::BitOr;

use crate::numbered::Listed;
use crate::seat::Seat;

use super::super::content::things::{AreaId, AreaSet, BlockId, BlockSet};
use super::super::content::{AREAS_MAX, Way};
use super::super::state::{BLOCKS, Flags, State};
use super::super::{ThisWar, rules};
use super::control::chaperoned;
use super::group_move::{Bar, Party};

impl ThisWar {
    /// Of `blocks`, the Regional ones that are outside home at `area` without any of `company`.
    pub(in super::super) fn unattended(&self, blocks: BlockSet, area: AreaId, company: BlockSet) -> BlockSet {
        (blocks & self.content.regional)
            .that(|block| self.content.abroad(block, area) && !chaperoned(&self.content, block, company))
    }

    /// Blocks of the action that have stopped where a party stands.
    pub(in super::super) fn stopped_at(&self, state: &State, party: Party) -> BlockSet {
        let own = state.out(&self.content, party.from, party.seat);
        if party.first { BlockSet::EMPTY } else { state.flagged(own, Flags::ACTING) }
    }

    /// Checks that a party may cross a border, by what refuses it; picks of `later` may still help.
    pub(in super::super) fn crossing(&self, state: &State, party: Party, way: &Way) -> Result<(), Bar> {
        self.may_cross(state, party.seat, party.from, way, party.blocks.count())?;
        let Err(bar) = self.together(state, party, way, BlockSet::EMPTY) else { return Ok(()) };
        if rules::REGIONAL_MOVES.allows(false) {
            return Ok(());
        }
        let regional = (party.blocks | party.rest) & self.content.regional;
        let guides = regional.iter().map(|block| self.content.blocks[block].chaperones);
        let guides = guides.fold(BlockSet::EMPTY, BitOr::bitor) & (party.later - party.blocks);
        // Each set of guides who may still be picked, by the usual walk over the subsets of a set.
        let mut along = guides;
        while !along.is_empty() {
            if along.count() <= party.spare && self.together(state, party, way, along).is_ok() {
                return Ok(());
            }
            along = BlockSet::of_bits(along.bits() - 1) & guides;
        }
        Err(bar)
    }

    /// Checks that a party may cross with these guides, and with whom it can't leave behind.
    fn together(&self, state: &State, party: Party, way: &Way, along: BlockSet) -> Result<(), Bar> {
        let going = party.blocks | along;
        let own = state.out(&self.content, way.to, party.seat);
        let there = going | state.flagged(own, Flags::ACTING | Flags::MOVING);
        let alone = self.unattended(going, way.to, there);
        let rest = party.rest - going;
        let left = self.unattended(rest, party.from, rest | self.stopped_at(state, party));
        if (alone | left).is_empty() {
            return self.may_cross(state, party.seat, party.from, way, going.count());
        }
        // E5: a block may go on home if a chaperone made the first step, too; not where it has to stop.
        let passing = party.first && state.out(&self.content, way.to, party.seat.other()).is_empty();
        let led = |block: BlockId| {
            let mut guides = self.content.blocks[block].chaperones.iter().map(|guide| &state.blocks[guide]);
            guides.any(|guide| {
                guide.flags.intersects(Flags::ACTING | Flags::MOVING) && guide.via == Some(way.to)
            })
        };
        if !alone.iter().all(|block| passing && led(block)) {
            return Err((rules::REGIONAL_MOVES, "NO_CHAPERONE"));
        }
        let mut after = state.clone();
        self.cross(&mut after, going, way, party.from);
        let none = BlockSet::EMPTY;
        if !self.homeless(&after, party.seat, way.to, [alone, none, none]).is_empty() {
            return Err((rules::REGIONAL_MOVES, "NO_CHAPERONE"));
        }
        // Of those left behind as many as can step home; the others have to be picked, too, and have company there.
        let fixed = left - party.later;
        let awkward = left & party.later & self.unattended(left, way.to, there);
        let stuck = self.homeless(&after, party.seat, party.from, [fixed, awkward, left - fixed - awkward]);
        if stuck.meets(fixed | awkward) || (along | stuck).count() > party.spare {
            return Err((rules::REGIONAL_MOVES, "LEAVES_BEHIND"));
        }
        if !stuck.is_empty() {
            return self.together(state, party, way, along | stuck);
        }
        self.may_cross(state, party.seat, party.from, way, going.count())
    }

    /// Blocks go from an Area to a neighbour; what follows there is at once.
    pub(in super::super) fn cross(&self, state: &mut State, blocks: BlockSet, way: &Way, from: AreaId) {
        let mover = blocks.iter().next().map_or(Seat::new(0), |block| self.content.blocks[block].side);
        if !state.out(&self.content, way.to, mover.other()).is_empty() {
            let count = &mut state.crossed[way.out];
            *count = count.saturating_add(blocks.count() as u8);
        }
        blocks.iter().for_each(|block| state.put(block, way.to.into()));
        state.touch(&self.content, from);
        state.touch(&self.content, way.to);
    }

    /// Of blocks at `at`, in the order of these sets, those for whom no border home is left: as few as can be, and of the later
    /// sets rather than of the earlier.
    pub(in super::super) fn homeless(
        &self,
        state: &State,
        seat: Seat,
        at: AreaId,
        blocks: [BlockSet; 3],
    ) -> BlockSet {
        let ways = &self.content.areas[at].ways;
        let room = |way: &Way, taken: u32| self.may_cross(state, seat, at, way, taken + 1).is_ok();
        let mut plan = Plan { by: [None; BLOCKS], used: [0; AREAS_MAX] };
        let mut stuck = BlockSet::EMPTY;
        for block in blocks.into_iter().flatten() {
            if !self.settle_home(ways, &mut plan, block, &mut AreaSet::default(), &room) {
                stuck |= BlockSet::one(block);
            }
        }
        stuck
    }

    /// Finds a border home for a block, moving others to other borders where that makes room.
    fn settle_home(
        &self,
        ways: &[Way],
        plan: &mut Plan,
        block: BlockId,
        seen: &mut AreaSet,
        room: &impl Fn(&Way, u32) -> bool,
    ) -> bool {
        let home = self.content.blocks[block].home;
        for way in ways.iter().filter(|way| home.contains(way.to)) {
            if seen.contains(way.to) {
                continue;
            }
            seen.insert(way.to);
            if room(way, plan.used[way.to]) {
                plan.used[way.to] += 1;
                plan.by[block] = Some(way.to);
                return true;
            }
            for other in BlockId::all(&self.content) {
                if plan.by[other] == Some(way.to) && self.settle_home(ways, plan, other, seen, room) {
                    // The other went elsewhere: its place is free.
                    plan.by[block] = Some(way.to);
                    return true;
                }
            }
        }
        false
    }
}

/// By which border each block steps home, and how many take each.
struct Plan {
    by: [Option<AreaId>; BLOCKS],
    used: [u32; AREAS_MAX],
}
