//! Camp Fever, an event (6.42).

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::numbered::Listed;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::actions::Action;
use super::super::content::things::{AreaId, BlockId};
use super::super::frames::Frame;
use super::super::state::State;
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
                field.iter().for_each(|block| offer(Action::Lose(block)));
            }
            _ => AreaId::all(&self.content).map(Action::Fever).for_each(offer),
        }
    }

    /// 6.42: an Area with two enemy blocks; then blocks that have not suffered.
    pub(in super::super) fn examine_camp_fever(
        &self,
        state: &State,
        seat: Seat,
        frame: Frame,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match (frame, action) {
            (Frame::Fever { .. }, Action::Fever(area)) => {
                let fits = self.fever_fits(state, seat, area);
                why.require(fits, rules::CAMP_FEVER, "TOO_FEW_BLOCKS", &[Ref::from(area)])
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
        frame: Frame,
        action: Action,
        out: &mut Events,
    ) {
        match (frame, action) {
            (Frame::Fever { .. }, Action::Fever(area)) => self.fever(state, seat, area, out),
            (Frame::FeverLoss { area, left, .. }, Action::Lose(block)) => {
                state.frames.close();
                self.lose_one(state, block, rules::CAMP_FEVER, out);
                if left > 1 {
                    state.frames.open(Frame::FeverLoss { seat, area, left: left - 1, first: Some(block) });
                }
            }
            _ => unreachable!("an illegal action was applied"),
        }
    }

    /// 6.42: two or more enemy blocks that are not Besieged.
    pub(in super::super) fn fever_fits(&self, state: &State, seat: Seat, area: AreaId) -> bool {
        state.out(&self.content, area, seat.other()).count() >= 2
    }

    /// 6.42: Camp Fever breaks out; how many blocks suffer is announced.
    pub(in super::super) fn fever(&self, state: &mut State, seat: Seat, area: AreaId, out: &mut Events) {
        let field = state.out(&self.content, area, seat.other()) & self.content.field();
        let left = self.amount_of(state, seat).min(field.count() as u8);
        state.frames.close();
        if rules::CAMP_FEVER.applies(left > 0) {
            state.frames.open(Frame::FeverLoss { seat: seat.other(), area, left, first: None });
        }
        out.revealed();
        let refs = [Ref::Seat(seat), Ref::from(area), Ref::Number(left.into())];
        out.emit(|| Event::new("fever", rules::CAMP_FEVER, &refs));
    }

    /// 6.42: whether this block can suffer.
    pub(in super::super) fn examine_fever_loss(
        &self,
        state: &State,
        (seat, area, first): (Seat, AreaId, Option<BlockId>),
        block: BlockId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let here = state.out(&self.content, area, seat) & self.content.field();
        let piece = Ref::from(block);
        why.require(here.contains(block), rules::CAMP_FEVER, "NOT_THERE", &[piece])?;
        why.require(first != Some(block), rules::CAMP_FEVER, "SUFFERED_ALREADY", &[piece])
    }

    /// Upright blocks are weakened by one each: others learn where.
    pub(in super::super) fn lose_one(
        &self,
        state: &mut State,
        block: BlockId,
        rule: crate::ledger::Rule,
        out: &mut Events,
    ) {
        let scene = Scene::open(self, state, 2, out);
        let seat = self.content.blocks[block].side;
        let place = Ref::from(state.blocks[block].at);
        state.weaken(&self.content, block, 1);
        let own = [Ref::Seat(seat), place, Ref::from(block)];
        let back = Ref::Kind(super::super::catalogue::BACK + seat.index() as u16);
        scene.publish(self, state, out, || {
            Event::new("loses", rule, &[own[0], place, back]).private(seat, &own, [])
        });
    }
}
