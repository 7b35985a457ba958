//! Cards that are turned up (6.0, 3.0, 10.3): an Event is carried out, an Achievement is laid out.

use std::ops::ControlFlow;

use crate::event::{Event, Events};
use crate::numbered::SetOf;
use crate::refusal::Why;

use super::super::actions::Action;
use super::super::catalogue::names;
use super::super::content::{CardId, CardKind};
use super::super::frames::Frame;
use super::super::state::State;
use super::super::{CruelNecessity, rules, turn_state};

/// Boxes of available Achievements.
const ACHIEVEMENT_BOXES: u32 = 3;

impl CruelNecessity {
    /// The card that comes without chance: first, last, or the next by number (3.0, 10.3, S1, S2).
    fn due_card(&self, state: &State) -> Option<CardId> {
        let unseen = state.unseen(&self.content);
        let [first, last] = self.content.ends[state.war];
        if rules::SETUP.applies(rules::DRAWING.applies(unseen.contains(first))) {
            Some(first)
        } else if rules::NUMERICAL_ORDER.applies(state.numerical()) {
            unseen.first()
        } else {
            self.drawable(state).is_empty().then_some(last)
        }
    }

    /// The cards that the next draw can bring.
    pub(in super::super) fn drawable(&self, state: &State) -> SetOf<CardId> {
        let unseen = state.unseen(&self.content);
        let [first, last] = self.content.ends[state.war];
        let middle = unseen - SetOf::one(first) - SetOf::one(last);
        rules::SETUP.gives(rules::DRAWING.gives(middle, unseen), unseen)
    }

    /// Turns up the card that comes without chance; returns whether there is one.
    pub(in super::super) fn due_card_comes(&self, state: &mut State, out: &mut Events) -> bool {
        let due = self.due_card(state);
        if let Some(card) = due {
            out.revealed();
            self.reveal(state, card, out);
        }
        due.is_some()
    }

    /// A card is turned up (6.0); the Reveal frame is the innermost.
    pub(in super::super) fn reveal(&self, state: &mut State, card: CardId, out: &mut Events) {
        let scene = self.scene(state, out);
        state.seen.insert(card);
        let refs = [names::card_ref(card)];
        match self.content.cards[card].kind {
            CardKind::Achievement(_) => {
                let room = rules::EVENT_PHASE.allows(state.available.count() < ACHIEVEMENT_BOXES);
                if room {
                    state.available.insert(card);
                } else {
                    state.frames.open(Frame::Displace { card });
                }
                scene.publish(self, state, out, || Event::new("achievement", rules::EVENT_PHASE, &refs));
                if room && !rules::ACHIEVEMENTS_IN_A_ROW.applies(room) {
                    state.frames.close();
                }
            }
            CardKind::Event { list } => {
                state.current = Some(card);
                state.frames.close();
                state.frames.open(Frame::Items { list, next: 0 });
                scene.publish(self, state, out, || Event::new("event", rules::EVENT_PHASE, &refs));
                // The demands of the card, in plain words.
                for &op in &self.content.lists[list] {
                    out.emit(|| {
                        let (what, rule) = turn_state::item(&self.content, list, op);
                        Event::new(what.code, rule, &what.refs)
                    });
                }
            }
        }
    }

    /// The Achievements in the boxes.
    pub(in super::super) fn offer_displace(&self, state: &State, _: CardId, offer: &mut impl FnMut(Action)) {
        let achievement = |card| self.content.achievement(card).expect("an Achievement is in a box");
        state.available.iter().for_each(|card| offer(Action::Drop(achievement(card))));
    }

    /// One of the three that lie there makes room (S4).
    pub(in super::super) fn examine_displace(
        &self,
        state: &State,
        _: CardId,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match action {
            Action::Drop(achievement) => {
                let card = self.content.achievements[achievement].card;
                let there = state.available.contains(card);
                why.require(there, rules::DISPLACED_ACHIEVEMENT, "NOT_AVAILABLE", &[names::card_ref(card)])
            }
            _ => why.refuse(rules::SEQUENCE, "NOT_NOW"),
        }
    }

    /// An Achievement gives up its box for the one that was turned up (6.0, S4).
    pub(in super::super) fn apply_displace(
        &self,
        state: &mut State,
        card: CardId,
        action: Action,
        out: &mut Events,
    ) {
        let Action::Drop(achievement) = action else { unreachable!("{action:?} is not legal") };
        let scene = self.scene(state, out);
        let gone = self.content.achievements[achievement].card;
        state.frames.close();
        state.available.remove(gone);
        state.available.insert(card);
        let refs = [names::card_ref(gone), names::card_ref(card)];
        scene.publish(self, state, out, || Event::new("displaced", rules::EVENT_PHASE, &refs));
    }
}
