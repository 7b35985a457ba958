//! Withdrawal of an attacked Army into its own Fortress (10.1, EV8).

use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::content::ids::{AreaId, CounterSet, GeneralId};
use super::super::frames::Frame;
use super::super::state::{Holder, Post, State, Told};
use super::super::{UnhappyKing, rules};

impl UnhappyKing {
    /// EV8: the Army is asked, if all of it has room in a Fortress of its side there, and it may stand with an Army that is inside.
    pub(in super::super) fn open_withdrawal(&self, state: &mut State, general: GeneralId, area: AreaId) {
        let seat = self.content.generals[general].side;
        let room = self.shelter(state, seat, area).is_some_and(|room| state.size(general) <= room);
        let inside = state.commander_inside(&self.content, seat, area);
        let stacks = inside.is_none_or(|inside| self.meeting(state, general, inside).is_some());
        if rules::WITHDRAWAL.applies(room && stacks) {
            state.frames.open(Frame::Withdrawal { seat, general, inside: false });
        }
    }

    /// To withdraw, or to stand; then the unled Brigades that go inside as well, and to be done.
    pub(in super::super) fn offer_withdrawal(
        &self,
        state: &State,
        seat: Seat,
        (general, inside): (GeneralId, bool),
        offer: &mut impl FnMut(Action),
    ) {
        if !inside {
            offer(Action::Withdraw);
            return offer(Action::Stand);
        }
        let unled = self.unled_outside(state, seat, general);
        state.brigades.faces(&self.content, unled).iter().map(Action::Brigade).for_each(&mut *offer);
        offer(Action::Done);
    }

    /// The unled Brigades outside the Fortress of an Army.
    fn unled_outside(&self, state: &State, seat: Seat, general: GeneralId) -> CounterSet {
        let area = state.area_of(general).expect("an Army that withdraws stands on the map");
        state.unled(&self.content, seat, area)
    }

    pub(in super::super) fn examine_withdrawal(
        &self,
        state: &State,
        seat: Seat,
        (general, inside): (GeneralId, bool),
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match (inside, action) {
            (false, Action::Withdraw | Action::Stand) | (true, Action::Done) => ControlFlow::Continue(()),
            (true, Action::Brigade(face)) => {
                let unled = self.unled_outside(state, seat, general);
                let there = unled.meets(self.content.faces[face].counters());
                why.require(there, rules::WITHDRAWAL, "BRIGADE_NOT_THERE", &[face.into()])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_withdrawal(
        &self,
        state: &mut State,
        seat: Seat,
        (general, _): (GeneralId, bool),
        action: Action,
        out: &mut Events,
    ) {
        match action {
            Action::Withdraw => self.withdraw(state, seat, general, out),
            Action::Brigade(face) => {
                let unled = self.unled_outside(state, seat, general);
                let counter =
                    state.brigades.of_face(&self.content, unled, face).expect("a face that is there");
                self.bring_inside(state, seat, general, (CounterSet::one(counter), Told::Hidden), out);
            }
            Action::Stand => {
                state.frames.close();
                out.emit(|| Event::new("stands", rules::WITHDRAWAL, &[Ref::from(general)]));
            }
            _ => {
                state.frames.close();
            }
        }
    }

    /// The whole Army goes inside, and joins one that is there; unled Brigades come along if all of them have room, else they are chosen.
    fn withdraw(&self, state: &mut State, seat: Seat, general: GeneralId, out: &mut Events) {
        let area = state.area_of(general).expect("an Army that withdraws stands on the map");
        let inside = state.commander_inside(&self.content, seat, area);
        let scene = Scene::open(self, state, 2, out);
        let mut commander = general;
        if let Some(meeting) = inside.and_then(|inside| self.meeting(state, general, inside)) {
            for under in state.army(meeting.under) {
                state.generals.place(under, Post::Under(meeting.commander));
            }
            commander = meeting.commander;
        }
        state.generals.place(commander, Post::Inside(area));
        let refs = [Ref::from(general), Ref::from(area)];
        scene.publish(self, state, out, || Event::new("withdraws", rules::WITHDRAWAL, &refs));
        let Some(Frame::Withdrawal { inside, general: at, .. }) = state.frames.top_mut() else {
            unreachable!("an Army withdraws within the procedure");
        };
        (*inside, *at) = (true, commander);
        let unled = state.unled(&self.content, seat, area);
        let room = self.shelter(state, seat, area).unwrap_or(0);
        if !unled.is_empty() && unled.count() <= u32::from(room) {
            self.bring_inside(state, seat, commander, (unled, Told::AsBefore), out);
        }
    }

    /// Unled Brigades go inside.
    fn bring_inside(
        &self,
        state: &mut State,
        seat: Seat,
        general: GeneralId,
        (brigades, told): (CounterSet, Told),
        out: &mut Events,
    ) {
        let area = state.area_of(general).expect("an Army that withdraws stands on the map");
        let fortress = state.fortress(&self.content, area).expect("an Army withdraws into a Fortress");
        let scene = Scene::open(self, state, 2, out);
        let to = Holder::inside(fortress);
        match (told, brigades.first()) {
            (Told::Hidden, Some(counter)) => state.brigades.put(&self.content, counter, to, told),
            _ => state.brigades.change(&self.content, brigades, |counter| counter.at = to),
        }
        let refs = [Ref::Seat(seat), Ref::from(area), Ref::Number(brigades.count() as i32)];
        scene.publish(self, state, out, || Event::new("brigades_inside", rules::WITHDRAWAL, &refs));
    }

    /// Nobody is asked once no Brigade is outside, or there is no room left.
    pub(in super::super) fn advance_withdrawal(
        &self,
        state: &mut State,
        seat: Seat,
        (general, inside): (GeneralId, bool),
    ) -> bool {
        if !inside {
            return false;
        }
        let area = state.area_of(general).expect("an Army that withdraws stands on the map");
        let full = self.shelter(state, seat, area).unwrap_or(0) == 0;
        let ends = full || state.unled(&self.content, seat, area).is_empty();
        if ends {
            state.frames.close();
        }
        ends
    }
}
