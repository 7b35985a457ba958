//! The sequence of play: the phases of a Game Turn (4.0), until the player or the dice are asked; and which procedure is offered to,
//! examined, carried out.

use std::ops::ControlFlow;

use crate::event::{Event, Events};
use crate::numbered::Listed;
use crate::reference::Ref;
use crate::refusal::Why;

use super::actions::Action;
use super::frames::{Frame, Phase};
use super::state::{Flags, State};
use super::{CruelNecessity, rules};

impl CruelNecessity {
    /// Goes on until the player, or the dice, are asked.
    pub(super) fn settle(&self, state: &mut State, out: &mut Events) {
        while state.verdict.is_none() {
            if !self.go_on(state, out) {
                return;
            }
        }
        state.frames.clear();
    }

    /// One procedure further; `false` if the player or the dice are asked.
    fn go_on(&self, state: &mut State, out: &mut Events) -> bool {
        match state.frames.top().copied() {
            None => self.begin_turn(state, out),
            Some(Frame::Turn { next }) => self.next_phase(state, next, out),
            Some(Frame::Reveal) => return self.due_card_comes(state, out),
            Some(Frame::Items { list, next }) => self.next_item(state, list, next, out),
            Some(Frame::Activate { army, left, troubles }) => {
                self.go_on_activating(state, army, left, troubles, out);
            }
            Some(Frame::Track { track, up, left }) => return self.move_track(state, (track, up, left), out),
            Some(Frame::Choice { choice }) => return self.only_option(state, choice, out),
            Some(Frame::Settle) if !self.may_settle(state) => {
                state.frames.close();
            }
            Some(Frame::SettlersTrack) => return self.only_settlers_track(state, out),
            Some(Frame::Battle) => return self.battle_goes_on(state, out),
            Some(_) => return false,
        }
        true
    }

    fn begin_turn(&self, state: &mut State, out: &mut Events) {
        let scene = self.scene(state, out);
        state.turn += 1;
        state.current = None;
        let won = state.has(Flags::WON_NOW);
        state.set(Flags::WON_BEFORE, won);
        state.set(Flags::WON_NOW, false);
        state.frames.open(Frame::Turn { next: Phase::Action });
        let refs = [Ref::Number(state.turn.into()), state.war.reference(&self.content)];
        scene.publish(self, state, out, || Event::new("turn_begins", rules::SEQUENCE, &refs));
        self.next_turn_rewards(state, out);
        state.frames.open(Frame::Reveal);
    }

    fn next_phase(&self, state: &mut State, next: Phase, out: &mut Events) {
        match next {
            Phase::Action => {
                state.replace(Frame::Turn { next: Phase::EndTimes });
                out.emit(|| Event::new("action_phase", rules::SEQUENCE, &[]));
                if rules::SEQUENCE.applies(true) {
                    state.frames.open(Frame::Actions);
                }
            }
            Phase::EndTimes => {
                self.end_times(state, out);
                if state.verdict.is_none() {
                    state.replace(Frame::Turn { next: Phase::Housekeeping });
                    self.housekeeping(state, out);
                }
            }
            Phase::Housekeeping => {
                self.income(state, out);
                self.next_deck(state, out);
                state.frames.close();
            }
        }
    }

    /// Actions that may be legal, in list order.
    pub(super) fn list_candidates(&self, state: &State, offer: &mut impl FnMut(Action)) {
        match state.frames.top() {
            Some(Frame::Displace { .. }) => self.offer_displace(state, offer),
            Some(&Frame::Track { track, up, .. }) => self.offer_shift(state, (track, up), offer),
            Some(Frame::Reaction) => self.offer_reaction(offer),
            Some(&Frame::Choice { choice }) => self.offer_choice(choice, offer),
            Some(Frame::PlaceMarker) => self.offer_placement(offer),
            Some(Frame::Actions) => self.offer_action_phase(state, offer),
            Some(Frame::Battle) => self.offer_battle(state, offer),
            Some(Frame::Settle) => self.offer_settle(offer),
            Some(Frame::SettlersTrack) => self.offer_settlers_track(offer),
            _ => {}
        }
    }

    /// The one predicate.
    pub(super) fn examine_action(&self, state: &State, action: Action, why: &mut Why) -> ControlFlow<()> {
        match state.frames.top() {
            Some(Frame::Displace { .. }) => self.examine_displace(state, action, why),
            Some(&Frame::Track { track, up, .. }) => self.examine_shift(state, (track, up), action, why),
            Some(Frame::Reaction) => self.examine_reaction(action, why),
            Some(&Frame::Choice { choice }) => self.examine_choice(choice, action, why),
            Some(Frame::PlaceMarker) => self.examine_placement(state, action, why),
            Some(Frame::Actions) => self.examine_action_phase(state, action, why),
            Some(Frame::Battle) => self.examine_battle(state, action, why),
            Some(Frame::Settle) => self.examine_settle(state, action, why),
            Some(Frame::SettlersTrack) => self.examine_settlers_track(state, action, why),
            _ => why.refuse(rules::SEQUENCE, "NOT_NOW"),
        }
    }

    /// Carries out a legal action, up to where something follows of itself.
    pub(super) fn apply_action(&self, state: &mut State, action: Action, out: &mut Events) {
        match state.frames.top().copied() {
            Some(Frame::Displace { card }) => self.apply_displace(state, card, action, out),
            Some(Frame::Track { track, up, left }) => {
                self.apply_shift(state, (track, up, left), action, out);
            }
            Some(Frame::Reaction) => self.apply_reaction(state, action, out),
            Some(Frame::Choice { .. }) => self.apply_choice(state, action, out),
            Some(Frame::PlaceMarker) => self.apply_placement(state, action, out),
            Some(Frame::Actions) => self.apply_action_phase(state, action, out),
            Some(Frame::Battle) => self.apply_battle(state, action, out),
            Some(Frame::Settle) => self.apply_settle(state, action, out),
            Some(Frame::SettlersTrack) => self.apply_settlers_track(state, action),
            _ => unreachable!("{action:?} is not legal"),
        }
    }
}
