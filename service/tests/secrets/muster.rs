//! A course of the card game in which one seat recruits, and lets desert, other Brigades on the right than on the left ([`Muster`]).
//!
//! What goes where is public, its face is not. Both seats discard their cards, so that nobody fights and no face is turned up.

use std::collections::BTreeSet;

use edgehill_proto::v1::play_seats_request::Call;

use crate::course::{Game, apply, stand, undo};
use crate::message::{batch, ids};
use crate::pair::Pair;
use crate::random::Random;

/// The most actions of a course: some two Turns.
const ACTIONS: usize = 120;

pub(crate) struct Muster<'a> {
    pair: &'a mut Pair,
    game: &'a Game,
    random: Random,
    /// Number of choices that were not the same on both sides.
    pub(crate) differences: usize,
    warm: bool,
}

impl<'a> Muster<'a> {
    pub(crate) fn new(pair: &'a mut Pair, game: &'a Game, random: Random) -> Self {
        Self { pair, game, random, differences: 0, warm: false }
    }

    /// Plays on until the seat that hides something has no action that it may take on both sides.
    pub(crate) async fn play(&mut self, what: &str) {
        let (secret, other) = (self.pair.secret, self.pair.other());
        for number in 0..ACTIONS {
            if self.pair.caught_up(what).await {
                return;
            }
            if self.random.percent(6) {
                self.look(what).await;
            }
            let open = self.pair.legal(0, other).await;
            if !open.is_empty() {
                assert_eq!(open, self.pair.legal(1, other).await, "{what}");
                let id = self.peaceful(&open);
                for side in &self.pair.sides {
                    side.play(&format!("open {number}"), Call::Apply(batch(ids(&[id])))).await;
                }
                continue;
            }
            let (left, right) = (self.pair.legal(0, secret).await, self.pair.legal(1, secret).await);
            if left.is_empty() {
                assert!(right.is_empty(), "{what}: one side waits for the seat that hides something");
                continue;
            }
            let free = left.iter().copied().find(|&id| self.game.notation(id).starts_with("from "));
            if let Some(free) = free.filter(|_| !self.warm) {
                self.warm_up(free).await;
            }
            if self.warm && self.random.percent(80) && self.differ(&left, &right).await {
                continue;
            }
            let both: Vec<u32> = left.into_iter().filter(|id| right.contains(id)).collect();
            if both.is_empty() {
                break;
            }
            let id = self.peaceful(&both);
            for side in &mut self.pair.sides {
                apply(side, secret, id).await;
            }
        }
        self.pair.caught_up(what).await;
        self.look(what).await;
    }

    /// Each kind of call that the hiding seat may make later, once on both sides: what is counted by method has them then.
    async fn warm_up(&mut self, id: u32) {
        let secret = self.pair.secret;
        for side in &mut self.pair.sides {
            let before = side.view(secret).await.draft.len();
            apply(side, secret, id).await;
            stand(side, secret).await;
            undo(side, secret, before).await;
        }
        self.warm = true;
    }

    async fn look(&mut self, what: &str) {
        self.pair.caught_up(what).await;
        self.pair.look(&mut self.random, self.game.len(), what).await;
    }

    /// The faces of Brigades among some actions. That Irish leave the map is public.
    fn faces(&self, legal: &[u32]) -> BTreeSet<u32> {
        let is_face = |&id: &u32| {
            let notation = self.game.notation(id);
            notation.starts_with("brigade ") && notation != "brigade irish"
        };
        legal.iter().copied().filter(is_face).collect()
    }

    /// Takes one Brigade on the left and another one on the right, which leave the same to choose; whether there are such.
    async fn differ(&mut self, left: &[u32], right: &[u32]) -> bool {
        let secret = self.pair.secret;
        let left: Vec<u32> = self.faces(left).into_iter().collect();
        let Some(&one) = self.random.pick(&left) else { return false };
        let before = self.pair.sides[1].view(secret).await.draft.len();
        apply(&mut self.pair.sides[0], secret, one).await;
        let others = self.faces(right).into_iter().filter(|&other| other != one);
        if self.pair.sides[0].view(secret).await.draft.len() == before {
            // It can't be taken back: that of the other side has to do.
            let other = others.min().unwrap_or(one);
            apply(&mut self.pair.sides[1], secret, other).await;
            self.differences += usize::from(other != one);
            return true;
        }
        let next = self.pair.legal(0, secret).await;
        for other in others {
            apply(&mut self.pair.sides[1], secret, other).await;
            let places = |legal: &[u32]| -> Vec<u32> {
                legal.iter().copied().filter(|&id| !self.game.notation(id).starts_with("brigade ")).collect()
            };
            if places(&next) == places(&self.pair.legal(1, secret).await) {
                self.differences += 1;
                return true;
            }
            undo(&mut self.pair.sides[1], secret, before).await;
        }
        undo(&mut self.pair.sides[0], secret, before).await;
        false
    }

    /// An action that leads to no fight: a card is discarded where it may be.
    fn peaceful(&mut self, legal: &[u32]) -> u32 {
        let verb = |id: u32| self.game.notation(id).split_whitespace().next().unwrap();
        let discards = legal.iter().copied().find(|&id| self.game.notation(id) == "use discard");
        let quiet: Vec<u32> = legal.iter().copied().filter(|&id| verb(id) != "card").collect();
        discards.unwrap_or_else(|| *self.random.pick(if quiet.is_empty() { legal } else { &quiet }).unwrap())
    }
}
