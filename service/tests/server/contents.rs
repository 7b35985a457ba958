//! A change of content between two starts: matches go on with the content that they were begun with.

use std::fs;
use std::path::Path;

use edgehill_engine::record::{Record, verify};
use edgehill_engine::registry::{Registry, games};
use edgehill_proto::v1::{self, ErrorReason, MatchStatus};
use edgehill_service::wire::status;
use rusqlite::Connection;

use crate::message::{HasMatch, batch, exported, ids, notations};
use crate::process::{Running, by, start};

pub(crate) const BOARD: &str = include_str!("../../../engine/content/skirmish/board.toml");

/// A folder with a content of Skirmish in which North Camp has another name.
fn other_content() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("skirmish")).unwrap();
    fs::write(folder.path().join("skirmish/board.toml"), BOARD.replace("North Camp", "North Hill")).unwrap();
    folder
}

/// Starts a server on the store in `home`, with the built-in content or with that in a folder.
pub(crate) fn start_with(home: &Path, content: Option<&Path>) -> Running {
    let content = content.map(|folder| [("EDGEHILL_CONTENT", folder.to_str().unwrap())]);
    start(&["--store", home.to_str().unwrap()], content.as_ref().map_or(&[], |content| &content[..]))
}

/// A match with both seats taken: its id and their tokens.
pub(crate) async fn seated(server: &Running, name: &str) -> (String, Vec<String>) {
    let mut client = server.matches().await;
    let create = v1::CreateMatchRequest {
        request_id: name.into(),
        client_secret: vec![7; 32],
        game: "skirmish".into(),
        ..v1::CreateMatchRequest::default()
    };
    let id = client.create_match(create).await.unwrap().into_inner().id();
    let mut tokens = Vec::new();
    for seat in 0..2 {
        let join = v1::JoinMatchRequest {
            match_id: id.clone(),
            request_id: format!("{name} {seat}"),
            client_secret: vec![7; 32],
            seat: Some(seat),
            ..v1::JoinMatchRequest::default()
        };
        tokens.push(client.join_match(join).await.unwrap().into_inner().seat_token);
    }
    (id, tokens)
}

/// The game as the server shows it with a content: the name of its first space, and the hash.
async fn game(server: &Running, content_hash: &[u8]) -> (String, Vec<u8>) {
    let ask = v1::GetGameRequest {
        game: "skirmish".into(),
        content_hash: content_hash.to_vec(),
        ..v1::GetGameRequest::default()
    };
    let game = server.catalog().await.get_game(ask).await.unwrap().into_inner().game.unwrap();
    let hash = game.summary.unwrap().rules.unwrap().content_hash;
    (game.spaces[0].entry.as_ref().unwrap().name.clone(), hash)
}

pub(crate) async fn status_of(server: &Running, id: &str) -> MatchStatus {
    let ask = v1::GetMatchRequest { match_id: id.into() };
    server.matches().await.get_match(ask).await.unwrap().into_inner().state().status()
}

/// Plays a card for North, and returns the hash of the content that the match has.
pub(crate) async fn act(server: &Running, (id, tokens): &(String, Vec<String>), line: &str) -> Vec<u8> {
    let mut client = server.matches().await;
    let ask = v1::ListLegalActionsRequest { match_id: id.clone(), ..v1::ListLegalActionsRequest::default() };
    let legal = client.list_legal_actions(by(&tokens[0], ask)).await.unwrap().into_inner();
    let first = legal.legal_actions.unwrap().ids[0];
    let apply = v1::ApplyActionsRequest {
        match_id: id.clone(),
        request_id: line.into(),
        batch: Some(batch(ids(&[first]))),
        ..v1::ApplyActionsRequest::default()
    };
    client.apply_actions(by(&tokens[0], apply)).await.unwrap();
    let got = client.get_match(v1::GetMatchRequest { match_id: id.clone() }).await.unwrap().into_inner();
    assert_eq!(got.state().status(), MatchStatus::Running);
    got.config().rules.unwrap().content_hash
}

