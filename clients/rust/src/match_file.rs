//! A local match between two calls of the command: a small JSON file ([`MatchFile`]).
//!
//! Invariant: a file is replaced as a whole or not at all.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::registry::{AnyGame, AnyTable, Registry};
use edgehill_engine::table::Saved;
use serde::{Deserialize, Serialize};

use crate::chance_source::StoredChanceSource;
use crate::error::Error;
use crate::seats_file::SeatsFile;

const FORMAT: &str = "edgehill local match 1";

/// The content of the file. It holds every seat's secrets and the seed: it is for one's own table, not for
/// sending round.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    format: String,
    game: String,
    rules_version: u32,
    content: String,
    chance_source: StoredChanceSource,
    /// The match as [`AnyTable::save`] gives it, in hexadecimal digits.
    saved: String,
}

/// An open match file.
pub(crate) struct MatchFile {
    path: PathBuf,
    pub chance_source: StoredChanceSource,
    pub table: Box<dyn AnyTable>,
}

impl MatchFile {
    /// A new match that goes to `path`; nothing is written before [`MatchFile::save`].
    pub(crate) fn new(path: &Path, chance_source: StoredChanceSource, table: Box<dyn AnyTable>) -> Self {
        Self { path: path.to_owned(), chance_source, table }
    }

    /// Reads a match file back.
    pub(crate) fn open(path: &Path, registry: &Registry) -> Result<Self, Error> {
        let not_a_match = |why: String| Error::NotAMatch { path: path.to_owned(), why };
        let text = fs::read_to_string(path).map_err(|error| Error::Read { path: path.to_owned(), error })?;
        if let Some(server) = SeatsFile::server_of(&text) {
            let why = format!("{} is a match of a server: say --server {server}", path.display());
            return Err(Error::Usage(why));
        }
        let stored: Stored = serde_json::from_str(&text).map_err(|error| not_a_match(error.to_string()))?;
        if stored.format != FORMAT {
            return Err(not_a_match(format!("its format is `{}`, and `{FORMAT}` is read", stored.format)));
        }
        let game = registry.game(&stored.game)?;
        check_rules(path, &stored, game.catalogue())?;
        let chance_source = stored
            .chance_source
            .chance_source()
            .ok_or_else(|| not_a_match("the seed is not 64 hex digits".to_owned()))?;
        let table = restore(game.as_ref(), &stored.saved, chance_source).map_err(not_a_match)?;
        Ok(Self { path: path.to_owned(), chance_source: stored.chance_source, table })
    }

    /// Replaces the file by the present state.
    pub(crate) fn save(&mut self) -> Result<(), Error> {
        self.chance_source = StoredChanceSource::after(self.table.chance_source(), &self.chance_source);
        let catalogue = self.table.catalogue();
        let stored = Stored {
            format: FORMAT.to_owned(),
            game: catalogue.id.to_owned(),
            rules_version: catalogue.rules_version,
            content: catalogue.content.to_string(),
            chance_source: self.chance_source.clone(),
            saved: hex::encode(self.table.save().0),
        };
        let text = serde_json::to_string_pretty(&stored).map_err(|error| Error::Fault(error.to_string()))?;
        replace(&self.path, text.as_bytes(), Readers::Owner)
    }

    /// Returns the path at which it is kept.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

fn check_rules(path: &Path, stored: &Stored, catalogue: &Catalogue) -> Result<(), Error> {
    let named = |version: u32, content: &str| format!("rules version {version}, content {content}");
    let theirs = named(stored.rules_version, &stored.content);
    let ours = named(catalogue.rules_version, &catalogue.content.to_string());
    if theirs == ours {
        return Ok(());
    }
    Err(Error::OtherRules { path: path.to_owned(), game: stored.game.clone(), theirs, ours })
}

fn restore(
    game: &dyn AnyGame,
    saved: &str,
    chance_source: ChanceSource,
) -> Result<Box<dyn AnyTable>, String> {
    let bytes = hex::decode(saved).map_err(|error| error.to_string())?;
    game.restore(&Saved(bytes), chance_source).map_err(|error| error.to_string())
}

/// The readers of a file that is written.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Readers {
    /// Its owner only: it holds secrets.
    Owner,
    /// Anyone whom the system lets.
    Usual,
}

/// Writes a file as a whole: a reader sees the old one or the new one.
pub(crate) fn replace(path: &Path, bytes: &[u8], readers: Readers) -> Result<(), Error> {
    let failed = |error| Error::Write { path: path.to_owned(), error };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    if readers == Readers::Usual {
        use std::os::unix::fs::PermissionsExt;
        // The system takes the mask of its user off.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder).map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}
