//! A disk that stops taking bytes in the midst of a commit: the store stops, and what it said before stands.

use std::path::PathBuf;
use std::process::Command;

use edgehill_service::store::{Append, Appended, Error, Options, SqliteStore, Store};

use crate::kit::{append, do_append, folder, match_id, play, written};

const STORE: &str = "EDGEHILL_DISK_STORE";

fn big(expected: u64) -> Append {
    Append { entry: vec![expected as u8; 10_000], ..append(match_id(1), expected) }
}

#[tokio::test]
#[ignore = "the process that the test below starts with a bound on its files"]
async fn writer() {
    let Some(path) = std::env::var_os(STORE).map(PathBuf::from) else { return };
    let store = SqliteStore::open(path, &Options::default()).unwrap();
    let id = play(&store, 1, 0).await;
    let mut expected = 0;
    let first = loop {
        match do_append(&store, big(expected)).await {
            Ok(Appended::Written(_)) => expected += 1,
            other => break other,
        }
    };
    assert_eq!(first.unwrap_err().reason(), "STORE_UNAVAILABLE", "the batch itself may be asked for again");
    for _ in 0..2 {
        assert!(matches!(do_append(&store, append(id, expected)).await, Err(Error::Failed { .. })));
    }
    assert_eq!(store.read(id, 0).await.unwrap().revision, expected, "it still reads");
    println!("durable {expected} {}", store.stats().failures);
}

#[cfg(unix)]
#[tokio::test]
async fn a_store_stops_after_a_fault_of_its_disk() {
    let (_folder, path) = folder();
    // The shell bounds files to 256 or 512 KiB (its blocks differ) and lets the write fail instead of killing the process.
    let command = "trap '' XFSZ; ulimit -f 512; exec \"$0\" --exact disk::writer --ignored --nocapture";
    let program = std::env::current_exe().unwrap();
    let run = Command::new("sh").arg("-c").arg(command).arg(program).env(STORE, &path).output().unwrap();
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(run.status.success(), "{said}{}", String::from_utf8_lossy(&run.stderr));
    let told = said.split_once("durable ").unwrap().1;
    let numbers: Vec<u64> = told.split_whitespace().take(2).map(|word| word.parse().unwrap()).collect();
    let [durable, failures] = numbers[..] else { panic!("{said}") };
    assert!(durable > 5 && failures == 1, "{said}");

    let store = SqliteStore::open(&path, &Options::default()).unwrap();
    let log = store.read(match_id(1), 0).await.unwrap();
    // The batch that failed may have reached the disk whole: then a retry finds it, and nothing is between.
    assert!((durable..=durable + 1).contains(&log.revision));
    for (expected, record) in (0..).zip(&log.records) {
        assert_eq!(record.entry, big(expected).entry);
    }
    written(&store, append(match_id(1), log.revision)).await;
}
