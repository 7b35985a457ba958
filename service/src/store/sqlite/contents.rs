//! A count of all that a store's file holds: [`contents`].

use std::fs;
use std::path::Path;

use rusqlite::Connection;

use super::super::entry::StoredStatus;
use super::super::error::Error;
use super::failure::failure;
use super::lock::beside;
use super::schema;

/// The contents of a store's file, in figures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoreContents {
    /// The file's schema.
    pub schema: i64,
    /// Bytes of the file.
    pub file_bytes: u64,
    /// Bytes in it that hold nothing; compaction gives them back.
    pub free_bytes: u64,
    /// Bytes of the write-ahead log beside it.
    pub wal_bytes: u64,
    /// Creations and appends.
    pub appends: u64,
    /// Their bytes.
    pub append_bytes: u64,
    /// Numbers of matches, by game and status.
    pub matches: Vec<MatchesOf>,
    /// Matches that are closed to play.
    pub quarantined: u64,
}

/// The number of matches of one game that stand so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchesOf {
    /// The game's id.
    pub game: String,
    /// How they stand.
    pub status: StoredStatus,
    /// Their number.
    pub count: u64,
}

/// Counts what the store at `path` holds, at one moment. It may be in use.
///
/// # Errors
/// [`Error::NotAStore`], [`Error::SchemaTooNew`], [`Error::SchemaTooOld`], [`Error::Open`], [`Error::Corrupt`].
pub fn contents(path: impl AsRef<Path>) -> Result<StoreContents, Error> {
    let path = path.as_ref();
    schema::check_is_there(path)?;
    let connection = schema::open_to_read(path)?;
    let sql = |error: rusqlite::Error| failure(path, &error).0;
    let transaction = connection.unchecked_transaction().map_err(sql)?;
    let wal_bytes = fs::metadata(beside(path, "-wal")).map_or(0, |log| log.len());
    count(&transaction, wal_bytes).map_err(sql)
}

fn count(connection: &Connection, wal_bytes: u64) -> rusqlite::Result<StoreContents> {
    let number =
        |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0).map(i64::cast_unsigned));
    let page_bytes = number("PRAGMA page_size")?;
    let mut by_status =
        connection.prepare("SELECT game, status, count(*) FROM matches GROUP BY 1, 2 ORDER BY 1, 2")?;
    let matches = by_status.query_map([], |row| {
        let status = StoredStatus::of(row.get(1)?).ok_or(rusqlite::Error::IntegralValueOutOfRange(1, -1))?;
        Ok(MatchesOf { game: row.get(0)?, status, count: row.get::<_, i64>(2)?.cast_unsigned() })
    })?;
    Ok(StoreContents {
        schema: schema::version(connection)?,
        file_bytes: number("PRAGMA page_count")? * page_bytes,
        free_bytes: number("PRAGMA freelist_count")? * page_bytes,
        wal_bytes,
        appends: number("SELECT count(*) FROM appends")?,
        append_bytes: number("SELECT coalesce(sum(length(envelope)), 0) FROM appends")?,
        matches: matches.collect::<rusqlite::Result<_>>()?,
        quarantined: number("SELECT count(*) FROM quarantines")?,
    })
}
