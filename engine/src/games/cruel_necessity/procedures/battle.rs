//! The Tactical Battle, stage by stage (7.0): what opens it, what each stage offers, refuses and does.

use std::ops::ControlFlow;

use crate::event::{Event, Events};
use crate::refusal::Why;

use super::super::actions::{Action, Target};
use super::super::content::{ArmyId, NORTH, WEST};
use super::super::frames::Frame;
use super::super::state::line::{Battle, Stage, own_slots, slots};
use super::super::state::{Options, State};
use super::super::{CruelNecessity, rules};

impl CruelNecessity {
    /// A Battle begins (6.1).
    pub(in super::super) fn open_battle(&self, state: &mut State, out: &mut Events) {
        if !rules::BATTLE_FIRST.applies(rules::BATTLE.applies(true)) {
            return;
        }
        let scene = self.scene(state, out);
        let asked = rules::QUICK.applies(rules::FULL_OR_QUICK.applies(state.opted(Options::QUICK)));
        let stage = if asked { Stage::Method } else { Stage::Name };
        state.battle = Battle { stage, ..Battle::default() };
        state.frames.open(Frame::Battle);
        scene.publish(self, state, out, || Event::new("battle", rules::BATTLE_FIRST, &[]));
    }

    /// Goes on with a Battle as far as nobody is asked; whether it went on.
    pub(in super::super) fn battle_goes_on(&self, state: &mut State, out: &mut Events) -> bool {
        match state.battle.stage {
            Stage::Commit if !self.may_commit(state) => state.battle.stage = Stage::Fill,
            Stage::Fill if self.empty_slot(state).is_none() => self.reveal_lines(state, out),
            Stage::Events if state.battle.draws == 0 => state.battle.stage = Stage::Green,
            Stage::Events if state.battle_deck.is_empty() => self.reshuffle(state, out),
            Stage::Redraw if self.redraw_kinds(state).is_empty() => self.nobody_to_draw(state, out),
            Stage::Target => return self.only_target(state, out),
            Stage::Green if !self.any_playable(state) => state.battle.stage = Stage::Inspire,
            Stage::Inspire if !self.may_inspire(state) => state.battle.stage = Stage::Before,
            Stage::Before if !self.any_playable(state) => state.battle.stage = Stage::Roll,
            Stage::After if !self.any_playable(state) => self.resolve_sector(state, out),
            Stage::Aftermath if !self.any_playable(state) => self.apply_outcome(state, out),
            Stage::Benefits if !self.any_benefit(state) => state.battle.stage = Stage::Return,
            Stage::Return => self.return_units(state, out),
            Stage::Deadly if self.next_deadly(state).is_none() => {
                state.battle = Battle::default();
                state.frames.close();
            }
            Stage::Idle => {
                state.frames.close();
            }
            _ => return false,
        }
        true
    }

    pub(in super::super) fn offer_battle(&self, state: &State, offer: &mut impl FnMut(Action)) {
        match state.battle.stage {
            Stage::Method => {
                offer(Action::Full);
                offer(Action::Quick);
            }
            Stage::Name => [NORTH, WEST].into_iter().for_each(|army| offer(Action::Army(army))),
            Stage::Commit => self.offer_commit(state, offer),
            Stage::Target => slots().for_each(|slot| offer(Action::On(slot))),
            Stage::Green | Stage::Aftermath => {
                self.offer_held(state, offer);
                offer(Action::Done);
            }
            Stage::Before | Stage::After => {
                self.offer_held(state, offer);
                offer(Action::Pass);
            }
            Stage::Inspire => {
                own_slots().for_each(|slot| offer(Action::Inspire(slot)));
                offer(Action::Pass);
            }
            Stage::Salvage => {
                offer(Action::Salvage);
                offer(Action::Pass);
            }
            Stage::Benefits => {
                self.offer_benefits(state, offer);
                offer(Action::Done);
            }
            _ => {}
        }
    }

    pub(in super::super) fn examine_battle(
        &self,
        state: &State,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let legal = ControlFlow::Continue(());
        match (state.battle.stage, action) {
            (Stage::Method, Action::Full | Action::Quick) | (Stage::Name, Action::Army(_)) => legal,
            (Stage::Commit, Action::Commit(kind, wing)) => self.examine_commit(state, (kind, wing), why),
            (Stage::Commit | Stage::Green | Stage::Aftermath | Stage::Benefits, Action::Done) => legal,
            (Stage::Before | Stage::After | Stage::Inspire | Stage::Salvage, Action::Pass) => legal,
            (Stage::Green | Stage::Before | Stage::After | Stage::Aftermath, Action::Play(card)) => {
                self.examine_play(state, card, why)
            }
            (Stage::Target, Action::On(slot)) => self.examine_target(state, slot, why),
            (Stage::Inspire, Action::Inspire(slot)) => self.examine_inspire(state, slot, why),
            (Stage::Salvage, Action::Salvage) => legal,
            (
                Stage::Benefits,
                Action::BenefitZeal
                | Action::BenefitTrack(_)
                | Action::BenefitFort(_)
                | Action::BenefitWeaken(_),
            ) => self.examine_benefit(state, action, why),
            _ => why.refuse(rules::BATTLE, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_battle(&self, state: &mut State, action: Action, out: &mut Events) {
        match (state.battle.stage, action) {
            (Stage::Method, _) => {
                state.battle.quick = action == Action::Quick && state.opted(Options::QUICK);
                state.battle.stage = Stage::Name;
            }
            (Stage::Name, Action::Army(army)) => self.name_army(state, army, out),
            (Stage::Commit, Action::Commit(kind, wing)) => self.commit(state, (kind, wing), out),
            (Stage::Commit, _) => state.battle.stage = Stage::Fill,
            (Stage::Target, Action::On(slot)) => self.hit(state, slot, out),
            (_, Action::Play(card)) => self.play_card(state, card, out),
            (Stage::Green, _) => state.battle.stage = Stage::Inspire,
            (Stage::Inspire, Action::Inspire(slot)) => self.inspire(state, slot, out),
            (Stage::Inspire, _) => state.battle.stage = Stage::Before,
            (Stage::Before, _) => state.battle.stage = Stage::Roll,
            (Stage::After, _) => self.resolve_sector(state, out),
            (Stage::Salvage, Action::Salvage) => self.salvage(state, out),
            (Stage::Salvage, _) => state.battle.stage = Stage::Aftermath,
            (Stage::Aftermath, _) => self.apply_outcome(state, out),
            (Stage::Benefits, Action::Done) => state.battle.stage = Stage::Return,
            (Stage::Benefits, _) => self.spend_benefit(state, action, out),
            _ => unreachable!("{action:?} is not legal"),
        }
    }

    /// The Army is named, and with it the region (7.0 step 1).
    pub(in super::super) fn name_army(&self, state: &mut State, army: ArmyId, out: &mut Events) {
        let scene = self.scene(state, out);
        state.battle.army = Some(army);
        state.battle.stage = if state.battle.quick { Stage::QuickRoll } else { Stage::Commit };
        scene.publish(self, state, out, || {
            Event::new("battle_against", rules::BATTLE, &[Target::Army(army).reference()])
        });
    }
}
