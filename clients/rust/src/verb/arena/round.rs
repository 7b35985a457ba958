//! The games of a series: who sits where, with which dice ([`Series`]).

use edgehill_engine::dice::Seed;
use edgehill_engine::fate::Fate;
use edgehill_engine::game::{Ending, Node};
use edgehill_engine::registry::{AnyGame, AnyTable};
use edgehill_engine::seat::SeatSet;
use edgehill_engine::setup::Setup;
use sha2::{Digest, Sha256};

use crate::error::Error;
use crate::fate::derive;
use crate::players::Player;
use crate::verb::new::StartArgs;

/// A series of games between bots.
pub(super) struct Series<'a> {
    game: &'a dyn AnyGame,
    start: &'a StartArgs,
    setup: Setup,
    bots: &'a [String],
    seed: u64,
}

/// A game that was played to its end.
pub(super) struct Played {
    pub table: Box<dyn AnyTable>,
    pub ending: Ending,
    /// The entrant (index into the series' bots) at each seat.
    pub entrants: Vec<usize>,
    pub round: u32,
    /// Of the last state.
    pub digest: [u8; 32],
}

impl<'a> Series<'a> {
    /// A series of these bots, one a seat.
    ///
    /// # Errors
    /// If the game has no such bot.
    pub(super) fn new(
        game: &'a dyn AnyGame,
        start: &'a StartArgs,
        setup: Setup,
        bots: &'a [String],
        seed: u64,
    ) -> Result<Self, Error> {
        let series = Self { game, start, setup, bots, seed };
        series.players(0).map(|_| series)
    }

    pub(super) const fn seats(&self) -> usize {
        self.bots.len()
    }

    pub(super) const fn bots(&self) -> &[String] {
        self.bots
    }

    /// Plays the game of this number, from 0.
    pub(super) fn play(&self, number: u32) -> Result<Played, Error> {
        let round = number / self.seats() as u32;
        let mut players = self.players(number)?;
        let seed = Seed::from_bytes(derive("edgehill/arena/1", &[self.seed, u64::from(round)]));
        let mut table = self.start.open(self.game, Fate::Seeded(seed))?;
        for _ in 0..=self.game.bound(&self.setup) {
            if table.node() == Node::Over {
                break;
            }
            let mut any = false;
            for player in &mut players {
                any |= player.step(table.as_mut())?;
            }
            if !any {
                let why =
                    table.fate_error().map_or_else(|| "nobody owes a step".to_owned(), ToString::to_string);
                return Err(Error::Fault(format!("game {}: {why}", number + 1)));
            }
        }
        let Some(ending) = table.ending() else {
            return Err(Error::Fault(format!("game {} goes on beyond the game's own bound", number + 1)));
        };
        let digest = Sha256::digest(table.encoded()).into();
        Ok(Played { table, ending, entrants: self.entrants(number), round, digest })
    }

    /// Who sits where in the game of this number: in each round every bot sits at every seat once.
    fn entrants(&self, number: u32) -> Vec<usize> {
        let turn = number as usize % self.seats();
        (0..self.seats()).map(|seat| (seat + turn) % self.seats()).collect()
    }

    fn players(&self, number: u32) -> Result<Vec<Player>, Error> {
        let round = u64::from(number) / self.seats() as u64;
        let entrants = self.entrants(number);
        SeatSet::first(self.seats())
            .iter()
            .zip(entrants)
            .map(|(seat, entrant)| {
                let seed = derive("edgehill/arena-bot/1", &[self.seed, round, entrant as u64]);
                Player::new(self.game, &self.bots[entrant], seat, seed)
            })
            .collect()
    }

    /// Names of the players of a game, in seat order.
    pub(super) fn names(&self, played: &Played) -> Vec<String> {
        played.entrants.iter().map(|&entrant| self.bots[entrant].clone()).collect()
    }
}
