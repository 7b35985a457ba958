//! `edgehill-server backup` and `compact`: a store's file, written anew.

use std::path::Path;

use super::file_of;
use crate::command::failure::Failure;
use crate::command::say;
use crate::config::Config;
use crate::store;

/// Copies the store to `to`, whether or not a server has it open, and looks through the copy.
///
/// # Errors
/// [`Failure::Damage`] if the store can't be copied for it, or the copy is damaged as well; it stays then.
pub(crate) fn backup(config: &Config, to: &Path) -> Result<(), Failure> {
    let bytes = store::backup(file_of(config)?, to)?;
    let report = store::fsck(to)?;
    say(&format!("{}: {bytes} bytes, {} matches\n", to.display(), report.matches.len()))?;
    if report.is_sound() {
        return Ok(());
    }
    let words = "the copy is damaged as the store is: `fsck` says what is not whole";
    Err(Failure::Damage(words.to_owned()))
}

/// Rewrites the store without what holds nothing. No server may have it open.
pub(crate) fn compact(config: &Config) -> Result<(), Failure> {
    let file = file_of(config)?;
    let (before, after) = store::compact(&file)?;
    say(&format!("{}: {before} bytes before, {after} now\n", file.display()))
}
