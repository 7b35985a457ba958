//! A player of all seats that chooses by the numbers it sees: the same match, played again, goes the same way.

use edgehill_proto::v1;

use crate::kit::{HasBatch, HasResult, Seated, by, ids};
use crate::running::Client;

/// Plays both seats, one after the other.
pub(crate) struct Player {
    pub(crate) seated: Seated,
    /// The answers to each seat.
    pub(crate) answered: Vec<Vec<v1::Event>>,
    /// Number of actions taken.
    pub(crate) actions: usize,
}

impl Player {
    pub(crate) fn new(seated: &Seated) -> Self {
        let answered = vec![Vec::new(); seated.tokens.len()];
        Self { seated: seated.clone(), answered, actions: 0 }
    }

    /// Returns the legal action to take.
    pub(crate) fn choice(legal: &v1::ListLegalActionsResponse, seat: usize) -> u32 {
        let ids = &legal.legal_actions.as_ref().expect("actions").ids;
        let number = (legal.seq + seat as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
        ids[number as usize % ids.len()]
    }

    /// The next call: the seat, and what it asks. `None`: the match is over.
    pub(crate) async fn next(&mut self, client: &mut Client) -> Option<(usize, v1::ApplyActionsRequest)> {
        for seat in 0..self.seated.tokens.len() {
            let legal = self.seated.legal(client, seat).await;
            if legal.to_act {
                self.actions += 1;
                let actions = ids(&[Self::choice(&legal, seat)]);
                let request = self.seated.apply(&format!("action-{}", self.actions), actions);
                return Some((seat, request.expecting(legal.seq)));
            }
        }
        None
    }

    /// Takes at most so many actions.
    pub(crate) async fn play(&mut self, client: &mut Client, most: usize) {
        for _ in 0..most {
            let Some((seat, request)) = self.next(client).await else { return };
            let request = by(&self.seated.tokens[seat], request);
            let taken = client.apply_actions(request).await.unwrap().into_inner();
            assert_eq!(taken.result().actions, 1);
            self.answered[seat].extend(taken.update.unwrap().events);
        }
    }
}
