//! The commands on a store: beside the server that has it open, after it, and where a byte is damaged.

use std::fs;
use std::path::Path;

use edgehill_engine::record::Record;
use edgehill_proto::v1::{self, MatchStatus};
use rusqlite::{Connection, params};
use serde_json::Value;

use crate::acts::acts_in;
use crate::message::{HasMatch, exported};
use crate::process::{Running, said, soon, start_in};

/// The store's file in its folder.
const FILE: &str = "edgehill.sqlite";

/// Runs a command on the store in `folder`: its exit code and what it said.
fn run(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    said(&[args, &["--store", folder.to_str().unwrap()]].concat(), &[])
}

/// Runs a command that prints JSON.
fn json(folder: &Path, args: &[&str]) -> (Option<i32>, Value) {
    let (code, stdout, stderr) = run(folder, &[args, &["--json"]].concat());
    (code, serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}{stderr}")))
}

/// Has house bots play a match to its end; its id.
pub(crate) async fn played(server: &Running) -> String {
    let bot = v1::SeatConfig {
        kind: v1::SeatKind::HouseBot.into(),
        bot: "random".into(),
        ..v1::SeatConfig::default()
    };
    let create = v1::CreateMatchRequest {
        request_id: "played".into(),
        client_secret: vec![7; 32],
        game: "skirmish".into(),
        seats: vec![bot; 2],
        ..v1::CreateMatchRequest::default()
    };
    let id = server.matches().await.create_match(create).await.unwrap().into_inner().id();
    let state = watched(server, &id).await.1;
    assert_eq!(state.status(), MatchStatus::Finished);
    id
}

/// Watches a match until nothing more comes of it: its events, and its last state.
pub(crate) async fn watched(server: &Running, id: &str) -> (Vec<v1::Event>, v1::MatchState) {
    let watch =
        v1::WatchMatchRequest { match_id: id.into(), after_seq: Some(0), ..v1::WatchMatchRequest::default() };
    let mut watch = server.matches().await.watch_match(watch).await.unwrap().into_inner();
    let (mut events, mut last) = (Vec::new(), v1::MatchState::default());
    soon(async {
        while last.status() != MatchStatus::Quarantined
            && let Some(message) = watch.message().await.unwrap()
        {
            let update = message.update.unwrap();
            events.extend(update.events);
            if let Some(state) = update.state {
                last = state;
            }
        }
    })
    .await;
    (events, last)
}

