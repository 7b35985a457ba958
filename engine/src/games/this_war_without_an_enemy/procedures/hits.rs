//! Hits (7.4, 7.91, 7.92, 8.31): who takes them, and how many a block can take.

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::reference::Ref;
use crate::refusal::Why;

use super::super::actions::{Action, offer_each};
use super::super::content::things::{BlockId, BlockSet, Place};
use super::super::state::{Fight, FightKind, Flags, State};
use super::super::{ThisWar, rules};
use super::dice::{ON_FOOT, ON_HORSE};
use crate::seat::Seat;

impl ThisWar {
    /// The blocks among which the next hit is taken.
    pub(in super::super) fn offer_hit(
        &self,
        state: &State,
        _: Seat,
        fight: &Fight,
        offer: &mut impl FnMut(Action),
    ) {
        offer_each(self.struck(state, fight), Action::Hit, offer);
    }

    /// 7.4: one of the strongest.
    pub(in super::super) fn examine_hit(
        &self,
        state: &State,
        _: Seat,
        fight: &Fight,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let Action::Hit(block) = action else { return why.refuse(CONTRACT, "NOT_NOW") };
        why.require(
            self.struck(state, fight).contains(block),
            rules::STRONGEST,
            "NOT_STRONGEST",
            &[block.into()],
        )
    }

    pub(in super::super) fn apply_hit(
        &self,
        state: &mut State,
        _: Seat,
        _: &Fight,
        action: Action,
        out: &mut Events,
    ) {
        let Action::Hit(block) = action else { unreachable!("an illegal action of a fight") };
        self.hit(state, block, out);
    }

    /// 7.4, 8.31: the blocks among which the next hit is taken, of the first kind that is owed.
    pub(in super::super) fn struck(&self, state: &State, fight: &Fight) -> BlockSet {
        let Some(on) = (0..3).find(|&on| fight.hits[on] > 0) else { return BlockSet::EMPTY };
        let set = self.targets(state, fight, on);
        let halved = set & fight.halves;
        if rules::HALF_HITS.applies(!halved.is_empty()) {
            return halved;
        }
        let half = |block: BlockId| u32::from(fight.halves.contains(block));
        let value = |block: BlockId| 2 * u32::from(state.blocks[block].strength) - half(block);
        let most = set.iter().map(value).max().unwrap_or(0);
        set.that(|block| rules::STRONGEST.allows(value(block) == most))
    }

    /// The next hit: taken by the one block that can, or asked about.
    pub(in super::super) fn next_hit(&self, state: &mut State, fight: &Fight, out: &mut Events) -> bool {
        let struck = self.struck(state, fight);
        match (struck.count(), struck.first()) {
            (_, None) => {
                let mut next = *fight;
                if let Some(hits) = next.hits.iter_mut().find(|hits| **hits > 0) {
                    *hits = 0;
                }
                state.fight = Some(next);
            }
            (1, Some(block)) => self.hit(state, block, out),
            _ => return false,
        }
        true
    }

    /// The strength that a block has left; none in the pool.
    pub(in super::super) fn left(&self, state: &State, block: BlockId) -> i32 {
        let entry = &state.blocks[block];
        if entry.at == Place::POOL { 0 } else { entry.strength.into() }
    }

    /// 7.4: a block takes a hit, or a half-hit.
    pub(in super::super) fn hit(&self, state: &mut State, block: BlockId, out: &mut Events) {
        let mut fight = state.ongoing_fight();
        let scene = Scene::open(self, state, 2, out);
        if let Some(hits) = fight.hits.iter_mut().find(|hits| **hits > 0) {
            *hits -= 1;
        }
        let halved = fight.halves.contains(block);
        let half = self.protected(state, &fight, block) && !halved;
        if half {
            fight.halves |= BlockSet::one(block);
            state.fight = Some(fight);
        } else {
            fight.halves -= BlockSet::one(block);
            state.fight = Some(fight);
            state.weaken(&self.content, block, 1);
        }
        let left = self.left(state, block);
        let piece = Ref::from(block);
        scene.publish(self, state, out, || match left {
            left if !half => Event::new("hit", rules::STRONGEST, &[piece, Ref::Number(left)]),
            1 => Event::new("half_hit", rules::STRONGEST, &[piece]),
            // Whole points that are left beside the half.
            left => Event::new("half_hit", rules::STRONGEST, &[piece, Ref::Number(left - 1)]),
        });
    }

    /// 7.91, 7.92, 8.31: whether two hits are needed for a block's strength.
    pub(in super::super) fn protected(&self, state: &State, fight: &Fight, block: BlockId) -> bool {
        let side = self.content.blocks[block].side;
        if fight.stand[side.index()] == Some(block) {
            return true;
        }
        if side != fight.defender() {
            return false;
        }
        let terrain = fight.force & (Fight::ADVANTAGE | Fight::ADVANTAGE << 1) != 0;
        let positional = terrain
            && self.content.foot.contains(block)
            && (rules::ADVANTAGE_RESERVE.allows(!state.blocks[block].flags.contains(Flags::LATE)));
        let walls = rules::FORTIFIED.applies(fight.kind == FightKind::Storm && !fight.breach);
        positional || walls
    }

    /// Hits that a block can take before it is gone.
    pub(in super::super) fn life(&self, state: &State, fight: &Fight, block: BlockId) -> u32 {
        let strength = u32::from(state.blocks[block].strength);
        let half = u32::from(fight.halves.contains(block));
        if self.protected(state, fight, block) { 2 * strength - half } else { strength }
    }

    /// Returns the blocks on which hits fall.
    pub(in super::super) fn targets(&self, state: &State, fight: &Fight, on: usize) -> BlockSet {
        let own = self.fighters(state, fight, fight.struck, Flags::FIGHTING);
        let (horse, foot) = (own & self.content.horse, own & self.content.foot);
        match on {
            ON_HORSE => horse,
            ON_FOOT if foot.is_empty() && fight.spill => horse,
            ON_FOOT => foot,
            _ => horse | foot,
        }
    }

    /// 7.92, 8.31: whether a block's halves are rounded up.
    pub(in super::super) fn rounds_up(&self, _: &State, fight: &Fight, block: BlockId) -> bool {
        let side = self.content.blocks[block].side;
        let walls = fight.kind == FightKind::Storm && !fight.breach && side == fight.defender();
        fight.stand[side.index()] == Some(block) || walls
    }

    /// The hits of each kind that can still be taken.
    pub(in super::super) fn capacity(&self, state: &State, fight: &Fight, on: usize) -> u32 {
        let own = self.fighters(state, fight, fight.struck, Flags::FIGHTING);
        let set = match on {
            ON_HORSE => own & self.content.horse,
            ON_FOOT if !fight.spill => own & self.content.foot,
            _ => own & self.content.field(),
        };
        set.iter().map(|block| self.life(state, fight, block)).sum()
    }
}
