//! The games, with an owner's content laid over the built-in one.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use edgehill_engine::registry::{Overlay, Registry, games};

use crate::error::Error;

/// All games; `content` holds a folder for each game id whose files replace built-in ones.
pub(crate) fn load(content: Option<&Path>) -> Result<Registry, Error> {
    let overlays = content.map(read_overlays).transpose()?.unwrap_or_default();
    Ok(Registry::load(&games(), overlays)?)
}

fn read_overlays(dir: &Path) -> Result<BTreeMap<String, Overlay>, Error> {
    let mut overlays = BTreeMap::new();
    for (name, path) in entries(dir)? {
        if !path.is_dir() {
            let why = format!("`{name}` is not a folder; files belong into a folder named after the game");
            return Err(Error::Content { path: dir.to_owned(), why });
        }
        let mut overlay = Overlay::new();
        for (file, path) in entries(&path)? {
            let bytes = fs::read(&path).map_err(|error| Error::Read { path: path.clone(), error })?;
            overlay.push((file, bytes));
        }
        overlays.insert(name, overlay);
    }
    Ok(overlays)
}

/// Returns the entries of a folder, by name, but for hidden files and read-me files.
fn entries(dir: &Path) -> Result<Vec<(String, std::path::PathBuf)>, Error> {
    let unreadable = |error| Error::Read { path: dir.to_owned(), error };
    let mut entries = Vec::new();
    for entry in fs::read_dir(dir).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if !name.starts_with('.') && !name.to_lowercase().ends_with(".md") {
            entries.push((name, path));
        }
    }
    entries.sort();
    Ok(entries)
}
