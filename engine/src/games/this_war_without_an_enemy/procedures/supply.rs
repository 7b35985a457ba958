//! The Supply Phase: attrition, Siege Resolution, surrender (9).

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::numbered::Listed;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::actions::Action;
use super::super::content::things::{AreaId, BlockId, BlockSet};
use super::super::frames::Frame;
use super::super::state::State;
use super::super::{ThisWar, rules};

impl State {
    /// The Areas from this one that were announced to be short, and of how many blocks each.
    pub(in super::super) fn announced_short(&self, from: usize) -> impl Iterator<Item = (AreaId, u8)> {
        let areas = (0..).map(AreaId::new).zip(self.short).skip(from);
        areas.filter(|&(_, short)| short > 0)
    }
}

impl ThisWar {
    /// Infantry and Cavalry of the Area, to go short or to be spared.
    pub(in super::super) fn offer_supply(
        &self,
        state: &State,
        seat: Seat,
        (area, ..): (AreaId, BlockSet, bool),
        offer: &mut impl FnMut(Action),
    ) {
        let here = state.out(&self.content, area, seat) & self.content.field();
        here.iter().for_each(|block| offer(Action::Lose(block)));
        here.iter().for_each(|block| offer(Action::Exempt(block)));
    }

    /// 9.1: who goes short; the Quartermaster General spares some before anybody has lost strength.
    pub(in super::super) fn examine_supply(
        &self,
        state: &State,
        seat: Seat,
        (area, picked, losing): (AreaId, BlockSet, bool),
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let (Action::Lose(block) | Action::Exempt(block)) = action else {
            return why.refuse(CONTRACT, "NOT_NOW");
        };
        if matches!(action, Action::Exempt(_)) {
            let quartermaster = state.exempt[seat.index()] > 0;
            why.demand(quartermaster, rules::QUARTERMASTER, "NO_QUARTERMASTER", &[])?;
            why.demand(!losing, rules::QUARTERMASTER, "LOSING_ALREADY", &[Ref::from(area)])?;
        }
        self.examine_short(state, (seat, area, picked), block, why)
    }

    pub(in super::super) fn apply_supply(
        &self,
        state: &mut State,
        _: Seat,
        _: (AreaId, BlockSet, bool),
        action: Action,
        out: &mut Events,
    ) {
        if let Action::Lose(block) | Action::Exempt(block) = action {
            self.go_short(state, block, matches!(action, Action::Exempt(_)), out);
        }
    }

    /// 9.12: a player's Areas, one after the other; where blocks are short is announced first, and stands in the state until the
    /// Area's turn comes: a loss in one Area makes no difference to another.
    pub(in super::super) fn supply(&self, state: &mut State, done: u8, next: usize, out: &mut Events) {
        if done == 2 {
            self.replace(state, Frame::Resolution { city: 0 });
            return;
        }
        let seat = state.player(done);
        if next == 0 {
            let none = BlockSet::EMPTY;
            for area in AreaId::all(&self.content) {
                state.short[area] = self.shortage(state, seat, area, none, none) as u8;
            }
            out.revealed();
            out.emit(|| {
                let all: i32 = state.announced_short(0).map(|(_, short)| i32::from(short)).sum();
                let mut refs = vec![Ref::Seat(seat), Ref::Number(all)];
                for (area, short) in state.announced_short(0) {
                    refs.extend([Ref::from(area), Ref::Number(short.into())]);
                }
                Event::new("supply", rules::SUPPLY, &refs)
            });
        }
        let next = state.announced_short(next).find(|&(_, short)| rules::SUPPLY_ATTRITION.applies(short > 0));
        match next {
            Some((area, left)) => {
                state.short[area] = 0;
                self.replace(state, Frame::Supply { done, area: area.index() + 1 });
                state.frames.open(Frame::Short { seat, area, left, picked: BlockSet::EMPTY, losing: false });
            }
            None => self.replace(state, Frame::Supply { done: done + 1, area: 0 }),
        }
    }

    /// 9.12: a pick lowers the shortage by one.
    pub(in super::super) fn examine_short(
        &self,
        state: &State,
        (seat, area, picked): (Seat, AreaId, BlockSet),
        block: BlockId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let piece = Ref::from(block);
        let here = state.out(&self.content, area, seat) & (self.content.field() - picked);
        why.demand(here.contains(block), rules::SUPPLY_ATTRITION, "NOT_THERE", &[piece])?;
        let before = self.shortage(state, seat, area, picked, BlockSet::EMPTY);
        let after = self.shortage(state, seat, area, picked | BlockSet::one(block), BlockSet::EMPTY);
        why.require(after < before, rules::SUPPLY_ATTRITION, "IS_SUPPLIED", &[piece])
    }

    /// 9.12: a block goes short, or the Quartermaster General supplies it.
    pub(in super::super) fn go_short(
        &self,
        state: &mut State,
        block: BlockId,
        exempt: bool,
        out: &mut Events,
    ) {
        let Some(Frame::Short { seat, area, left, picked, losing }) = state.frames.close() else {
            unreachable!("Supply of an Area is asked about within it")
        };
        let bit = BlockSet::one(block);
        if exempt {
            let scene = Scene::open(self, state, 2, out);
            state.exempt[seat.index()] = state.exempt[seat.index()].saturating_sub(1);
            let refs = |what| [Ref::Seat(seat), what, Ref::from(area)];
            let back = Ref::Kind(super::super::catalogue::BACK + seat.index() as u16);
            scene.publish(self, state, out, || {
                Event::new("supplies", rules::QUARTERMASTER, &refs(back)).private(
                    seat,
                    &refs(Ref::from(block)),
                    [],
                )
            });
        } else {
            self.lose_one(state, block, rules::SUPPLY_ATTRITION, out);
        }
        if left > 1 {
            let (left, picked, losing) = (left - 1, picked | bit, losing || !exempt);
            state.frames.open(Frame::Short { seat, area, left, picked, losing });
        }
    }
}
