//! The bot that takes any step ([`Random`]).

use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::catalogue::Catalogue;
use crate::fate::below;
use crate::seat::Seat;
use crate::step::{StepId, VerbKind};
use crate::view::View;

use super::Bot;

/// Takes each step of the list with the same probability, those of kind [`VerbKind::Navigate`] left out: they move the
/// attention, not the game, and a player without a plan would wander.
#[derive(Clone, Debug)]
pub struct Random {
    rng: ChaCha8Rng,
    /// By step id.
    navigates: Vec<bool>,
}

impl Random {
    /// A bot for `seat`. Bots of one seed at different seats choose independently of each other.
    #[must_use]
    pub fn new(catalogue: &Catalogue, seat: Seat, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(seat.index() as u64);
        let table = &catalogue.steps;
        let navigates = |step| table.verb_of(step).is_some_and(|verb| verb.kind == VerbKind::Navigate);
        Self { rng, navigates: table.ids().map(navigates).collect() }
    }

    fn navigates(&self, step: StepId) -> bool {
        self.navigates.get(usize::from(step.0)).copied().unwrap_or(false)
    }
}

impl Bot for Random {
    fn choose(&mut self, _view: &View, legal: &[StepId]) -> StepId {
        assert!(!legal.is_empty(), "a bot is asked only when its seat owes a step");
        let playing = legal.iter().filter(|step| !self.navigates(**step)).count();
        if playing == 0 {
            return legal[below(legal.len() as u64, &mut self.rng) as usize];
        }
        let chosen = below(playing as u64, &mut self.rng) as usize;
        let mut steps = legal.iter().copied().filter(|step| !self.navigates(*step));
        steps.nth(chosen).unwrap_or(legal[0])
    }
}
