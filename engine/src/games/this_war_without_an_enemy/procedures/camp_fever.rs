//! Camp Fever, an event (6.42).

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::actions::Action;
use super::super::frames::Frame;
use super::super::state::{NONE, State, each};
use super::super::{ThisWar, rules};

impl ThisWar {
    /// The Areas; then the blocks of the victim there.
    pub(in super::super) fn offer_camp_fever(
        &self,
        state: &State,
        seat: Seat,
        frame: Frame,
        offer: &mut impl FnMut(Action),
    ) {
        match frame {
            Frame::FeverLoss { area, .. } => {
                let field = state.out(&self.content, area, seat) & self.content.field();
                each(field).for_each(|block| offer(Action::Lose(block as u8)));
            }
            _ => self.areas().map(Action::Fever).for_each(offer),
        }
    }

    /// 6.42: an Area with two enemy blocks; then blocks that have not suffered.
    pub(in super::super) fn examine_camp_fever(
        &self,
        state: &State,
        seat: Seat,
        (frame, action): (Frame, Action),
        why: &mut Why,
    ) -> ControlFlow<()> {
        match (frame, action) {
            (Frame::Fever { .. }, Action::Fever(area)) => {
                let fits = self.fever_fits(state, seat, area);
                why.require(fits, rules::CAMP_FEVER, "TOO_FEW_BLOCKS", &[Ref::Space(area.into())])
            }
            (Frame::FeverLoss { area, first, .. }, Action::Lose(block)) => {
                self.examine_fever_loss(state, (seat, area, first), block, why)
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_camp_fever(
        &self,
        state: &mut State,
        seat: Seat,
        (frame, action): (Frame, Action),
        out: &mut Events,
    ) {
        match (frame, action) {
            (Frame::Fever { .. }, Action::Fever(area)) => self.fever(state, seat, area, out),
            (Frame::FeverLoss { area, left, .. }, Action::Lose(block)) => {
                state.frames.close();
                self.lose_one(state, block.into(), rules::CAMP_FEVER, out);
                if left > 1 {
                    state.frames.open(Frame::FeverLoss { seat, area, left: left - 1, first: block });
                }
            }
            _ => debug_assert!(false, "an illegal action was applied"),
        }
    }

    /// 6.42: two or more enemy blocks that are not Besieged.
    pub(in super::super) fn fever_fits(&self, state: &State, seat: Seat, area: u8) -> bool {
        state.out(&self.content, area, seat.other()).count_ones() >= 2
    }

    /// 6.42: Camp Fever breaks out; how many blocks suffer is announced.
    pub(in super::super) fn fever(&self, state: &mut State, seat: Seat, area: u8, out: &mut Events) {
        let field = state.out(&self.content, area, seat.other()) & self.content.field();
        let left = self.amount_of(state, seat).min(field.count_ones() as u8);
        state.frames.close();
        if left > 0 && rules::CAMP_FEVER.on() {
            state.frames.open(Frame::FeverLoss { seat: seat.other(), area, left, first: NONE });
        }
        out.revealed();
        let refs = [Ref::Seat(seat), Ref::Space(area.into()), Ref::Number(left.into())];
        out.emit(|| Event::new("fever", rules::CAMP_FEVER, &refs));
    }

    /// 6.42: whether this block can suffer.
    pub(in super::super) fn examine_fever_loss(
        &self,
        state: &State,
        (seat, area, first): (Seat, u8, u8),
        block: u8,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let here = state.out(&self.content, area, seat) & self.content.field();
        let piece = Ref::Piece(block.into());
        why.require(here >> block & 1 != 0, rules::CAMP_FEVER, "NOT_THERE", &[piece])?;
        why.require(first != block, rules::CAMP_FEVER, "SUFFERED_ALREADY", &[piece])
    }

    /// Upright blocks are weakened by one each: others learn where.
    pub(in super::super) fn lose_one(
        &self,
        state: &mut State,
        block: usize,
        rule: crate::ledger::Rule,
        out: &mut Events,
    ) {
        let scene = Scene::open(self, state, 2, out);
        let seat = self.content.blocks[block].side;
        let place = Ref::Space(state.blocks[block].at.into());
        state.weaken(&self.content, block, 1);
        let own = [Ref::Seat(seat), place, Ref::Piece(block as u16)];
        let back = Ref::Kind(super::super::catalogue::BACK + seat.index() as u16);
        scene.publish(self, state, out, || {
            Event::new("loses", rule, &[own[0], place, back]).private(seat, &own, [])
        });
    }
}
