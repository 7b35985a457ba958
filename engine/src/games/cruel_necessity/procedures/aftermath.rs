//! After the Battle: salvage, outcome, benefits, Deadly Outcomes (7.0 steps 6 and 7, 7.2).

use std::ops::ControlFlow;

use crate::event::{Event, Events};
use crate::reference::Ref;
use crate::refusal::Why;

use super::super::actions::{Action, Target};
use super::super::catalogue::names;
use super::super::content::{FORTS, LONDON, NO_AREA, T_MONARCHY, TRACKS};
use super::super::state::line::{OWN, Outcome, Place, SLOTS, Stage};
use super::super::state::{NONE, State, TOP, WON_NOW};
use super::super::{CruelNecessity, rules};
use super::armies::{fort_barred, in_front, permitted};
use super::tracks::london_barred;

impl CruelNecessity {
    /// All that is in the Victory box goes down to Draw (B22).
    pub(in super::super) fn salvage(&self, state: &mut State, out: &mut Events) {
        let scene = self.scene(state, out);
        for slot in 0..OWN {
            if state.battle.places[slot] == Place::Victory {
                state.battle.places[slot] = Place::Draw;
            }
        }
        state.battle.outcome = Outcome::Draw;
        state.battle.salvaged = true;
        state.battle.stage = Stage::Aftermath;
        scene.publish(self, state, out, || Event::new("salvaged", rules::SALVAGE, &[]));
    }

    /// Step 7A: the outcome takes effect on the Army that was named (B24).
    pub(in super::super) fn apply_outcome(&self, state: &mut State, out: &mut Events) {
        let outcome = state.battle.outcome;
        let code = match outcome {
            Outcome::Victory => "battle_won",
            Outcome::Defeat => "battle_lost",
            Outcome::Draw | Outcome::Open => "battle_drawn",
        };
        let scene = self.scene(state, out);
        state.battle.stage = Stage::Return;
        let army = usize::from(state.battle.army);
        state.set(WON_NOW, rules::OUTCOME.applies(rules::BATTLE_WON.applies(outcome == Outcome::Victory)));
        scene.publish(self, state, out, || {
            Event::new(code, rules::OUTCOME, &[Target::Army(army as u8).reference()])
        });
        match rules::OUTCOME.gives(Some(outcome), None) {
            None => {}
            Some(Outcome::Victory) => {
                self.disorder(state, army, out);
                state.battle.stage = Stage::Benefits;
            }
            Some(Outcome::Defeat) => self.open_track(state, T_MONARCHY, -1),
            Some(Outcome::Draw | Outcome::Open) => {
                if state.battle.salvaged && !state.battle.trusted {
                    let lost = self.content.numbers.battle.salvage as i8;
                    self.change_zeal(state, -lost, rules::SALVAGE, out);
                }
            }
        }
    }

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
        (0..TRACKS as u8).for_each(|track| offer(Action::BenefitTrack(track)));
        (0..FORTS as u8).for_each(|fort| offer(Action::BenefitFort(fort)));
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
                let room = state.tracks[usize::from(track)] != TOP;
                why.demand(room, rules::TRACK_BENEFIT, "AT_THE_TOP", &[Ref::Track(track.into())])
            }
            Action::BenefitFort(fort) => self.examine_benefit_fort(state, usize::from(fort), why),
            _ => ControlFlow::Continue(()),
        }
    }

    /// A click for a fortress of the region: up for Parliament's, down for the Royalists' (7.2, B26).
    fn examine_benefit_fort(&self, state: &State, fort: usize, why: &mut Why) -> ControlFlow<()> {
        let refs = [Target::Fort(fort as u8).reference()];
        let region = usize::from(state.battle.army);
        let here = self.content.forts[fort].lies[region] != NO_AREA;
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
            Action::BenefitTrack(track) => self.raise(state, usize::from(track), rules::MAJOR, out),
            Action::BenefitFort(fort) if state.forts[usize::from(fort)].royalist => {
                self.click_down(state, usize::from(fort), rules::MAJOR, out);
            }
            Action::BenefitFort(fort) => self.click_up(state, usize::from(fort), rules::MAJOR, out),
            Action::BenefitWeaken(value) => {
                let scene = self.scene(state, out);
                let army = usize::from(state.battle.army);
                let unit = &mut state.armies[army];
                let value = rules::WEAKENED_ARMY.gives(value, 0);
                unit.markers = unit.markers.saturating_sub(value as i8);
                let refs = [Target::Army(army as u8).reference(), Ref::Number(-i32::from(value))];
                scene
                    .publish(self, state, out, || Event::new("strength_marker", rules::WEAKENED_ARMY, &refs));
            }
            _ => unreachable!("{action:?} is no benefit"),
        }
    }

    /// Step 7B: markers go, formations go back, the Recovery box is emptied; Named units in Defeat wait (B28, B30).
    pub(in super::super) fn return_units(&self, state: &mut State, out: &mut Events) {
        let scene = self.scene(state, out);
        for slot in 0..SLOTS {
            state.battle.unmark(slot);
            let kind = state.battle.line[slot];
            if kind == NONE {
                continue;
            }
            let formation = &self.content.formations[usize::from(kind)];
            let beaten = formation.is_named && state.battle.places[slot] == Place::Defeat;
            let waits = rules::DEADLY_OUTCOMES.applies(beaten);
            if !waits {
                state.pool[usize::from(kind)] += 1;
                state.battle.line[slot] = NONE;
                state.battle.places[slot] = Place::Line;
            }
        }
        let quick = state.battle.quick;
        if rules::UNITS_RETURN.applies(!quick || rules::RECOVERY_OVER.applies(quick)) {
            for kind in (0..self.content.formations.len()).filter(|kind| state.recovery & 1 << kind != 0) {
                state.pool[kind] += 1;
            }
            state.recovery = 0;
        }
        state.battle.stage = Stage::Deadly;
        scene.publish(self, state, out, || Event::new("units_return", rules::UNITS_RETURN, &[]));
    }

    /// The next Named unit whose chance_source is rolled for: Parliament's first, by sector and place (B29).
    pub(in super::super) fn next_deadly(&self, state: &State) -> Option<usize> {
        (0..SLOTS).find(|&slot| state.battle.line[slot] != NONE)
    }

    /// Step 7C: a Deadly Outcome.
    pub(in super::super) fn deadly_roll(&self, state: &mut State, die: u8, out: &mut Events) {
        let slot = self.next_deadly(state).expect("a die is due for a unit in Defeat");
        let scene = self.scene(state, out);
        let kind = usize::from(state.battle.line[slot]);
        state.battle.line[slot] = NONE;
        state.battle.places[slot] = Place::Line;
        let code = match die {
            1 | 2 => "unit_lost",
            3 | 4 => {
                state.recovery |= 1 << kind;
                "unit_recovers"
            }
            _ => {
                state.pool[kind] += 1;
                "unit_returns"
            }
        };
        let refs = [names::formation_ref(&self.content, kind), Ref::Number(die.into())];
        scene.publish(self, state, out, || Event::new(code, rules::DEADLY_OUTCOMES, &refs));
    }
}
