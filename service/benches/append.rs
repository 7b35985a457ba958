//! Durable appends a second, with one writer and with 64, beside SQLite alone with the same rows; and in a database of PostgreSQL
//! on this machine, not replicated, where its programs are installed; or in two new databases whose addresses are given instead.
//!
//! Seconds are noisy, so what counts are the ratios of one run. The checksum is that of all logs at the end: two builds with
//! the same checksum have kept the same matches. `cargo bench -p edgehill-service`, with a folder to measure in as argument
//! if it should not be the system's one for temporary files.

#[path = "../tests/shared/postgres.rs"]
#[allow(dead_code, reason = "tests use the rest")]
#[expect(clippy::unwrap_used, reason = "it is a helper of tests")]
mod real_postgres;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use edgehill_engine::seat::{Seat, SeatSet};
use edgehill_service::store::{
    Append, BodyHash, Create, MatchId, MemoryStore, Options, Party, PostgresOptions, PostgresServer,
    PostgresStore, Request, RequestId, SqliteStore, Store, StoredStatus, Summary,
};
use rusqlite::Connection;

const ENTRY_BYTES: usize = 200;
const WRITERS: u8 = 64;
const ALONE: u64 = 4_000;
const EACH: u64 = 1_000;

fn main() {
    // Cargo gives `--bench`; anything else is a database or the folder.
    let given = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let (databases, folders): (Vec<_>, Vec<_>) =
        given.partition(|argument| argument.starts_with("postgres://"));
    let folder = folders.into_iter().next();
    let folder = folder.map_or_else(tempfile::tempdir, tempfile::tempdir_in).expect("a folder to write in");
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().expect("a runtime");
    let path = |name: &str| folder.path().join(name);

    let raw_1 = raw(&path("raw-1.db"), ALONE, 1);
    let raw_64 = raw(&path("raw-64.db"), u64::from(WRITERS) * EACH, u64::from(WRITERS));
    let open = |name| Arc::new(SqliteStore::open(path(name), &Options::default()).expect("a new store"));
    let one = runtime.block_on(measure(open("one.db"), 1, ALONE));
    let many = runtime.block_on(measure(open("many.db"), WRITERS, EACH));
    let memory = runtime.block_on(measure(Arc::new(MemoryStore::new()), WRITERS, EACH));
    let database = |number: usize| match databases.get(number) {
        Some(address) => Some(PostgresServer::new(address, None, None).expect("a database's address")),
        None => real_postgres::database().map(|(_, server)| server),
    };
    let in_database = |number, writers, each| {
        let server = database(number)?;
        let store = PostgresStore::open(&server, &PostgresOptions::default()).expect("a new database");
        Some(runtime.block_on(measure(Arc::new(store), writers, each)))
    };
    let (database_one, database_many) = (in_database(0, 1, ALONE), in_database(1, WRITERS, EACH));

    println!("{:<34} {:>10} {:>12} {:>20}", "", "appends/s", "a commit", "checksum");
    println!("{:<34} {raw_1:>10.0} {:>12.1}", "SQLite alone, 1 row a commit", 1.0);
    println!("{:<34} {raw_64:>10.0} {:>12.1}", "SQLite alone, 64 rows a commit", 64.0);
    for (name, run) in
        [("store, 1 writer", &one), ("store, 64 writers", &many), ("memory, 64 writers", &memory)]
    {
        println!("{name:<34} {:>10.0} {:>12.1} {:>20}", run.rate, run.grouping, &run.checksum[..16]);
    }
    for (name, run) in [("PostgreSQL, 1 writer", &database_one), ("PostgreSQL, 64 writers", &database_many)] {
        let Some(run) = run else { continue };
        println!("{name:<34} {:>10.0} {:>12.1} {:>20}", run.rate, run.grouping, &run.checksum[..16]);
    }
    println!("64 writers / 1 writer              {:>10.2}", many.rate / one.rate);
    println!("1 writer / SQLite alone            {:>10.2}", one.rate / raw_1);
    println!("64 writers / SQLite alone          {:>10.2}", many.rate / raw_64);
    if let Some(database) = &database_many {
        println!("64 writers, PostgreSQL / store     {:>10.2}", database.rate / many.rate);
        assert_eq!(database.checksum, memory.checksum, "both stores keep the same matches");
    }
    assert_eq!(many.checksum, memory.checksum, "both stores keep the same matches");
}

