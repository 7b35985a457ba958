//! Musters (6.12).

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::actions::Action;
use super::super::frames::Frame;
use super::super::state::{ACTING, MOVED, NONE, POOL, State, TIRED, each};
use super::super::{ThisWar, rules};
use super::group_move::Bar;

/// Areas between, [`NONE`] standing for none.
type Ways = arrayvec::ArrayVec<u8, 16>;

impl ThisWar {
    /// Own blocks on the map, then to end; of a block with several ways, these.
    pub(in super::super) fn offer_muster(
        &self,
        state: &State,
        seat: Seat,
        frame: Frame,
        offer: &mut impl FnMut(Action),
    ) {
        if let Frame::Via { block, to, .. } = frame {
            return self
                .muster_ways(state, seat, block.into(), to)
                .into_iter()
                .map(Action::Via)
                .for_each(offer);
        }
        let map = self.content.of_side[seat.index()] & !state.at(POOL);
        each(map).for_each(|block| offer(Action::Take(block as u8)));
        offer(Action::Done);
    }

    /// 6.12: a block that reaches the Muster; then the Area between.
    pub(in super::super) fn examine_muster_step(
        &self,
        state: &State,
        seat: Seat,
        (frame, action): (Frame, Action),
        why: &mut Why,
    ) -> ControlFlow<()> {
        match (frame, action) {
            (Frame::Muster { to, .. }, Action::Take(block)) => {
                self.examine_muster_take(state, (seat, to), block, why)
            }
            (Frame::Muster { .. }, Action::Done) => ControlFlow::Continue(()),
            (Frame::Via { block, to, .. }, Action::Via(via)) => {
                let way = self.muster_ways(state, seat, block.into(), to).contains(&via);
                why.require(
                    way,
                    rules::MUSTER,
                    "NOT_ADJACENT",
                    &[Ref::Space(via.into()), Ref::Space(to.into())],
                )
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_muster(
        &self,
        state: &mut State,
        seat: Seat,
        (frame, action): (Frame, Action),
        out: &mut Events,
    ) {
        match (frame, action) {
            (Frame::Muster { to, .. }, Action::Take(block)) => {
                let ways = self.muster_ways(state, seat, block.into(), to);
                if let [via] = ways[..] {
                    return self.muster(state, block, to, via, out);
                }
                state.frames.open(Frame::Via { seat, block, to });
                let refs = [Ref::Seat(seat), Ref::Piece(block.into())];
                out.emit(|| Event::only(seat, "picked_block", rules::MUSTER, &refs));
            }
            (Frame::Via { block, to, .. }, Action::Via(via)) => {
                state.frames.close();
                self.muster(state, block, to, via, out);
            }
            _ => self.end_action(state, seat, out),
        }
    }

    /// 6.12: the Areas between by which a block can reach a Muster, [`NONE`] standing for none; empty if it can't.
    pub(in super::super) fn muster_ways(&self, state: &State, seat: Seat, block: usize, to: u8) -> Ways {
        self.ways_by(state, seat, block, to, [rules::REGIONAL_MOVES.on(), rules::YORKSHIRE.on()])
    }

    /// The rule that alone keeps a block from a Muster, if it is one of the two that don't speak of ways.
    fn muster_bar(&self, state: &State, seat: Seat, block: usize, to: u8) -> Option<Bar> {
        let reaches = |by: [bool; 2]| !self.ways_by(state, seat, block, to, by).is_empty();
        match () {
            () if reaches([false, true]) => Some((rules::REGIONAL_MOVES, "NO_CHAPERONE")),
            () if reaches([true, false]) => Some((rules::YORKSHIRE, "NEUTRAL_YORKSHIRE")),
            () => None,
        }
    }

    /// The ways to a Muster with 6.16 and 6.18 in force, or not.
    fn ways_by(&self, state: &State, seat: Seat, block: usize, to: u8, [strict, neutral]: [bool; 2]) -> Ways {
        let mut ways = arrayvec::ArrayVec::new();
        let from = state.blocks[block].at;
        if from == to || usize::from(from) >= self.content.areas.len() {
            return ways;
        }
        let led = |via: u8| {
            each(self.content.blocks[block].chaperones).map(|leader| state.blocks[leader]).any(|leader| {
                let along = leader.flags & ACTING != 0 && leader.began == from;
                along && (via == NONE || leader.via == via)
            })
        };
        let away = self.content.abroad(block, to);
        if strict && away && !led(NONE) {
            return ways;
        }
        let york = |a: u8, b: u8| {
            let yorkshire = self.content.yorkshire;
            state.turn == 0 && neutral && yorkshire >> b & 1 != 0 && yorkshire >> a & 1 == 0
        };
        let near = self.content.areas[usize::from(from)].near;
        if near >> to & 1 != 0 && !york(from, to) {
            ways.push(NONE);
            return ways;
        }
        let shared = near & self.content.areas[usize::from(to)].near;
        for via in each(shared).map(|via| via as u8) {
            let free = state.out(&self.content, via, seat.other()) == 0 || !rules::MUSTER.on();
            let passes = !self.content.abroad(block, via) || away || led(via) || !strict;
            if free && passes && !york(from, via) && !york(via, to) {
                let _ = ways.try_push(via);
            }
        }
        ways
    }

    pub(in super::super) fn examine_muster(
        &self,
        state: &State,
        seat: Seat,
        to: u8,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let space = Ref::Space(to.into());
        let friendly = state.friendly(&self.content, to, seat);
        why.demand(friendly, rules::MUSTER, "NOT_FRIENDLY", &[space])?;
        let reach = self.content.areas[usize::from(to)].near;
        let near = each(reach).fold(reach, |near, area| near | self.content.areas[area].near);
        let able = each(near & !(1 << to)).any(|area| {
            if state.out(&self.content, area as u8, seat) == 0 {
                return false;
            }
            let (free, may_leave) = self.movable(state, seat, area as u8);
            may_leave > 0 && each(free).any(|block| !self.muster_ways(state, seat, block, to).is_empty())
        });
        if !able {
            let own =
                each(near & !(1 << to)).fold(0, |own, area| own | self.movable(state, seat, area as u8).0);
            let bar = each(own).find_map(|block| self.muster_bar(state, seat, block, to));
            if let Some((rule, code)) = bar {
                why.require(false, rule, code, &[space])?;
            }
        }
        why.require(able, rules::MUSTER, "NOBODY_TO_MUSTER", &[space])
    }

    pub(in super::super) fn examine_muster_take(
        &self,
        state: &State,
        (seat, to): (Seat, u8),
        block: u8,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let (piece, index) = (Ref::Piece(block.into()), usize::from(block));
        let from = state.blocks[index].at;
        let own = self.content.of_side[seat.index()] >> block & 1 != 0;
        let on_map = usize::from(from) < self.content.areas.len() && from != to;
        why.demand(own && on_map, rules::MUSTER, "NOT_THERE", &[piece])?;
        let (free, may_leave) = self.movable(state, seat, from);
        why.demand(free >> block & 1 != 0, rules::ONCE, "HAS_MOVED", &[piece])?;
        why.demand(may_leave > 0, rules::PINNING, "ALL_PINNED", &[Ref::Space(from.into())])?;
        let reaches = !self.muster_ways(state, seat, index, to).is_empty();
        match self.muster_bar(state, seat, index, to).filter(|_| !reaches) {
            Some((rule, code)) => why.require(false, rule, code, &[piece]),
            None => why.require(reaches, rules::MUSTER, "OUT_OF_REACH", &[piece, Ref::Space(to.into())]),
        }
    }

    /// 6.12: a block goes to the Muster by the Area between.
    pub(in super::super) fn muster(&self, state: &mut State, block: u8, to: u8, via: u8, out: &mut Events) {
        let index = usize::from(block);
        let seat = self.content.blocks[index].side;
        let scene = Scene::open(self, state, 2, out);
        let from = state.blocks[index].at;
        let last = if via == NONE { from } else { via };
        state.depart(&self.content, 1 << index);
        // It passes the Area between: what follows there is at once, and is undone as it goes on.
        if via != NONE {
            state.put(index, via);
            state.touch(&self.content, from);
            state.touch(&self.content, via);
        }
        state.put(index, to);
        let moved = &mut state.blocks[index];
        moved.flags = moved.flags & !TIRED | MOVED | ACTING;
        (moved.began, moved.via) = (from, if via == NONE { to } else { via });
        if let Some(way) = self.content.way(last, to) {
            state.entered[usize::from(way.out)] = seat.index() as u8 + 1;
        }
        for area in [from, last, to] {
            state.touch(&self.content, area);
        }
        let refs = |what| [Ref::Seat(seat), what, Ref::Space(from.into()), Ref::Space(to.into())];
        let back = Ref::Kind(super::super::catalogue::BACK + seat.index() as u16);
        scene.publish(self, state, out, || {
            Event::new("musters", rules::MUSTER, &refs(back)).private(
                seat,
                &refs(Ref::Piece(block.into())),
                [],
            )
        });
    }
}
