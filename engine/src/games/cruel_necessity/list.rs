//! Decisions: what is offered, which of it is legal, and what each step does.

use std::ops::ControlFlow;

use crate::event::{Event, Events};
use crate::reference::Ref;
use crate::refusal::Why;

use super::frame::Frame;
use super::line::{OWN, SLOTS, Stage};
use super::state::{OPT_QUICK, State};
use super::steps::{Step, TARGETS, Target};
use super::tracks::shiftable;
use super::{CruelNecessity, names, rules};

impl CruelNecessity {
    /// Steps that may be legal, in list order.
    pub(super) fn offer(&self, state: &State, offer: &mut impl FnMut(Step)) {
        match state.frames.top() {
            Some(Frame::Actions) => self.offer_actions(state, offer),
            Some(Frame::Displace { .. }) => {
                for (index, achievement) in self.content.achievements.iter().enumerate() {
                    if state.available & 1 << achievement.card != 0 {
                        offer(Step::Drop(index as u8));
                    }
                }
            }
            Some(&Frame::Track { track, up, .. }) => {
                let eligible = shiftable(&self.content, state, usize::from(track), up);
                (0..6).filter(|other| eligible & 1 << other != 0).for_each(|other| offer(Step::Shift(other)));
            }
            Some(Frame::Reaction) => {
                offer(Step::Apply);
                offer(Step::Ignore);
            }
            Some(&Frame::Choice { choice }) => {
                let def = &self.content.choices[usize::from(choice)];
                def.options.clone().for_each(|option| offer(Step::Choose(option)));
                if def.optional {
                    offer(Step::Pass);
                }
            }
            Some(Frame::PlaceMarker) => {
                (0..TARGETS as u8).map(Target::of).for_each(|target| offer(Step::InfuseFree(target)));
            }
            Some(Frame::Settle) => {
                (0..2).for_each(|which| offer(Step::Settle(which)));
                offer(Step::Pass);
            }
            Some(Frame::SettlersTrack) => (0..6).for_each(|track| offer(Step::RollOn(track))),
            Some(Frame::Battle) => self.offer_battle(state, offer),
            _ => {}
        }
    }

    fn offer_battle(&self, state: &State, offer: &mut impl FnMut(Step)) {
        let held = |offer: &mut dyn FnMut(Step)| {
            let cards = 0..self.content.battle_cards.len() as u8;
            cards.filter(|card| state.battle_hand & 1 << card != 0).for_each(|card| offer(Step::Play(card)));
        };
        match state.battle.stage {
            Stage::Method => {
                offer(Step::Full);
                offer(Step::Quick);
            }
            Stage::Name => (0..2).for_each(|army| offer(Step::Army(army))),
            Stage::Commit => {
                for (ordinal, kind) in names::own_named(&self.content).enumerate() {
                    if state.pool[kind] > 0 {
                        (0..2).for_each(|wing| offer(Step::Commit(ordinal as u8, wing)));
                    }
                }
                offer(Step::Done);
            }
            Stage::Target => (0..SLOTS as u8).for_each(|slot| offer(Step::On(slot))),
            Stage::Green | Stage::Aftermath => {
                held(offer);
                offer(Step::Done);
            }
            Stage::Before | Stage::After => {
                held(offer);
                offer(Step::Pass);
            }
            Stage::Inspire => {
                (0..OWN as u8).for_each(|slot| offer(Step::Inspire(slot)));
                offer(Step::Pass);
            }
            Stage::Salvage => {
                offer(Step::Salvage);
                offer(Step::Pass);
            }
            Stage::Benefits => {
                self.offer_benefits(state, offer);
                offer(Step::Done);
            }
            _ => {}
        }
    }

