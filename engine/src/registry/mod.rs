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

use crate::content::ContentFiles;
use crate::games::cruel_necessity::{self, CruelNecessity};
use crate::games::english_civil_war_iia::{self, EnglishCivilWar};
use crate::games::skirmish::Skirmish;
use crate::games::this_war_without_an_enemy::{self, ThisWarWithoutAnEnemy};
use crate::games::unhappy_king_charles::{self, UnhappyKing};

/// Content files, by name, that take the place of built-in ones of the same name; none for the game as it comes.
pub type Overlay = Vec<(String, Vec<u8>)>;

/// The error of a game's content that could not be loaded: [`ContentErrors`](crate::content::ContentErrors) for a
/// game that reads content files.
pub type LoadError = Box<dyn Error + Send + Sync>;

/// A game that can be loaded.
#[derive(Copy, Clone)]
pub struct LoadableGame {
    /// The id that its catalogue will have.
    pub id: &'static str,
    /// Its built-in content.
    pub content: fn() -> ContentFiles,
    /// Loads it with content whose files have the names of the built-in ones.
    pub load: fn(&ContentFiles) -> Result<Arc<dyn AnyGame>, LoadError>,
}

impl fmt::Debug for LoadableGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LoadableGame({})", self.id)
    }
}

impl LoadableGame {
    /// Loads it with its built-in content, but for the files of `overlay`.
    fn laid_over(&self, overlay: Overlay) -> Result<Entry, RegistryError> {
        let fault = |error| RegistryError::Content { game: self.id, error };
        let files = (self.content)().overlay(overlay).map_err(|errors| fault(errors.into()))?;
        let game = (self.load)(&files).map_err(fault)?;
        Ok(Entry { game, loaded: Some((*self, files)) })
    }
}

/// All games of this build, in the order in which they are shown.
#[must_use]
pub fn games() -> Vec<LoadableGame> {
    vec![
        LoadableGame {
            id: CruelNecessity::ID,
            content: CruelNecessity::builtin,
            load: |files| {
                let game = Hosted::new(CruelNecessity::load(files)?);
                Ok(Arc::new(game.with_bot(cruel_necessity::ironside())))
            },
        },
        LoadableGame {
            id: EnglishCivilWar::ID,
            content: EnglishCivilWar::builtin,
            load: |files| {
                let game = Hosted::new(EnglishCivilWar::load(files)?);
                let [steward, marshal] =
                    [english_civil_war_iia::bots::steward(), english_civil_war_iia::bots::marshal()];
                Ok(Arc::new(game.with_bot(steward).with_bot(marshal)))
            },
        },
        LoadableGame {
            id: Skirmish::ID,
            content: Skirmish::builtin,
            load: |files| Ok(Arc::new(Hosted::new(Skirmish::load(files)?))),
        },
        LoadableGame {
            id: ThisWarWithoutAnEnemy::ID,
            content: ThisWarWithoutAnEnemy::builtin,
            load: |files| {
                let game = Hosted::new(ThisWarWithoutAnEnemy::load(files)?);
                Ok(Arc::new(game.with_bot(this_war_without_an_enemy::captain())))
            },
        },
        LoadableGame {
            id: UnhappyKing::ID,
            content: UnhappyKing::builtin,
            load: |files| {
                let game = Hosted::new(UnhappyKing::load(files)?);
                Ok(Arc::new(game.with_bot(unhappy_king_charles::colonel())))
            },
        },
    ]
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
    /// A game that has no content files is to have others.
    #[error("the game {0} has no content files")]
    NoContent(&'static str),
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
    games: Vec<Entry>,
}

/// A game, and what it was loaded from.
#[derive(Clone)]
struct Entry {
    game: Arc<dyn AnyGame>,
    loaded: Option<(LoadableGame, ContentFiles)>,
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
            games.push(one.laid_over(overlays.remove(one.id).unwrap_or_default())?);
        }
        if let Some(id) = overlays.keys().next() {
            let known: Vec<&str> = listed.iter().map(|one| one.id).collect();
            return Err(RegistryError::Overlay(UnknownGame::new(id, &known)));
        }
        Self::of(games)
    }

    /// A registry of these games.
    ///
    /// # Errors
    /// If two have the same id.
    pub fn new(games: Vec<Arc<dyn AnyGame>>) -> Result<Self, RegistryError> {
        Self::of(games.into_iter().map(|game| Entry { game, loaded: None }).collect())
    }

    fn of(games: Vec<Entry>) -> Result<Self, RegistryError> {
        for (index, entry) in games.iter().enumerate() {
            let id = entry.game.catalogue().id;
            if games[..index].iter().any(|other| other.game.catalogue().id == id) {
                return Err(RegistryError::SameId(id));
            }
        }
        Ok(Self { games })
    }

    /// The games, in the order in which they are shown.
    pub fn games(&self) -> impl ExactSizeIterator<Item = &Arc<dyn AnyGame>> {
        self.games.iter().map(|entry| &entry.game)
    }

    /// Their ids.
    #[must_use]
    pub fn ids(&self) -> Vec<&'static str> {
        self.games().map(|game| game.catalogue().id).collect()
    }

    /// The game of this id.
    ///
    /// # Errors
    /// Names the games that there are.
    pub fn game(&self, id: &str) -> Result<&Arc<dyn AnyGame>, UnknownGame> {
        self.entry(id).map(|entry| &entry.game)
    }

    /// The content files of the game of this id; `None` for one that was not loaded from any.
    ///
    /// # Errors
    /// Names the games that there are.
    pub fn content_files(&self, id: &str) -> Result<Option<&ContentFiles>, UnknownGame> {
        Ok(self.entry(id)?.loaded.as_ref().map(|(_, files)| files))
    }

    /// The game of this id, loaded once more, with other content: `files` take the place of built-in ones of the same names.
    ///
    /// # Errors
    /// Names what is wrong with the content, or says that the game has no content files.
    pub fn with_content(&self, id: &str, files: Overlay) -> Result<Arc<dyn AnyGame>, RegistryError> {
        let entry = self.entry(id).map_err(RegistryError::Overlay)?;
        match &entry.loaded {
            Some((loadable, _)) => Ok(loadable.laid_over(files)?.game),
            None => Err(RegistryError::NoContent(entry.game.catalogue().id)),
        }
    }

    fn entry(&self, id: &str) -> Result<&Entry, UnknownGame> {
        let entry = self.games.iter().find(|entry| entry.game.catalogue().id == id);
        entry.ok_or_else(|| UnknownGame::new(id, &self.ids()))
    }
}
