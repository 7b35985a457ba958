//! The Supply Phase: attrition, Siege Resolution, surrender (9).

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::actions::Action;
use super::super::frames::Frame;
use super::super::state::{State, each};
use super::super::{ThisWar, rules};

impl State {
    /// The Areas from this one that were announced to be short, and of how many blocks each.
    pub(in super::super) fn announced_short(&self, from: u8) -> impl Iterator<Item = (u8, u8)> {
        let areas = (0..).zip(self.short).skip(usize::from(from));
        areas.filter(|&(_, short)| short > 0)
    }
}

impl ThisWar {
    /// Infantry and Cavalry of the Area, to go short or to be spared.
    pub(in super::super) fn offer_supply(
        &self,
        state: &State,
        seat: Seat,
        area: u8,
        offer: &mut impl FnMut(Action),
    ) {
        let here = state.out(&self.content, area, seat) & self.content.field();
        each(here).for_each(|block| offer(Action::Lose(block as u8)));
        each(here).for_each(|block| offer(Action::Exempt(block as u8)));
    }

    /// 9.1: who goes short; the Quartermaster General spares some before anybody has lost strength.
    pub(in super::super) fn examine_supply(
        &self,
        state: &State,
        (seat, area): (Seat, u8),
        (picked, losing): (u64, bool),
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let (Action::Lose(block) | Action::Exempt(block)) = action else {
            return why.refuse(CONTRACT, "NOT_NOW");
        };
        if matches!(action, Action::Exempt(_)) {
            let quartermaster = state.exempt[seat.index()] > 0;
            why.demand(quartermaster, rules::QUARTERMASTER, "NO_QUARTERMASTER", &[])?;
            why.demand(!losing, rules::QUARTERMASTER, "LOSING_ALREADY", &[Ref::Space(area.into())])?;
        }
        self.examine_short(state, (seat, area, picked), block, why)
    }

    pub(in super::super) fn apply_supply(&self, state: &mut State, action: Action, out: &mut Events) {
        if let Action::Lose(block) | Action::Exempt(block) = action {
            self.go_short(state, block, matches!(action, Action::Exempt(_)), out);
        }
    }

    /// 9.12: a player's Areas, one after the other; where blocks are short is announced first, and stands in the state until the
    /// Area's turn comes: a loss in one Area makes no difference to another.
    pub(in super::super) fn supply(&self, state: &mut State, done: u8, area: u8, out: &mut Events) {
        let areas = self.content.areas.len() as u8;
        if done == 2 {
            self.replace(state, Frame::Resolution { city: 0 });
            return;
        }
        let seat = state.player(done);
        if area == 0 {
            for area in 0..areas {
                state.short[usize::from(area)] = self.shortage(state, seat, area, 0, 0) as u8;
            }
            out.revealed();
            out.emit(|| {
                let all: i32 = state.announced_short(0).map(|(_, short)| i32::from(short)).sum();
                let mut refs = vec![Ref::Seat(seat), Ref::Number(all)];
                for (area, short) in state.announced_short(0) {
                    refs.extend([Ref::Space(area.into()), Ref::Number(short.into())]);
                }
                Event::new("supply", rules::SUPPLY, &refs)
            });
        }
        let next = state.announced_short(area).next().filter(|_| rules::SUPPLY_ATTRITION.on());
        match next {
            Some((area, left)) => {
                state.short[usize::from(area)] = 0;
                self.replace(state, Frame::Supply { done, area: area + 1 });
                state.frames.open(Frame::Short { seat, area, left, picked: 0, losing: false });
            }
            None => self.replace(state, Frame::Supply { done: done + 1, area: 0 }),
        }
    }

    /// 9.12: a pick lowers the shortage by one.
    pub(in super::super) fn examine_short(
        &self,
        state: &State,
        (seat, area, picked): (Seat, u8, u64),
        block: u8,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let piece = Ref::Piece(block.into());
        let here = state.out(&self.content, area, seat) & self.content.field() & !picked;
        why.demand(here >> block & 1 != 0, rules::SUPPLY_ATTRITION, "NOT_THERE", &[piece])?;
        let before = self.shortage(state, seat, area, picked, 0);
        let after = self.shortage(state, seat, area, picked | 1 << block, 0);
        why.require(after < before, rules::SUPPLY_ATTRITION, "IS_SUPPLIED", &[piece])
    }

    /// 9.12: a block goes short, or the Quartermaster General supplies it.
    pub(in super::super) fn go_short(&self, state: &mut State, block: u8, exempt: bool, out: &mut Events) {
        let Some(Frame::Short { seat, area, left, picked, losing }) = state.frames.close() else { return };
        let bit = 1u64 << block;
        if exempt {
            let scene = Scene::open(self, state, 2, out);
            state.exempt[seat.index()] = state.exempt[seat.index()].saturating_sub(1);
            let refs = |what| [Ref::Seat(seat), what, Ref::Space(area.into())];
            let back = Ref::Kind(super::super::catalogue::BACK + seat.index() as u16);
            scene.publish(self, state, out, || {
                Event::new("supplies", rules::QUARTERMASTER, &refs(back)).private(
                    seat,
                    &refs(Ref::Piece(block.into())),
                    [],
                )
            });
        } else {
            self.lose_one(state, block.into(), rules::SUPPLY_ATTRITION, out);
        }
        if left > 1 {
            let (left, picked, losing) = (left - 1, picked | bit, losing || !exempt);
            state.frames.open(Frame::Short { seat, area, left, picked, losing });
        }
    }
}
