//! The games that are there ([`Registry`]), without their types: [`AnyGame`], [`AnyTable`].
//!
//! Invariant: [`games`] is the only place in the workspace outside `games/` that names a game.
//!
//! ```
//! use edgehill_engine::registry::Registry;
//!
//! let registry = Registry::built_in()?;
//! for game in registry.games() {
//!     println!("{}: {}", game.catalogue().id, game.catalogue().title);
//! }
//! assert!(registry.game("no-such-game").is_err());
//! # Ok::<(), edgehill_engine::registry::RegistryError>(())
//! ```

mod game;
mod table;
mod typed;

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

pub use game::{AnyGame, BotInfo, Hosted};
pub use table::{AnyTable, DueChance};

use crate::content::{ContentErrors, ContentFiles};
use crate::game::Game;
use crate::games::cruel_necessity::{self, CruelNecessity};
use crate::games::english_civil_war_iia::{self, EnglishCivilWar};
use crate::games::skirmish::Skirmish;
use crate::games::this_war_without_an_enemy::{self, ThisWarWithoutAnEnemy};
use crate::games::unhappy_king_charles::{self, UnhappyKing};

/// Content files, by name, that take the place of built-in ones of the same name; none for the game as it comes.
pub type Overlay = Vec<(String, Vec<u8>)>;

/// The error of a game's content that could not be loaded: [`ContentErrors`] for a game that reads content files.
pub type LoadError = Box<dyn Error + Send + Sync>;

/// A game that can be loaded.
#[derive(Copy, Clone)]
pub struct LoadableGame {
    /// The id that its catalogue will have.
    pub id: &'static str,
    /// Loads it: the built-in content, with an overlay.
    pub load: fn(Overlay) -> Result<Arc<dyn AnyGame>, LoadError>,
}

impl fmt::Debug for LoadableGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LoadableGame({})", self.id)
    }
}

/// All games of this build, in the order in which they are shown: one line a game.
#[must_use]
pub fn games() -> Vec<LoadableGame> {
    vec![
        LoadableGame {
            id: CruelNecessity::ID,
            load: |overlay| {
                let game = CruelNecessity::load(&CruelNecessity::builtin().overlay(overlay)?)?;
                Ok(Arc::new(Hosted::new(game).with_bot(cruel_necessity::ironside())))
            },
        },
        LoadableGame {
            id: EnglishCivilWar::ID,
            load: |overlay| {
                let game = EnglishCivilWar::load(&EnglishCivilWar::builtin().overlay(overlay)?)?;
                let [steward, marshal] =
                    [english_civil_war_iia::bots::steward(), english_civil_war_iia::bots::marshal()];
                Ok(Arc::new(Hosted::new(game).with_bot(steward).with_bot(marshal)))
            },
        },
        LoadableGame {
            id: Skirmish::ID,
            load: |overlay| hosted(Skirmish::builtin(), overlay, Skirmish::load),
        },
        LoadableGame {
            id: ThisWarWithoutAnEnemy::ID,
            load: |overlay| {
                let game = ThisWarWithoutAnEnemy::load(&ThisWarWithoutAnEnemy::builtin().overlay(overlay)?)?;
                Ok(Arc::new(Hosted::new(game).with_bot(this_war_without_an_enemy::captain())))
            },
        },
        LoadableGame {
            id: UnhappyKing::ID,
            load: |overlay| {
                let game = UnhappyKing::load(&UnhappyKing::builtin().overlay(overlay)?)?;
                Ok(Arc::new(Hosted::new(game).with_bot(unhappy_king_charles::colonel())))
            },
        },
    ]
}

/// A game of content files, with the house bot that all games have.
fn hosted<G: Game>(
    builtin: ContentFiles,
    overlay: Overlay,
    load: fn(&ContentFiles) -> Result<G, ContentErrors>,
) -> Result<Arc<dyn AnyGame>, LoadError> {
    Ok(Arc::new(Hosted::new(load(&builtin.overlay(overlay)?)?)))
}

/// The error of games that could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum RegistryError {
    /// The content of a game is not accepted.
    #[error("content of {game}: {error}")]
    Content {
        /// The game's id.
        game: &'static str,
        /// The faults of its content.
        error: LoadError,
    },
    /// An overlay is for a game that is not there.
    #[error("content for {0}")]
    Overlay(UnknownGame),
    /// Two games have one id: a fault of the program.
    #[error("two games are called `{0}`")]
    SameId(&'static str),
}

/// No game has this id.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("game `{given}`: this build has {known}")]
pub struct UnknownGame {
    /// As it was written.
    pub given: String,
    /// The ids that there are.
    pub known: String,
}

impl UnknownGame {
    fn new(given: &str, known: &[&str]) -> Self {
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        Self { given: given.to_owned(), known }
    }
}

/// Games by id.
#[derive(Clone)]
pub struct Registry {
    games: Vec<Arc<dyn AnyGame>>,
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Registry").field(&self.ids()).finish()
    }
}

impl Registry {
    /// All games of this build with their built-in content.
    ///
    /// # Errors
    /// If built-in content is not accepted: a fault of the program.
    pub fn built_in() -> Result<Self, RegistryError> {
        Self::load(&games(), BTreeMap::new())
    }

    /// Loads `listed`, with overlays by game id.
    ///
    /// # Errors
    /// Names the game and what is wrong with its content, or the overlay that is for no game.
    pub fn load(
        listed: &[LoadableGame],
        mut overlays: BTreeMap<String, Overlay>,
    ) -> Result<Self, RegistryError> {
        let mut games = Vec::with_capacity(listed.len());
        for one in listed {
            let overlay = overlays.remove(one.id).unwrap_or_default();
            let game = (one.load)(overlay);
            games.push(game.map_err(|error| RegistryError::Content { game: one.id, error })?);
        }
        if let Some(id) = overlays.keys().next() {
            let known: Vec<&str> = listed.iter().map(|one| one.id).collect();
            return Err(RegistryError::Overlay(UnknownGame::new(id, &known)));
        }
        Self::new(games)
    }

    /// A registry of these games.
    ///
    /// # Errors
    /// If two have the same id.
    pub fn new(games: Vec<Arc<dyn AnyGame>>) -> Result<Self, RegistryError> {
        for (index, game) in games.iter().enumerate() {
            let id = game.catalogue().id;
            if games[..index].iter().any(|other| other.catalogue().id == id) {
                return Err(RegistryError::SameId(id));
            }
        }
        Ok(Self { games })
    }

    /// The games, in the order in which they are shown.
    #[must_use]
    pub fn games(&self) -> &[Arc<dyn AnyGame>] {
        &self.games
    }

    /// Their ids.
    #[must_use]
    pub fn ids(&self) -> Vec<&'static str> {
        self.games.iter().map(|game| game.catalogue().id).collect()
    }

    /// The game of this id.
    ///
    /// # Errors
    /// Names the games that there are.
    pub fn game(&self, id: &str) -> Result<&Arc<dyn AnyGame>, UnknownGame> {
        let game = self.games.iter().find(|game| game.catalogue().id == id);
        game.ok_or_else(|| UnknownGame::new(id, &self.ids()))
    }
}
