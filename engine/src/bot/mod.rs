//! House bots: players that come with a game ([`Bot`]).
//!
//! Invariant: a bot is given a [`View`] and a list of legal actions, never a state; what its seat may not know, it can't use.

mod random;

use std::fmt;
use std::sync::Arc;

pub use random::Random;

use crate::action::ActionId;
use crate::game::Game;
use crate::seat::Seat;
use crate::view::View;

/// A player of one seat of one match.
pub trait Bot: Send {
    /// One of `legal`, which is not empty: the actions that the seat of `view` may take now, in list order.
    ///
    /// # Panics
    /// If `legal` is empty: a caller who drives a bot asks it only when its seat is to act.
    fn choose(&mut self, view: &View, legal: &[ActionId]) -> ActionId;
}

/// A kind of house bot of the game `G`.
pub struct HouseBot<G: Game> {
    /// Stable name in lower case.
    pub name: &'static str,
    /// Its way of playing, in a sentence of ours.
    pub about: &'static str,
    /// Makes one for a seat. The same seat and seed give a bot that plays the same.
    pub make: fn(game: &Arc<G>, seat: Seat, seed: u64) -> Box<dyn Bot>,
}

impl<G: Game> Clone for HouseBot<G> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<G: Game> fmt::Debug for HouseBot<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HouseBot({})", self.name)
    }
}

/// The house bot that every game has.
#[must_use]
pub fn random<G: Game>() -> HouseBot<G> {
    HouseBot {
        name: "random",
        about: "Takes any legal action, each as likely as the other.",
        make: |game, seat, seed| Box::new(Random::new(game.catalogue(), seat, seed)),
    }
}
