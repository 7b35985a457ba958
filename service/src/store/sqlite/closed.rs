//! A store that nobody else has open: [`ClosedStore`].

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::super::error::Error;
use super::super::names::{MatchId, SecretId};
use super::super::rows::Rows;
use super::super::secret::SealedSecret;
use super::failure::failure;
use super::lock::Lock;
use super::reopen::empty_log;
use super::tables::Tables;
use super::{Options, schema};

/// The file of a store that this process alone has open, with no log beside it, so that another file can take its place. It stays
/// locked until this is dropped.
#[derive(Debug)]
pub struct ClosedStore {
    // Before the lock, which has to outlive it.
    pub(super) connection: Connection,
    pub(super) path: PathBuf,
    pub(super) lock: Lock,
}

impl ClosedStore {
    /// Opens the store at `path`, which has to be there, and puts its log into the file.
    ///
    /// # Errors
    /// [`Error::Locked`] if a server has it open, [`Error::Unavailable`] if somebody reads it; [`Error::NotAStore`],
    /// [`Error::SchemaTooNew`], [`Error::SchemaTooOld`], [`Error::Corrupt`], [`Error::Open`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        schema::check_is_there(path)?;
        // Where a link leads to it, the file changes and not the link.
        let path = fs::canonicalize(path)
            .map_err(|why| Error::Open { path: path.to_owned(), why: why.to_string() })?;
        let mut lock = Lock::take(&path)?;
        lock.take_file(&path)?;
        let connection = schema::open(&path, &Options::default())?;
        let sql = |error: rusqlite::Error| failure(&path, &error).0;
        let read = || Error::Unavailable { why: "somebody reads the store".to_owned() };
        if !empty_log(&connection).map_err(sql)? {
            return Err(read());
        }
        // Whoever reads the file with its write-ahead log would take up that of the next one: only the last connection can leave it.
        let mode =
            connection.pragma_update_and_check(None, "journal_mode", "DELETE", |row| row.get::<_, String>(0));
        if mode.map_err(sql)? != "delete" {
            return Err(read());
        }
        Ok(Self { connection, path, lock })
    }

    /// A secret, as it was sealed.
    ///
    /// # Errors
    /// [`Error::Corrupt`], [`Error::Unavailable`].
    pub fn secret(&self, id: &SecretId) -> Result<Option<SealedSecret>, Error> {
        Ok(Tables::new(&self.connection, &self.path, 0).secret(id)?)
    }

    /// The match that was made last, by the names of all.
    ///
    /// # Errors
    /// [`Error::Corrupt`], [`Error::Unavailable`].
    pub fn newest_match(&self) -> Result<Option<MatchId>, Error> {
        let newest = self.connection.query_row("SELECT max(id) FROM matches", [], |row| row.get(0));
        let newest: Option<[u8; 16]> = newest.map_err(|error| failure(&self.path, &error).0)?;
        Ok(newest.map(MatchId::from_bytes))
    }
}
