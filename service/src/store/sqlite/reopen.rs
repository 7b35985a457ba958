//! The way back to a file whose disk has failed: [`reopen`], and a write that shows that others succeed ([`try_write`]).
//!
//! After a flush that failed nobody knows what the disk has: the operating system may take pages for written that are not, and
//! a batch of which nobody was told may stand whole behind the log's end. So the log is put into the file, which is flushed from
//! its beginning to its end, and is empty then: what was acknowledged is there, and the batch that failed is not.
//!
//! Meanwhile the connections that read stay open, so that the end of the log is what it was: were all of them closed, SQLite
//! would look for it anew, and find the batch that failed.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use super::super::error::{Error, Failure};
use super::Options;
use super::failure::{corrupt, failure};
use super::schema;

/// The most bytes that a try asks for.
const TRIED_BYTES_MAX: usize = 1024 * 1024;

/// Opens the file at `path` to write, as it is known to be on the disk. All connections to it that write are closed.
pub(super) fn reopen(path: &Path, options: &Options) -> Result<Connection, Failure> {
    let connection = schema::open(path, options).map_err(Failure)?;
    match empty_log(&connection) {
        Ok(true) => Ok(connection),
        Ok(false) => {
            let why = "the write-ahead log can't be put into the file while somebody reads it".to_owned();
            Err(Failure(Error::Failed { why }))
        }
        Err(error) => Err(failure(path, &error)),
    }
}

/// Puts the write-ahead log into the file, which is flushed; `false` if somebody reads it, and not all of it is there.
pub(super) fn empty_log(connection: &Connection) -> rusqlite::Result<bool> {
    let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?));
    let (busy, left) = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], read)?;
    Ok((busy, left) == (0, 0))
}

/// The position of the next append.
pub(super) fn next_position(connection: &Connection, path: &Path) -> Result<u64, Failure> {
    let last = connection.query_row("SELECT coalesce(max(position), 0) FROM appends", [], |row| row.get(0));
    let last: i64 = last.map_err(|error| failure(path, &error))?;
    let last = u64::try_from(last).map_err(|_| Failure(corrupt(path, "its last append has no position")))?;
    Ok(last + 1)
}

/// Makes room for so many bytes, gives it back, and has something reach the disk that changes nothing.
pub(super) fn try_write(connection: &mut Connection, path: &Path, bytes: usize) -> Result<(), Failure> {
    let sql = |error: rusqlite::Error| failure(path, &error);
    let mut transaction =
        connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(sql)?;
    {
        let mut room = transaction.savepoint().map_err(sql)?;
        let bytes = i64::try_from(bytes.min(TRIED_BYTES_MAX)).unwrap_or(i64::MAX);
        // No match has an empty name.
        let taken =
            room.execute("INSERT INTO overviews (match, overview) VALUES (x'', zeroblob(?1))", [bytes]);
        taken.map_err(sql)?;
        room.rollback().map_err(sql)?;
    }
    // The file's first page is written, whatever the number was.
    let schema = schema::version(&transaction).map_err(sql)?;
    transaction.pragma_update(None, "user_version", schema).map_err(sql)?;
    transaction.commit().map_err(sql)
}
