//! Choices of events: one of two effects, and the Fortress, Siege or General that an operation is about (6.4, 11.1).

use crate::vocabulary::*;

use super::super::actions::{Action, Choice};
use super::super::content::ids::{AreaId, AreaSet, CardId, ListId};
use super::super::content::operations::{FortressChange, Operation};
use super::super::frames::Frame;
use super::super::state::{State, Warrant};
use super::super::{UnhappyKing, rules};

impl UnhappyKing {
    /// A choice of which public facts leave one effect, or none, is not asked.
    pub(in super::super) fn advance_effect(
        &self,
        state: &mut State,
        seat: Seat,
        options: [ListId; 2],
    ) -> bool {
        let open = options.map(|option| rules::IDLE_EVENT.allows(self.list_is_open(state, seat, option)));
        match open {
            [true, true] => return false,
            [false, false] => {
                state.frames.close();
            }
            [first, _] => self.take_effect(state, seat, options[usize::from(!first)]),
        }
        true
    }

    fn take_effect(&self, state: &mut State, seat: Seat, list: ListId) {
        state.frames.close();
        let card = self.event_card(state);
        state.frames.open(Frame::Event { seat, card, list, step: 0, begun: false, did: false });
    }

    /// The card of the event under way.
    fn event_card(&self, state: &State) -> CardId {
        let card = state.frames.iter().rev().find_map(|frame| match frame {
            Frame::Event { card, .. } => Some(*card),
            _ => None,
        });
        card.expect("an event is under way")
    }

    /// Both effects.
    pub(in super::super) fn offer_effect(
        &self,
        _: &State,
        _: Seat,
        _: [ListId; 2],
        offer: &mut impl FnMut(Action),
    ) {
        Choice::ALL.iter().for_each(|&(choice, _)| offer(Action::Effect(choice)));
    }

    /// Only an effect that can do something.
    pub(in super::super) fn examine_effect(
        &self,
        state: &State,
        seat: Seat,
        options: [ListId; 2],
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let Action::Effect(choice) = action else { return why.refuse(CONTRACT, "NOT_NOW") };
        let open = self.list_is_open(state, seat, options[choice as usize]);
        why.require(open, rules::IDLE_EVENT, "EFFECT_DOES_NOTHING", &[])
    }

    pub(in super::super) fn apply_effect(
        &self,
        state: &mut State,
        seat: Seat,
        options: [ListId; 2],
        action: Action,
        out: &mut Events,
    ) {
        let Action::Effect(choice) = action else { unreachable!("an illegal action was applied") };
        self.take_effect(state, seat, options[choice as usize]);
        let refs = [Ref::Seat(seat), Ref::Number(choice as i32 + 1)];
        out.emit(|| Event::new("effect_chosen", rules::EVENT, &refs));
        out.release();
    }

    /// The Areas of what may be named: Fortresses, or Sieges.
    fn target_areas(&self, state: &State, seat: Seat) -> AreaSet {
        match self.event_operation(state) {
            Operation::TakeFortress { among, weakness, .. } => {
                let weak = self.weak_fortresses(state, seat, among, weakness);
                weak.iter().map(|fortress| self.content.fortresses[fortress].area).collect()
            }
            Operation::BombardModifier { .. } => self.own_sieges(state, seat),
            _ => AreaSet::EMPTY,
        }
    }

    /// Public facts that leave one Area, or nothing, are not asked about; a General is always named.
    pub(in super::super) fn advance_target(&self, state: &mut State, seat: Seat, out: &mut Events) -> bool {
        if let Operation::Activate { generals, .. } = self.event_operation(state) {
            let ready = generals.iter().any(|general| self.may_activate(state, seat, general, Warrant::Any));
            if !ready {
                state.frames.close();
            }
            return !ready;
        }
        let areas = self.target_areas(state, seat);
        if areas.count() > 1 {
            return false;
        }
        match areas.first() {
            Some(area) => self.name_area(state, seat, area, out),
            None => {
                state.frames.close();
            }
        }
        true
    }

    /// The Areas, or the Generals.
    pub(in super::super) fn offer_target(&self, state: &State, seat: Seat, offer: &mut impl FnMut(Action)) {
        match self.event_operation(state) {
            Operation::Activate { generals, .. } => generals.iter().map(Action::Activate).for_each(offer),
            _ => self.target_areas(state, seat).iter().map(Action::At).for_each(offer),
        }
    }

    /// 11.1, 6.4: what the card allows.
    pub(in super::super) fn examine_target(
        &self,
        state: &State,
        seat: Seat,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match (self.event_operation(state), action) {
            (Operation::Activate { generals, .. }, Action::Activate(general)) => {
                why.demand(
                    generals.contains(general),
                    rules::EVENT,
                    "NOT_NAMED_BY_THE_CARD",
                    &[general.into()],
                )?;
                let may = self.may_activate(state, seat, general, Warrant::Any);
                why.require(may, rules::ACTIVATION, "CANNOT_BE_ACTIVATED", &[general.into()])
            }
            (Operation::TakeFortress { .. } | Operation::BombardModifier { .. }, Action::At(area)) => {
                let fits = self.target_areas(state, seat).contains(area);
                why.require(fits, rules::EVENT, "NOT_A_TARGET", &[area.into()])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_target(
        &self,
        state: &mut State,
        seat: Seat,
        action: Action,
        out: &mut Events,
    ) {
        match action {
            Action::Activate(general) => {
                state.frames.close();
                self.event_did(state);
                self.open_activation(state, seat, general, Warrant::Any, out);
            }
            Action::At(area) => self.name_area(state, seat, area, out),
            _ => unreachable!("an illegal action was applied"),
        }
    }

    /// The Fortress is tried, or the Siege is marked.
    fn name_area(&self, state: &mut State, seat: Seat, area: AreaId, out: &mut Events) {
        let operation = self.event_operation(state);
        state.frames.close();
        match operation {
            Operation::BombardModifier { modifier } => {
                self.event_did(state);
                let fortress = self.content.areas[area].fortress.expect("a Siege is of a Fortress");
                let scene = Scene::open(self, state, 2, out);
                let bonus = &mut state.sieges[fortress].bonus;
                *bonus = bonus.saturating_add(modifier);
                let refs = [Ref::from(area), Ref::Number(modifier.into())];
                scene.publish(self, state, out, || Event::new("siege_aided", rules::EVENT, &refs));
            }
            Operation::TakeFortress { change: FortressChange::Surrender, .. } => {
                self.event_did(state);
                state.frames.open(Frame::Surrender { seat, area, stage: 0 });
            }
            Operation::TakeFortress { .. } => state.frames.open(Frame::FortressRoll { seat, area }),
            _ => unreachable!("Areas are named for Fortresses and Sieges"),
        }
    }
}
