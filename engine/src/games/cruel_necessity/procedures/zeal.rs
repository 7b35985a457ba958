//! Zeal Points (8.0, 6.6), and the Zeal marker on the map (8.1).

use std::ops::ControlFlow;

use crate::event::{Event, Events};
use crate::ledger::Rule;
use crate::reference::Ref;
use crate::refusal::Why;

use super::super::actions::{Action, Target};
use super::super::frames::Frame;
use super::super::state::{Flags, State};
use super::super::{CruelNecessity, rules};

impl CruelNecessity {
    /// Adds Zeal Points within the track; what goes beyond its ends is lost (6.6, G5).
    pub(in super::super) fn change_zeal(&self, state: &mut State, by: i8, rule: Rule, out: &mut Events) {
        let most = self.content.numbers.zeal.max as i8;
        let zeal = (state.zeal as i8 + by).clamp(0, rules::ZEAL_LIMITS.gives(most, 99));
        let changed = zeal - state.zeal as i8;
        if changed != 0 {
            let scene = self.scene(state, out);
            let code = if by < 0 { "zeal_lost" } else { "zeal_gained" };
            let refs = [Ref::Number(changed.abs().into()), Ref::Number(zeal.into())];
            state.zeal = zeal as u8;
            scene.publish(self, state, out, || Event::new(code, rule, &refs));
        }
        if changed != by {
            // Beyond the ends of the track it comes to nothing, and is named all the same (G5).
            let code = if by < 0 { "zeal_empty" } else { "zeal_full" };
            out.emit(|| Event::new(code, rule, &[Ref::Number((by - changed).abs().into())]));
        }
    }

    /// +1 where the Zeal marker lies (8.1).
    pub(in super::super) fn zeal_drm(&self, state: &State, target: Target) -> i8 {
        i8::from(rules::INFUSE.applies(state.zeal_on == Some(target)))
    }

    /// Returns whether the Zeal marker can be placed there (P2).
    fn target_is_there(&self, state: &State, target: Target) -> bool {
        match target {
            Target::Army(_) | Target::Track(_) => true,
            Target::Fort(fort) => state.forts[fort].royalist,
            Target::Revolt(revolt) => state.revolts[revolt].is_some(),
            Target::Deviltry(marker) => state.deviltry.contains(marker),
        }
    }

    /// A card brings the Zeal marker now and next turn (P7, P8).
    pub(in super::super) fn open_placement(&self, state: &mut State, out: &mut Events) {
        let again = rules::FREE_MARKER_NEXT_TURN.applies(true);
        self.note(state, Flags::LICENCE_NEXT, again, rules::FREE_MARKER_NEXT_TURN, out);
        if rules::FREE_MARKER_NOW.applies(true) {
            state.frames.open(Frame::PlaceMarker);
        }
    }

    /// Everything that the marker can lie on.
    pub(in super::super) fn offer_placement(&self, _: &State, offer: &mut impl FnMut(Action)) {
        Target::all().for_each(|target| offer(Action::InfuseFree(target)));
    }

    pub(in super::super) fn examine_placement(
        &self,
        state: &State,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match action {
            Action::InfuseFree(target) => {
                let there = self.target_is_there(state, target);
                why.require(there, rules::MARKER_TARGETS, "NOT_A_TARGET", &[target.reference()])
            }
            _ => why.refuse(rules::SEQUENCE, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_placement(&self, state: &mut State, action: Action, out: &mut Events) {
        let Action::InfuseFree(target) = action else { unreachable!("{action:?} is not legal") };
        state.frames.close();
        self.place_marker(state, target, out);
    }

    /// The targets that are there, free or paid for, unless the marker was placed this turn.
    pub(in super::super) fn offer_infuse(&self, state: &State, offer: &mut impl FnMut(Action)) {
        if state.has(Flags::ZEAL_PLACED) {
            return;
        }
        let (free, paid) = (state.has(Flags::LICENCE_NOW), state.zeal > 0);
        for target in Target::all().filter(|&t| self.target_is_there(state, t)) {
            if free {
                offer(Action::InfuseFree(target));
            } else if paid {
                offer(Action::Infuse(target));
            }
        }
    }

    /// Examines where the Zeal marker may go, and how often (8.1, P2, P3); paid for, it would forfeit the free placement that waits
    /// (P8).
    pub(in super::super) fn examine_infuse(
        &self,
        state: &State,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let free = state.has(Flags::LICENCE_NOW);
        let target = match action {
            Action::Infuse(target) => {
                why.require(!free, rules::FREE_MARKER_NEXT_TURN, "PLACEMENT_IS_FREE", &[])?;
                self.pays(state, why)?;
                target
            }
            Action::InfuseFree(target) => {
                why.demand(free, rules::FREE_MARKER_NEXT_TURN, "NO_FREE_MARKER", &[])?;
                target
            }
            _ => unreachable!("{action:?} places no marker"),
        };
        why.require(!state.has(Flags::ZEAL_PLACED), rules::MARKER_ONCE, "MARKER_PLACED", &[])?;
        let there = self.target_is_there(state, target);
        why.require(there, rules::MARKER_TARGETS, "NOT_A_TARGET", &[target.reference()])
    }

    pub(in super::super) fn apply_infuse(&self, state: &mut State, action: Action, out: &mut Events) {
        let target = match action {
            Action::Infuse(target) => {
                self.pay(state, 1, out);
                target
            }
            Action::InfuseFree(target) => {
                self.note(state, Flags::LICENCE_NOW, false, rules::FREE_MARKER_NEXT_TURN, out);
                target
            }
            _ => unreachable!("{action:?} places no marker"),
        };
        self.place_marker(state, target, out);
    }

    /// The Zeal marker is placed on the map (8.1); an earlier place is given up (P7).
    pub(in super::super) fn place_marker(&self, state: &mut State, target: Target, out: &mut Events) {
        let scene = self.scene(state, out);
        state.zeal_on = Some(target);
        state.set(Flags::ZEAL_PLACED, true);
        scene.publish(self, state, out, || Event::new("infused", rules::INFUSE, &[target.reference()]));
    }
}
