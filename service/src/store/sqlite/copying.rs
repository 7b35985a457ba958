//! Copies of a whole store without what holds nothing: beside it ([`backup`]), and in its own place ([`compact`]).
//!
//! Invariant: what stands at a path is a whole store, since a copy gets there by renaming, once the disk has it.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rusqlite::Connection;

use super::super::error::Error;
use super::closed::ClosedStore;
use super::failure::failure;
use super::lock::{beside, folder_of};
use super::schema;

/// Copies the store at `path`, which may be in use, as it is at one moment to `to`, where nothing may be. Returns the copy's bytes.
///
/// # Errors
/// [`Error::NotAStore`], [`Error::SchemaTooNew`], [`Error::SchemaTooOld`], [`Error::Corrupt`]; [`Error::Open`] for `to` as well;
/// [`Error::Unavailable`], [`Error::Failed`] if the disk has no room or fails.
pub fn backup(path: impl AsRef<Path>, to: impl AsRef<Path>) -> Result<u64, Error> {
    let (path, to) = (path.as_ref(), to.as_ref());
    schema::check_is_there(path)?;
    if to.exists() {
        return Err(Error::Open { path: to.to_owned(), why: "something is there already".into() });
    }
    let connection = schema::open_to_read(path)?;
    copy(&connection, path, to, || Ok(()))
}

/// Rewrites the store at `path` without what holds nothing. Returns the bytes of the file before and after.
///
/// # Errors
/// [`Error::Locked`] if a server has it open, [`Error::Unavailable`] if somebody reads it; those of [`backup`] besides.
pub fn compact(path: impl AsRef<Path>) -> Result<(u64, u64), Error> {
    let closed = ClosedStore::open(path)?;
    let path = &closed.path;
    let before = bytes_of(path)?;
    let after = copy(&closed.connection, path, path, || closed.lock.check_file(path))?;
    Ok((before, after))
}

/// Copies what `connection` sees of the store at `path` to `to`, if `allowed` once the copy is whole.
fn copy(
    connection: &Connection,
    path: &Path,
    to: &Path,
    allowed: impl FnOnce() -> Result<(), Error>,
) -> Result<u64, Error> {
    let unfinished = beside(to, ".part");
    let io = |error: io::Error| Error::Open { path: to.to_owned(), why: error.to_string() };
    // Its owner's alone, and empty: SQLite fills it.
    let made = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&unfinished);
    made.map_err(io)?;
    let name = unfinished.to_str().ok_or_else(|| io(io::Error::other("its name is no UTF-8")))?;
    let copied = connection.execute("VACUUM INTO ?1", [name]).map_err(|error| failure(path, &error).0);
    let copied = copied.and_then(|_| {
        File::open(&unfinished).and_then(|file| file.sync_all()).map_err(io)?;
        allowed()?;
        fs::rename(&unfinished, to).map_err(io)?;
        File::open(folder_of(to)).and_then(|folder| folder.sync_all()).map_err(io)
    });
    if copied.is_err() {
        // One that stays is written over by the next.
        let _ = fs::remove_file(&unfinished);
    }
    copied?;
    bytes_of(to)
}

fn bytes_of(path: &Path) -> Result<u64, Error> {
    let metadata = fs::metadata(path);
    metadata.map(|file| file.len()).map_err(|why| Error::Open { path: path.to_owned(), why: why.to_string() })
}