/// The figures of a run.
struct Run {
    /// Appends a second.
    rate: f64,
    /// Appends a commit.
    grouping: f64,
    checksum: String,
}

/// `writers` matches, `each` appends to each of them, the next when the last is durable.
async fn measure<S: Store + 'static>(store: Arc<S>, writers: u8, each: u64) -> Run {
    for number in 0..writers {
        store.create(create(number)).await.expect("room").await.expect("a new match");
    }
    let before = store.stats();
    let start = Instant::now();
    let mut writing = Vec::new();
    for number in 0..writers {
        let store = Arc::clone(&store);
        writing.push(tokio::spawn(async move {
            for expected in 0..each {
                store.append(append(number, expected)).await.expect("room").await.expect("durable");
            }
        }));
    }
    for writer in writing {
        writer.await.expect("a writer that ends");
    }
    let seconds = start.elapsed().as_secs_f64();
    let after = store.stats();
    let appends = after.appends - before.appends;
    assert_eq!(appends, u64::from(writers) * each);
    Run {
        rate: appends as f64 / seconds,
        grouping: appends as f64 / (after.transactions - before.transactions) as f64,
        checksum: checksum(&*store, writers).await,
    }
}

async fn checksum(store: &dyn Store, writers: u8) -> String {
    let mut hasher = blake3::Hasher::new();
    for number in 0..writers {
        let log = store.read(match_id(number), 0).await.expect("a whole log");
        hasher.update(&log.header.bytes);
        for record in &log.records {
            hasher.update(&record.at.revision.to_le_bytes()).update(&record.entry);
        }
    }
    hasher.finalize().to_hex().to_string()
}

/// The same number of bytes as an envelope has, in a table with an append key, so many rows a commit.
fn raw(path: &Path, rows: u64, a_commit: u64) -> f64 {
    let connection = Connection::open(path).expect("a new file");
    let setting = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4096;
                   CREATE TABLE appends (position INTEGER PRIMARY KEY, envelope BLOB NOT NULL) STRICT;";
    connection.execute_batch(setting).expect("a table");
    let start = Instant::now();
    for batch in 0..rows / a_commit {
        let transaction = connection.unchecked_transaction().expect("a transaction");
        let mut insert =
            transaction.prepare_cached("INSERT INTO appends VALUES (?1, ?2)").expect("a statement");
        for row in 0..a_commit {
            let envelope = vec![row as u8; ENTRY_BYTES + 240];
            insert.execute(((batch * a_commit + row + 1) as i64, envelope)).expect("a row");
        }
        drop(insert);
        transaction.commit().expect("a commit");
    }
    rows as f64 / start.elapsed().as_secs_f64()
}

fn match_id(number: u8) -> MatchId {
    MatchId::from_bytes([number; 16])
}

fn summary(revision: u64) -> Summary {
    Summary { status: StoredStatus::Running, open_seats: SeatSet::EMPTY, lengths: vec![revision; 3] }
}

fn create(number: u8) -> Create {
    Create {
        id: match_id(number),
        game: "skirmish".into(),
        scenario: "ford".into(),
        group: None,
        header: vec![number; 300],
        summary: summary(0),
        overview: vec![number; 300],
        requests: Vec::new(),
        secrets: Vec::new(),
    }
}

fn append(number: u8, expected: u64) -> Append {
    let body = BodyHash::of(&expected.to_le_bytes());
    let id = RequestId::new(format!("00000000-0000-7000-8000-{expected:012}")).expect("a short name");
    let request = Request { id, body, outcome: expected.to_le_bytes().to_vec() };
    Append {
        id: match_id(number),
        expected,
        entry: vec![expected as u8; ENTRY_BYTES],
        requests: vec![(Party::Seat(Seat::new(0)), request)],
        summary: summary(expected + 1),
        overview: None,
        replaces: None,
    }
}
