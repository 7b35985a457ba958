//! Files that were cut short or lost a bit: what is then served is a prefix of each match's log, or nothing.

use std::collections::BTreeMap;
use std::path::Path;

use edgehill_service::entropy::{EntropySource, SeededEntropy};
use edgehill_service::store::{
    Appended, At, Error, MatchId, MatchLog, Options, RequestScope, SqliteStore, Store, StoredRecord, fsck,
};

use crate::kit::{
    append, append_for, do_append, folder, play, request, request_id, seat, volume, whole_log, written,
};

const MATCHES: u8 = 6;
const APPENDS: u64 = 40;

/// A store as a crash leaves it: part of its appends in the file, part in the write-ahead log.
struct Crashed {
    files: Vec<(&'static str, Vec<u8>)>,
    /// All of it in the file, as closing leaves it.
    closed: Vec<u8>,
    logs: BTreeMap<MatchId, MatchLog>,
}

impl Crashed {
    async fn make() -> Self {
        let (_folder, path) = folder();
        let store = SqliteStore::open(&path, &Options::default()).unwrap();
        fill(&store, 0..APPENDS / 2).await;
        store.close().await;
        drop(store);
        let store = SqliteStore::open(&path, &Options::default()).unwrap();
        fill(&store, APPENDS / 2..APPENDS).await;
        let mut logs = BTreeMap::new();
        for number in 1..=MATCHES {
            let id = crate::kit::match_id(number);
            logs.insert(id, store.read(id, 0).await.unwrap());
        }
        // Nothing is being written: the files are what they would be after `kill -9` here.
        let read = |ending| std::fs::read(beside(&path, ending)).unwrap();
        let files = vec![("", read("")), ("-wal", read("-wal"))];
        assert!(files.iter().all(|(_, bytes)| bytes.len() > 20_000));
        store.close().await;
        Self { files, closed: read(""), logs }
    }

    /// Writes one of three: the files with damage in the one or in the other, or the closed file with damage.
    fn write_damaged(&self, path: &Path, which: u64, change: impl Fn(&mut Vec<u8>)) -> &'static str {
        let Some((ending, _)) = self.files.get(which as usize) else {
            let mut bytes = self.closed.clone();
            change(&mut bytes);
            std::fs::write(path, bytes).unwrap();
            return " (closed)";
        };
        self.write(path, ending, change);
        ending
    }

    fn len(&self, which: u64) -> usize {
        self.files.get(which as usize).map_or(self.closed.len(), |(_, bytes)| bytes.len())
    }

    /// Writes the files to `path`, damaged by `change` in the file with this ending.
    fn write(&self, path: &Path, damaged: &str, change: impl Fn(&mut Vec<u8>)) {
        for (ending, bytes) in &self.files {
            let mut bytes = bytes.clone();
            if *ending == damaged {
                change(&mut bytes);
            }
            std::fs::write(beside(path, ending), bytes).unwrap();
        }
    }
}

fn beside(path: &Path, ending: &str) -> std::path::PathBuf {
    path.with_file_name(format!("matches.db{ending}"))
}

async fn fill(store: &SqliteStore, revisions: std::ops::Range<u64>) {
    for number in 1..=MATCHES {
        if revisions.start == 0 {
            play(store, number, 0).await;
        }
    }
    for expected in revisions {
        for number in 1..=MATCHES {
            let request = request(&format!("r{expected}"), "body");
            written(store, append_for(crate::kit::match_id(number), expected, seat(0), request)).await;
        }
    }
}

/// The results of the damage, over all matches.
#[derive(Debug, Default)]
struct Found {
    stores_refused: u32,
    matches_refused: u32,
    /// Of these, with what stands before the damage.
    shown: u32,
    shorter: u32,
    whole: u32,
}

/// Opens what is at `path` and holds all that it serves against the truth.
async fn look(path: &Path, truth: &Crashed, found: &mut Found, what: &str) {
    let report = fsck(path);
    let store = match SqliteStore::open(path, &Options::default()) {
        Ok(store) => store,
        Err(error) => {
            assert!(is_clear(&error), "{what}: {error:?}");
            found.stores_refused += 1;
            return;
        }
    };
    let mut served = 0;
    for (&id, log) in &truth.logs {
        let read = store.read(id, 0).await;
        let Ok(read) = read else {
            assert!(is_clear(&read.unwrap_err()), "{what}");
            found.matches_refused += 1;
            match store.read_stopped(id).await {
                Ok(stopped) => {
                    assert_eq!(stopped.header, log.header, "{what}");
                    assert!(begins_as(&stopped.records, &log.records), "{what}: {id} is shown torn");
                    found.shown += 1;
                }
                Err(error) => assert!(is_clear(&error), "{what}: {error:?}"),
            }
            continue;
        };
        assert_eq!(read.header, log.header, "{what}");
        assert_eq!(read.revision, read.records.len() as u64, "{what}");
        assert!(log.records.starts_with(&read.records), "{what}: {id} is served torn or out of order");
        *(if read.revision == log.revision { &mut found.whole } else { &mut found.shorter }) += 1;
        served += 1;
        goes_on(&store, id, read.revision, what).await;
    }
    store.close().await;
    if served == truth.logs.len() && report.as_ref().is_ok_and(|report| report.is_sound()) {
        assert!(fsck(path).unwrap().is_sound(), "{what}: sound before and not after");
    }
}

/// Returns whether `shown` is how `records` begin. Of the last of them the place may be damaged: nothing points to it that says
/// where it stood.
fn begins_as(shown: &[StoredRecord], records: &[StoredRecord]) -> bool {
    let Some((last, before)) = shown.split_last() else { return true };
    let Some(own) = records.get(before.len()) else { return false };
    let last = StoredRecord { at: At { position: own.at.position, ..last.at }, ..last.clone() };
    records.starts_with(before) && last == *own
}

