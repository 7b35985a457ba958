//! Marches: who goes along, and what they meet (3.1, 3.2, 7.1).

use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::frames::Frame;
use super::super::state::{BLOCKS, SIDE, State};
use super::super::{Skirmish, rules};

impl Skirmish {
    /// Every block, then to go.
    pub(in super::super) fn offer_march(
        &self,
        _: &State,
        _: Seat,
        _: (u8, u8),
        offer: &mut impl FnMut(Action),
    ) {
        (0..BLOCKS as u8).map(Action::Take).for_each(&mut *offer);
        offer(Action::Go);
    }

    /// 3.1, 3.2: blocks of the space that have not marched, weakest first; at least one.
    pub(in super::super) fn examine_march(
        &self,
        state: &State,
        seat: Seat,
        (from, taken): (u8, u8),
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match action {
            Action::Take(block) => {
                let (piece, index) = (Ref::Piece(block.into()), usize::from(block));
                let here = index / SIDE == seat.index() && state.blocks[index].at == from;
                why.demand(here, rules::MARCHERS, "NOT_HERE", &[piece, Ref::Space(from.into())])?;
                why.require(!state.blocks[index].marched, rules::MARCHES, "HAS_MARCHED", &[piece])?;
                why.require(taken >> block == 0, rules::MARCHERS, "OUT_OF_ORDER", &[])
            }
            Action::Go => why.require(taken != 0, rules::MARCHERS, "NOBODY_TAKEN", &[]),
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_march(
        &self,
        state: &mut State,
        seat: Seat,
        _: (u8, u8),
        action: Action,
        out: &mut Events,
    ) {
        let Some(Frame::March { from, to, taken, .. }) = state.frames.top_mut() else {
            unreachable!("a march is put together within it");
        };
        if let Action::Take(block) = action {
            *taken |= 1 << block;
            let refs = [Ref::Seat(seat), Ref::Piece(block.into())];
            return out.emit(|| Event::only(seat, "takes", rules::MARCHERS, &refs));
        }
        let (from, to, taken) = (*from, *to, *taken);
        self.march(state, seat, from, to, taken, out);
    }

    /// 3.2, 7.1: blocks leave a space for another; faces seen are mixed up unless all go.
    fn march(&self, state: &mut State, seat: Seat, from: u8, to: u8, taken: u8, out: &mut Events) {
        let scene = Scene::open(self, state, state.seats(), out);
        state.frames.close();
        let all = state.stack(seat, from).iter().all(|&block| taken & 1 << block != 0);
        for block in state.stack(seat, from) {
            if rules::SEEN.applies(!all) {
                state.blocks[block].seen = false;
            }
            if taken & 1 << block != 0 {
                state.blocks[block].at = to;
                state.blocks[block].marched = rules::MARCHES.applies(true);
            }
        }
        let number = Ref::Number(taken.count_ones() as i32);
        let refs = [Ref::Seat(seat), Ref::Space(from.into()), Ref::Space(to.into()), number];
        scene.publish(self, state, out, || Event::new("marched", rules::MARCHERS, &refs));
        if !state.stack(seat.other(), to).is_empty() {
            self.open_battle(state, to, from, seat, out);
        } else if rules::INTERCEPTION.applies(!state.drill) {
            let near = |space: &u8| !state.stack(seat.other(), *space).is_empty();
            if self.content.roads[usize::from(to)].iter().any(near) {
                state.frames.open(Frame::Interception { asked: seat.other(), by: None, from, to });
            }
        }
    }
}
