//! A store that the server can't use, or not all of: what it says, and what goes on.

use std::fs;
use std::path::Path;

use edgehill_engine::record::{Record, verify};
use edgehill_engine::registry::Registry;
use edgehill_proto::v1::{self, ErrorReason, MatchStatus};
use edgehill_service::entropy::SeededEntropy;
use edgehill_service::identity::ServerKey;
use edgehill_service::store::MatchId;
use edgehill_service::wire::status;
use rusqlite::Connection;

use crate::message::{HasMatch, exported};
use crate::process::{by, start_in, try_start};
use crate::truth::{FILE, KEY, Truth, WAL};

/// Returns the words of the server that can't start on `folder`; the exit code is 1.
fn refusal(folder: &Path) -> String {
    let Err(said) = try_start(&["--store", folder.to_str().unwrap()], &[]) else { panic!("it starts") };
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    assert!(said.stdout.is_empty() && !said.panicked(), "{said:?}");
    said.stderr.lines().last().unwrap_or_default().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_is_none_or_damaged_is_named_and_left_alone() {
    let truth = Truth::make().await;
    let file = &truth.closed[FILE];
    let mut other = file.clone();
    other[68] ^= 1;
    let mut page = file.clone();
    page[100..4_096].fill(0xa5);
    let cases: [(&str, Vec<u8>, &str); 5] = [
        ("nothing", Vec::new(), "STORE_CORRUPT"),
        ("another file", b"Naseby, 14 June 1645\n".repeat(400), "NOT_A_STORE"),
        ("another program's", other, "NOT_A_STORE"),
        ("half of it", file[..file.len() / 2].to_vec(), "STORE_CORRUPT"),
        ("a page of noise", page, "STORE_CORRUPT"),
    ];
    for (what, bytes, reason) in cases {
        let folder = tempfile::tempdir().unwrap();
        truth.lay_out(folder.path());
        fs::remove_file(folder.path().join(WAL)).unwrap();
        let path = folder.path().join(FILE);
        fs::write(&path, &bytes).unwrap();
        let said = refusal(folder.path());
        assert!(said.contains(reason) && said.contains(path.to_str().unwrap()), "{what}: {said}");
        assert_eq!(fs::read(&path).unwrap(), bytes, "{what}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_cut_or_of_another_store_is_named() {
    let truth = Truth::make().await;
    let folder = tempfile::tempdir().unwrap();
    truth.lay_out(folder.path());
    let key = folder.path().join(KEY);
    // Once with the right key, so that the store knows it.
    let said = tokio::task::block_in_place(|| start_in(folder.path()).stop());
    assert_eq!(said.code, Some(0));
    for len in [0, 1, truth.closed[KEY].len() - 2] {
        fs::write(&key, &truth.closed[KEY][..len]).unwrap();
        let said = refusal(folder.path());
        assert!(said.contains(key.to_str().unwrap()), "{said}");
    }
    let store = fs::read(folder.path().join(FILE)).unwrap();
    fs::remove_file(&key).unwrap();
    ServerKey::read_or_make(&key, &SeededEntropy::new(99)).unwrap();
    let said = refusal(folder.path());
    assert!(said.contains(key.to_str().unwrap()), "{said}");
    assert_eq!(fs::read(folder.path().join(FILE)).unwrap(), store, "nothing is sealed with another key");
    fs::remove_file(&key).unwrap();
    assert!(refusal(folder.path()).contains(key.to_str().unwrap()));
    truth.lay_out(folder.path());
    start_in(folder.path());
}

/// The part of a match that is damaged.
#[derive(Copy, Clone, Debug)]
enum Part {
    LastAppend,
    Seed,
}

/// Fills a part of a match with zeros, in the store's file.
fn damage(folder: &Path, part: Part, id: MatchId) {
    let (sql, of) = match part {
        Part::LastAppend => (
            "UPDATE appends SET envelope = zeroblob(length(envelope)) \
             WHERE position = (SELECT position FROM matches WHERE id = ?1)",
            id.as_bytes().to_vec(),
        ),
        Part::Seed => (
            "UPDATE secrets SET sealed = zeroblob(length(sealed)) WHERE id = ?1",
            format!("match:{id}").into_bytes(),
        ),
    };
    let connection = Connection::open(folder.join(FILE)).unwrap();
    assert_eq!(connection.execute(sql, [of]).unwrap(), 1, "{part:?}");
    connection.close().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn matches_beside_a_stopped_one_go_on_and_their_records_are_given() {
    let truth = Truth::make().await;
    let registry = Registry::built_in().unwrap();
    for part in [Part::LastAppend, Part::Seed] {
        for damaged in truth.matches.keys().copied() {
            let folder = tempfile::tempdir().unwrap();
            truth.lay_out(folder.path());
            damage(folder.path(), part, damaged);
            let running = tokio::task::block_in_place(|| start_in(folder.path()));
            let mut client = running.matches().await;
            let mut records = 0;
            for (&id, truth) in &truth.matches {
                let ask = v1::ExportRecordRequest { match_id: id.to_string() };
                let record = exported(client.export_record(ask).await).await;
                if id == damaged {
                    let refusal = status::read(&record.unwrap_err()).unwrap();
                    assert_eq!(refusal.reason(), ErrorReason::Quarantined, "{refusal:?}");
                    if let Some(token) = truth.tokens.first() {
                        let legal = v1::ListLegalActionsRequest {
                            match_id: id.to_string(),
                            ..v1::ListLegalActionsRequest::default()
                        };
                        let refused =
                            client.list_legal_actions(by(&token.to_string(), legal)).await.unwrap_err();
                        assert_eq!(status::read(&refused).unwrap().reason(), ErrorReason::Quarantined);
                    }
                    continue;
                }
                match record {
                    Ok(record) => {
                        assert!(record.complete);
                        let record = Record::parse(&record.text).unwrap();
                        let game = registry.games().find(|game| game.catalogue().id == record.header().game);
                        let report = verify(&***game.as_ref().unwrap(), &record, &[]);
                        assert!(report.is_consistent(), "{report}");
                        records += 1;
                    }
                    Err(refused) => {
                        let reason = status::read(&refused).unwrap().reason();
                        assert!(
                            matches!(reason, ErrorReason::MatchRunning | ErrorReason::MatchNotStarted),
                            "{refused:?}"
                        );
                    }
                }
            }
            assert!(records > 0);
            let listed =
                client.list_matches(v1::ListMatchesRequest::default()).await.unwrap().into_inner().matches;
            assert_eq!(listed.len(), truth.matches.len());
            for entry in listed {
                let stopped = entry.state().status() == MatchStatus::Quarantined;
                assert_eq!(stopped, entry.id() == damaged.to_string(), "{part:?}");
            }
            drop(client);
            let said = tokio::task::block_in_place(|| running.stop());
            assert_eq!(said.code, Some(0), "{}", said.stderr);
            assert!(said.stderr.contains(&damaged.to_string()), "the log says which: {}", said.stderr);
        }
    }
}