/// Ends a match by giving up; its record.
pub(crate) async fn resigned(server: &Running, (id, tokens): &(String, Vec<String>)) -> Record {
    let mut client = server.matches().await;
    let resign = v1::ResignMatchRequest {
        match_id: id.clone(),
        request_id: "resign".into(),
        ..v1::ResignMatchRequest::default()
    };
    client.resign_match(by(&tokens[1], resign)).await.unwrap();
    let ask = v1::ExportRecordRequest { match_id: id.clone() };
    Record::parse(&exported(client.export_record(ask).await).await.unwrap().text).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn matches_go_on_with_the_content_that_they_were_begun_with() {
    let (home, other) = (tempfile::tempdir().unwrap(), other_content());
    let server = start_with(home.path(), None);
    let before = seated(&server, "before").await;
    let (name, built_in) = game(&server, &[]).await;
    assert_eq!(name, "North Camp");
    server.stop();

    let server = start_with(home.path(), Some(other.path()));
    let (name, changed) = game(&server, &[]).await;
    assert!(name == "North Hill" && changed != built_in);
    assert_eq!(game(&server, &built_in).await.0, "North Camp");
    assert_eq!(game(&server, &changed).await.0, "North Hill");
    let table = v1::ListActionDefsRequest {
        game: "skirmish".into(),
        content_hash: built_in.clone(),
        ..v1::ListActionDefsRequest::default()
    };
    let table = server.catalog().await.list_action_defs(table).await.unwrap().into_inner();
    assert!(!table.action_defs.is_empty());
    let nobodys = v1::GetGameRequest {
        game: "skirmish".into(),
        content_hash: vec![9; 32],
        ..v1::GetGameRequest::default()
    };
    let refused = server.catalog().await.get_game(nobodys).await.unwrap_err();
    assert_eq!(status::read(&refused).unwrap().reason(), ErrorReason::Unplayable);
    assert_eq!(act(&server, &before, "one").await, built_in);
    let record = resigned(&server, &before).await;
    let registry = Registry::built_in().unwrap();
    assert!(verify(&**registry.game("skirmish").unwrap(), &record, &[]).is_consistent());
    let after = seated(&server, "after").await;
    assert_eq!(act(&server, &after, "two").await, changed);
    server.stop();

    // And back again: now it is the other that new matches are not made with.
    let server = start_with(home.path(), None);
    assert_eq!(game(&server, &[]).await.1, built_in);
    let record = resigned(&server, &after).await;
    let files = vec![("board.toml".to_owned(), BOARD.replace("North Camp", "North Hill").into_bytes())];
    let with_other = Registry::load(&games(), [("skirmish".to_owned(), files)].into()).unwrap();
    assert!(verify(&**with_other.game("skirmish").unwrap(), &record, &[]).is_consistent());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_whose_content_is_gone_is_read_and_named() {
    let (home, other) = (tempfile::tempdir().unwrap(), other_content());
    let server = start_with(home.path(), Some(other.path()));
    let (id, tokens) = seated(&server, "gone").await;
    server.stop();
    let connection = Connection::open(home.path().join("edgehill.sqlite")).unwrap();
    assert_eq!(connection.execute("DELETE FROM contents WHERE game = 'skirmish'", []).unwrap(), 1);
    connection.close().unwrap();
    let server = start_with(home.path(), None);
    assert_eq!(status_of(&server, &id).await, MatchStatus::Unplayable);
    let apply = v1::ApplyActionsRequest {
        match_id: id.clone(),
        request_id: "late".into(),
        batch: Some(batch(notations(&["done"]))),
        ..v1::ApplyActionsRequest::default()
    };
    let refused = server.matches().await.apply_actions(by(&tokens[0], apply)).await.unwrap_err();
    assert_eq!(status::read(&refused).unwrap().reason(), ErrorReason::Unplayable);
    assert!(refused.message().contains("content"), "{refused}");
    let said = server.stop();
    assert!(said.stderr.contains("matches=1"), "{}", said.stderr);
    // With the content it goes on.
    let server = start_with(home.path(), Some(other.path()));
    assert_eq!(status_of(&server, &id).await, MatchStatus::Running);
}
