//! A look at a whole file that changes nothing: [`fsck`].

use std::path::Path;

use rusqlite::Connection;

use super::super::error::{Error, Failure};
use super::super::fsck::{FsckReport, look_through};
use super::failure::failure;
use super::schema;
use super::tables::Tables;

/// The most complaints of SQLite that a report repeats.
const COMPLAINTS_MAX: usize = 100;

/// Reads all of the store at `path`, which may be in use. It writes neither to the file nor to its write-ahead log.
///
/// # Errors
/// [`Error::NotAStore`], [`Error::SchemaTooNew`], [`Error::Open`], and [`Error::Corrupt`] where the file is damaged so far
/// that it can't be read at all.
pub fn fsck(path: impl AsRef<Path>) -> Result<FsckReport, Error> {
    let path = path.as_ref();
    schema::check_is_there(path)?;
    let connection = schema::open_to_read(path)?;
    let sql = |error: rusqlite::Error| failure(path, &error).0;
    let transaction = connection.unchecked_transaction().map_err(sql)?;
    let schema = schema::version(&transaction).map_err(sql)?;
    let complaints = complaints(&transaction).map_err(sql)?;
    let looked = look_through(&Tables::new(&transaction, path, 0));
    let (matches, strays) = looked.map_err(|Failure(error)| error)?;
    Ok(FsckReport { schema, complaints, matches, strays })
}

fn complaints(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare(&format!("PRAGMA integrity_check({COMPLAINTS_MAX})"))?;
    let found = statement.query_map([], |row| row.get::<_, String>(0))?;
    let found: Vec<String> = found.collect::<rusqlite::Result<_>>()?;
    Ok(found.into_iter().filter(|line| line != "ok").collect())
}
