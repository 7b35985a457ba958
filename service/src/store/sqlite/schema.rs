//! The file's schema: made, recognised, brought up to date.
//!
//! Invariant: a file at the store's path has a whole schema, since it gets there by renaming. So an empty or foreign file
//! is never taken for a new store.

use std::fs::File;
use std::path::Path;

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::super::error::Error;
use super::Options;
use super::failure::{corrupt, opening};
use super::lock::{beside, folder_of};

/// `EDGH`, in the file's header.
const APPLICATION_ID: i64 = 0x4544_4748;

/// The schema that the first of [`MIGRATIONS`] makes: files of an earlier one are refused.
const FIRST: i64 = 3;

/// The builds that read files of earlier schemas, from 1 on: the events of the first are of another wire, and the second has no
/// overviews, and matches without a salt.
const BUILDS_BEFORE: [&str; 2] = ["596e66b", "04276b3"];

/// The statements that bring a file to schema [`FIRST`], and from each schema to the next.
const MIGRATIONS: &[&str] = &["
    CREATE TABLE appends (position INTEGER PRIMARY KEY, envelope BLOB NOT NULL) STRICT;
    CREATE TABLE matches (
        id BLOB PRIMARY KEY,
        game TEXT NOT NULL,
        scenario TEXT NOT NULL,
        created INTEGER NOT NULL,
        position INTEGER NOT NULL,
        revision INTEGER NOT NULL,
        hash BLOB NOT NULL,
        status INTEGER NOT NULL,
        open_seats INTEGER NOT NULL,
        lengths BLOB NOT NULL,
        seed_group TEXT,
        overview_hash BLOB NOT NULL,
        checksum BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE overviews (match BLOB PRIMARY KEY, overview BLOB NOT NULL) STRICT, WITHOUT ROWID;
    CREATE INDEX matches_by_status ON matches (status, id);
    CREATE INDEX matches_by_game ON matches (game, id);
    CREATE INDEX matches_by_group ON matches (seed_group, id) WHERE seed_group IS NOT NULL;
    CREATE TABLE creations (
        account BLOB NOT NULL,
        request BLOB NOT NULL,
        match BLOB NOT NULL,
        PRIMARY KEY (account, request)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE quarantines (
        match BLOB PRIMARY KEY,
        reason TEXT NOT NULL,
        detail TEXT NOT NULL,
        since_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE secrets (id BLOB PRIMARY KEY, sealed BLOB NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE last_up (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), unix_ms INTEGER NOT NULL) STRICT;
    CREATE TABLE outages (from_ms INTEGER PRIMARY KEY, until_ms INTEGER NOT NULL) STRICT;
", "
    -- Nothing in the tables: entries may be archives from here on, which a build that reads schema 3 does not know.
", "
    CREATE TABLE contents (hash BLOB PRIMARY KEY, game TEXT NOT NULL, files BLOB NOT NULL) STRICT, WITHOUT ROWID;
", "
    -- Nothing in the tables: matches may end as idle from here on, which a build that reads schema 5 does not know.
", "
    -- Nothing in the tables: other rules may take matches up from here on, which a build that reads schema 6 does not know.
", "
    CREATE TABLE acts (number INTEGER PRIMARY KEY, act BLOB NOT NULL) STRICT;
", "
    -- Nothing in the tables: a creation may answer several requests from here on, seats be kept for accounts, matches have a delay of
    -- spectators, and archives records, which a build that reads schema 8 does not know.
", "
    -- Beside the table: matches may have terms of conduct from here on, which a build that reads schema 9 does not know.
    CREATE TABLE competition_events (
        competition BLOB NOT NULL,
        number INTEGER NOT NULL,
        event BLOB NOT NULL,
        PRIMARY KEY (competition, number)
    ) STRICT, WITHOUT ROWID;
"];

/// Returns whether there is a file at `path`.
pub(super) fn is_there(path: &Path) -> Result<bool, Error> {
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.len() == 0 => Err(corrupt(path, "it is empty")),
        Ok(_) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            // A new file would take up the old log.
            if beside(path, "-wal").exists() {
                return Err(corrupt(path, "its write-ahead log is there, and the file itself is not"));
            }
            Ok(false)
        }
        Err(error) => Err(Error::Open { path: path.to_owned(), why: error.to_string() }),
    }
}

/// Checks that there is a file at `path`.
pub(super) fn check_is_there(path: &Path) -> Result<(), Error> {
    if is_there(path)? {
        return Ok(());
    }
    Err(Error::Open { path: path.to_owned(), why: "there is no such file".into() })
}

/// Makes an empty store at `path`, whole or not at all.
pub(super) fn make(path: &Path) -> Result<(), Error> {
    let unfinished = beside(path, ".new");
    let io = |error: std::io::Error| Error::Open { path: path.to_owned(), why: error.to_string() };
    for ending in ["", "-wal", "-shm", "-journal"] {
        match std::fs::remove_file(beside(&unfinished, ending)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(io(error)),
            _ => {}
        }
    }
    let sql = |error: rusqlite::Error| opening(path, &error);
    let mut connection = Connection::open(&unfinished).map_err(sql)?;
    connection.pragma_update(None, "application_id", APPLICATION_ID).map_err(sql)?;
    migrate(&mut connection, path, MIGRATIONS)?;
    connection.pragma_update(None, "journal_mode", "WAL").map_err(sql)?;
    connection.close().map_err(|(_, error)| sql(error))?;
    File::open(&unfinished).and_then(|file| file.sync_all()).map_err(io)?;
    std::fs::rename(&unfinished, path).map_err(io)?;
    File::open(folder_of(path)).and_then(|folder| folder.sync_all()).map_err(io)
}

/// Opens the file to write, and brings its schema up to date.
pub(super) fn open(path: &Path, options: &Options) -> Result<Connection, Error> {
    let sql = |error: rusqlite::Error| opening(path, &error);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags).map_err(sql)?;
    recognise(&connection, path)?;
    settle(&connection).map_err(sql)?;
    let mode: String =
        connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0)).map_err(sql)?;
    if mode != "wal" {
        return Err(Error::Open { path: path.to_owned(), why: "no write-ahead log is possible here".into() });
    }
    connection.pragma_update(None, "synchronous", "FULL").map_err(sql)?;
    connection.pragma_update(None, "wal_autocheckpoint", options.checkpoint_pages.max(1)).map_err(sql)?;
    if let Some(bytes) = options.file_bytes_max {
        let page: i64 = connection.pragma_query_value(None, "page_size", |row| row.get(0)).map_err(sql)?;
        let pages = i64::try_from(bytes / page.unsigned_abs().max(1)).unwrap_or(i64::MAX);
        let set = connection.pragma_update_and_check(None, "max_page_count", pages.max(1), |_| Ok(()));
        set.map_err(sql)?;
    }
    migrate(&mut connection, path, MIGRATIONS)?;
    Ok(connection)
}

