//! The sequence of play: the phases of a Game Turn (4.0), until the player or the dice are asked; and which procedure is offered to,
//! examined, carried out, given the dice.

use crate::chance::Outcome;
use crate::event::{Event, Events};
use crate::numbered::Listed;
use crate::reference::Ref;

use super::actions::Action;
use super::catalogue::names;
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

    /// Goes on with an outcome.
    pub(super) fn resolve_outcome(&self, state: &mut State, outcome: &Outcome, out: &mut Events) {
        // Before the first turn nothing is under way, and nothing comes of it.
        let Some(frame) = state.frames.top().copied() else { return };
        match (frame, outcome) {
            (Frame::Battle, outcome) => self.resolve_battle(state, outcome, out),
            (Frame::Reveal, &Outcome::Pick(what)) => {
                let card = names::card_of(&self.content, what).expect("a card of the decks is drawn");
                self.reveal(state, card, out);
            }
            (Frame::Reward { marker }, &Outcome::Pick(what)) => {
                state.frames.close();
                let reward = names::reward_of(what).expect("a reward is drawn");
                self.reward_found(state, marker, reward, out);
            }
            (_, Outcome::Roll(dice)) => {
                state.frames.close();
                self.resolve_die(state, frame, dice[0], out);
            }
            _ => unreachable!("an outcome that the chance event does not admit"),
        }
    }

    /// A single die; the frame that asked for it has been closed.
    fn resolve_die(&self, state: &mut State, frame: Frame, die: u8, out: &mut Events) {
        match frame {
            Frame::Clubmen { revolt, .. } => self.crush_roll(state, revolt, false, die, out),
            Frame::Siege { fort, left, unrest } => self.siege_roll(state, (fort, left, unrest), die, out),
            Frame::Revolt { revolt, region, north } => {
                self.revolt_roll(state, (revolt, region, north), die, out);
            }
            Frame::League => self.league_roll(state, die, out),
            Frame::Search { army, cost } => self.search_roll(state, army, cost, die, out),
            Frame::Campaign { army, cost } => self.campaign_roll(state, army, cost, die, out),
            Frame::Exorcise { marker } => self.exorcise_roll(state, marker, die, out),
            Frame::Besiege { fort } => self.besiege_roll(state, fort, die, out),
            Frame::Crush { revolt } => self.crush_roll(state, revolt, true, die, out),
            Frame::Politics { track, settlers } => self.politics_roll(state, track, settlers, die, out),
            _ => unreachable!("an outcome that the chance event does not admit"),
        }
    }
}
