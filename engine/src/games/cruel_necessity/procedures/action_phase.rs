//! The Action Phase: which actions there are (8.0); each is in the file of its procedure.

use std::ops::ControlFlow;

use crate::event::{Event, Events};
use crate::numbered::Listed;
use crate::refusal::Why;

use super::super::actions::{Action, Target};
use super::super::content::{ArmyId, RevoltId, TrackId};
use super::super::procedures::politics::DESPERATE_TRACKS;
use super::super::state::State;
use super::super::{CruelNecessity, rules};

impl CruelNecessity {
    pub(in super::super) fn offer_action_phase(&self, state: &State, offer: &mut impl FnMut(Action)) {
        self.offer_infuse(state, offer);
        self.offer_purchases(state, offer);
        if state.zeal > 0 {
            ArmyId::all(&self.content).for_each(|army| offer(Action::Campaign(Target::Army(army))));
            state.deviltry.iter().for_each(|marker| offer(Action::Campaign(Target::Deviltry(marker))));
            self.offer_sieges(state, offer);
            RevoltId::all(&self.content)
                .filter(|&revolt| state.revolts[revolt].is_some())
                .for_each(|revolt| offer(Action::Besiege(Target::Revolt(revolt))));
            self.offer_fortify(state, offer);
            TrackId::all(&self.content).for_each(|track| offer(Action::Politics(track)));
        }
        if !state.waiting.is_empty() {
            self.actions.uses().iter().for_each(|&action| offer(action));
        }
        DESPERATE_TRACKS.into_iter().for_each(|track| offer(Action::Desperate(track)));
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
            Action::Purchase(achievement) => self.examine_purchase(state, achievement, why),
            Action::Campaign(Target::Army(army)) => self.examine_campaign(state, army, why),
            Action::Campaign(Target::Deviltry(marker)) => self.examine_exorcise(state, marker, why),
            Action::Besiege(Target::Revolt(revolt)) => self.examine_crush(state, revolt, why),
            Action::Besiege(Target::Fort(fort)) => {
                self.examine_siege(state, fort, why)?;
                self.pays(state, why)
            }
            Action::Fortify(fort) => self.examine_fortify(state, fort, why),
            Action::Politics(track) => self.examine_politics(state, track, why),
            Action::UsePolitics(_) | Action::UseSiege(..) => self.examine_reward(state, action, why),
            Action::Desperate(track) => self.examine_desperate(state, track, why),
            Action::Strike(army) => self.examine_strike(state, army, why),
            Action::Pass => ControlFlow::Continue(()),
            _ => why.refuse(rules::ACTIONS, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_action_phase(&self, state: &mut State, action: Action, out: &mut Events) {
        match action {
            Action::Infuse(_) | Action::InfuseFree(_) => self.apply_infuse(state, action, out),
            Action::Purchase(achievement) => self.apply_purchase(state, achievement, out),
            Action::Campaign(Target::Army(army)) => self.apply_campaign(state, army, out),
            Action::Campaign(Target::Deviltry(marker)) => self.apply_exorcise(state, marker, out),
            Action::Besiege(Target::Revolt(revolt)) => self.apply_crush(state, revolt, out),
            Action::Besiege(Target::Fort(fort)) => self.apply_siege(state, fort, out),
            Action::Fortify(fort) => self.apply_fortify(state, fort, out),
            Action::Politics(track) => self.apply_politics(state, track, out),
            Action::UsePolitics(_) | Action::UseSiege(..) => self.apply_reward(state, action, out),
            Action::Desperate(track) => self.apply_desperate(state, track, out),
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
