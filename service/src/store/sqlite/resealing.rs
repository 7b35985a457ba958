//! A store sealed anew with other keys: in a copy beside it, which takes its place once it was looked through ([`SealedCopy`]).
//!
//! Invariant: the copy tells what the store tells, fault for fault. A part of a log that is damaged is copied as it is, so that what is
//! whole before it stays readable, and what is damaged stays known for it.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{MetadataExt, fchown};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, params};

use super::super::act::KeptAct;
use super::super::chain::{Head, overview_hash};
use super::super::envelope::{Envelope, Hash};
use super::super::error::Error;
use super::super::event::{CompetitionId, KeptEvent};
use super::super::faults::{Faults, RotationMoment};
use super::super::names::SecretId;
use super::super::resealing::Resealing;
use super::super::rows::RowsMut;
use super::super::seals::StoreKeys;
use super::super::secret::SealedSecret;
use super::closed::ClosedStore;
use super::failure::{corrupt, failure};
use super::fsck::fsck;
use super::lock::{beside, folder_of};
use super::schema;
use super::tables::{COLUMNS, Tables, read_head};
use crate::entropy::EntropySource;

/// The end of the copy's name.
const ENDING: &str = ".resealed";

/// The files that a copy may have left.
const ENDINGS: [&str; 4] = ["", "-journal", "-wal", "-shm"];

/// A copy of a store that is sealed with other keys, whole and on the disk. It is removed when this is dropped, unless it has taken
/// the store's place.
#[derive(Debug)]
pub struct SealedCopy {
    copy: PathBuf,
    matches: u64,
    unreadable_secrets: u64,
    is_placed: bool,
}

impl ClosedStore {
    /// Copies the store, sealed with other keys, and looks through the copy as [`fsck`] does. `check` is put in the place of the secret of
    /// its name, as it is.
    ///
    /// # Errors
    /// [`Error::SecretUnreadable`] if something was sealed with another key than `from`; [`Error::Corrupt`] if the store can't be read,
    /// or the copy does not tell what it tells; [`Error::Invalid`] for a store that has more than is known here;
    /// [`Error::Unavailable`], [`Error::Failed`] and [`Error::Open`] if the disk has no room or fails.
    pub fn sealed_anew(
        &self,
        (from, to): (&StoreKeys, &StoreKeys),
        check: &(SecretId, SealedSecret),
        entropy: &dyn EntropySource,
        faults: &dyn Faults,
    ) -> Result<SealedCopy, Error> {
        let mut copy = SealedCopy {
            copy: beside(&self.path, ENDING),
            matches: 0,
            unreadable_secrets: 0,
            is_placed: false,
        };
        // One that a process left which was killed.
        copy.remove().map_err(|why| self.io(&why))?;
        schema::make(&copy.copy)?;
        at(faults, RotationMoment::CopyMade)?;
        copy.unreadable_secrets = self.fill(&copy.copy, &Resealing { from, to, entropy }, check)?;
        at(faults, RotationMoment::CopyFilled)?;
        self.hand_over(&copy.copy).map_err(|why| self.io(&why))?;
        let (was, is) = (fsck(&self.path)?, fsck(&copy.copy)?);
        if !is.complaints.is_empty() || is.strays != was.strays || is.matches != was.matches {
            let other = is.matches.iter().zip(&was.matches).find(|(is, was)| is != was);
            let other = other.map_or_else(String::new, |(is, _)| format!(" (match {})", is.id));
            return Err(corrupt(&self.path, format!("its copy is not what it is{other}, and was removed")));
        }
        copy.matches = is.matches.len() as u64;
        at(faults, RotationMoment::CopyChecked)?;
        Ok(copy)
    }

    /// Fills a new file with all that the store has. Returns how many secrets it has that can't be read.
    fn fill(
        &self,
        copy: &Path,
        resealing: &Resealing<'_>,
        check: &(SecretId, SealedSecret),
    ) -> Result<u64, Error> {
        let sql = |error: rusqlite::Error| failure(&self.path, &error).0;
        let target = Connection::open(copy).map_err(sql)?;
        // It is flushed as a whole before anybody relies on it.
        for (setting, value) in [("journal_mode", "DELETE"), ("synchronous", "OFF")] {
            target.pragma_update(None, setting, value).map_err(sql)?;
        }
        let source = self.path.to_str().ok_or_else(|| self.io(&io::Error::other("its name is no UTF-8")))?;
        target.execute("ATTACH ?1 AS source", [source]).map_err(sql)?;
        let transaction = target.unchecked_transaction().map_err(sql)?;
        let filling = Filling { target: &transaction, path: &self.path, resealing, check };
        let unreadable = filling.all()?;
        transaction.commit().map_err(sql)?;
        target.close().map_err(|(_, error)| sql(error))?;
        Ok(unreadable)
    }

