//! The queue of bonus sets: first in, first out, whoever owns them (10.7, 10.8, B16 to B19).

use crate::vocabulary::*;

use super::super::frames::Frame;
use super::super::state::{Marks, State};
use super::super::{UnhappyKing, rules};

impl UnhappyKing {
    /// Returns whether bonus sets are owed that nobody is playing yet.
    pub(in super::super) fn sets_are_due(&self, state: &State) -> bool {
        let cards_left = state.cards.sets.iter().any(|set| !set.cards.is_empty());
        cards_left && !state.frames.iter().any(|frame| matches!(frame, Frame::Queue))
    }

    /// B17: sets begin to be played, unless they are being played already: then those that were won join the end of the queue.
    pub(in super::super) fn advance_bonus(&self, state: &mut State, out: &mut Events) {
        let due = self.sets_are_due(state);
        state.frames.close();
        if !due {
            if !is_campaigning(state) {
                self.forget_card_moves(state, out);
            }
            return;
        }
        // K4: a bonus card is a card of its own; the Campaign card goes on with its marks behind it.
        let moved = self.all_moved(state, Marks::MOVED);
        let scene = Scene::open(self, state, 2, out);
        state.brigades.change(&self.content, moved, |counter| {
            counter.marks -= Marks::MOVED;
            counter.marks |= Marks::PAUSED;
        });
        state.frames.open(Frame::Queue);
        scene.publish(self, state, out, || Event::new("queue_begins", rules::BONUS_QUEUE, &[]));
    }

    /// The next card of the first set is played by its owner, until none is left.
    pub(in super::super) fn advance_queue(&self, state: &mut State, out: &mut Events) {
        state.cards.sets.retain(|set| !set.cards.is_empty() || set.due > 0);
        let (first, last) = (state.cards.sets.first(), state.cards.sets.last());
        if let Some(set) = rules::BONUS_QUEUE.gives(first, last) {
            let seat = set.seat;
            state.frames.open(Frame::Play { seat, bonus: true, card: None });
            return;
        }
        state.frames.close();
        let [moved, paused] = [Marks::MOVED, Marks::PAUSED].map(|mark| self.all_moved(state, mark));
        let goes_on = is_campaigning(state);
        let scene = Scene::open(self, state, 2, out);
        state.brigades.change(&self.content, moved | paused, |counter| {
            let again = goes_on && counter.marks.contains(Marks::PAUSED);
            counter.marks -= Marks::MOVED | Marks::PAUSED;
            counter.marks.set(Marks::MOVED, again);
        });
        scene.publish(self, state, out, || Event::new("queue_ends", rules::BONUS_QUEUE, &[]));
    }

    /// The card that moved them is done.
    fn forget_card_moves(&self, state: &mut State, out: &mut Events) {
        let moved = self.all_moved(state, Marks::MOVED);
        if moved.is_empty() {
            return;
        }
        let scene = Scene::open(self, state, 2, out);
        state.brigades.unmark(&self.content, moved, Marks::MOVED);
        scene.publish(self, state, out, || Event::new("moves_forgotten", rules::ONCE_A_CARD, &[]));
    }
}

/// Returns whether a Campaign card is being played.
fn is_campaigning(state: &State) -> bool {
    state.frames.iter().any(|frame| matches!(frame, Frame::Campaigning { .. }))
}
