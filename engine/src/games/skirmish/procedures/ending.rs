//! Endings: the enemy's camp, nightfall (8.1, 8.3). The last block is looked at where blocks are lost (8.2, `battle.rs`).

use crate::seat::Seat;

use super::super::state::{State, Verdict};
use super::super::{Skirmish, rules};

impl Skirmish {
    /// 8.1: looked at when an activation is over.
    pub(in super::super) fn check_camp(&self, state: &mut State, seat: Seat) {
        let camp = self.content.camps[seat.other().index()];
        let taken = !state.stack(seat, camp).is_empty() && state.stack(seat.other(), camp).is_empty();
        if rules::CAMP.applies(taken) {
            state.result = Some(Verdict { kind: 0, winner: Some(seat) });
        }
    }

    /// 8.3: the turns are used up.
    pub(in super::super) fn nightfall(&self, state: &mut State) {
        let blocks = [state.living(Seat::new(0)), state.living(Seat::new(1))];
        let winner = match blocks[0].cmp(&blocks[1]) {
            _ if !rules::NIGHTFALL.applies(!state.drill) => None,
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(Seat::new(0)),
            std::cmp::Ordering::Less => Some(Seat::new(1)),
        };
        state.result = Some(Verdict { kind: 2, winner });
    }
}