    /// The one predicate.
    pub(super) fn examine_step(&self, state: &State, step: Step, why: &mut Why) -> ControlFlow<()> {
        match (state.frames.top(), step) {
            (Some(Frame::Actions), _) => self.examine_action(state, step, why),
            (Some(Frame::Displace { .. }), Step::Drop(index)) => {
                let card = self.content.achievements[usize::from(index)].card;
                let there = state.available & 1 << card != 0;
                why.require(there, rules::S4, "NOT_AVAILABLE", &[Ref::Card(card.into())])
            }
            (Some(&Frame::Track { track, up, .. }), Step::Shift(other)) => {
                let eligible = shiftable(&self.content, state, usize::from(track), up) & 1 << other != 0;
                why.require(eligible, rules::OFF_THE_EDGE, "CAN_T_MOVE", &[Ref::Track(other.into())])
            }
            (Some(Frame::Reaction), Step::Apply | Step::Ignore) => ControlFlow::Continue(()),
            (Some(&Frame::Choice { choice }), Step::Choose(option)) => {
                let ours = self.content.choices[usize::from(choice)].options.contains(&option);
                if ours { ControlFlow::Continue(()) } else { why.refuse(rules::BLUE_TEXT, "NOT_AN_OPTION") }
            }
            (Some(&Frame::Choice { choice }), Step::Pass) => {
                let optional = self.content.choices[usize::from(choice)].optional;
                why.require(optional, rules::BLUE_TEXT, "MUST_CHOOSE", &[])
            }
            (Some(Frame::PlaceMarker), Step::InfuseFree(target)) => {
                let there = self.target_is_there(state, target);
                why.require(there, rules::P2, "NOT_A_TARGET", &[target.reference()])
            }
            (Some(Frame::Settle), Step::Settle(which)) => {
                let army = [super::content::IRELAND, super::content::SCOTLAND][usize::from(which)];
                let waits = self.settlers_wait(state, usize::from(which));
                let refs = [Target::Army(army as u8).reference()];
                why.require(waits, rules::SETTLERS, "NO_SETTLERS", &refs)
            }
            (Some(Frame::Settle), Step::Pass) => ControlFlow::Continue(()),
            (Some(Frame::SettlersTrack), Step::RollOn(track)) => {
                let open = self.settlers_tracks(state) & 1 << track != 0;
                why.require(open, rules::O9, "NOT_A_TARGET", &[Ref::Track(track.into())])
            }
            (Some(Frame::Battle), _) => self.examine_battle(state, step, why),
            _ => why.refuse(rules::SEQUENCE, "NOT_NOW"),
        }
    }

    fn examine_battle(&self, state: &State, step: Step, why: &mut Why) -> ControlFlow<()> {
        let legal = ControlFlow::Continue(());
        match (state.battle.stage, step) {
            (Stage::Method, Step::Full | Step::Quick) | (Stage::Name, Step::Army(_)) => legal,
            (Stage::Commit, Step::Commit(ordinal, wing)) => {
                let Some(kind) = names::own_named(&self.content).nth(usize::from(ordinal)) else {
                    return why.refuse(rules::B2, "NOT_NOW");
                };
                if state.pool[kind] == 0 {
                    return why.refuse(rules::B2, "NOT_IN_THE_BOX");
                }
                let room = self.wing_slot(state, kind, wing).is_some();
                if room { legal } else { why.refuse(rules::B2, "NO_ROOM") }
            }
            (Stage::Commit | Stage::Green | Stage::Aftermath | Stage::Benefits, Step::Done) => legal,
            (Stage::Before | Stage::After | Stage::Inspire | Stage::Salvage, Step::Pass) => legal,
            (Stage::Green | Stage::Before | Stage::After | Stage::Aftermath, Step::Play(card)) => {
                let playable = self.playable(state, usize::from(card));
                if playable { legal } else { why.refuse(rules::B9, "NOT_PLAYABLE") }
            }
            (Stage::Target, Step::On(slot)) => {
                if self.aimed(state) & 1 << slot != 0 {
                    return legal;
                }
                why.refuse(rules::B16, "NOT_A_TARGET_OF_THE_CARD")
            }
            (Stage::Inspire, Step::Inspire(slot)) => {
                let refs = [names::slot_ref(usize::from(slot))];
                why.require(self.unmarked(state, usize::from(slot)), rules::B16, "HAS_A_MARKER", &refs)
            }
            (Stage::Salvage, Step::Salvage) => legal,
            (
                Stage::Benefits,
                Step::BenefitZeal | Step::BenefitTrack(_) | Step::BenefitFort(_) | Step::BenefitWeaken(_),
            ) => self.examine_benefit(state, step, why),
            _ => why.refuse(rules::BATTLE, "NOT_NOW"),
        }
    }

