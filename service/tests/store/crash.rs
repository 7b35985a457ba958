//! `kill -9` at any moment: an acknowledged append is there once, in order.
//!
//! A round starts this test binary again as a writer, which appends to several matches at once and prints each append when
//! its ticket says that it is durable. The parent kills it after a number of such lines that the round's seed gives, some
//! loops later, opens the same store, and holds it against all lines of all rounds.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use edgehill_service::entropy::{EntropySource, SeededEntropy};
use edgehill_service::store::{
    Appended, Error, MatchId, Options, Position, RequestScope, SqliteStore, Store, fsck,
};

use crate::kit::{
    append_for, create, do_append, do_create, folder, match_id, request, request_id, seat, volume, whole_log,
};

const STORE: &str = "EDGEHILL_CRASH_STORE";
const MATCHES: u8 = 6;
/// Appends of one match in line at once.
const PIPELINED: u64 = 8;

/// Small, so that kills fall into checkpoints too.
fn options() -> Options {
    Options { checkpoint_pages: 24, ..Options::default() }
}

fn request_of(id: MatchId, revision: u64) -> edgehill_service::store::Request {
    request(&format!("make {revision}"), &format!("{id} {revision}"))
}

#[test]
#[ignore = "the process that the test below starts and kills"]
fn writer() {
    let Ok(path) = std::env::var(STORE) else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
    runtime.block_on(async {
        let store = std::sync::Arc::new(SqliteStore::open(path, &options()).unwrap());
        let writers: Vec<_> = (1..=MATCHES)
            .map(|number| tokio::spawn(write(std::sync::Arc::clone(&store), match_id(number))))
            .collect();
        for writer in writers {
            writer.await.unwrap();
        }
    });
}

/// Appends until it is killed. It does not know how its predecessor ended, so it first asks for the last again.
async fn write(store: std::sync::Arc<SqliteStore>, id: MatchId) {
    let mut revision = match store.read(id, 0).await {
        Ok(log) => log.revision,
        Err(Error::NotFound(_)) => {
            do_create(&*store, create(id)).await.unwrap();
            acknowledge(id, 0, 0);
            0
        }
        Err(error) => panic!("{error}"),
    };
    if revision > 0 {
        let retry = append_for(id, revision - 1, seat(0), request_of(id, revision));
        let Ok(Appended::Repeated(stored)) = do_append(&*store, retry).await else { panic!("applied twice") };
        acknowledge(id, revision, stored.at.position.0);
    }
    loop {
        let mut tickets = Vec::new();
        for _ in 0..PIPELINED {
            let next = append_for(id, revision, seat(0), request_of(id, revision + 1));
            tickets.push(store.append(next).await.unwrap());
            revision += 1;
        }
        for ticket in tickets {
            let Ok(Appended::Written(at)) = ticket.await else { panic!("not written") };
            acknowledge(id, at.revision, at.position.0);
        }
    }
}

/// One line, in one call of the operating system.
fn acknowledge(id: MatchId, revision: u64, position: u64) {
    let line = format!("durable {id} {revision} {position}\n");
    let _ = std::io::stdout().lock().write_all(line.as_bytes());
}

/// The appends that the writers have acknowledged so far.
#[derive(Default)]
struct Acknowledged {
    positions: BTreeMap<(MatchId, u64), Position>,
    lines: u64,
}

impl Acknowledged {
    fn note(&mut self, line: &str) -> bool {
        // The test harness prints lines of its own, and may print before ours in the same line.
        let Some((_, told)) = line.split_once("durable ") else { return false };
        let words: Vec<&str> = told.split_whitespace().collect();
        let [id, revision, position] = words[..] else { panic!("{line}") };
        let key = (id.parse().unwrap(), revision.parse().unwrap());
        let position = Position(position.parse().unwrap());
        if position.0 > 0 {
            let before = self.positions.insert(key, position);
            assert!(before.is_none_or(|before| before == position), "{line}: acknowledged elsewhere before");
        }
        self.lines += 1;
        true
    }
}

/// Starts a writer, kills it after `lines` acknowledgements and `loops` loops, and notes everything that it said.
fn one_round(path: &Path, lines: usize, loops: usize, acknowledged: &mut Acknowledged) {
    let mut writer = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "crash::writer", "--ignored", "--nocapture", "--test-threads=1"])
        .env(STORE, path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(writer.stdout.take().unwrap());
    let mut line = String::new();
    let mut left = lines;
    while left > 0 {
        line.clear();
        assert!(said.read_line(&mut line).unwrap() > 0, "the writer ended by itself");
        left -= usize::from(acknowledged.note(&line));
    }
    for _ in 0..loops {
        std::hint::spin_loop();
    }
    writer.kill().unwrap();
    assert!(!writer.wait().unwrap().success());
    loop {
        line.clear();
        // The lines in the pipe were said before the kill; a last line may be cut short and was then not said.
        if said.read_line(&mut line).unwrap() == 0 || !line.ends_with('\n') {
            break;
        }
        acknowledged.note(&line);
    }
}

/// All that was acknowledged is there, once, where it was said to be; nothing is there that nobody wrote.
async fn check(path: &Path, acknowledged: &Acknowledged) -> u64 {
    let report = fsck(path).unwrap();
    assert!(report.is_sound(), "{report:?}");
    let store = SqliteStore::open(path, &options()).unwrap();
    let mut appends = 0;
    for number in 1..=MATCHES {
        let id = match_id(number);
        let said: Vec<_> = acknowledged.positions.range((id, 0)..=(id, u64::MAX)).collect();
        let Some(((_, last), _)) = said.last() else { continue };
        // That each entry says its own revision is what shows that none is there twice.
        let revision = whole_log(&store, id).await;
        assert!(revision >= *last, "{id} stands at {revision}, and {last} was acknowledged");
        let log = store.read(id, 0).await.unwrap();
        for ((_, revision), position) in said {
            assert_eq!(log.records[*revision as usize - 1].at.position, *position);
        }
        if revision > 0 {
            let (scope, name) = (RequestScope::Match(id, seat(0)), request_id(&format!("make {revision}")));
            assert_eq!(store.request(scope, name).await.unwrap().unwrap().at.revision, revision);
        }
        appends += revision;
    }
    store.close().await;
    appends
}

#[test]
fn an_acknowledged_append_survives_kill_9() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let (_folder, path) = folder();
    let mut acknowledged = Acknowledged::default();
    let rounds = volume(100);
    let mut appends = 0;
    for round in 0..rounds {
        let entropy = SeededEntropy::new(round);
        let mut bytes = [0; 4];
        entropy.fill(&mut bytes).unwrap();
        let [a, b, c, _] = bytes.map(usize::from);
        // From the first moments, where it takes up the log of its predecessor, to some thousand appends.
        let lines = if a < 32 { 0 } else { a * b / 16 };
        one_round(&path, lines, c * 400, &mut acknowledged);
        if path.exists() {
            appends = runtime.block_on(check(&path, &acknowledged));
        }
    }
    assert!(acknowledged.lines >= rounds && appends > 0);
    eprintln!("{rounds} kills, {} acknowledged, {appends} appends in the logs", acknowledged.lines);
}
