//! Dispersed Brigades: half of them reform, the others can be recruited (7.1.7, R11, R22).

use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::content::ids::CounterSet;
use super::super::frames::Frame;
use super::super::state::{Holder, Marks, State, Told};
use super::super::{UnhappyKing, rules};

impl UnhappyKing {
    /// The number of Brigades that reform is picked, if there are any; without one all go at once.
    pub(in super::super) fn open_reform(&self, state: &mut State, seat: Seat, out: &mut Events) {
        let dispersed = state.brigades.at(Holder::unemployed(seat)).count() as u8;
        if dispersed == 0 {
            return;
        }
        let left =
            rules::REFORMING.gives(dispersed / self.content.numbers.recruitment.reform_one_of.max(1), 0);
        state.frames.open(Frame::Reform { seat, left });
        out.emit(|| {
            let refs = [Ref::Seat(seat), Ref::Number(dispersed.into()), Ref::Number(left.into())];
            Event::new("reforming", rules::REFORMING, &refs)
        });
    }

    /// Those in the box that are not picked.
    fn unreformed(&self, state: &State, seat: Seat) -> CounterSet {
        let dispersed = state.brigades.at(Holder::unemployed(seat));
        dispersed - state.brigades.marked(dispersed, Marks::PICKED)
    }

    /// Once half are picked, the rest leave the box.
    pub(in super::super) fn advance_reform(
        &self,
        state: &mut State,
        seat: Seat,
        left: u8,
        out: &mut Events,
    ) -> bool {
        if left > 0 && !self.unreformed(state, seat).is_empty() {
            return false;
        }
        state.frames.close();
        let rest = self.unreformed(state, seat).count();
        self.send_off(state, seat, rest, out);
        let scene = Scene::open(self, state, 2, out);
        let picked = state.brigades.at(Holder::unemployed(seat));
        state.brigades.unmark(&self.content, picked, Marks::PICKED);
        let refs = [Ref::Seat(seat), Ref::Number(picked.count() as i32)];
        scene.publish(self, state, out, || Event::new("reform_picked", rules::REFORMING, &refs));
        true
    }

    /// The faces in the box.
    pub(in super::super) fn offer_reform(&self, state: &State, seat: Seat, offer: &mut impl FnMut(Action)) {
        let faces = state.brigades.faces(&self.content, self.unreformed(state, seat));
        faces.iter().map(Action::Brigade).for_each(offer);
    }

    /// R11: any of those that are left.
    pub(in super::super) fn examine_reform(
        &self,
        state: &State,
        seat: Seat,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let Action::Brigade(face) = action else { return why.refuse(CONTRACT, "NOT_NOW") };
        let there = state.brigades.of_face(&self.content, self.unreformed(state, seat), face).is_some();
        why.require(there, CONTRACT, "BRIGADE_NOT_THERE", &[face.into()])
    }

    pub(in super::super) fn apply_reform(
        &self,
        state: &mut State,
        seat: Seat,
        action: Action,
        out: &mut Events,
    ) {
        let Action::Brigade(face) = action else { unreachable!("an illegal action was applied") };
        let Some(Frame::Reform { left, .. }) = state.frames.top_mut() else {
            unreachable!("Brigades are picked within the procedure");
        };
        *left -= 1;
        let counter = state.brigades.of_face(&self.content, self.unreformed(state, seat), face);
        let counter = counter.expect("a Brigade of the face was offered");
        let scene = Scene::open(self, state, 2, out);
        state.brigades.mark(&self.content, CounterSet::one(counter), Marks::PICKED);
        scene.publish(self, state, out, || {
            Event::only(seat, "picked_to_reform", rules::REFORMING, &[Ref::Seat(seat), face.into()])
        });
    }

    /// Unplaced ones leave the box when the recruits are done (R11).
    pub(in super::super) fn leave_box(&self, state: &mut State, seat: Seat, out: &mut Events) {
        let rest = state.brigades.at(Holder::unemployed(seat)).count();
        self.send_off(state, seat, rest, out);
    }

    /// So many unreformed Brigades go where they can be recruited, or leave (R11, R19, R22). Counters are numbered anew by each.
    fn send_off(&self, state: &mut State, seat: Seat, count: u32, out: &mut Events) {
        if count == 0 {
            return;
        }
        let scene = Scene::open(self, state, 2, out);
        // Nothing was chosen in secret where all of them go.
        let all = state.brigades.at(Holder::unemployed(seat)).count() == count;
        while let Some(counter) = self.unreformed(state, seat).first() {
            let turned = state.brigades.get(counter).marks.contains(Marks::TURNED);
            // One that is not placed is out.
            let stays = rules::REFORMED_TURNCOATS.gives(false, turned);
            let goes = if stays { Holder::pool(seat) } else { self.pool_place(state, counter) };
            let told = if goes != Holder::pool(seat) {
                Told::Public
            } else if all {
                Told::AsBefore
            } else {
                Told::Hidden
            };
            state.brigades.put(&self.content, counter, goes, told);
        }
        let refs = [Ref::Seat(seat), Ref::Number(count as i32)];
        scene.publish(self, state, out, || Event::new("dispersed_leave", rules::REFORMING, &refs));
    }
}
