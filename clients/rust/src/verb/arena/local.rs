//! The games of a series in this process, on all of the machine's cores ([`Series`]).

use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::thread;

use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::dice::Seed;
use edgehill_engine::game::Node;
use edgehill_engine::registry::{AnyGame, AnyTable};
use edgehill_engine::seat::SeatSet;
use edgehill_engine::setup::Setup;
use sha2::{Digest, Sha256};

use super::plan::Plan;
use super::report::Score;
use crate::error::Error;
use crate::players::Player;
use crate::verb::new::StartArgs;

/// A series of games between bots.
pub(super) struct Series<'a> {
    game: &'a dyn AnyGame,
    start: &'a StartArgs,
    setup: Setup,
    plan: &'a Plan,
}

/// A game that was played to its end.
pub(super) struct Played {
    pub number: u32,
    pub table: Box<dyn AnyTable>,
    pub score: Score,
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
        plan: &'a Plan,
    ) -> Result<Self, Error> {
        let series = Self { game, start, setup, plan };
        series.players(0).map(|_| series)
    }

    /// Plays this many games, or until `take` breaks off, and hands them on in their order, whichever thread played them.
    ///
    /// # Errors
    /// That of the first game that has one, or that `take` gives.
    pub(super) fn play_all(
        &self,
        games: u32,
        mut take: impl FnMut(Played) -> Result<ControlFlow<()>, Error>,
    ) -> Result<(), Error> {
        let next = AtomicU32::new(0);
        let threads = thread::available_parallelism().map_or(1, NonZero::get).min(games as usize);
        thread::scope(|scope| {
            // Bounded, so that fast threads wait for the one that writes.
            let (sender, receiver) = mpsc::sync_channel(threads);
            for _ in 0..threads {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= games || sender.send((number, self.play(number))).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let mut early = BTreeMap::new();
            let mut due = 0;
            // To leave is to drop `receiver`, at which the threads stop.
            for (number, played) in receiver {
                early.insert(number, played);
                while let Some(played) = early.remove(&due) {
                    if take(played?)?.is_break() {
                        return Ok(());
                    }
                    due += 1;
                }
            }
            Ok(())
        })
    }

    /// Plays the game of this number, from 0.
    fn play(&self, number: u32) -> Result<Played, Error> {
        let mut players = self.players(number)?;
        let seed = Seed::from_bytes(self.plan.match_seed(number));
        let mut table = self.start.open(self.game, ChanceSource::Seeded(seed))?;
        for _ in 0..=self.game.bound(&self.setup) {
            if table.node() == Node::Over {
                break;
            }
            let mut any = false;
            for player in &mut players {
                any |= player.action(table.as_mut())?;
            }
            if !any {
                let why = table
                    .chance_source_error()
                    .map_or_else(|| "nobody is to act".to_owned(), ToString::to_string);
                return Err(Error::Fault(format!("game {}: {why}", number + 1)));
            }
        }
        let Some(result) = table.result() else {
            return Err(Error::Fault(format!("game {} goes on beyond the game's own bound", number + 1)));
        };
        let score = Score {
            round: self.plan.round(number),
            entrants: self.plan.entrants(number),
            returns: result.returns,
            digest: Sha256::digest(table.encoded()).into(),
        };
        Ok(Played { number, table, score })
    }

    fn players(&self, number: u32) -> Result<Vec<Player>, Error> {
        let seats = SeatSet::first(self.plan.seats());
        seats
            .iter()
            .zip(self.plan.entrants(number))
            .map(|(seat, entrant)| {
                let seed = self.plan.bot_seed(number, entrant);
                Player::new(self.game, &self.plan.bots()[entrant], seat, seed)
            })
            .collect()
    }
}
