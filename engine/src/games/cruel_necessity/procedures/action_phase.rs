//! The Action Phase: which actions there are (8.0); each is in the file of its procedure.

use std::ops::ControlFlow;

use crate::event::{Event, Events};
use crate::refusal::Why;

use super::super::actions::{Action, Target};
use super::super::content::{ARMIES, DEVILTRY, REVOLTS, TRACKS};
use super::super::state::State;
use super::super::{CruelNecessity, rules};

impl CruelNecessity {
    pub(in super::super) fn offer_action_phase(&self, state: &State, offer: &mut impl FnMut(Action)) {
        self.offer_infuse(state, offer);
        self.offer_purchases(state, offer);
        if state.zeal > 0 {
            (0..ARMIES as u8).for_each(|army| offer(Action::Campaign(Target::Army(army))));
            (0..DEVILTRY as u8)
                .filter(|marker| state.deviltry & 1 << marker != 0)
                .for_each(|marker| offer(Action::Campaign(Target::Deviltry(marker))));
            self.offer_sieges(state, offer);
            (0..REVOLTS as u8)
                .filter(|&revolt| state.revolts[usize::from(revolt)] != 0)
                .for_each(|revolt| offer(Action::Besiege(Target::Revolt(revolt))));
            self.offer_fortify(state, offer);
            (0..TRACKS as u8).for_each(|track| offer(Action::Politics(track)));
        }
        if state.waiting != 0 {
            self.actions.uses().iter().for_each(|&action| offer(action));
        }
        (0..2).for_each(|which| offer(Action::Desperate(which)));
        self.offer_strikes(state, offer);
        offer(Action::Pass);
    }

    pub(in super::super) fn examine_action_phase(
        &self,
        state: &State,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match action {
            Action::Infuse(_) | Action::InfuseFree(_) => self.examine_infuse(state, action, why),
            Action::Purchase(index) => self.examine_purchase(state, usize::from(index), why),
            Action::Campaign(Target::Army(army)) => self.examine_campaign(state, army, why),
            Action::Campaign(Target::Deviltry(marker)) => self.examine_exorcise(state, marker, why),
            Action::Besiege(Target::Revolt(revolt)) => self.examine_crush(state, revolt, why),
            Action::Besiege(Target::Fort(fort)) => {
                self.examine_siege(state, usize::from(fort), why)?;
                self.pays(state, why)
            }
            Action::Fortify(fort) => self.examine_fortify(state, usize::from(fort), why),
            Action::Politics(track) => self.examine_politics(state, track, why),
            Action::UsePolitics(_) | Action::UseSiege(..) => self.examine_reward(state, action, why),
            Action::Desperate(which) => self.examine_desperate(state, which, why),
            Action::Strike(army) => self.examine_strike(state, army, why),
            Action::Pass => ControlFlow::Continue(()),
            _ => why.refuse(rules::ACTIONS, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_action_phase(&self, state: &mut State, action: Action, out: &mut Events) {
        match action {
            Action::Infuse(_) | Action::InfuseFree(_) => self.apply_infuse(state, action, out),
            Action::Purchase(index) => self.apply_purchase(state, usize::from(index), out),
            Action::Campaign(Target::Army(army)) => self.apply_campaign(state, army, out),
            Action::Campaign(Target::Deviltry(marker)) => self.apply_exorcise(state, marker, out),
            Action::Besiege(Target::Revolt(revolt)) => self.apply_crush(state, revolt, out),
            Action::Besiege(Target::Fort(fort)) => self.apply_siege(state, fort, out),
            Action::Fortify(fort) => self.apply_fortify(state, fort, out),
            Action::Politics(track) => self.apply_politics(state, track, out),
            Action::UsePolitics(_) | Action::UseSiege(..) => self.apply_reward(state, action, out),
            Action::Desperate(which) => self.apply_desperate(state, which, out),
            Action::Strike(army) => self.apply_strike(state, army, out),
            Action::Pass => {
                state.frames.close();
                out.emit(|| Event::new("passes", rules::ACTIONS, &[]));
            }
            _ => unreachable!("{action:?} is not legal"),
        }
    }

    /// An action costs a Zeal Point (8.0).
    pub(in super::super) fn pays(&self, state: &State, why: &mut Why) -> ControlFlow<()> {
        why.require(state.zeal > 0, rules::ACTIONS, "NO_ZEAL", &[])
    }

    pub(in super::super) fn pay(&self, state: &mut State, price: u8, out: &mut Events) {
        if rules::ACTIONS.applies(price > 0) {
            self.change_zeal(state, -(price as i8), rules::ACTIONS, out);
        }
    }
}
