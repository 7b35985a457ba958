//! The queue of bonus sets: first in, first out, whoever owns them (10.7, 10.8, B16 to B19).

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
    pub(in super::super) fn advance_bonus(&self, state: &mut State) {
        let due = self.sets_are_due(state);
        state.frames.close();
        let campaigning = state.frames.iter().any(|frame| matches!(frame, Frame::Campaigning { .. }));
        if !due {
            if !campaigning {
                self.forget_card_moves(state);
            }
            return;
        }
        // K4: a bonus card is a card of its own; the Campaign card goes on with its marks behind it.
        let moved = self.all_moved(state, Marks::MOVED);
        state.brigades.change(&self.content, moved, |counter| {
            counter.marks -= Marks::MOVED;
            counter.marks |= Marks::PAUSED;
        });
        state.frames.open(Frame::Queue);
    }

    /// The next card of the first set is played by its owner, until none is left.
    pub(in super::super) fn advance_queue(&self, state: &mut State) {
        state.cards.sets.retain(|set| !set.cards.is_empty() || set.due > 0);
        let (first, last) = (state.cards.sets.first(), state.cards.sets.last());
        if let Some(set) = rules::BONUS_QUEUE.gives(first, last) {
            let seat = set.seat;
            state.frames.open(Frame::Play { seat, bonus: true, card: None });
            return;
        }
        state.frames.close();
        let campaigning = state.frames.iter().any(|frame| matches!(frame, Frame::Campaigning { .. }));
        self.forget_card_moves(state);
        if campaigning {
            let paused = self.all_moved(state, Marks::PAUSED);
            state.brigades.change(&self.content, paused, |counter| {
                counter.marks -= Marks::PAUSED;
                counter.marks |= Marks::MOVED;
            });
        } else {
            let paused = self.all_moved(state, Marks::PAUSED);
            state.brigades.unmark(&self.content, paused, Marks::PAUSED);
        }
    }

    /// The card that moved them is done.
    fn forget_card_moves(&self, state: &mut State) {
        let moved = self.all_moved(state, Marks::MOVED);
        state.brigades.unmark(&self.content, moved, Marks::MOVED);
    }
}
