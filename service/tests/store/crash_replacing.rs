//! `kill -9` while appends take the place of others: the log is that of some moment, with nothing lost and nothing twice.
//!
//! As in `crash.rs`, but each append of a revision that [`replaces`] takes the place of those before it, so that what a log
//! of some revision has follows from the revision alone.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use edgehill_service::entropy::{EntropySource, SeededEntropy};
use edgehill_service::store::{
    Append, Appended, Error, MatchId, Options, Replaced, RequestScope, SqliteStore, Store, fsck,
};

use crate::kit::{append_for, create, do_create, entry, folder, match_id, request, request_id, seat, volume};

const STORE: &str = "EDGEHILL_CRASH_REPLACING_STORE";
/// Each match is written by a task of its own.
const MATCHES: u8 = 3;
/// Appends of one match in line at once.
const PIPELINED: u64 = 8;
/// Of so many appends the last takes the place of others.
const EVERY: u64 = 16;
/// And this many requests of them are answered still.
const KEPT: u64 = 4;

/// The revision after which an append of this revision takes the place of others.
fn replaces(revision: u64) -> Option<u64> {
    revision.is_multiple_of(EVERY).then(|| revision - EVERY + 3)
}

/// The revisions that a log which stands at `revision` has.
fn revisions(revision: u64) -> Vec<u64> {
    let mut left: Vec<u64> = Vec::new();
    for next in 1..=revision {
        let after = replaces(next).unwrap_or(next);
        left.retain(|before| *before <= after);
        left.push(next);
    }
    left
}

fn request_of(id: MatchId, revision: u64) -> edgehill_service::store::Request {
    request(&format!("make {revision}"), &format!("{id} {revision}"))
}

fn next(id: MatchId, expected: u64) -> Append {
    let revision = expected + 1;
    let kept = (revision - KEPT.min(revision)..revision).map(|kept| (seat(0), request_of(id, kept)));
    let replaces = replaces(revision).map(|after| Replaced { after, requests: kept.collect() });
    Append { replaces, ..append_for(id, expected, seat(0), request_of(id, revision)) }
}

#[test]
#[ignore = "the process that the test below starts and kills"]
fn writer() {
    let Ok(path) = std::env::var(STORE) else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
    runtime.block_on(async {
        let options = Options { checkpoint_pages: 24, ..Options::default() };
        let store = std::sync::Arc::new(SqliteStore::open(path, &options).unwrap());
        let writers: Vec<_> = (1..=MATCHES)
            .map(|number| tokio::spawn(write(std::sync::Arc::clone(&store), match_id(number))))
            .collect();
        for writer in writers {
            writer.await.unwrap();
        }
    });
}

/// Appends until it is killed.
async fn write(store: std::sync::Arc<SqliteStore>, id: MatchId) {
    let mut revision = match store.read(id, 0).await {
        Ok(log) => log.revision,
        Err(Error::NotFound(_)) => {
            do_create(&*store, create(id)).await.unwrap();
            0
        }
        Err(error) => panic!("{error}"),
    };
    loop {
        let mut tickets = Vec::new();
        for _ in 0..PIPELINED {
            tickets.push(store.append(next(id, revision)).await.unwrap());
            revision += 1;
        }
        for ticket in tickets {
            let Ok(Appended::Written(at)) = ticket.await else { panic!("not written") };
            let line = format!("durable {id} {}\n", at.revision);
            let _ = std::io::stdout().lock().write_all(line.as_bytes());
        }
    }
}

/// The last revision of each match that was acknowledged.
type Acknowledged = std::collections::BTreeMap<MatchId, u64>;

fn note(acknowledged: &mut Acknowledged, line: &str) -> bool {
    let Some((_, told)) = line.split_once("durable ") else { return false };
    let (id, revision) = told.trim_end().split_once(' ').unwrap();
    acknowledged.insert(id.parse().unwrap(), revision.parse().unwrap());
    true
}

/// Starts a writer and kills it after `lines` acknowledgements.
fn one_round(path: &Path, lines: usize, acknowledged: &mut Acknowledged) {
    let mut writer = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "crash_replacing::writer", "--ignored", "--nocapture", "--test-threads=1"])
        .env(STORE, path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(writer.stdout.take().unwrap());
    let (mut line, mut left) = (String::new(), lines);
    while left > 0 {
        line.clear();
        assert!(said.read_line(&mut line).unwrap() > 0, "the writer ended by itself");
        left -= usize::from(note(acknowledged, &line));
    }
    writer.kill().unwrap();
    assert!(!writer.wait().unwrap().success());
    loop {
        line.clear();
        if said.read_line(&mut line).unwrap() == 0 || !line.ends_with('\n') {
            break;
        }
        note(acknowledged, &line);
    }
}

async fn check(path: &Path, acknowledged: &Acknowledged) -> u64 {
    let report = fsck(path).unwrap();
    assert!(report.is_sound() && report.strays == 0, "{report:?}");
    let store = SqliteStore::open(path, &Options::default()).unwrap();
    let mut last = 0;
    for (&id, &acknowledged) in acknowledged {
        let log = store.read(id, 0).await.unwrap();
        assert!(log.revision >= acknowledged, "{id} stands at {}, not {acknowledged}", log.revision);
        let found: Vec<u64> = log.records.iter().map(|record| record.at.revision).collect();
        assert_eq!(found, revisions(log.revision), "of {id}");
        for record in &log.records {
            assert_eq!(record.entry, entry(id, record.at.revision));
        }
        // All that was kept of the requests is answered, and by the append that took them over.
        let by = log.revision / EVERY * EVERY;
        for revision in by - KEPT.min(by) + 1..=log.revision {
            let (scope, name) = (RequestScope::Match(id, seat(0)), request_id(&format!("make {revision}")));
            let stored = store.request(scope, name).await.unwrap().unwrap();
            assert_eq!(stored.at.revision, revision.max(by), "make {revision}");
        }
        last = last.max(log.revision);
    }
    store.close().await;
    last
}

#[test]
fn a_log_whose_appends_are_replaced_survives_kill_9() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let (_folder, path) = folder();
    let (mut acknowledged, mut last) = (Acknowledged::new(), 0);
    let rounds = volume(60).max(4);
    for round in 0..rounds {
        let mut bytes = [0; 2];
        SeededEntropy::new(100 + round).fill(&mut bytes).unwrap();
        one_round(&path, usize::from(bytes[0]) * 4 + usize::from(bytes[1]) % 16 + 1, &mut acknowledged);
        last = runtime.block_on(check(&path, &acknowledged));
    }
    assert!(last > 4 * EVERY);
    eprintln!("{rounds} kills, {last} revisions");
}
