//! The bot `random` in a series on a server ([`SeriesBot`]): blind, following its view, or planning its drafts whole.

use std::sync::Arc;

use edgehill_client::bot::{ClientBot, RandomBot, Turn};
use edgehill_convert::values::{self, Beside};
use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::registry::{AnyGame, AnyTable};
use edgehill_engine::seat::Seat;
use edgehill_engine::setup::Setup;
use edgehill_engine::table::ApplyMode;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::error::Error;

/// The use that the bots of a series make of what they see.
#[derive(Copy, Clone, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum Pace {
    /// An action a call, chosen from the list alone: the server sends no events
    Blind,
    /// An action a call, with a view that follows the events
    Follow,
    /// All that is drafted until something is final, as one call
    Draft,
}

/// A bot of a series. Whatever its pace, it chooses alike.
pub(super) struct SeriesBot {
    random: RandomBot,
    pace: Pace,
    seat: Seat,
    /// A match of the game, from which worlds that look like a view are made; only for those that draft.
    worlds: Option<Box<dyn AnyTable>>,
}

impl SeriesBot {
    /// A bot for a seat; one that drafts needs the rules of the game.
    ///
    /// # Errors
    /// If this build does not have them.
    pub(super) fn new(
        random: RandomBot,
        seat: Seat,
        pace: Pace,
        game: impl FnOnce() -> Result<(Arc<dyn AnyGame>, Setup), Error>,
    ) -> Result<Self, Error> {
        let worlds = match pace {
            Pace::Draft => {
                let (game, setup) = game()?;
                Some(game.open(setup, ChanceSource::playout(0)))
            }
            Pace::Blind | Pace::Follow => None,
        };
        Ok(Self { random, pace, seat, worlds })
    }

    /// The draft that begins with `first`, on a world that looks like the view; what can't be planned is left for the next call.
    fn draft(&mut self, turn: &Turn<'_>, first: u32) -> Option<Vec<u32>> {
        let view = values::view(turn.view?, Beside::default()).ok()?;
        // The world's hidden half decides nothing: what is planned ends before anything is revealed.
        let mut world = self.worlds.as_ref()?.determinize(&view, &mut ChaCha8Rng::seed_from_u64(turn.seq));
        let (mut actions, mut next) = (Vec::new(), first);
        loop {
            let drafted = world.draft(self.seat).len();
            let action = *values::action_ids(&[next]).ok()?.first()?;
            world.apply(self.seat, &[action], ApplyMode::Atomic).ok()?;
            actions.push(next);
            if world.draft(self.seat).len() <= drafted || world.committed(self.seat) {
                return Some(actions);
            }
            let legal: Vec<u32> = world.legal(self.seat).iter().map(|action| u32::from(action.0)).collect();
            if legal.is_empty() {
                return Some(actions);
            }
            next = *self.random.choose(&Turn { legal: &legal, ..*turn }).first()?;
        }
    }
}

impl ClientBot for SeriesBot {
    fn looks(&self) -> bool {
        self.pace != Pace::Blind
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Vec<u32> {
        let first = self.random.choose(turn);
        match (self.pace, first.first()) {
            (Pace::Draft, Some(&action)) => self.draft(turn, action).unwrap_or(first),
            _ => first,
        }
    }
}