/// Opens the file to read.
pub(super) fn open_to_read(path: &Path) -> Result<Connection, Error> {
    let sql = |error: rusqlite::Error| opening(path, &error);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(sql)?;
    recognise(&connection, path)?;
    settle(&connection).map_err(sql)?;
    Ok(connection)
}

/// The schema of an open file.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

fn settle(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_prepared_statement_cache_capacity(32);
    connection.busy_timeout(std::time::Duration::from_secs(10))?;
    // Looks closer at each page that is read.
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "trusted_schema", false)
}

fn recognise(connection: &Connection, path: &Path) -> Result<(), Error> {
    let sql = |error: rusqlite::Error| opening(path, &error);
    let application: i64 =
        connection.pragma_query_value(None, "application_id", |row| row.get(0)).map_err(sql)?;
    if application != APPLICATION_ID {
        return Err(Error::NotAStore { path: path.to_owned() });
    }
    let (found, known) = (version(connection).map_err(sql)?, last(MIGRATIONS));
    if let Some(build) = usize::try_from(found - 1).ok().and_then(|schema| BUILDS_BEFORE.get(schema)) {
        return Err(Error::SchemaTooOld { path: path.to_owned(), found, oldest: FIRST, build });
    }
    if found > known {
        return Err(Error::SchemaTooNew { path: path.to_owned(), found, known });
    }
    if found < 1 {
        return Err(corrupt(path, "it has no schema"));
    }
    Ok(())
}

/// The schema that the last of these migrations makes.
const fn last(migrations: &[&str]) -> i64 {
    FIRST + migrations.len() as i64 - 1
}

/// Takes the migrations that the file has not seen, each in a transaction with the number that says so.
fn migrate(connection: &mut Connection, path: &Path, migrations: &[&str]) -> Result<(), Error> {
    let sql = |error: rusqlite::Error| opening(path, &error);
    let found = version(connection).map_err(sql)?;
    for (schema, migration) in (FIRST..).zip(migrations).filter(|(schema, _)| *schema > found) {
        let transaction =
            connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(sql)?;
        transaction.execute_batch(migration).map_err(sql)?;
        transaction.pragma_update(None, "user_version", schema).map_err(sql)?;
        transaction.commit().map_err(sql)?;
    }
    Ok(())
}

