//! A game without its type ([`AnyGame`]), and what makes one of a game ([`Hosted`]).

use std::sync::Arc;

use crate::bot::{self, Bot, HouseBot};
use crate::catalogue::Catalogue;
use crate::chance_source::ChanceSource;
use crate::codec::DecodeError;
use crate::game::Game;
#[cfg(feature = "laws")]
use crate::laws::{Failure, Laws, Run, rerun, shrink_failure};
use crate::position::PositionError;
use crate::seat::Seat;
use crate::setup::Setup;
use crate::table::{Saved, Table};

use super::AnyTable;

/// A kind of house bot, as a list shows it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct BotInfo {
    /// Stable name in lower case: what [`AnyGame::bot`] takes.
    pub name: &'static str,
    /// Its way of playing, in a sentence of ours.
    pub about: &'static str,
}

/// A game without its type: what services and tools hold, so that they never ask which game it is.
pub trait AnyGame: Send + Sync + 'static {
    /// The static half of the game.
    fn catalogue(&self) -> &Catalogue;

    /// The most actions and chance events of a match of `setup`: [`Game::bound`].
    fn bound(&self, setup: &Setup) -> u32;

    /// Starts a match: [`Table::open`].
    fn open(&self, setup: Setup, chance_source: ChanceSource) -> Box<dyn AnyTable>;

    /// Starts a match from a described position: [`Table::open_position`].
    ///
    /// # Errors
    /// Names the field that the game does not accept.
    fn open_position(
        &self,
        setup: Setup,
        position: serde_json::Value,
        chance_source: ChanceSource,
    ) -> Result<Box<dyn AnyTable>, PositionError>;

    /// Reads a saved match back: [`Table::restore`].
    ///
    /// # Errors
    /// If the bytes are not a saved match of this game.
    fn restore(&self, saved: &Saved, chance_source: ChanceSource) -> Result<Box<dyn AnyTable>, DecodeError>;

    /// The house bots, by name; `random` is always there.
    fn bots(&self) -> Vec<BotInfo>;

    /// Makes a run again, watched by `laws` at every node, and if one breaks, takes out of it whatever that law breaks without:
    /// the failure with the shortest run found. `seed` is that of the laws' own choices.
    #[cfg(feature = "laws")]
    fn shrink(&self, run: &Run, seed: u64, laws: Laws) -> Option<Box<Failure>>;

    /// A house bot for a seat; `None` if the game has none of this name. The same seat and seed give a bot that plays the same.
    fn bot(&self, name: &str, seat: Seat, seed: u64) -> Option<Box<dyn Bot>>;
}

/// A game together with its house bots.
#[derive(Debug)]
pub struct Hosted<G: Game> {
    game: Arc<G>,
    bots: Vec<HouseBot<G>>,
}

impl<G: Game> Hosted<G> {
    /// A game with the house bot that all games have.
    #[must_use]
    pub fn new(game: G) -> Self {
        Self { game: Arc::new(game), bots: vec![bot::random()] }
    }

    /// Adds a house bot of the game's own. One of a name that is there already takes its place.
    #[must_use]
    pub fn with_bot(mut self, bot: HouseBot<G>) -> Self {
        self.bots.retain(|other| other.name != bot.name);
        self.bots.push(bot);
        self
    }
}

impl<G: Game> AnyGame for Hosted<G> {
    fn catalogue(&self) -> &Catalogue {
        self.game.catalogue()
    }

    fn bound(&self, setup: &Setup) -> u32 {
        self.game.bound(setup)
    }

    fn open(&self, setup: Setup, chance_source: ChanceSource) -> Box<dyn AnyTable> {
        Box::new(Table::open(Arc::clone(&self.game), setup, chance_source))
    }

    fn open_position(
        &self,
        setup: Setup,
        position: serde_json::Value,
        chance_source: ChanceSource,
    ) -> Result<Box<dyn AnyTable>, PositionError> {
        let table = Table::open_position(Arc::clone(&self.game), setup, position, chance_source)?;
        Ok(Box::new(table))
    }

    fn restore(&self, saved: &Saved, chance_source: ChanceSource) -> Result<Box<dyn AnyTable>, DecodeError> {
        Ok(Box::new(Table::restore(Arc::clone(&self.game), saved, chance_source)?))
    }

    fn bots(&self) -> Vec<BotInfo> {
        self.bots.iter().map(|bot| BotInfo { name: bot.name, about: bot.about }).collect()
    }

    #[cfg(feature = "laws")]
    fn shrink(&self, run: &Run, seed: u64, laws: Laws) -> Option<Box<Failure>> {
        let failure = rerun(&self.game, run, seed, laws).err()?;
        Some(Box::new(shrink_failure(&self.game, &failure)))
    }

    fn bot(&self, name: &str, seat: Seat, seed: u64) -> Option<Box<dyn Bot>> {
        let kind = self.bots.iter().find(|bot| bot.name == name)?;
        Some((kind.make)(&self.game, seat, seed))
    }
}