    /// Carries out a legal step, up to where something follows of itself.
    pub(super) fn apply_step(&self, state: &mut State, step: Step, out: &mut Events) {
        match (state.frames.top().copied(), step) {
            (Some(Frame::Actions), _) => self.apply_action(state, step, out),
            (Some(Frame::Displace { card }), Step::Drop(index)) => {
                self.displace(state, card, usize::from(index), out);
            }
            (Some(Frame::Track { track, up, left }), Step::Shift(other)) => {
                let refs = [Ref::Track(track.into()), Ref::Track(other.into())];
                out.emit(|| Event::new("redirected", rules::OFF_THE_EDGE, &refs));
                self.step_marker(state, usize::from(other), up, out);
                state.frames.close();
                if left > 1 {
                    state.frames.open(Frame::Track { track, up, left: left - 1 });
                }
            }
            (Some(Frame::Reaction), _) => {
                state.frames.close();
                if step == Step::Apply {
                    self.react(state, true, out);
                } else {
                    out.emit(|| Event::new("reaction_ignored", rules::T9, &[]));
                }
            }
            (Some(Frame::Choice { .. }), Step::Choose(option)) => self.choose(state, option, out),
            (Some(Frame::Choice { .. } | Frame::Settle), Step::Pass) => {
                state.frames.close();
                out.emit(|| Event::new("declines", rules::BLUE_TEXT, &[]));
            }
            (Some(Frame::PlaceMarker), Step::InfuseFree(target)) => {
                state.frames.close();
                self.place_marker(state, target, out);
            }
            (Some(Frame::Settle), Step::Settle(which)) => {
                let which = usize::from(which);
                let army = [super::content::IRELAND, super::content::SCOTLAND][which];
                let scene = self.scene(state, out);
                state.set(super::state::SETTLED[which], true);
                let refs = [Target::Army(army as u8).reference()];
                scene.tell(self, state, out, || Event::new("settlers", rules::SETTLERS, &refs));
                self.change_zeal(state, self.content.numbers.zeal.settlers as i8, rules::SETTLERS, out);
                state.frames.open(Frame::SettlersTrack);
            }
            (Some(Frame::SettlersTrack), Step::RollOn(track)) => self.settlers_roll(state, track, out),
            (Some(Frame::Battle), _) => self.apply_battle(state, step, out),
            _ => debug_assert!(false, "a step that is not legal"),
        }
    }

    fn apply_battle(&self, state: &mut State, step: Step, out: &mut Events) {
        match (state.battle.stage, step) {
            (Stage::Method, _) => {
                state.battle.quick = step == Step::Quick && state.opted(OPT_QUICK);
                state.battle.stage = Stage::Name;
            }
            (Stage::Name, Step::Army(army)) => self.name_army(state, army, out),
            (Stage::Commit, Step::Commit(ordinal, wing)) => {
                if let Some(kind) = names::own_named(&self.content).nth(usize::from(ordinal)) {
                    self.commit(state, kind, wing, out);
                }
            }
            (Stage::Commit, _) => state.battle.stage = Stage::Fill,
            (Stage::Target, Step::On(slot)) => self.hit(state, usize::from(slot), out),
            (_, Step::Play(card)) => self.play_card(state, usize::from(card), out),
            (Stage::Green, _) => state.battle.stage = Stage::Inspire,
            (Stage::Inspire, Step::Inspire(slot)) => self.inspire(state, usize::from(slot), out),
            (Stage::Inspire, _) => state.battle.stage = Stage::Before,
            (Stage::Before, _) => state.battle.stage = Stage::Roll,
            (Stage::After, _) => self.resolve_sector(state, out),
            (Stage::Salvage, Step::Salvage) => self.salvage(state, out),
            (Stage::Salvage, _) => state.battle.stage = Stage::Aftermath,
            (Stage::Aftermath, _) => self.apply_outcome(state, out),
            (Stage::Benefits, Step::Done) => state.battle.stage = Stage::Return,
            (Stage::Benefits, _) => self.spend_benefit(state, step, out),
            _ => debug_assert!(false, "a step that is not legal"),
        }
    }
}