    /// Gives the copy the owner and the rights of the store, and has it reach the disk.
    fn hand_over(&self, copy: &Path) -> io::Result<()> {
        let (like, file) = (fs::metadata(&self.path)?, File::open(copy)?);
        file.set_permissions(like.permissions())?;
        let own = file.metadata()?;
        if (own.uid(), own.gid()) != (like.uid(), like.gid()) {
            fchown(&file, Some(like.uid()), Some(like.gid()))?;
        }
        file.sync_all()
    }

    /// Puts a copy in the store's place. Returns its bytes.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if another file stands there, [`Error::Open`].
    pub fn replace_with(self, mut copy: SealedCopy) -> Result<u64, Error> {
        self.lock.check_file(&self.path)?;
        let placed = fs::rename(&copy.copy, &self.path);
        copy.is_placed = placed.is_ok();
        placed.map_err(|why| self.io(&why))?;
        let synced = File::open(folder_of(&self.path)).and_then(|folder| folder.sync_all());
        synced.map_err(|why| self.io(&why))?;
        fs::metadata(&self.path).map(|file| file.len()).map_err(|why| self.io(&why))
    }

    fn io(&self, why: &io::Error) -> Error {
        Error::Open { path: self.path.clone(), why: why.to_string() }
    }
}

/// Lets a rotation go on, or ends it where a test says so.
fn at(faults: &dyn Faults, moment: RotationMoment) -> Result<(), Error> {
    faults.at_rotation(moment).map_err(|why| Error::Unavailable { why })
}

impl SealedCopy {
    /// Returns the number of matches in it.
    #[must_use]
    pub const fn matches(&self) -> u64 {
        self.matches
    }

    /// Returns the number of secrets that could not be read, and are as they were.
    #[must_use]
    pub const fn unreadable_secrets(&self) -> u64 {
        self.unreadable_secrets
    }

    fn remove(&self) -> io::Result<()> {
        for ending in ENDINGS {
            match fs::remove_file(beside(&self.copy, ending)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }
}

impl Drop for SealedCopy {
    fn drop(&mut self) {
        if !self.is_placed {
            // One that stays is removed by the next.
            let _ = self.remove();
        }
    }
}

/// A new file that is filled, in a transaction that has the store as `source`.
struct Filling<'a> {
    target: &'a Connection,
    path: &'a Path,
    resealing: &'a Resealing<'a>,
    check: &'a (SecretId, SealedSecret),
}

impl Filling<'_> {
    /// Copies every table, each in its own way, so that none is passed over that a later schema has.
    fn all(&self) -> Result<u64, Error> {
        let (mut hashes, mut unreadable) = (HashMap::new(), 0);
        // The rows of matches have the hashes of appends.
        self.appends(&mut hashes)?;
        for table in self.tables()? {
            match &*table {
                "appends" => {}
                "matches" => self.matches(&hashes)?,
                "secrets" => unreadable = self.secrets()?,
                "acts" => self.acts()?,
                "competition_events" => self.events()?,
                // With the rows of their matches.
                "overviews" => {}
                // Hashes in the place of names, which stay, and what is in clear.
                "creations" | "quarantines" | "contents" | "last_up" | "outages" => {
                    let sql = format!("INSERT INTO main.{table} SELECT * FROM source.{table}");
                    self.target.execute(&sql, []).map_err(|error| self.failed(&error))?;
                }
                _ => return Err(Error::Invalid { what: "the store has a table that can't be sealed anew" }),
            }
        }
        Ok(unreadable)
    }

    fn tables(&self) -> Result<Vec<String>, Error> {
        let sql = "SELECT name FROM source.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
        let mut tables = Vec::new();
        self.each(sql, |row| {
            tables.push(self.column(row, 0)?);
            Ok(())
        })?;
        Ok(tables)
    }

