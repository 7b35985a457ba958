//! The choice of a besieger who is attacked: the Siege is lifted, or the surplus fights alone (14.6, F13).

use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::catalogue;
use super::super::content::ids::{AreaId, CounterSet, GeneralId};
use super::super::frames::Frame;
use super::super::state::{Holder, Marks, State};
use super::super::{UnhappyKing, rules};

/// All that is asked of a besieger: their General, the Brigades of the surplus that are still to be picked, the place of the next one.
pub(in super::super) type SiegeAsked = (GeneralId, Option<u8>, Option<Holder>);

impl UnhappyKing {
    /// F13: a besieger chooses, if they have a surplus; else the Siege is lifted.
    pub(in super::super) fn open_siege_choice(
        &self,
        state: &mut State,
        army: GeneralId,
        area: AreaId,
        out: &mut Events,
    ) {
        if !rules::BESIEGER_ATTACKED.applies(self.besieges_here(state, army, area)) {
            return;
        }
        if state.size(army) > self.siege_need(state, area) {
            let seat = self.content.generals[army].side;
            state.frames.open(Frame::SiegeChoice { seat, general: army, left: None, from: None });
        } else {
            self.lift_for_battle(state, area, out);
        }
    }

    /// Returns whether a commander's Army has the Siege marker of an Area.
    fn besieges_here(&self, state: &State, army: GeneralId, area: AreaId) -> bool {
        state.fortress(&self.content, area).is_some() && self.has_siege_marker(state, army)
    }

    fn lift_for_battle(&self, state: &mut State, area: AreaId, out: &mut Events) {
        if let Some(fortress) = state.fortress(&self.content, area) {
            self.lift_siege(state, fortress, out);
        }
        if let Some(Frame::Entry { lifted, .. }) = state.frames.top_mut() {
            *lifted = true;
        }
    }

    /// The Brigades of the Army that are not picked yet.
    fn unpicked(&self, state: &State, general: GeneralId) -> CounterSet {
        let army = state.led_by(state.army(general));
        army - state.brigades.marked(army, Marks::PICKED)
    }

    /// To lift, or to fight with the surplus; then the Brigades that fight, place and face.
    pub(in super::super) fn offer_siege_choice(
        &self,
        state: &State,
        _: Seat,
        (general, left, from): SiegeAsked,
        offer: &mut impl FnMut(Action),
    ) {
        if left.is_none() {
            offer(Action::Lift);
            return offer(Action::Surplus);
        }
        let unpicked = self.unpicked(state, general);
        match from {
            None => state.army(general).iter().map(|general| Action::From(general.into())).for_each(offer),
            Some(holder) => {
                let there = unpicked & state.brigades.at(holder);
                state.brigades.faces(&self.content, there).iter().map(Action::Brigade).for_each(offer);
            }
        }
    }

    pub(in super::super) fn examine_siege_choice(
        &self,
        state: &State,
        _: Seat,
        (general, left, from): SiegeAsked,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let unpicked = self.unpicked(state, general);
        match (left, from, action) {
            (None, _, Action::Lift | Action::Surplus) => ControlFlow::Continue(()),
            (Some(_), None, Action::From(holder)) => {
                let there = unpicked.meets(state.brigades.at(holder));
                let place = Ref::from(catalogue::location(&self.content, holder));
                why.require(there, rules::BESIEGER_ATTACKED, "NO_BRIGADE_THERE", &[place])
            }
            (Some(_), Some(holder), Action::Brigade(face)) => {
                let there = unpicked & state.brigades.at(holder);
                let there = there.meets(self.content.faces[face].counters());
                why.require(there, rules::BESIEGER_ATTACKED, "BRIGADE_NOT_THERE", &[face.into()])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_siege_choice(
        &self,
        state: &mut State,
        seat: Seat,
        (general, left, from): SiegeAsked,
        action: Action,
        out: &mut Events,
    ) {
        let area = state.area_of(general).expect("a besieger stands on the map");
        let mut next = (left, from);
        match action {
            Action::Lift => {
                state.frames.close();
                return self.lift_for_battle(state, area, out);
            }
            Action::Surplus => {
                next.0 = Some(state.size(general) - self.siege_need(state, area));
                let refs = [Ref::Seat(seat), Ref::from(area)];
                out.emit(|| Event::new("keeps_siege", rules::BESIEGER_ATTACKED, &refs));
            }
            Action::From(holder) => next.1 = Some(holder),
            Action::Brigade(face) => {
                let holder = from.expect("the place is chosen before the face");
                let there = self.unpicked(state, general) & state.brigades.at(holder);
                let counter =
                    state.brigades.of_face(&self.content, there, face).expect("a face that is there");
                let scene = Scene::open(self, state, 2, out);
                state.brigades.mark(&self.content, CounterSet::one(counter), Marks::PICKED);
                let refs =
                    [Ref::Seat(seat), Ref::from(catalogue::location(&self.content, holder)), face.into()];
                scene.publish(self, state, out, || {
                    let event = Event::new("picked_to_fight", rules::BESIEGER_ATTACKED, &refs[..2]);
                    event.private(seat, &refs, [])
                });
                next = (left.map(|left| left - 1), None);
            }
            _ => unreachable!("an illegal action was applied"),
        }
        if next.0 == Some(0) {
            state.frames.close();
            let Some(Frame::Entry { surplus, .. }) = state.frames.top_mut() else {
                unreachable!("a besieger is attacked within an entry");
            };
            *surplus = true;
            return out.emit(|| Event::new("surplus_fights", rules::BESIEGER_ATTACKED, &[Ref::from(area)]));
        }
        let Some(Frame::SiegeChoice { left, from, .. }) = state.frames.top_mut() else {
            unreachable!("a besieger chooses within the procedure");
        };
        (*left, *from) = next;
    }
}
