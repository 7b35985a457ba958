//! Blocks that are picked or marked while they stand upright: who of those that look alike it is can't be told.

use crate::event::{Event, Events, Scene};
use crate::ledger::Rule;
use crate::reference::Ref;
use crate::seat::Seat;

use super::super::ThisWar;
use super::super::catalogue::BACK;
use super::super::content::things::{BlockId, BlockSet};
use super::super::state::{Flags, State};

impl ThisWar {
    /// Blocks that their owner is picking.
    pub(in super::super) fn picked(&self, state: &State, seat: Seat) -> BlockSet {
        self.own_with(state, seat, Flags::TAKEN)
    }

    /// A subset of upright blocks gets a flag: who of them can't be told.
    pub(in super::super) fn mark(
        &self,
        state: &mut State,
        block: BlockId,
        flags: Flags,
        fact: (&'static str, Rule),
        out: &mut Events,
    ) {
        let scene = Scene::open(self, state, 2, out);
        let seat = self.content.blocks[block].side;
        state.depart(&self.content, BlockSet::one(block));
        state.set_flags(BlockSet::one(block), flags);
        let back = Ref::Kind(BACK + seat.index() as u16);
        scene.publish(self, state, out, || {
            Event::new(fact.0, fact.1, &[Ref::Seat(seat), back]).private(
                seat,
                &[Ref::Seat(seat), Ref::from(block)],
                [],
            )
        });
    }

    /// A block is picked: its owner alone sees that.
    pub(in super::super) fn pick(
        &self,
        state: &mut State,
        seat: Seat,
        block: BlockId,
        rule: Rule,
        out: &mut Events,
    ) {
        let scene = Scene::open(self, state, 2, out);
        state.set_flags(BlockSet::one(block), Flags::TAKEN);
        let refs = [Ref::Seat(seat), Ref::from(block)];
        scene.publish(self, state, out, || Event::only(seat, "picked_block", rule, &refs));
    }
}
