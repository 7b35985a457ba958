//! Regional blocks on the move (6.16): whether an action can still be completed lawfully (E7).
//!
//! Invariant: whatever is picked or crosses, every block that would then stand outside its Home Region has
//! company that may stand there, or a border of its own to step home by, whatever the other seat answers.

use crate::seat::Seat;

use super::super::content::Way;
use super::super::state::{ACTING, MOVING, NONE, State, each};
use super::super::{ThisWar, rules};
use super::control::chaperoned;
use super::group_move::{Bar, Party};

impl ThisWar {
    /// Of `blocks`, the Regional ones that are outside home at `area` without any of `company`.
    pub(in super::super) fn unattended(&self, blocks: u64, area: u8, company: u64) -> u64 {
        each(blocks & self.content.regional)
            .filter(|&block| self.content.abroad(block, area) && !chaperoned(&self.content, block, company))
            .fold(0, |set, block| set | 1 << block)
    }

    /// Blocks of the action that have stopped where a party stands.
    pub(in super::super) fn stopped_at(&self, state: &State, party: Party) -> u64 {
        let own = state.out(&self.content, party.from, party.seat);
        if party.first { 0 } else { state.flagged(own, ACTING) }
    }

    /// Checks that a party may cross a border, by what refuses it; picks of `later` may still help.
    pub(in super::super) fn crossing(&self, state: &State, party: Party, way: &Way) -> Result<(), Bar> {
        self.may_cross(state, party.seat, party.from, way, party.blocks.count_ones())?;
        if !rules::REGIONAL_MOVES.on() {
            return Ok(());
        }
        let Err(bar) = self.together(state, party, way, 0) else { return Ok(()) };
        let regional = (party.blocks | party.rest) & self.content.regional;
        let guides = each(regional).fold(0, |set, block| set | self.content.blocks[block].chaperones);
        let guides = guides & party.later & !party.blocks;
        // Each set of guides who may still be picked, by the usual walk over the subsets of a set.
        let mut along = guides;
        while along != 0 {
            if along.count_ones() <= party.spare && self.together(state, party, way, along).is_ok() {
                return Ok(());
            }
            along = (along - 1) & guides;
        }
        Err(bar)
    }

    /// Checks that a party may cross with these guides, and with whom it can't leave behind.
    fn together(&self, state: &State, party: Party, way: &Way, along: u64) -> Result<(), Bar> {
        let going = party.blocks | along;
        let own = state.out(&self.content, way.to, party.seat);
        let there = going | state.flagged(own, ACTING | MOVING);
        let alone = self.unattended(going, way.to, there);
        let rest = party.rest & !going;
        let left = self.unattended(rest, party.from, rest | self.stopped_at(state, party));
        if alone | left == 0 {
            return self.may_cross(state, party.seat, party.from, way, going.count_ones());
        }
        // E5: a block may go on home if a chaperone made the first step, too; not where it has to stop.
        let passing = party.first && state.out(&self.content, way.to, party.seat.other()) == 0;
        let led = |block: usize| {
            let mut guides = each(self.content.blocks[block].chaperones).map(|guide| &state.blocks[guide]);
            guides.any(|guide| guide.flags & (ACTING | MOVING) != 0 && guide.via == way.to)
        };
        if !each(alone).all(|block| passing && led(block)) {
            return Err((rules::REGIONAL_MOVES, "NO_CHAPERONE"));
        }
        let mut after = state.clone();
        self.cross(&mut after, going, way, party.from);
        if self.homeless(&after, party.seat, way.to, [alone, 0, 0]) != 0 {
            return Err((rules::REGIONAL_MOVES, "NO_CHAPERONE"));
        }
        // Of those left behind as many as can step home; the others have to be picked, too, and have company there.
        let fixed = left & !party.later;
        let awkward = left & party.later & self.unattended(left, way.to, there);
        let stuck = self.homeless(&after, party.seat, party.from, [fixed, awkward, left & !fixed & !awkward]);
        if stuck & (fixed | awkward) != 0 || (along | stuck).count_ones() > party.spare {
            return Err((rules::REGIONAL_MOVES, "LEAVES_BEHIND"));
        }
        if stuck != 0 {
            return self.together(state, party, way, along | stuck);
        }
        self.may_cross(state, party.seat, party.from, way, going.count_ones())
    }

    /// Blocks go from an Area to a neighbour; what follows there is at once.
    pub(in super::super) fn cross(&self, state: &mut State, blocks: u64, way: &Way, from: u8) {
        let mover = each(blocks).next().map_or(Seat::new(0), |block| self.content.blocks[block].side);
        if state.out(&self.content, way.to, mover.other()) != 0 {
            let count = &mut state.crossed[usize::from(way.out)];
            *count = count.saturating_add(blocks.count_ones() as u8);
        }
        each(blocks).for_each(|block| state.put(block, way.to));
        state.touch(&self.content, from);
        state.touch(&self.content, way.to);
    }

    /// Of blocks at `at`, in the order of these sets, those for whom no border home is left: as few as can be, and of the later
    /// sets rather than of the earlier.
    pub(in super::super) fn homeless(&self, state: &State, seat: Seat, at: u8, blocks: [u64; 3]) -> u64 {
        let ways = &self.content.areas[usize::from(at)].ways;
        let room = |way: &Way, taken: u32| self.may_cross(state, seat, at, way, taken + 1).is_ok();
        let mut plan = Plan { by: [NONE; 64], used: [0; 64] };
        let mut stuck = 0;
        for block in blocks.into_iter().flat_map(each) {
            if !self.settle_home(ways, &mut plan, block, &mut 0, &room) {
                stuck |= 1 << block;
            }
        }
        stuck
    }

    /// Finds a border home for a block, moving others to other borders where that makes room.
    fn settle_home(
        &self,
        ways: &[Way],
        plan: &mut Plan,
        block: usize,
        seen: &mut u64,
        room: &impl Fn(&Way, u32) -> bool,
    ) -> bool {
        let home = self.content.blocks[block].home;
        for way in ways.iter().filter(|way| home >> way.to & 1 != 0) {
            if *seen >> way.to & 1 != 0 {
                continue;
            }
            *seen |= 1 << way.to;
            let to = usize::from(way.to);
            if room(way, plan.used[to]) {
                plan.used[to] += 1;
                plan.by[block] = way.to;
                return true;
            }
            for other in 0..plan.by.len() {
                if plan.by[other] == way.to && self.settle_home(ways, plan, other, seen, room) {
                    // The other went elsewhere: its place is free.
                    plan.by[block] = way.to;
                    return true;
                }
            }
        }
        false
    }
}

/// By which border each block steps home, and how many take each.
struct Plan {
    by: [u8; 64],
    used: [u32; 64],
}
