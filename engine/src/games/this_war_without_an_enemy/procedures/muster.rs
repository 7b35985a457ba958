//! Musters (6.12).

use std::ops::{BitOr, ControlFlow};

use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::actions::Action;
use super::super::content::things::{AreaId, AreaSet, BlockId, BlockSet, Place};
use super::super::frames::Frame;
use super::super::state::{Flags, State};
use super::super::{ThisWar, rules};
use super::group_move::Bar;

/// Areas between, [`None`] standing for none.
type Ways = arrayvec::ArrayVec<Option<AreaId>, 16>;

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
                .muster_ways(state, seat, block, to)
                .into_iter()
                .flatten()
                .map(Action::Via)
                .for_each(offer);
        }
        let map = self.content.of_side[seat.index()] - state.at(Place::POOL);
        map.iter().for_each(|block| offer(Action::Take(block)));
        offer(Action::Done);
    }

    /// 6.12: a block that reaches the Muster; then the Area between.
    pub(in super::super) fn examine_muster_step(
        &self,
        state: &State,
        seat: Seat,
        frame: Frame,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match (frame, action) {
            (Frame::Muster { to, .. }, Action::Take(block)) => {
                self.examine_muster_take(state, (seat, to), block, why)
            }
            (Frame::Muster { .. }, Action::Done) => ControlFlow::Continue(()),
            (Frame::Via { block, to, .. }, Action::Via(via)) => {
                let way = self.muster_ways(state, seat, block, to).contains(&Some(via));
                why.require(way, rules::MUSTER, "NOT_ADJACENT", &[Ref::from(via), Ref::from(to)])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_muster(
        &self,
        state: &mut State,
        seat: Seat,
        frame: Frame,
        action: Action,
        out: &mut Events,
    ) {
        match (frame, action) {
            (Frame::Muster { to, .. }, Action::Take(block)) => {
                let ways = self.muster_ways(state, seat, block, to);
                if let [via] = ways[..] {
                    return self.muster(state, block, to, via, out);
                }
                state.frames.open(Frame::Via { seat, block, to });
                let refs = [Ref::Seat(seat), Ref::from(block)];
                out.emit(|| Event::only(seat, "picked_block", rules::MUSTER, &refs));
            }
            (Frame::Via { block, to, .. }, Action::Via(via)) => {
                state.frames.close();
                self.muster(state, block, to, Some(via), out);
            }
            _ => self.end_action(state, seat, out),
        }
    }

    /// 6.12: the Areas between by which a block can reach a Muster, [`None`] standing for none; empty if it can't.
    pub(in super::super) fn muster_ways(
        &self,
        state: &State,
        seat: Seat,
        block: BlockId,
        to: AreaId,
    ) -> Ways {
        self.ways_by(
            state,
            seat,
            block,
            to,
            [rules::REGIONAL_MOVES, rules::YORKSHIRE].map(|rule| rule.applies(true)),
        )
    }

    /// The rule that alone keeps a block from a Muster, if it is one of the two that don't speak of ways.
    fn muster_bar(&self, state: &State, seat: Seat, block: BlockId, to: AreaId) -> Option<Bar> {
        let reaches = |by: [bool; 2]| !self.ways_by(state, seat, block, to, by).is_empty();
        match () {
            () if reaches([false, true]) => Some((rules::REGIONAL_MOVES, "NO_CHAPERONE")),
            () if reaches([true, false]) => Some((rules::YORKSHIRE, "NEUTRAL_YORKSHIRE")),
            () => None,
        }
    }

    /// The ways to a Muster with 6.16 and 6.18 in force, or not.
    fn ways_by(
        &self,
        state: &State,
        seat: Seat,
        block: BlockId,
        to: AreaId,
        [strict, neutral]: [bool; 2],
    ) -> Ways {
        let mut ways = arrayvec::ArrayVec::new();
        let from = self.content.as_area(state.blocks[block].at).filter(|&from| from != to);
        let Some(from) = from else { return ways };
        let led = |via: Option<AreaId>| {
            self.content.blocks[block].chaperones.iter().map(|leader| state.blocks[leader]).any(|leader| {
                let along = leader.flags.contains(Flags::ACTING) && leader.began == Some(from);
                along && (via.is_none() || leader.via == via)
            })
        };
        let away = self.content.abroad(block, to);
        if strict && away && !led(None) {
            return ways;
        }
        let york = |a: AreaId, b: AreaId| {
            let yorkshire = self.content.yorkshire;
            state.turn == 0 && neutral && yorkshire.contains(b) && !yorkshire.contains(a)
        };
        let near = self.content.areas[from].near;
        if near.contains(to) && !york(from, to) {
            ways.push(None);
            return ways;
        }
        let shared = near & self.content.areas[to].near;
        for via in shared {
            let free = rules::MUSTER.allows(state.out(&self.content, via, seat.other()).is_empty());
            let passes = !self.content.abroad(block, via) || away || led(Some(via)) || !strict;
            if free && passes && !york(from, via) && !york(via, to) {
                let _ = ways.try_push(Some(via));
            }
        }
        ways
    }

    pub(in super::super) fn examine_muster(
        &self,
        state: &State,
        seat: Seat,
        to: AreaId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let space = Ref::from(to);
        let friendly = state.friendly(&self.content, to, seat);
        why.demand(friendly, rules::MUSTER, "NOT_FRIENDLY", &[space])?;
        let reach = self.content.areas[to].near;
        let near = reach.iter().fold(reach, |near, area| near | self.content.areas[area].near);
        let others = near - AreaSet::one(to);
        let able = others.iter().any(|area| {
            if state.out(&self.content, area, seat).is_empty() {
                return false;
            }
            let (free, may_leave) = self.movable(state, seat, area);
            may_leave > 0 && free.iter().any(|block| !self.muster_ways(state, seat, block, to).is_empty())
        });
        if !able {
            let own = others.iter().map(|area| self.movable(state, seat, area).0);
            let own = own.fold(BlockSet::EMPTY, BitOr::bitor);
            let bar = own.iter().find_map(|block| self.muster_bar(state, seat, block, to));
            if let Some((rule, code)) = bar {
                why.require(false, rule, code, &[space])?;
            }
        }
        why.require(able, rules::MUSTER, "NOBODY_TO_MUSTER", &[space])
    }

    pub(in super::super) fn examine_muster_take(
        &self,
        state: &State,
        (seat, to): (Seat, AreaId),
        block: BlockId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let (piece, index) = (Ref::from(block), block);
        let own = self.content.of_side[seat.index()].contains(block);
        let from = self.content.as_area(state.blocks[index].at).filter(|&from| own && from != to);
        why.demand(from.is_some(), rules::MUSTER, "NOT_THERE", &[piece])?;
        let Some(from) = from else { return ControlFlow::Break(()) };
        let (free, may_leave) = self.movable(state, seat, from);
        why.demand(free.contains(block), rules::ONCE, "HAS_MOVED", &[piece])?;
        why.demand(may_leave > 0, rules::PINNING, "ALL_PINNED", &[Ref::from(from)])?;
        let reaches = !self.muster_ways(state, seat, index, to).is_empty();
        match self.muster_bar(state, seat, index, to).filter(|_| !reaches) {
            Some((rule, code)) => why.require(false, rule, code, &[piece]),
            None => why.require(reaches, rules::MUSTER, "OUT_OF_REACH", &[piece, Ref::from(to)]),
        }
    }

    /// 6.12: a block goes to the Muster by the Area between.
    pub(in super::super) fn muster(
        &self,
        state: &mut State,
        block: BlockId,
        to: AreaId,
        via: Option<AreaId>,
        out: &mut Events,
    ) {
        let index = block;
        let seat = self.content.blocks[index].side;
        let scene = Scene::open(self, state, 2, out);
        let from = self.content.as_area(state.blocks[index].at).expect("a Muster takes blocks of Areas");
        let last = via.unwrap_or(from);
        state.depart(&self.content, BlockSet::one(index));
        // It passes the Area between: what follows there is at once, and is undone as it goes on.
        if let Some(via) = via {
            state.put(index, via.into());
            state.touch(&self.content, from);
            state.touch(&self.content, via);
        }
        state.put(index, to.into());
        let moved = &mut state.blocks[index];
        moved.flags = (moved.flags - Flags::TIRED) | Flags::MOVED | Flags::ACTING;
        (moved.began, moved.via) = (Some(from), Some(via.unwrap_or(to)));
        if let Some(way) = self.content.way(last, to) {
            state.entered[way.out] = seat.index() as u8 + 1;
        }
        for area in [from, last, to] {
            state.touch(&self.content, area);
        }
        let refs = |what| [Ref::Seat(seat), what, Ref::from(from), Ref::from(to)];
        let back = Ref::Kind(super::super::catalogue::BACK + seat.index() as u16);
        scene.publish(self, state, out, || {
            Event::new("musters", rules::MUSTER, &refs(back)).private(seat, &refs(Ref::from(block)), [])
        });
    }
}
