//! The games, with an owner's content laid over the built-in one.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use edgehill_engine::registry::{Overlay, Registry, games};
use thiserror::Error;

use super::StartError;

/// The reason that a folder of content is not taken.
#[derive(Debug, Error)]
pub enum ContentFolderError {
    /// It can't be read.
    #[error("{path} can't be read: {why}")]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// The operating system's error.
        why: io::Error,
    },
    /// A file that belongs to no game.
    #[error("{0} is not a folder; files belong into a folder named after the game")]
    NotAFolder(PathBuf),
}

/// All games. `folder` holds a folder for each game's id, whose files replace built-in ones of the same names.
pub(super) fn load(folder: Option<&Path>) -> Result<Registry, StartError> {
    let overlays = folder.map(read_overlays).transpose()?.unwrap_or_default();
    Ok(Registry::load(&games(), overlays)?)
}

fn read_overlays(folder: &Path) -> Result<BTreeMap<String, Overlay>, ContentFolderError> {
    let mut overlays = BTreeMap::new();
    for (name, path) in entries(folder)? {
        if !path.is_dir() {
            return Err(ContentFolderError::NotAFolder(path));
        }
        let mut overlay = Overlay::new();
        for (file, path) in entries(&path)? {
            let bytes = fs::read(&path).map_err(|why| ContentFolderError::Read { path, why })?;
            overlay.push((file, bytes));
        }
        overlays.insert(name, overlay);
    }
    Ok(overlays)
}

/// Returns the entries of a folder, by name, but for hidden files and read-me files.
fn entries(folder: &Path) -> Result<Vec<(String, PathBuf)>, ContentFolderError> {
    let unreadable = |why| ContentFolderError::Read { path: folder.to_owned(), why };
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if !name.starts_with('.') && !name.to_lowercase().ends_with(".md") {
            entries.push((name, path));
        }
    }
    entries.sort();
    Ok(entries)
}