pub(crate) async fn record_of(server: &Running, id: &str) -> String {
    let ask = v1::ExportRecordRequest { match_id: id.into() };
    exported(server.matches().await.export_record(ask).await).await.unwrap().text
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_is_looked_after_beside_its_server_and_restored_elsewhere() {
    let (home, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let folder = home.path();
    let server = start_in(folder);
    let id = played(&server).await;
    let record = record_of(&server, &id).await;

    let (code, found) = json(folder, &["fsck"]);
    assert_eq!((code, &found["sound"], &found["match_count"]), (Some(0), &true.into(), &1.into()), "{found}");
    let (code, counted) = json(folder, &["stats"]);
    let over = serde_json::json!([{"game": "skirmish", "status": "over", "count": 1}]);
    assert_eq!((code, &counted["matches"], &counted["quarantined"]), (Some(0), &over, &0.into()));
    assert_eq!(json(folder, &["quarantine", "list"]), (Some(0), serde_json::json!([])));
    let records = other.path().join("records");
    let (code, stdout, stderr) = run(folder, &["export", "--to", records.to_str().unwrap()]);
    assert_eq!((code, &*stdout, &*stderr), (Some(0), "1 records\n", ""));
    assert_eq!(fs::read_to_string(records.join(format!("{id}.edg"))).unwrap(), record);
    let copy = other.path().join(FILE);
    let (code, stdout, stderr) = run(folder, &["backup", copy.to_str().unwrap()]);
    assert!(code == Some(0) && stdout.ends_with(", 1 matches\n"), "{stdout}{stderr}");

    // Commands that write have to wait for the server's end.
    for args in [&["compact"][..], &["quarantine", "release", &id]] {
        let (code, _, stderr) = run(folder, args);
        assert!(code == Some(1) && stderr.contains("STORE_LOCKED"), "{args:?}: {stderr}");
    }
    server.stop();
    let (code, stdout, stderr) = run(folder, &["compact"]);
    assert!(code == Some(0) && stdout.contains(" bytes before, "), "{stdout}{stderr}");
    let server = start_in(folder);
    assert_eq!(record_of(&server, &id).await, record);
    server.stop();

    // A copy is a store once its key stands beside it.
    fs::remove_dir_all(&records).unwrap();
    fs::copy(folder.join("server.key"), other.path().join("server.key")).unwrap();
    let server = start_in(other.path());
    assert_eq!(record_of(&server, &id).await, record);
}

#[test]
fn a_store_that_is_not_named_or_not_there_is_told() {
    let empty = tempfile::tempdir().unwrap();
    for args in [
        &["fsck"][..],
        &["stats"],
        &["quarantine", "list"],
        &["compact"],
        &["backup", "copy"],
        &["export", "--to", "records"],
    ] {
        let (code, _, stderr) = said(args, &[]);
        assert!(code == Some(2) && stderr.contains("--store"), "{args:?}: {stderr}");
    }
    let to = empty.path().join("copy");
    let to = to.to_str().unwrap();
    for args in [&["fsck"][..], &["stats"], &["quarantine", "list"], &["compact"], &["backup", to]] {
        let (code, _, stderr) = run(empty.path(), args);
        assert!(code == Some(1) && stderr.contains("there is no such file"), "{args:?}: {stderr}");
    }
    assert_eq!(empty.path().read_dir().unwrap().count(), 0, "nothing is made");
    let (code, _, stderr) = run(empty.path(), &["quarantine", "release", "naseby"]);
    assert!(code == Some(2) && stderr.contains("UUID"), "{stderr}");
}

/// Changes a byte of the append at a position, or changes it back.
fn flip(folder: &Path, position: i64) {
    let connection = Connection::open(folder.join(FILE)).unwrap();
    let read = "SELECT envelope FROM appends WHERE position = ?1";
    let mut bytes: Vec<u8> = connection.query_row(read, [position], |row| row.get(0)).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    let write = "UPDATE appends SET envelope = ?2 WHERE position = ?1";
    assert_eq!(connection.execute(write, params![position, bytes]).unwrap(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_with_a_damaged_byte_gives_what_stands_before_it_until_it_is_mended() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path();
    let server = start_in(folder);
    let id = played(&server).await;
    let (events, _) = watched(&server, &id).await;
    let record = Record::parse(&record_of(&server, &id).await).unwrap();
    server.stop();
    let (_, counted) = json(folder, &["stats"]);
    let middle = counted["appends"].as_i64().unwrap() / 2;
    assert!(middle > 4, "{counted}");
    flip(folder, middle);

    let (code, found) = json(folder, &["fsck"]);
    let of = &found["matches"][0];
    assert_eq!((code, &found["sound"]), (Some(3), &false.into()), "{found}");
    // The creation stands at position 1 with revision 0.
    assert_eq!((&of["id"], &of["whole_to"]), (&id.as_str().into(), &(middle - 2).into()), "{found}");
    let (code, text, stderr) = run(folder, &["fsck"]);
    assert!(code == Some(3) && text.contains(&id) && stderr.contains("damaged"), "{text}{stderr}");
    let copy = folder.join("copy");
    let (code, ..) = run(folder, &["backup", copy.to_str().unwrap()]);
    assert!(code == Some(3) && copy.exists(), "it is copied as it is");
    let records = folder.join("records");
    let (code, _, stderr) = run(folder, &["export", "--to", records.to_str().unwrap()]);
    assert!(code == Some(3) && stderr.contains("APPEND_DAMAGED"), "{stderr}");
    let part = Record::parse(&fs::read_to_string(records.join(format!("{id}.edg"))).unwrap()).unwrap();
    let taken = part.entries().len();
    assert!(0 < taken && taken < record.entries().len(), "{taken}");
    // A digest covers all entries before it.
    assert_eq!(part.entries()[taken - 1].digest, record.entries()[taken - 1].digest);

    let server = start_in(folder);
    let (shown, state) = watched(&server, &id).await;
    assert_eq!(state.status(), MatchStatus::Quarantined);
    assert!(!shown.is_empty() && shown.len() < events.len() && events.starts_with(&shown));
    server.stop();
    let (code, closed) = json(folder, &["quarantine", "list"]);
    assert_eq!(
        (code, &closed[0]["id"], &closed[0]["reason"]),
        (Some(0), &id.as_str().into(), &"APPEND_DAMAGED".into())
    );
    let (code, _, stderr) = run(folder, &["quarantine", "release", &id]);
    assert!(code == Some(3) && stderr.contains("MATCH_QUARANTINED"), "{stderr}");

    flip(folder, middle);
    let (code, stdout, stderr) = run(folder, &["quarantine", "release", &id]);
    assert_eq!((code, stdout, &*stderr), (Some(0), format!("{id} is released\n"), ""));
    let released = ("house".to_owned(), format!("released the match {id}"));
    assert_eq!(acts_in(folder).await, [released], "what was refused is not there");
    assert_eq!(json(folder, &["quarantine", "list"]), (Some(0), serde_json::json!([])));
    let server = start_in(folder);
    let (shown, state) = watched(&server, &id).await;
    assert_eq!((shown, state.status()), (events, MatchStatus::Finished));
}
