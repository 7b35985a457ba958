//! The bot that takes any action ([`RandomBot`]).

use edgehill_proto::v1::VerbKind;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use super::{ClientBot, Turn};
use crate::catalog_calls::GameCatalog;

/// Takes each legal action with the same probability, those of kind `VERB_KIND_NAVIGATE` left out: they move the attention, not
/// the game. It chooses as the engine's own `random` does of the same seat and seed.
#[derive(Clone, Debug)]
pub struct RandomBot {
    rng: ChaCha8Rng,
    /// By action id.
    navigates: Vec<bool>,
}

impl RandomBot {
    /// A bot for `seat`, from 0, of `game`. Bots of one seed at different seats choose independently of each other.
    #[must_use]
    pub fn new(game: &GameCatalog, seat: u32, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(u64::from(seat));
        let verbs = &game.game.verbs;
        let navigates =
            |verb: u32| verbs.get(verb as usize).is_some_and(|verb| verb.kind() == VerbKind::Navigate);
        let navigates = game.action_defs.iter().map(|action| navigates(action.verb)).collect();
        Self { rng, navigates }
    }

    fn navigates(&self, action: u32) -> bool {
        self.navigates.get(action as usize).copied().unwrap_or(false)
    }

    /// A number below `bound`, without bias.
    fn below(&mut self, bound: usize) -> usize {
        let bound = bound.max(1) as u64;
        let limit = u64::MAX - u64::MAX % bound;
        loop {
            let word = self.rng.next_u64();
            if word < limit {
                return (word % bound) as usize;
            }
        }
    }
}

impl ClientBot for RandomBot {
    fn looks(&self) -> bool {
        false
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Vec<u32> {
        let playing: Vec<u32> =
            turn.legal.iter().copied().filter(|action| !self.navigates(*action)).collect();
        let actions = if playing.is_empty() { turn.legal } else { &playing };
        let chosen = self.below(actions.len());
        actions.get(chosen).copied().into_iter().collect()
    }
}
