//! Benefit Points of a Major Victory (7.2).

use std::ops::ControlFlow;

use crate::event::{Event, Events};
use crate::numbered::Listed;
use crate::reference::Ref;
use crate::refusal::Why;

use super::super::actions::{Action, Target};
use super::super::content::{FortId, LONDON, TrackId};
use super::super::state::{State, TOP};
use super::super::{CruelNecessity, rules};
use super::fortresses::{fort_barred, in_front, permitted};
use super::tracks::london_barred;

impl CruelNecessity {
    /// Returns whether Benefit Points can be spent on anything.
    pub(in super::super) fn any_benefit(&self, state: &State) -> bool {
        let mut any = false;
        self.offer_benefits(state, &mut |action| {
            let mut why = Why::quiet();
            let _ = self.examine_benefit(state, action, &mut why);
            any |= !why.refused();
        });
        any
    }

    pub(in super::super) fn offer_benefits(&self, state: &State, offer: &mut impl FnMut(Action)) {
        if state.battle.points == 0 {
            return;
        }
        offer(Action::BenefitZeal);
        TrackId::all(&self.content).for_each(|track| offer(Action::BenefitTrack(track)));
        FortId::all(&self.content).for_each(|fort| offer(Action::BenefitFort(fort)));
        (1..=2).for_each(|value| offer(Action::BenefitWeaken(value)));
    }

    fn benefit_cost(&self, action: Action) -> u8 {
        let costs = &self.content.numbers.battle;
        match action {
            Action::BenefitZeal => costs.zeal_cost,
            Action::BenefitTrack(_) => costs.track_cost,
            Action::BenefitFort(_) => costs.fortress_cost,
            Action::BenefitWeaken(1) => costs.weaken_one_cost,
            _ => costs.weaken_two_cost,
        }
    }

    pub(in super::super) fn examine_benefit(
        &self,
        state: &State,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let cost = self.benefit_cost(action);
        if state.battle.points < cost {
            return why.refuse(rules::MAJOR, "TOO_FEW_POINTS");
        }
        match action {
            Action::BenefitZeal => {
                why.require(state.zeal < self.content.numbers.zeal.max, rules::NOT_IDLE, "ZEAL_FULL", &[])
            }
            Action::BenefitTrack(track) => {
                let room = state.tracks[track] != TOP;
                why.demand(room, rules::TRACK_BENEFIT, "AT_THE_TOP", &[Target::Track(track).reference()])
            }
            Action::BenefitFort(fort) => self.examine_benefit_fort(state, fort, why),
            _ => ControlFlow::Continue(()),
        }
    }

    /// A click for a fortress of the region: up for Parliament's, down for the Royalists' (7.2, B26).
    fn examine_benefit_fort(&self, state: &State, fort: FortId, why: &mut Why) -> ControlFlow<()> {
        let refs = [Target::Fort(fort).reference()];
        let here = self.content.forts[fort].lies[state.battle.foe()].is_some();
        why.require(here, rules::FORTRESS_BENEFIT, "NOT_IN_THE_REGION", &refs)?;
        if state.forts[fort].royalist {
            let eligible = in_front(&self.content, state, fort)
                && permitted(&self.content, state, fort)
                && !fort_barred(&self.content, state, fort);
            let captures = state.forts[fort].click == 1;
            return why.require(eligible || !captures, rules::MAJOR, "NOT_BESIEGED", &refs);
        }
        if state.forts[fort].click >= 5 {
            return why.refuse(rules::FORTIFY, "FULL_STRENGTH");
        }
        let barred = fort == LONDON && london_barred(state);
        why.require(!barred, rules::NADIR_OF_PARLIAMENT, "PARLIAMENT_AT_ITS_NADIR", &refs)
    }

    pub(in super::super) fn spend_benefit(&self, state: &mut State, action: Action, out: &mut Events) {
        let scene = self.scene(state, out);
        state.battle.points -= self.benefit_cost(action);
        let refs = [Ref::Number(state.battle.points.into())];
        scene.publish(self, state, out, || Event::new("benefit", rules::MAJOR, &refs));
        match action {
            Action::BenefitZeal => self.change_zeal(state, 1, rules::MAJOR, out),
            Action::BenefitTrack(track) => self.raise(state, track, rules::MAJOR, out),
            Action::BenefitFort(fort) if state.forts[fort].royalist => {
                self.click_down(state, fort, rules::MAJOR, out);
            }
            Action::BenefitFort(fort) => self.click_up(state, fort, rules::MAJOR, out),
            Action::BenefitWeaken(value) => {
                let scene = self.scene(state, out);
                let army = state.battle.foe();
                let unit = &mut state.armies[army];
                let value = rules::WEAKENED_ARMY.gives(value, 0);
                unit.markers = unit.markers.saturating_sub(value as i8);
                let refs = [Target::Army(army).reference(), Ref::Number(-i32::from(value))];
                scene
                    .publish(self, state, out, || Event::new("strength_marker", rules::WEAKENED_ARMY, &refs));
            }
            _ => unreachable!("{action:?} is no benefit"),
        }
    }
}
