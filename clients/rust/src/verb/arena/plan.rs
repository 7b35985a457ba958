//! The pairings of a series, and the source of its dice ([`Plan`]): the same on one's own machine and on a server.

use crate::chance_source::derive;

/// The games of a series: each round has as many games as there are seats, with the same dice, and in it each bot sits at each
/// seat once.
#[derive(Clone, Debug)]
pub(in crate::verb) struct Plan {
    bots: Vec<String>,
    seed: u64,
}

impl Plan {
    /// A series of these bots, one a seat.
    pub(in crate::verb) const fn new(bots: Vec<String>, seed: u64) -> Self {
        Self { bots, seed }
    }

    pub(in crate::verb) fn seats(&self) -> usize {
        self.bots.len()
    }

    pub(in crate::verb) fn bots(&self) -> &[String] {
        &self.bots
    }

    /// Returns the number of games that are played where this many are asked for: whole rounds.
    pub(in crate::verb) fn whole(&self, games: u32) -> u32 {
        games.div_ceil(self.seats() as u32) * self.seats() as u32
    }

    /// The round of the game of this number; both count from 0.
    pub(in crate::verb) fn round(&self, number: u32) -> u32 {
        number / self.seats() as u32
    }

    /// The entrant (index into the series' bots) at each seat of a game.
    pub(in crate::verb) fn entrants(&self, number: u32) -> Vec<usize> {
        let turn = number as usize % self.seats();
        (0..self.seats()).map(|seat| (seat + turn) % self.seats()).collect()
    }

    /// Names of the players of a game, in seat order.
    pub(in crate::verb) fn names(&self, number: u32) -> Vec<String> {
        self.entrants(number).into_iter().map(|entrant| self.bots[entrant].clone()).collect()
    }

    /// Returns the seed that the dice of a game follow from.
    pub(in crate::verb) fn match_seed(&self, number: u32) -> [u8; 32] {
        derive("edgehill/arena/1", &[self.seed, u64::from(self.round(number))])
    }

    /// Returns the seed that the choices of a bot in a game follow from.
    pub(in crate::verb) fn bot_seed(&self, number: u32, entrant: usize) -> [u8; 32] {
        derive("edgehill/arena-bot/1", &[self.seed, u64::from(self.round(number)), entrant as u64])
    }

    /// The file of a game's record.
    pub(in crate::verb) fn file_name(&self, game: &str, number: u32) -> String {
        format!("{game}-{}-{:05}.edg", self.seed, number + 1)
    }
}
