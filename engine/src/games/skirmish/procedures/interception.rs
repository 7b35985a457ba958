//! Interception: a stack near the march may meet it (4.1, 4.2).

use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::frames::Frame;
use super::super::state::State;
use super::super::{Skirmish, rules};

impl Skirmish {
    /// The spaces about the march, then to let them pass.
    pub(in super::super) fn offer_interception(
        &self,
        _: &State,
        _: Seat,
        to: u8,
        offer: &mut impl FnMut(Action),
    ) {
        self.content.roads[usize::from(to)].iter().copied().map(Action::Intercept).for_each(&mut *offer);
        offer(Action::Pass);
    }

    /// 4.1: a stack stands at one road from the march.
    pub(in super::super) fn examine_interception(
        &self,
        state: &State,
        seat: Seat,
        to: u8,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match action {
            Action::Intercept(by) => {
                let near =
                    self.content.roads[usize::from(to)].contains(&by) && !state.stack(seat, by).is_empty();
                let refs = [Ref::Space(by.into()), Ref::Space(to.into())];
                why.require(near, rules::INTERCEPTION, "NO_STACK", &refs)
            }
            Action::Pass => ControlFlow::Continue(()),
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_interception(
        &self,
        state: &mut State,
        seat: Seat,
        _: u8,
        action: Action,
        out: &mut Events,
    ) {
        let who = Ref::Seat(seat);
        match (action, state.frames.top_mut()) {
            (Action::Intercept(stack), Some(Frame::Interception { by, to, .. })) => {
                let refs = [who, Ref::Space(stack.into()), Ref::Space((*to).into())];
                *by = Some(stack);
                out.emit(|| Event::new("intercepts", rules::INTERCEPTION, &refs));
            }
            _ => {
                state.frames.close();
                out.emit(|| Event::new("lets_pass", rules::INTERCEPTION, &[who]));
            }
        }
    }

    /// 4.2: a die that fails, and one that succeeds.
    pub(in super::super) fn attempt_classes(&self) -> Vec<Class> {
        Class::of_die(self.content.interception_at_least)
    }

    /// 4.2: the die falls; who succeeds is in the way of the march, and defends.
    pub(in super::super) fn attempt(
        &self,
        state: &mut State,
        asked: Seat,
        (by, from, to): (u8, u8, u8),
        die: u8,
        out: &mut Events,
    ) {
        out.emit(|| Event::new("attempt", rules::ATTEMPT, &[Ref::Number(die.into())]));
        if rules::ATTEMPT.applies(die < self.content.interception_at_least) {
            return;
        }
        let scene = Scene::open(self, state, state.seats(), out);
        for block in state.stack(asked, by) {
            state.blocks[block].at = to;
        }
        let refs = [Ref::Seat(asked), Ref::Space(to.into())];
        scene.publish(self, state, out, || Event::new("met", rules::ATTEMPT, &refs));
        self.open_battle(state, to, from, asked.other(), out);
    }
}
