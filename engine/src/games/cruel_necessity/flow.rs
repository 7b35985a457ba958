//! The sequence of play: the phases of a Game Turn (4.0), until the player or the dice are asked; and which procedure is offered to,
//! examined, carried out.

use crate::event::{Event, Events};
use crate::numbered::Listed;
use crate::reference::Ref;

use super::actions::Action;
use super::frames::{Frame, Phase};
use super::state::{Flags, State};
use super::{CruelNecessity, rules};

crate::dispatch! {
    /// Actions that may be legal, in list order, of the procedure that asks.
    pub(super) impl CruelNecessity, by |state: State| state.frames.top().copied(), of Action, of one seat, by rules::SEQUENCE:
    list_candidates, examine_action, apply_action;
    Some(Frame::Displace { card }) => (offer_displace, examine_displace, apply_displace)(card);
    Some(Frame::Track { track, up, left }) => (offer_shift, examine_shift, apply_shift)((track, up, left));
    Some(Frame::Reaction) => (offer_reaction, examine_reaction, apply_reaction)();
    Some(Frame::Choice { choice }) => (offer_choice, examine_choice, apply_choice)(choice);
    Some(Frame::PlaceMarker) => (offer_placement, examine_placement, apply_placement)();
    Some(Frame::Actions) => (offer_action_phase, examine_action_phase, apply_action_phase)();
    Some(Frame::Battle) => (offer_battle, examine_battle, apply_battle)();
    Some(Frame::Settle) => (offer_settle, examine_settle, apply_settle)();
    Some(Frame::SettlersTrack) => (offer_settlers_track, examine_settlers_track, apply_settlers_track)();
}

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
}
