//! Group Moves (6.11): parties, borders, chaperones.
//!
//! Invariant: whenever an action is listed here, the action can still be completed lawfully, whatever the other seat answers (E7).

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::actions::Action;
use super::super::content::Way;
use super::super::content::things::{AreaId, BlockId, BlockSet};
use super::super::frames::Frame;
use super::super::state::{Flags, State};
use super::super::{ThisWar, rules};

/// A party that is about to cross a border.
#[derive(Copy, Clone)]
pub(in super::super) struct Party {
    pub(in super::super) seat: Seat,
    pub(in super::super) from: AreaId,
    pub(in super::super) blocks: BlockSet,
    /// Blocks that could still be picked for it, and how many of them at most.
    pub(in super::super) later: BlockSet,
    pub(in super::super) spare: u32,
    /// Blocks that stay behind with a step left, unless they are picked, too.
    pub(in super::super) rest: BlockSet,
    /// True if it is the first Area of its move.
    pub(in super::super) first: bool,
}

impl Party {
    /// A party of nobody yet, in the first Area of its move: who may join it, and how many of them may leave (6.14).
    fn about_to_move(seat: Seat, from: AreaId, free: BlockSet, may_leave: usize) -> Self {
        let (blocks, rest) = (BlockSet::EMPTY, BlockSet::EMPTY);
        Self { seat, from, blocks, later: free, spare: may_leave as u32, rest, first: true }
    }
}