    /// Copies the appends, each linked to the one before as that is now, and notes the hashes of then with those of now: of the last
    /// append of each log, and of those behind a gap in one.
    fn appends(&self, hashes: &mut HashMap<Hash, Hash>) -> Result<(), Error> {
        let write = "INSERT INTO main.appends (position, envelope) VALUES (?1, ?2)";
        let mut to = self.target.prepare(write).map_err(|error| self.failed(&error))?;
        self.each("SELECT position, envelope FROM source.appends ORDER BY position", |row| {
            let (position, bytes): (i64, Vec<u8>) = (self.column(row, 0)?, self.column(row, 1)?);
            let bytes = match Envelope::decode(&bytes) {
                Ok((mut envelope, was)) => {
                    if let Some(is) = hashes.remove(&envelope.previous.hash) {
                        envelope.previous.hash = is;
                    }
                    self.resealing.envelope(&mut envelope)?;
                    let (bytes, is) = envelope.encode();
                    hashes.insert(was, is);
                    bytes
                }
                // It says nothing that could be sealed.
                Err(_) => bytes,
            };
            to.execute(params![position, bytes]).map_err(|error| self.failed(&error))?;
            Ok(())
        })
    }

    /// Copies the matches' rows with their overviews; those that are damaged as they are.
    fn matches(&self, hashes: &HashMap<Hash, Hash>) -> Result<(), Error> {
        let mut tables = Tables::new(self.target, self.path, 0);
        let read = format!(
            "SELECT {COLUMNS}, overview FROM source.matches \
             LEFT JOIN source.overviews ON overviews.match = id ORDER BY id"
        );
        self.each(&read, |row| {
            let Ok((head, overview)) = read_head(row).map_err(|error| self.failed(&error))? else {
                return Ok(());
            };
            let overview = self.resealing.overview(head.id, overview);
            let hash = hashes.get(&head.hash).copied().unwrap_or(head.hash);
            let head = Head { hash, overview: overview_hash(&overview), ..head };
            Ok(tables.insert_head(&head, &overview)?)
        })?;
        for (table, id) in [("matches", "id"), ("overviews", "match")] {
            let rest = format!(
                "INSERT INTO main.{table} SELECT * FROM source.{table} \
                 WHERE {id} NOT IN (SELECT {id} FROM main.{table})"
            );
            self.target.execute(&rest, []).map_err(|error| self.failed(&error))?;
        }
        Ok(())
    }

    /// Copies the secrets. Returns how many can't be read, and are copied as they are.
    fn secrets(&self) -> Result<u64, Error> {
        let (mut tables, mut unreadable) = (Tables::new(self.target, self.path, 0), 0);
        let (name, check) = self.check;
        tables.insert_secret(name, check)?;
        self.each("SELECT id, sealed FROM source.secrets", |row| {
            let id = SecretId::new(self.column::<Vec<u8>>(row, 0)?)?;
            if id == *name {
                return Ok(());
            }
            let sealed = SealedSecret::from_bytes(self.column(row, 1)?)?;
            let anew = self.resealing.secret(&id, &sealed)?;
            unreadable += u64::from(anew.is_none());
            Ok(tables.insert_secret(&id, &anew.unwrap_or(sealed))?)
        })?;
        Ok(unreadable)
    }

    fn acts(&self) -> Result<(), Error> {
        let mut tables = Tables::new(self.target, self.path, 0);
        self.each("SELECT number, act FROM source.acts ORDER BY number", |row| {
            let number = self.column::<i64>(row, 0)?.cast_unsigned();
            let bytes = self.resealing.act(number, &self.column::<Vec<u8>>(row, 1)?)?;
            Ok(tables.push_act(&KeptAct { number, bytes })?)
        })
    }

    fn events(&self) -> Result<(), Error> {
        let mut tables = Tables::new(self.target, self.path, 0);
        let read =
            "SELECT competition, number, event FROM source.competition_events ORDER BY competition, number";
        self.each(read, |row| {
            let competition = CompetitionId::from_bytes(self.column(row, 0)?);
            let number = self.column::<i64>(row, 1)?.cast_unsigned();
            let mut event = KeptEvent { competition, number, bytes: self.column(row, 2)? };
            self.resealing.event(&mut event)?;
            Ok(tables.push_event(&event)?)
        })
    }

    /// Takes each row that a statement gives.
    fn each(
        &self,
        sql: &str,
        mut take: impl FnMut(&rusqlite::Row<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut statement = self.target.prepare(sql).map_err(|error| self.failed(&error))?;
        let mut rows = statement.query([]).map_err(|error| self.failed(&error))?;
        while let Some(row) = rows.next().map_err(|error| self.failed(&error))? {
            take(row)?;
        }
        Ok(())
    }

    fn column<T: rusqlite::types::FromSql>(&self, row: &rusqlite::Row<'_>, index: usize) -> Result<T, Error> {
        row.get(index).map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &rusqlite::Error) -> Error {
        failure(self.path, error).0
    }
}
