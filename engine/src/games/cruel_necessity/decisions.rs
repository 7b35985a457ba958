//! Decisions: what is offered, which of it is legal, and what each action does.

use std::ops::ControlFlow;

use crate::event::{Event, Events};
use crate::reference::Ref;
use crate::refusal::Why;

use super::actions::{Action, TARGETS, Target};
use super::catalogue::names;
use super::frames::Frame;
use super::procedures::tracks::shiftable;
use super::state::line::{OWN, SLOTS, Stage};
use super::state::{OPT_QUICK, State};
use super::{CruelNecessity, rules};

impl CruelNecessity {
    /// Actions that may be legal, in list order.
    pub(super) fn offer(&self, state: &State, offer: &mut impl FnMut(Action)) {
        match state.frames.top() {
            Some(Frame::Actions) => self.offer_action_phase(state, offer),
            Some(Frame::Displace { .. }) => {
                for (index, achievement) in self.content.achievements.iter().enumerate() {
                    if state.available & 1 << achievement.card != 0 {
                        offer(Action::Drop(index as u8));
                    }
                }
            }
            Some(&Frame::Track { track, up, .. }) => {
                let eligible = shiftable(&self.content, state, usize::from(track), up);
                (0..6)
                    .filter(|other| eligible & 1 << other != 0)
                    .for_each(|other| offer(Action::Shift(other)));
            }
            Some(Frame::Reaction) => {
                offer(Action::Apply);
                offer(Action::Ignore);
            }
            Some(&Frame::Choice { choice }) => {
                let def = &self.content.choices[usize::from(choice)];
                def.options.clone().for_each(|option| offer(Action::Choose(option)));
                if def.optional {
                    offer(Action::Pass);
                }
            }
            Some(Frame::PlaceMarker) => {
                (0..TARGETS as u8).map(Target::of).for_each(|target| offer(Action::InfuseFree(target)));
            }
            Some(Frame::Settle) => {
                (0..2).for_each(|which| offer(Action::Settle(which)));
                offer(Action::Pass);
            }
            Some(Frame::SettlersTrack) => (0..6).for_each(|track| offer(Action::RollOn(track))),
            Some(Frame::Battle) => self.offer_battle(state, offer),
            _ => {}
        }
    }