/// The cause that refuses a crossing.
pub(in super::super) type Bar = (crate::ledger::Rule, &'static str);

/// The causes that refuse crossings, with the Areas that they keep a party from.
type Bars = Vec<(Bar, AreaId)>;

/// Puts each cause to `why`.
fn refuse_by(bars: &Bars, why: &mut Why) -> ControlFlow<()> {
    bars.iter().try_for_each(|&((rule, code), to)| why.require(false, rule, code, &[Ref::from(to)]))
}

impl ThisWar {
    /// The blocks that may join the party; then the Areas about it, or to stop, or to end.
    pub(in super::super) fn offer_group_move(
        &self,
        state: &State,
        seat: Seat,
        frame: Frame,
        offer: &mut impl FnMut(Action),
    ) {
        let Frame::GroupMove { from, .. } = frame else { unreachable!("a Group Move is offered within one") };
        let (at, taken, later) = self.party(state, seat, from);
        later.iter().for_each(|block| offer(Action::Take(block)));
        if !taken.is_empty() {
            self.content.areas[at].near.iter().for_each(|area| offer(Action::Go(area)));
        } else if !self.own_with(state, seat, Flags::MOVING).is_empty() {
            offer(Action::Stop);
        } else {
            offer(Action::Done);
        }
    }

    /// 6.11: what may be done next in a Group Move.
    pub(in super::super) fn examine_group_move(
        &self,
        state: &State,
        seat: Seat,
        frame: Frame,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let Frame::GroupMove { from, .. } = frame else { return why.refuse(CONTRACT, "NOT_NOW") };
        match action {
            Action::Take(block) => self.examine_take(state, seat, from, block, why),
            Action::Go(to) => self.examine_go(state, seat, from, to, why),
            Action::Stop => self.examine_stop(state, seat, from, why),
            Action::Done => self.examine_group_done(state, seat, why),
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_group_move(
        &self,
        state: &mut State,
        seat: Seat,
        frame: Frame,
        action: Action,
        out: &mut Events,
    ) {
        match (frame, action) {
            (_, Action::Take(block)) => self.pick(state, seat, block, rules::GROUP_MOVE, out),
            (Frame::GroupMove { from, .. }, Action::Go(to)) => self.go(state, seat, from, to, out),
            (_, Action::Stop) => self.stop(state, seat, out),
            _ => self.end_action(state, seat, out),
        }
    }

    /// A side's blocks that have a flag.
    pub(in super::super) fn own_with(&self, state: &State, seat: Seat, flag: Flags) -> BlockSet {
        state.flagged(self.content.of_side[seat.index()], flag)
    }

    /// 6.02, 6.14, 8.2: blocks of an Area that may begin a move; how many of them may still leave.
    pub(in super::super) fn movable(&self, state: &State, seat: Seat, area: AreaId) -> (BlockSet, usize) {
        let own = state.out(&self.content, area, seat);
        let free =
            own - state.flagged(own, rules::ONCE.gives(Flags::MOVED | Flags::WITHDREW, Flags::WITHDREW));
        let enemies = state.out(&self.content, area, seat.other()).count() as usize;
        let stayed = free.count() as usize;
        if rules::PINNING.applies(seat != state.player1 && enemies > 0) {
            (free, stayed.saturating_sub(enemies))
        } else {
            (free, stayed)
        }
    }

    /// 6.13, 6.17, 6.18: whether so many blocks may cross into an Area now, by what refuses it.
    pub(in super::super) fn may_cross(
        &self,
        state: &State,
        seat: Seat,
        from: AreaId,
        way: &Way,
        count: u32,
    ) -> Result<(), Bar> {
        let yorkshire = self.content.yorkshire;
        let enters = yorkshire.contains(way.to) && !yorkshire.contains(from);
        if rules::YORKSHIRE.applies(state.turn == 0 && enters) {
            return Err((rules::YORKSHIRE, "NEUTRAL_YORKSHIRE"));
        }
        if state.out(&self.content, way.to, seat.other()).is_empty() {
            return Ok(());
        }
        if rules::WINTER.applies(state.winter(&self.content)) {
            return Err((rules::WINTER, "WINTER"));
        }
        let crossed = u32::from(state.crossed[way.out]);
        if rules::BORDER_LIMITS.applies(way.limit < u8::MAX && crossed + count > u32::from(way.limit)) {
            return Err((rules::BORDER_LIMITS, "BORDER_FULL"));
        }
        Ok(())
    }

    /// The party that is being picked in a Group Move: who it is, and who may join.
    fn picking(&self, state: &State, seat: Seat, from: AreaId) -> Party {
        let own = self.content.of_side[seat.index()];
        let (taken, moving) = (state.flagged(own, Flags::TAKEN), state.flagged(own, Flags::MOVING));
        // Blocks are picked in their order.
        let later = taken.last().map_or(own, BlockSet::behind);
        if let Some(first) = moving.first() {
            let party = Party {
                seat,
                from: self.content.area_of(state.blocks[first].at).expect("a block on its way is in an Area"),
                blocks: taken,
                later: moving & later,
                spare: u32::MAX,
                rest: moving - taken,
                first: false,
            };
            return party;
        }
        let (free, may_leave) = self.movable(state, seat, from);
        let spare = may_leave.saturating_sub(taken.count() as usize) as u32;
        Party { blocks: taken, spare, ..Party::about_to_move(seat, from, free & (later - taken), may_leave) }
    }

    /// 6.11: a Group Move from an Area, or why there is none.
    pub(in super::super) fn examine_group(
        &self,
        state: &State,
        seat: Seat,
        area: AreaId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let (free, may_leave) = self.movable(state, seat, area);
        let space = Ref::from(area);
        why.demand(!free.is_empty(), rules::GROUP_MOVE, "NOBODY_TO_MOVE", &[space])?;
        why.demand(may_leave > 0, rules::PINNING, "ALL_PINNED", &[space])?;
        debug_assert!(
            self.own_with(state, seat, Flags::TAKEN | Flags::MOVING).is_empty(),
            "a Group Move begins where none is under way"
        );
        let party = Party::about_to_move(seat, area, free, may_leave);
        let able = free.iter().any(|block| self.take_goes(state, party, block));
        if !able {
            let mut bars = Bars::new();
            free.iter().for_each(|block| self.bars(state, party, block, &mut bars));
            if !bars.is_empty() {
                return refuse_by(&bars, why);
            }
        }
        why.require(able, rules::GROUP_MOVE, "NO_WAY_OUT", &[space])
    }

    /// A party with one block more.
    fn with(mut party: Party, block: BlockId) -> Party {
        party.spare = party.spare.saturating_sub(1);
        party.blocks.insert(block);
        party.later &= BlockSet::behind(block);
        party.rest.remove(block);
        party
    }

    /// Returns whether picking a block leaves its party somewhere to go.
    fn take_goes(&self, state: &State, party: Party, block: BlockId) -> bool {
        let mut ways = self.content.areas[party.from].ways.iter();
        party.spare > 0 && ways.any(|way| self.crossing(state, Self::with(party, block), way).is_ok())
    }

    /// The causes that keep a party with one block more from every border, each once with the first Area that it bars.
    fn bars(&self, state: &State, party: Party, block: BlockId, bars: &mut Bars) {
        for way in &self.content.areas[party.from].ways {
            let bar = self.crossing(state, Self::with(party, block), way).err();
            if let Some(bar) = bar.filter(|bar| bars.iter().all(|(noted, _)| noted != bar)) {
                bars.push((bar, way.to));
            }
        }
    }

    pub(in super::super) fn examine_take(
        &self,
        state: &State,
        seat: Seat,
        from: AreaId,
        block: BlockId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let piece = Ref::from(block);
        let index = block;
        let party = self.picking(state, seat, from);
        let own =
            self.content.of_side[seat.index()].contains(block) && state.blocks[index].at == party.from.into();
        why.demand(own, rules::GROUP_MOVE, "NOT_HERE", &[piece])?;
        if party.first {
            let moved = state.blocks[index].flags.contains(Flags::MOVED);
            why.demand(!moved, rules::ONCE, "HAS_MOVED", &[piece])?;
            let withdrew = state.blocks[index].flags.contains(Flags::WITHDREW);
            why.demand(!withdrew, rules::CITY_WITHDRAWAL, "HAS_WITHDRAWN", &[piece])?;
        } else {
            let moving = state.blocks[index].flags.contains(Flags::MOVING);
            why.demand(moving, rules::GROUP_MOVE, "HAS_STOPPED", &[piece])?;
        }
        why.demand(party.later.contains(block), rules::GROUP_MOVE, "OUT_OF_ORDER", &[piece])?;
        why.demand(party.spare > 0, rules::PINNING, "ALL_PINNED", &[Ref::from(party.from)])?;
        let goes = self.take_goes(state, party, index);
        if !goes {
            let mut bars = Bars::new();
            self.bars(state, party, index, &mut bars);
            if !bars.is_empty() {
                return refuse_by(&bars, why);
            }
        }
        why.require(goes, rules::GROUP_MOVE, "NOWHERE_TO_GO", &[piece])
    }

    pub(in super::super) fn examine_go(
        &self,
        state: &State,
        seat: Seat,
        from: AreaId,
        to: AreaId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let mut party = self.picking(state, seat, from);
        why.demand(!party.blocks.is_empty(), rules::GROUP_MOVE, "NOBODY_TAKEN", &[])?;
        let space = Ref::from(to);
        let way = self.content.way(party.from, to);
        why.demand(way.is_some(), rules::BORDERS, "NOT_ADJACENT", &[Ref::from(party.from), space])?;
        let Some(way) = way else { return ControlFlow::Break(()) };
        party.later = BlockSet::EMPTY;
        match self.crossing(state, party, way) {
            Ok(()) => ControlFlow::Continue(()),
            Err((rule, code)) => why.require(false, rule, code, &[space]),
        }
    }

    /// The party, and where it stands, for lists of its goals.
    pub(in super::super) fn party(
        &self,
        state: &State,
        seat: Seat,
        from: AreaId,
    ) -> (AreaId, BlockSet, BlockSet) {
        let party = self.picking(state, seat, from);
        (party.from, party.blocks, party.later)
    }

    pub(in super::super) fn examine_stop(
        &self,
        state: &State,
        seat: Seat,
        from: AreaId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let party = self.picking(state, seat, from);
        let waiting = !party.first && party.blocks.is_empty();
        why.demand(waiting, rules::GROUP_MOVE, "NOBODY_TO_STOP", &[])?;
        let alone = self.unattended(party.rest, party.from, party.rest | self.stopped_at(state, party));
        let settled = rules::REGIONAL_MOVES.allows(alone.is_empty());
        why.require(settled, rules::REGIONAL_MOVES, "NO_CHAPERONE", &[])
    }

    /// Examines whether a Group Move has nothing open: no party picked, none on its way.
    pub(in super::super) fn examine_group_done(
        &self,
        state: &State,
        seat: Seat,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let open = self.own_with(state, seat, Flags::TAKEN | Flags::MOVING);
        why.require(open.is_empty(), rules::GROUP_MOVE, "PARTY_OPEN", &[])
    }

    /// 6.11: the picked party crosses a border.
    pub(in super::super) fn go(
        &self,
        state: &mut State,
        seat: Seat,
        from: AreaId,
        to: AreaId,
        out: &mut Events,
    ) {
        let party = self.picking(state, seat, from);
        let (at, first) = (party.from, party.first);
        let scene = Scene::open(self, state, 2, out);
        let way = *self.content.way(at, to).expect("a party goes to a neighbour");
        let enemies = !state.out(&self.content, to, seat.other()).is_empty();
        let first_in = enemies && state.out(&self.content, to, seat).is_empty();
        let asked = rules::CITY_WITHDRAWAL.applies(first_in && self.shelter(state, to) == Some(seat.other()));
        state.clear_flags(party.blocks, Flags::TAKEN);
        state.depart(&self.content, party.blocks);
        self.cross(state, party.blocks, &way, at);
        for block in party.blocks {
            let moved = &mut state.blocks[block];
            moved.by = Some(at);
            moved.flags = (moved.flags - Flags::MOVING - Flags::TIRED) | Flags::MOVED;
            if first {
                moved.via = Some(to);
            }
            moved.flags |= if first && (asked || !enemies) { Flags::MOVING } else { Flags::ACTING };
        }
        if asked {
            state.frames.open(Frame::Window { seat: seat.other(), area: to, by: at });
        } else {
            self.settle_party(state, seat, to);
        }
        let refs = [Ref::Seat(seat), Ref::Number(party.blocks.count() as i32), Ref::from(at), Ref::from(to)];
        scene.publish(self, state, out, || Event::new("enters", rules::GROUP_MOVE, &refs));
    }

    /// Blocks of the action that stop in an Area leave a trace of the border that they came by (V4, C11).
    pub(in super::super) fn settle_party(&self, state: &mut State, seat: Seat, area: AreaId) {
        let here = state.out(&self.content, area, seat);
        let enemies = !state.out(&self.content, area, seat.other()).is_empty();
        if rules::GROUP_MOVE.applies(enemies) {
            let moving = state.flagged(here, Flags::MOVING);
            state.clear_flags(moving, Flags::MOVING);
            state.set_flags(moving, Flags::ACTING);
        }
        for block in state.flagged(here, Flags::ACTING) {
            let by = state.blocks[block].by;
            if let Some(way) = by.and_then(|by| self.content.way(by, area)) {
                state.entered[way.out] = seat.index() as u8 + 1;
            }
            if !enemies {
                state.blocks[block].by = None;
            }
        }
    }

    /// Blocks with a step left stop where they are.
    pub(in super::super) fn stop(&self, state: &mut State, seat: Seat, out: &mut Events) {
        let moving = self.own_with(state, seat, Flags::MOVING);
        let scene = Scene::open(self, state, 2, out);
        let first = moving.first().expect("blocks that stop were on their way");
        let at = self.content.area_of(state.blocks[first].at).expect("a block on its way is in an Area");
        state.clear_flags(moving, Flags::MOVING);
        state.set_flags(moving, Flags::ACTING);
        self.settle_party(state, seat, at);
        let refs = [Ref::Seat(seat), Ref::Number(moving.count() as i32), Ref::from(at)];
        scene.publish(self, state, out, || Event::new("stops", rules::GROUP_MOVE, &refs));
    }

    /// The action is over: its traces go.
    pub(in super::super) fn end_action(&self, state: &mut State, seat: Seat, out: &mut Events) {
        let scene = Scene::open(self, state, 2, out);
        let own = self.content.of_side[seat.index()];
        state.clear_flags(own, Flags::ACTING);
        for block in own {
            (state.blocks[block].began, state.blocks[block].via) = (None, None);
        }
        state.frames.close();
        scene.publish(self, state, out, || Event::new("action_over", rules::ACTIONS, &[Ref::Seat(seat)]));
    }
}
