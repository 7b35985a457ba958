//! `edgehill-server replay-all`: what a build would do to the matches of a store, and what it takes up.

use std::fs;
use std::path::Path;

use edgehill_engine::record::{Record, verify};
use edgehill_engine::registry::Registry;
use edgehill_proto::v1::{self, ErrorReason, MatchStatus};
use edgehill_service::wire::status;
use rusqlite::Connection;
use serde_json::Value;

use crate::acts::acts_in;
use crate::contents::{BOARD, act, resigned, seated, start_with, status_of};
use crate::message::{HasMatch, exported};
use crate::process::{Running, said};

const CARDS: &str = include_str!("../../../engine/content/skirmish/cards.toml");

/// A folder with a content of Skirmish in which these files are others.
fn content(files: &[(&str, String)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("skirmish")).unwrap();
    for (name, text) in files {
        fs::write(folder.path().join("skirmish").join(name), text).unwrap();
    }
    folder
}

/// A content in which a space has another name, which nobody's course depends on.
fn renamed() -> tempfile::TempDir {
    content(&[("board.toml", BOARD.replace("North Camp", "North Hill"))])
}

/// A content in which each card is another.
fn other_cards() -> tempfile::TempDir {
    content(&[("cards.toml", CARDS.replace("[[card]]\nid = \"", "[[card]]\nid = \"other-"))])
}

/// Runs the command on the store in `home` with the built-in content: its exit code and its JSON.
fn replay_all(home: &Path, more: &[&str]) -> (Option<i32>, Value) {
    let args = [&["replay-all", "--json", "--store", home.to_str().unwrap()][..], more].concat();
    let (code, stdout, stderr) = said(&args, &[]);
    (code, serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}{stderr}")))
}

/// Numbers of matches that are as they were, that are or could be taken up, and that are left.
fn counts(report: &Value) -> (u64, usize, usize) {
    let count = |list: &str| report[list].as_array().unwrap().len();
    (report["same"].as_u64().unwrap(), count("taken_up"), count("left"))
}

/// Takes the contents of before out of the store, as if its build had other rules now.
fn forget_contents(home: &Path) {
    let connection = Connection::open(home.join("edgehill.sqlite")).unwrap();
    assert!(connection.execute("DELETE FROM contents WHERE game = 'skirmish'", []).unwrap() > 0);
    connection.close().unwrap();
}

async fn config_of(server: &Running, id: &str) -> v1::MatchConfig {
    let ask = v1::GetMatchRequest { match_id: id.into() };
    server.matches().await.get_match(ask).await.unwrap().into_inner().config()
}

async fn record_of(server: &Running, id: &str) -> Record {
    let ask = v1::ExportRecordRequest { match_id: id.into() };
    Record::parse(&exported(server.matches().await.export_record(ask).await).await.unwrap().text).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn matches_are_taken_up_by_what_leads_where_they_had_led() {
    let (home, other) = (tempfile::tempdir().unwrap(), renamed());
    let server = start_with(home.path(), Some(other.path()));
    let (running, over) = (seated(&server, "running").await, seated(&server, "over").await);
    let renamed = act(&server, &running, "before").await;
    resigned(&server, &over).await;
    // Beside a server it looks, and changes nothing: the store has the content that they were begun with.
    let (code, report) = replay_all(home.path(), &["--check"]);
    assert_eq!((code, counts(&report)), (Some(0), (2, 0, 0)), "{report}");
    let (code, _, stderr) = said(&["replay-all", "--store", home.path().to_str().unwrap()], &[]);
    assert!(code == Some(1) && stderr.contains("STORE_LOCKED"), "{code:?}: {stderr}");
    server.stop();
    forget_contents(home.path());
    let server = start_with(home.path(), None);
    assert_eq!(status_of(&server, &running.0).await, MatchStatus::Unplayable);
    server.stop();

    for _ in 0..2 {
        let (code, report) = replay_all(home.path(), &["--check"]);
        assert_eq!((code, &report["changed"], counts(&report)), (Some(0), &false.into(), (0, 2, 0)));
    }
    let (code, report) = replay_all(home.path(), &[]);
    assert_eq!((code, &report["changed"], counts(&report)), (Some(0), &true.into(), (0, 2, 0)));
    let (code, report) = replay_all(home.path(), &[]);
    assert_eq!((code, counts(&report)), (Some(0), (2, 0, 0)));
    let acts = acts_in(home.path()).await;
    let words = "took 2 matches up with the rules of this build";
    assert_eq!(acts, [("house".to_owned(), words.to_owned())], "what changed something, and that once");

    let server = start_with(home.path(), None);
    assert_eq!(status_of(&server, &running.0).await, MatchStatus::Running);
    assert_eq!(act(&server, &running, "after").await, renamed, "the commitment names what it was begun with");
    let registry = Registry::built_in().unwrap();
    let skirmish = registry.game("skirmish").unwrap();
    let built_in = skirmish.catalogue().content;
    for record in [resigned(&server, &running).await, record_of(&server, &over.0).await] {
        assert_eq!(record.header().begun_under.content.as_bytes()[..], renamed);
        assert_eq!(record.header().repinned.map(|pin| pin.content), Some(built_in));
        let report = verify(&**skirmish, &record, &[]);
        assert!(report.is_consistent(), "{report}");
    }
    for (id, _) in [&running, &over] {
        let config = config_of(&server, id).await;
        assert_eq!(config.repinned.unwrap().content_hash, built_in.as_bytes());
    }
    let listed = server.matches().await.list_matches(v1::ListMatchesRequest::default()).await.unwrap();
    let configs = listed.into_inner().matches.into_iter().map(|listed| listed.config.unwrap());
    assert!(configs.into_iter().all(|config| config.repinned.is_some()), "lists say so, too");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_that_would_go_otherwise_is_left_and_listed() {
    let (home, other) = (tempfile::tempdir().unwrap(), other_cards());
    let server = start_with(home.path(), Some(other.path()));
    let (id, _) = seated(&server, "left").await;
    server.stop();
    forget_contents(home.path());
    let (code, report) = replay_all(home.path(), &[]);
    assert_eq!((code, counts(&report)), (Some(1), (0, 0, 1)));
    assert_eq!(
        (&report["left"][0]["id"], &report["left"][0]["reason"]),
        (&id.clone().into(), &"UNPLAYABLE".into())
    );
    let (code, stdout, stderr) = said(&["replay-all", "--store", home.path().to_str().unwrap()], &[]);
    assert!(code == Some(1) && stdout.contains(&format!("{id} skirmish UNPLAYABLE: revision ")), "{stdout}");
    assert!(stdout.ends_with("0 as they were, 0 taken up, 1 left\n"), "{stdout}");
    assert!(stderr.contains("1 matches do not go on"), "{stderr}");
    let server = start_with(home.path(), None);
    assert_eq!(status_of(&server, &id).await, MatchStatus::Unplayable);
    let ask = v1::ExportRecordRequest { match_id: id.clone() };
    let refused = exported(server.matches().await.export_record(ask).await).await.unwrap_err();
    assert_eq!(status::read(&refused).unwrap().reason(), ErrorReason::Unplayable);
    server.stop();
    // With its content all of it is as it was.
    let content = [("EDGEHILL_CONTENT", other.path().to_str().unwrap())];
    let args = ["replay-all", "--check", "--store", home.path().to_str().unwrap()];
    assert_eq!(said(&args, &content).0, Some(0));
}