    fn offer_battle(&self, state: &State, offer: &mut impl FnMut(Action)) {
        let held = |offer: &mut dyn FnMut(Action)| {
            let cards = 0..self.content.battle_cards.len() as u8;
            cards
                .filter(|card| state.battle_hand & 1 << card != 0)
                .for_each(|card| offer(Action::Play(card)));
        };
        match state.battle.stage {
            Stage::Method => {
                offer(Action::Full);
                offer(Action::Quick);
            }
            Stage::Name => (0..2).for_each(|army| offer(Action::Army(army))),
            Stage::Commit => {
                for (ordinal, kind) in names::own_named(&self.content).enumerate() {
                    if state.pool[kind] > 0 {
                        (0..2).for_each(|wing| offer(Action::Commit(ordinal as u8, wing)));
                    }
                }
                offer(Action::Done);
            }
            Stage::Target => (0..SLOTS as u8).for_each(|slot| offer(Action::On(slot))),
            Stage::Green | Stage::Aftermath => {
                held(offer);
                offer(Action::Done);
            }
            Stage::Before | Stage::After => {
                held(offer);
                offer(Action::Pass);
            }
            Stage::Inspire => {
                (0..OWN as u8).for_each(|slot| offer(Action::Inspire(slot)));
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

    /// The one predicate.
    pub(super) fn examine_action(&self, state: &State, action: Action, why: &mut Why) -> ControlFlow<()> {
        match (state.frames.top(), action) {
            (Some(Frame::Actions), _) => self.examine_action_phase(state, action, why),
            (Some(Frame::Displace { .. }), Action::Drop(index)) => {
                let card = self.content.achievements[usize::from(index)].card;
                let there = state.available & 1 << card != 0;
                why.require(there, rules::DISPLACED_ACHIEVEMENT, "NOT_AVAILABLE", &[Ref::Card(card.into())])
            }
            (Some(&Frame::Track { track, up, .. }), Action::Shift(other)) => {
                let eligible = shiftable(&self.content, state, usize::from(track), up) & 1 << other != 0;
                why.require(eligible, rules::OFF_THE_EDGE, "CAN_T_MOVE", &[Ref::Track(other.into())])
            }
            (Some(Frame::Reaction), Action::Apply | Action::Ignore) => ControlFlow::Continue(()),
            (Some(&Frame::Choice { choice }), Action::Choose(option)) => {
                let ours = self.content.choices[usize::from(choice)].options.contains(&option);
                if ours { ControlFlow::Continue(()) } else { why.refuse(rules::BLUE_TEXT, "NOT_AN_OPTION") }
            }
            (Some(&Frame::Choice { choice }), Action::Pass) => {
                let optional = self.content.choices[usize::from(choice)].optional;
                why.require(optional, rules::BLUE_TEXT, "MUST_CHOOSE", &[])
            }
            (Some(Frame::PlaceMarker), Action::InfuseFree(target)) => {
                let there = self.target_is_there(state, target);
                why.require(there, rules::MARKER_TARGETS, "NOT_A_TARGET", &[target.reference()])
            }
            (Some(Frame::Settle), Action::Settle(which)) => {
                let army = [super::content::IRELAND, super::content::SCOTLAND][usize::from(which)];
                let waits = self.settlers_wait(state, usize::from(which));
                let refs = [Target::Army(army as u8).reference()];
                why.require(waits, rules::SETTLERS, "NO_SETTLERS", &refs)
            }
            (Some(Frame::Settle), Action::Pass) => ControlFlow::Continue(()),
            (Some(Frame::SettlersTrack), Action::RollOn(track)) => {
                let open = self.settlers_tracks(state) & 1 << track != 0;
                why.require(open, rules::SETTLERS_ROLL, "NOT_A_TARGET", &[Ref::Track(track.into())])
            }
            (Some(Frame::Battle), _) => self.examine_battle(state, action, why),
            _ => why.refuse(rules::SEQUENCE, "NOT_NOW"),
        }
    }

    fn examine_battle(&self, state: &State, action: Action, why: &mut Why) -> ControlFlow<()> {
        let legal = ControlFlow::Continue(());
        match (state.battle.stage, action) {
            (Stage::Method, Action::Full | Action::Quick) | (Stage::Name, Action::Army(_)) => legal,
            (Stage::Commit, Action::Commit(ordinal, wing)) => {
                let kind = self.named_unit(ordinal);
                if state.pool[kind] == 0 {
                    return why.refuse(rules::COMMITTED, "NOT_IN_THE_BOX");
                }
                let room = self.wing_slot(state, kind, wing).is_some();
                if room { legal } else { why.refuse(rules::COMMITTED, "NO_ROOM") }
            }
            (Stage::Commit | Stage::Green | Stage::Aftermath | Stage::Benefits, Action::Done) => legal,
            (Stage::Before | Stage::After | Stage::Inspire | Stage::Salvage, Action::Pass) => legal,
            (Stage::Green | Stage::Before | Stage::After | Stage::Aftermath, Action::Play(card)) => {
                let playable = self.playable(state, usize::from(card));
                if playable { legal } else { why.refuse(rules::CARD_TIMING, "NOT_PLAYABLE") }
            }
            (Stage::Target, Action::On(slot)) => {
                if self.aimed(state) & 1 << slot != 0 {
                    return legal;
                }
                why.refuse(rules::ONE_MARKER_EACH, "NOT_A_TARGET_OF_THE_CARD")
            }
            (Stage::Inspire, Action::Inspire(slot)) => {
                let refs = [names::slot_ref(usize::from(slot))];
                why.require(
                    self.unmarked(state, usize::from(slot)),
                    rules::ONE_MARKER_EACH,
                    "HAS_A_MARKER",
                    &refs,
                )
            }
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

    /// Carries out a legal action, up to where something follows of itself.
    pub(super) fn apply_action(&self, state: &mut State, action: Action, out: &mut Events) {
        match (state.frames.top().copied(), action) {
            (Some(Frame::Actions), _) => self.apply_action_phase(state, action, out),
            (Some(Frame::Displace { card }), Action::Drop(index)) => {
                self.displace(state, card, usize::from(index), out);
            }
            (Some(Frame::Track { track, up, left }), Action::Shift(other)) => {
                let refs = [Ref::Track(track.into()), Ref::Track(other.into())];
                out.emit(|| Event::new("redirected", rules::OFF_THE_EDGE, &refs));
                self.action_marker(state, usize::from(other), up, rules::TRACK, out);
                state.frames.close();
                if left > 1 {
                    state.frames.open(Frame::Track { track, up, left: left - 1 });
                }
            }
            (Some(Frame::Reaction), _) => {
                state.frames.close();
                if action == Action::Apply {
                    self.react(state, true, out);
                } else {
                    out.emit(|| Event::new("reaction_ignored", rules::TOLERANCE, &[]));
                }
            }
            (Some(Frame::Choice { .. }), Action::Choose(option)) => self.choose(state, option, out),
            (Some(frame @ (Frame::Choice { .. } | Frame::Settle)), Action::Pass) => {
                state.frames.close();
                let rule = if frame == Frame::Settle { rules::SETTLERS } else { rules::BLUE_TEXT };
                out.emit(|| Event::new("declines", rule, &[]));
            }
            (Some(Frame::PlaceMarker), Action::InfuseFree(target)) => {
                state.frames.close();
                self.place_marker(state, target, out);
            }
            (Some(Frame::Settle), Action::Settle(which)) => {
                let which = usize::from(which);
                let army = [super::content::IRELAND, super::content::SCOTLAND][which];
                let scene = self.scene(state, out);
                state.set(super::state::SETTLED[which], true);
                let refs = [Target::Army(army as u8).reference()];
                scene.publish(self, state, out, || Event::new("settlers", rules::SETTLERS, &refs));
                self.change_zeal(state, self.content.numbers.zeal.settlers as i8, rules::SETTLERS, out);
                state.frames.open(Frame::SettlersTrack);
            }
            (Some(Frame::SettlersTrack), Action::RollOn(track)) => self.settlers_roll(state, track, out),
            (Some(Frame::Battle), _) => self.apply_battle(state, action, out),
            _ => unreachable!("{action:?} is not legal"),
        }
    }

    /// The Named unit of Parliament that an action names.
    fn named_unit(&self, ordinal: u8) -> usize {
        names::own_named(&self.content).nth(usize::from(ordinal)).expect("an action's unit is there")
    }

    fn apply_battle(&self, state: &mut State, action: Action, out: &mut Events) {
        match (state.battle.stage, action) {
            (Stage::Method, _) => {
                state.battle.quick = action == Action::Quick && state.opted(OPT_QUICK);
                state.battle.stage = Stage::Name;
            }
            (Stage::Name, Action::Army(army)) => self.name_army(state, army, out),
            (Stage::Commit, Action::Commit(ordinal, wing)) => {
                self.commit(state, self.named_unit(ordinal), wing, out);
            }
            (Stage::Commit, _) => state.battle.stage = Stage::Fill,
            (Stage::Target, Action::On(slot)) => self.hit(state, usize::from(slot), out),
            (_, Action::Play(card)) => self.play_card(state, usize::from(card), out),
            (Stage::Green, _) => state.battle.stage = Stage::Inspire,
            (Stage::Inspire, Action::Inspire(slot)) => self.inspire(state, usize::from(slot), out),
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
}
