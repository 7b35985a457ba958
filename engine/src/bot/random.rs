//! The bot that takes any action ([`Random`]).

use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::action::{ActionId, VerbKind};
use crate::catalogue::Catalogue;
use crate::chance_source::below;
use crate::seat::Seat;
use crate::view::View;

use super::Bot;

/// Takes each action of the list with the same probability, those of kind [`VerbKind::Navigate`] left out: they move the
/// attention, not the game, and a player without a plan would wander.
#[derive(Clone, Debug)]
pub struct Random {
    rng: ChaCha8Rng,
    /// By action id.
    navigates: Vec<bool>,
}

impl Random {
    /// A bot for `seat`. Bots of one seed at different seats choose independently of each other.
    #[must_use]
    pub fn new(catalogue: &Catalogue, seat: Seat, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(seat.index() as u64);
        let table = &catalogue.actions;
        let navigates = |action| table.verb_of(action).is_some_and(|verb| verb.kind == VerbKind::Navigate);
        Self { rng, navigates: table.ids().map(navigates).collect() }
    }

    fn navigates(&self, action: ActionId) -> bool {
        self.navigates.get(usize::from(action.0)).copied().unwrap_or(false)
    }
}

impl Bot for Random {
    fn choose(&mut self, _view: &View, legal: &[ActionId]) -> ActionId {
        assert!(!legal.is_empty(), "a bot is asked only when its seat is to act");
        let playing = legal.iter().filter(|action| !self.navigates(**action)).count();
        if playing == 0 {
            return legal[below(legal.len() as u64, &mut self.rng) as usize];
        }
        let chosen = below(playing as u64, &mut self.rng) as usize;
        let mut actions = legal.iter().copied().filter(|action| !self.navigates(*action));
        actions.nth(chosen).unwrap_or(legal[0])
    }
}