/// The tables alone, for tests of what is done with them.
#[cfg(test)]
pub(in super::super) fn make_schema(connection: &Connection) {
    MIGRATIONS.iter().for_each(|migration| connection.execute_batch(migration).expect("a schema"));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("matches.db");
        make(&path).unwrap();
        (folder, path)
    }

    #[test]
    fn later_migrations_are_taken_once_and_a_failed_one_leaves_the_last_schema() {
        let (_folder, path) = file();
        let mut connection = open(&path, &Options::default()).unwrap();
        let later = ["CREATE TABLE later (x)", "CREATE TABLE half (x); CREATE TABLE later (x)"];
        let migrations = [MIGRATIONS, &later].concat();
        let but_one = &migrations[..migrations.len() - 1];
        migrate(&mut connection, &path, but_one).unwrap();
        migrate(&mut connection, &path, but_one).unwrap();
        assert_eq!(version(&connection), Ok(last(but_one)));
        migrate(&mut connection, &path, &migrations).unwrap_err();
        assert_eq!(version(&connection), Ok(last(but_one)));
        let half = "SELECT count(*) FROM sqlite_schema WHERE name = 'half'";
        assert_eq!(connection.query_row(half, [], |row| row.get::<_, i64>(0)), Ok(0));
    }

    /// Nothing short of a loss of power can show it, so the settings are looked at themselves.
    #[test]
    fn each_commit_waits_for_the_disk() {
        let (_folder, path) = file();
        let connection = open(&path, &Options::default()).unwrap();
        assert_eq!(connection.pragma_query_value(None, "synchronous", |row| row.get::<_, i64>(0)), Ok(2));
        let mode = connection.pragma_query_value(None, "journal_mode", |row| row.get::<_, String>(0));
        assert_eq!(mode.as_deref(), Ok("wal"));
    }

    #[test]
    fn a_later_schema_is_refused_and_left_alone() {
        let (_folder, path) = file();
        let connection = Connection::open(&path).unwrap();
        connection.pragma_update(None, "user_version", 99).unwrap();
        connection.close().unwrap();
        let refused = open(&path, &Options::default()).unwrap_err();
        assert_eq!(refused, Error::SchemaTooNew { path: path.clone(), found: 99, known: last(MIGRATIONS) });
        assert_eq!(version(&Connection::open(&path).unwrap()), Ok(99));
    }

    #[test]
    fn an_earlier_schema_is_refused_with_the_build_that_reads_it_and_left_alone() {
        let (_folder, path) = file();
        for (schema, build) in (1..FIRST).zip(BUILDS_BEFORE) {
            let connection = Connection::open(&path).unwrap();
            connection.pragma_update(None, "user_version", schema).unwrap();
            connection.close().unwrap();
            for refused in [open(&path, &Options::default()).unwrap_err(), open_to_read(&path).unwrap_err()] {
                assert_eq!(refused.reason(), "SCHEMA_TOO_OLD");
                let said = format!("has schema {schema}, which build {build} reads, and this one from 3 on");
                assert!(refused.to_string().ends_with(&said), "{refused}");
            }
            assert_eq!(version(&Connection::open(&path).unwrap()), Ok(schema));
        }
    }

    #[test]
    fn other_files_are_refused_and_left_alone() {
        let (_folder, path) = file();
        for content in [&b"a letter, with more than a hundred bytes in it. "[..]; 2] {
            let content = content.repeat(40);
            std::fs::write(&path, &content).unwrap();
            assert_eq!(open(&path, &Options::default()).unwrap_err().reason(), "NOT_A_STORE");
            assert_eq!(std::fs::read(&path).unwrap(), content);
        }
        std::fs::remove_file(&path).unwrap();
        Connection::open(&path).unwrap().execute_batch("CREATE TABLE other (x)").unwrap();
        assert_eq!(open(&path, &Options::default()).unwrap_err().reason(), "NOT_A_STORE");
    }

    #[test]
    fn an_empty_file_or_a_lone_write_ahead_log_is_no_new_store() {
        let (_folder, path) = file();
        std::fs::write(&path, "").unwrap();
        assert_eq!(is_there(&path).unwrap_err().reason(), "STORE_CORRUPT");
        std::fs::remove_file(&path).unwrap();
        assert_eq!(is_there(&path), Ok(false));
        std::fs::write(beside(&path, "-wal"), "frames").unwrap();
        assert_eq!(is_there(&path).unwrap_err().reason(), "STORE_CORRUPT");
    }
}
