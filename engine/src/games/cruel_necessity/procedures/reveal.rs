//! Cards that are turned up (6.0, 3.0, 10.3): an Event is carried out, an Achievement is laid out.

use std::ops::ControlFlow;

use crate::event::{Event, Events};
use crate::reference::Ref;
use crate::refusal::Why;

use super::super::actions::Action;
use super::super::content::CardKind;
use super::super::frames::Frame;
use super::super::state::State;
use super::super::{CruelNecessity, rules, turn_state};

impl CruelNecessity {
    /// The card that comes without chance: first, last, or the next by number (3.0, 10.3, S1, S2).
    fn due_card(&self, state: &State) -> Option<u8> {
        let unseen = state.unseen(&self.content);
        let [first, last] = self.content.ends[usize::from(state.war)];
        if rules::SETUP.applies(rules::DRAWING.applies(unseen & 1 << first != 0)) {
            Some(first)
        } else if rules::NUMERICAL_ORDER.applies(state.numerical()) {
            Some(unseen.trailing_zeros() as u8)
        } else {
            (self.drawable(state) == 0).then_some(last)
        }
    }

    /// The cards that the next draw can bring, as bits.
    pub(in super::super) fn drawable(&self, state: &State) -> u64 {
        let unseen = state.unseen(&self.content);
        let [first, last] = self.content.ends[usize::from(state.war)];
        let middle = unseen & !(1 << last) & !(1 << first);
        rules::SETUP.gives(rules::DRAWING.gives(middle, unseen), unseen)
    }

    /// Turns up the card that comes without chance; returns whether there is one.
    pub(in super::super) fn due_card_comes(&self, state: &mut State, out: &mut Events) -> bool {
        let Some(card) = self.due_card(state) else { return false };
        out.revealed();
        self.reveal(state, card, out);
        true
    }

    /// A card is turned up (6.0); the Reveal frame is the innermost.
    pub(in super::super) fn reveal(&self, state: &mut State, card: u8, out: &mut Events) {
        let scene = self.scene(state, out);
        state.seen |= 1 << card;
        let refs = [Ref::Card(card.into())];
        match self.content.cards[usize::from(card)].kind {
            CardKind::Achievement(_) => {
                let room = rules::EVENT_PHASE.allows(state.available.count_ones() < 3);
                if room {
                    state.available |= 1 << card;
                } else {
                    state.frames.open(Frame::Displace { card });
                }
                scene.publish(self, state, out, || Event::new("achievement", rules::EVENT_PHASE, &refs));
                if room && !rules::ACHIEVEMENTS_IN_A_ROW.applies(room) {
                    state.frames.close();
                }
            }
            CardKind::Event { list } => {
                state.current = card;
                state.frames.close();
                state.frames.open(Frame::Items { list, next: 0 });
                scene.publish(self, state, out, || Event::new("event", rules::EVENT_PHASE, &refs));
                // The demands of the card, in plain words.
                for &op in &self.content.lists[usize::from(list)] {
                    out.emit(|| {
                        let (what, rule) = turn_state::item(&self.content, list, op);
                        Event::new(what.code, rule, &what.refs)
                    });
                }
            }
        }
    }

    /// The Achievements in the boxes.
    pub(in super::super) fn offer_displace(&self, state: &State, offer: &mut impl FnMut(Action)) {
        for (index, achievement) in self.content.achievements.iter().enumerate() {
            if state.available & 1 << achievement.card != 0 {
                offer(Action::Drop(index as u8));
            }
        }
    }

    /// One of the three that lie there makes room (S4).
    pub(in super::super) fn examine_displace(
        &self,
        state: &State,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let Action::Drop(index) = action else { return why.refuse(rules::SEQUENCE, "NOT_NOW") };
        let card = self.content.achievements[usize::from(index)].card;
        let there = state.available & 1 << card != 0;
        why.require(there, rules::DISPLACED_ACHIEVEMENT, "NOT_AVAILABLE", &[Ref::Card(card.into())])
    }

    /// An Achievement gives up its box for the one that was turned up (6.0, S4).
    pub(in super::super) fn apply_displace(
        &self,
        state: &mut State,
        card: u8,
        action: Action,
        out: &mut Events,
    ) {
        let Action::Drop(index) = action else { unreachable!("{action:?} is not legal") };
        let scene = self.scene(state, out);
        let gone = self.content.achievements[usize::from(index)].card;
        state.frames.close();
        state.available = state.available & !(1 << gone) | 1 << card;
        let refs = [Ref::Card(gone.into()), Ref::Card(card.into())];
        scene.publish(self, state, out, || Event::new("displaced", rules::EVENT_PHASE, &refs));
    }
}