/// A match that is served takes a retry as a retry and the next append after its last, or is refused clearly.
async fn goes_on(store: &SqliteStore, id: MatchId, revision: u64, what: &str) {
    if let Some(last) = revision.checked_sub(1) {
        let retry = append_for(id, last, seat(0), request(&format!("r{last}"), "body"));
        match do_append(store, retry).await {
            Ok(Appended::Repeated(stored)) => assert_eq!(stored.at.revision, revision, "{what}"),
            other => assert!(other.as_ref().is_err_and(is_clear), "{what}: {other:?}"),
        }
        match store.request(RequestScope::Match(id, seat(0)), request_id(&format!("r{last}"))).await {
            Ok(stored) => assert_eq!(stored.unwrap().at.revision, revision, "{what}"),
            Err(error) => assert!(is_clear(&error), "{what}: {error:?}"),
        }
    }
    match do_append(store, append(id, revision)).await {
        Ok(Appended::Written(at)) => assert_eq!(at.revision, revision + 1, "{what}"),
        other => assert!(other.as_ref().is_err_and(is_clear), "{what}: {other:?}"),
    }
}

/// An error that says that, and where, something is damaged.
fn is_clear(error: &Error) -> bool {
    matches!(
        error,
        Error::NotFound(_) | Error::Quarantined { .. } | Error::Corrupt { .. } | Error::NotAStore { .. }
    ) || matches!(error, Error::SchemaTooNew { .. })
}

fn below(entropy: &SeededEntropy, bound: usize) -> usize {
    let mut bytes = [0; 8];
    entropy.fill(&mut bytes).unwrap();
    (u64::from_le_bytes(bytes) % bound as u64) as usize
}

#[tokio::test]
async fn a_crashed_store_is_taken_up_whole() {
    let truth = Crashed::make().await;
    let (_folder, path) = folder();
    truth.write(&path, "", |_| {});
    let before = std::fs::read(beside(&path, "-wal")).unwrap();
    assert!(fsck(&path).unwrap().is_sound());
    assert_eq!(std::fs::read(beside(&path, "-wal")).unwrap(), before, "fsck only looks");
    let store = SqliteStore::open(&path, &Options::default()).unwrap();
    for (&id, log) in &truth.logs {
        assert_eq!(store.read(id, 0).await.as_ref(), Ok(log));
        assert_eq!(whole_log(&store, id).await, APPENDS);
    }
}

#[tokio::test]
async fn files_that_were_cut_short_serve_prefixes_or_nothing() {
    let truth = Crashed::make().await;
    let mut found = Found::default();
    for round in 0..volume(600) {
        let entropy = SeededEntropy::new(round);
        let (_folder, path) = folder();
        let len = below(&entropy, truth.len(round % 3));
        let ending = truth.write_damaged(&path, round % 3, |bytes| bytes.truncate(len));
        look(&path, &truth, &mut found, &format!("round {round}: file{ending} cut at {len}")).await;
    }
    assert!(found.shorter > 0 && found.stores_refused + found.matches_refused > 0, "{found:?}");
    eprintln!("cut: {found:?}");
}

#[tokio::test]
async fn files_with_flipped_bits_serve_prefixes_or_nothing() {
    let truth = Crashed::make().await;
    let mut found = Found::default();
    for round in 0..volume(1_200) {
        let entropy = SeededEntropy::new(1_000_000 + round);
        let (_folder, path) = folder();
        let bits: Vec<usize> =
            (0..=below(&entropy, 4)).map(|_| below(&entropy, truth.len(round % 3) * 8)).collect();
        let flip = |bytes: &mut Vec<u8>| bits.iter().for_each(|bit| bytes[bit / 8] ^= 1 << (bit % 8));
        let ending = truth.write_damaged(&path, round % 3, flip);
        look(&path, &truth, &mut found, &format!("round {round}: file{ending}, bits {bits:?}")).await;
    }
    assert!(
        found.whole > 0 && found.shorter > 0 && found.matches_refused > 0 && found.shown > 0,
        "{found:?}"
    );
    eprintln!("flipped: {found:?}");
}

/// The write-ahead log is gone, or is that of another time.
#[tokio::test]
async fn a_write_ahead_log_that_is_gone_or_old_serves_prefixes_or_nothing() {
    let truth = Crashed::make().await;
    let mut found = Found::default();
    let (_folder, path) = folder();
    std::fs::write(&path, &truth.files[0].1).unwrap();
    look(&path, &truth, &mut found, "no write-ahead log").await;
    assert_eq!(found.shorter, u32::from(MATCHES));
    assert_eq!(SqliteStore::open(&path, &Options::default()).unwrap().stats().appends, 0);

    let (_folder, other) = folder();
    std::fs::copy(&path, &other).unwrap();
    std::fs::write(beside(&other, "-wal"), &truth.files[1].1).unwrap();
    // Each match of the first file went on otherwise from revision 20: nothing but its own log may be served.
    let store = match SqliteStore::open(&other, &Options::default()) {
        Ok(store) => store,
        Err(error) => return assert!(is_clear(&error), "{error:?}"),
    };
    for (&id, log) in &truth.logs {
        match store.read(id, 0).await {
            Ok(read) => {
                let half = (APPENDS / 2) as usize;
                assert_eq!(read.records[..half], log.records[..half]);
                let one_of = read.records == log.records || read.records.len() == half + 1;
                assert!(one_of, "{id} is a mixture");
            }
            Err(error) => assert!(is_clear(&error), "{error:?}"),
        }
    }
}
