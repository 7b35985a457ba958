//! Operations: a player spends Action Points (6.02, 6.1).

use std::ops::ControlFlow;

use crate::event::{Event, Events};
use crate::game::CONTRACT;
use crate::numbered::Listed;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::actions::Action;
use super::super::content::things::AreaId;
use super::super::frames::Frame;
use super::super::state::State;
use super::super::{ThisWar, rules};
use super::recruitment::Paid;

impl ThisWar {
    /// Group Moves, Musters, strength and recruits, then to end.
    pub(in super::super) fn offer_operations(
        &self,
        state: &State,
        seat: Seat,
        points: u8,
        offer: &mut impl FnMut(Action),
    ) {
        if points > 0 {
            let held = |area: &AreaId| !state.out(&self.content, *area, seat).is_empty();
            AreaId::all(&self.content).filter(held).map(Action::Group).for_each(&mut *offer);
            let friendly = |area: &AreaId| state.friendly(&self.content, *area, seat);
            AreaId::all(&self.content).filter(friendly).map(Action::Muster).for_each(&mut *offer);
            self.offer_recruits(state, seat, offer);
        }
        offer(Action::Done);
    }

    /// 6.02: points are left.
    pub(in super::super) fn examine_operations(
        &self,
        state: &State,
        seat: Seat,
        points: u8,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        if matches!(action, Action::Group(_) | Action::Muster(_) | Action::Raise(_) | Action::Deploy(_)) {
            why.demand(points > 0, rules::ACTIONS, "NO_POINTS_LEFT", &[])?;
        }
        match action {
            Action::Group(area) => self.examine_group(state, seat, area, why),
            Action::Muster(area) => self.examine_muster(state, seat, area, why),
            Action::Raise(block) => self.examine_raise(state, seat, block, Paid::Action { guns: false }, why),
            Action::Deploy(block) => {
                self.examine_deploy(state, seat, block, Paid::Action { guns: false }, why)
            }
            Action::Done => ControlFlow::Continue(()),
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_operations(
        &self,
        state: &mut State,
        seat: Seat,
        points: u8,
        action: Action,
        out: &mut Events,
    ) {
        let who = Ref::Seat(seat);
        match action {
            Action::Group(from) => {
                self.act(state, seat, points, Frame::GroupMove { seat, from });
                out.emit(|| Event::new("group_move", rules::GROUP_MOVE, &[who, Ref::from(from)]));
            }
            Action::Muster(to) => {
                self.act(state, seat, points, Frame::Muster { seat, to });
                out.emit(|| Event::new("muster", rules::MUSTER, &[who, Ref::from(to)]));
            }
            Action::Raise(block) => self.raise(state, block, out),
            Action::Deploy(block) => self.pick_recruit(state, seat, block, (false, None), out),
            _ => self.acted(state, seat, out),
        }
    }

    /// The player ends their actions.
    pub(in super::super) fn acted(&self, state: &mut State, seat: Seat, out: &mut Events) {
        state.frames.close();
        out.emit(|| Event::new("acted", rules::ACTIONS, &[Ref::Seat(seat)]));
    }

    /// An Action Point is spent on a move.
    fn act(&self, state: &mut State, seat: Seat, points: u8, frame: Frame) {
        self.replace(state, Frame::Actions { seat, points: points.saturating_sub(1) });
        state.frames.open(frame);
    }
}
