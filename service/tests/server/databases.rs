//! A server whose matches are in a database: what is there survives it, another server takes over, and its commands look there.

use std::fs;
use std::path::Path;

use edgehill_engine::record::Record;
use edgehill_proto::v1::{self, ErrorReason, MatchStatus};

use crate::authority::Authority;
use crate::message::HasMatch;
use crate::process::{Running, said, start, try_start};
use crate::real_postgres::postgres;
use crate::start::reason;
use crate::stored::{played, record_of, watched};

/// The environment of a server on a new database, with its key in this folder; `None` where PostgreSQL is not installed.
fn environment(folder: &Path) -> Option<[(&'static str, String); 2]> {
    let key = folder.join("server.key").to_str().unwrap().to_owned();
    Some([("EDGEHILL_POSTGRES__ADDRESS", postgres()?.database()), ("EDGEHILL_KEY_FILE", key)])
}

fn start_on(environment: &[(&'static str, String)]) -> Running {
    start(&[], &borrowed(environment))
}

fn borrowed<'a>(environment: &'a [(&'static str, String)]) -> Vec<(&'static str, &'a str)> {
    environment.iter().map(|(name, value)| (*name, value.as_str())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_keeps_what_a_killed_server_had_acknowledged() {
    let home = tempfile::tempdir().unwrap();
    let Some(environment) = environment(home.path()) else { return };
    let server = start_on(&environment);
    let id = played(&server).await;
    let (events, record) = (watched(&server, &id).await.0, record_of(&server, &id).await);
    server.signal("KILL");
    server.wait();
    let server = start_on(&environment);
    let (after, state) = watched(&server, &id).await;
    assert_eq!((after, state.status()), (events, MatchStatus::Finished));
    assert_eq!(record_of(&server, &id).await, record);
    assert_eq!(server.stop().code, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_server_takes_over_and_the_first_one_ends() {
    let home = tempfile::tempdir().unwrap();
    let Some(environment) = environment(home.path()) else { return };
    let first = start_on(&environment);
    let id = played(&first).await;
    let second = start_on(&environment);
    // The first one can't write any more, whatever it is asked.
    let create = v1::CreateMatchRequest {
        request_id: "late".into(),
        client_secret: vec![8; 32],
        game: "skirmish".into(),
        ..v1::CreateMatchRequest::default()
    };
    let refused = first.matches().await.create_match(create.clone()).await.unwrap_err();
    assert_eq!(refused.code(), tonic::Code::Unavailable, "{refused:?}");
    assert_eq!(reason(&refused), ErrorReason::Draining);
    let ended = first.wait();
    assert_eq!(ended.code, Some(3));
    assert!(ended.stderr.contains("another server has taken it over"), "{}", ended.stderr);
    assert!(!second.matches().await.create_match(create).await.unwrap().into_inner().id().is_empty());
    assert_eq!(watched(&second, &id).await.1.status(), MatchStatus::Finished);
    assert_eq!(second.stop().code, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_look_into_the_database_beside_its_server() {
    let home = tempfile::tempdir().unwrap();
    let Some(environment) = environment(home.path()) else { return };
    let server = start_on(&environment);
    let id = played(&server).await;
    let environment = borrowed(&environment);
    let records = home.path().join("records");
    let (code, _, stderr) = said(&["export", "--to", records.to_str().unwrap()], &environment);
    assert_eq!(code, Some(0), "{stderr}");
    let text = fs::read_to_string(records.join(format!("{id}.edg"))).unwrap();
    assert_eq!(text, record_of(&server, &id).await);
    Record::parse(&text).unwrap();
    let (code, stdout, stderr) = said(&["quarantine", "list"], &environment);
    assert_eq!((code, &*stdout), (Some(0), ""), "{stderr}");
    let (code, _, stderr) = said(&["replay-all", "--check"], &environment);
    assert_eq!(code, Some(0), "{stderr}");
    let (code, stdout, stderr) = said(&["fsck"], &environment);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("schema 4, 1 matches\nsound"), "{stdout}");
    for verb in ["stats", "compact", "rotate-key"] {
        let (code, _, stderr) = said(&[verb], &environment);
        assert_eq!(code, Some(2), "{verb}: {stderr}");
        assert!(stderr.contains("the matches are in a database, which has its own"), "{stderr}");
    }
    // Nobody has taken the store over meanwhile.
    played_again(&server).await;
    assert_eq!(server.stop().code, Some(0));
}

async fn played_again(server: &Running) {
    let bot = v1::SeatConfig {
        kind: v1::SeatKind::HouseBot.into(),
        bot: "random".into(),
        ..v1::SeatConfig::default()
    };
    let create = v1::CreateMatchRequest {
        request_id: "again".into(),
        client_secret: vec![7; 32],
        game: "skirmish".into(),
        seats: vec![bot; 2],
        ..v1::CreateMatchRequest::default()
    };
    let id = server.matches().await.create_match(create).await.unwrap().into_inner().id();
    assert_eq!(watched(server, &id).await.1.status(), MatchStatus::Finished);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_is_migrated_to_a_database_and_the_server_goes_on_there() {
    let home = tempfile::tempdir().unwrap();
    let Some(environment) = environment(home.path()) else { return };
    let folder = home.path().to_str().unwrap();
    let server = start(&["--store", folder], &[]);
    let id = played(&server).await;
    let record = record_of(&server, &id).await;
    let address = environment[0].1.as_str();
    let (code, _, stderr) = said(&["migrate-store", folder, address], &[]);
    assert_eq!(code, Some(1), "it is in use: {stderr}");
    assert!(stderr.contains("STORE_LOCKED"), "{stderr}");
    assert_eq!(server.stop().code, Some(0));
    let (code, stdout, stderr) = said(&["migrate-store", folder, address], &[]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.starts_with("matches        1, and 0 that were there already"), "{stdout}");
    let server = start_on(&environment);
    assert_eq!(record_of(&server, &id).await, record);
    assert_eq!(server.stop().code, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_starts_on_a_store_that_was_not_migrated_to_its_end() {
    let home = tempfile::tempdir().unwrap();
    let Some(environment) = environment(home.path()) else { return };
    let server = start_on(&environment);
    assert_eq!(server.stop().code, Some(0));
    let mark = "INSERT INTO secrets VALUES ('migration unfinished', 'migration unfinished')";
    postgres().unwrap().run(&environment[0].1, mark);
    let Err(refused) = try_start(&[], &borrowed(&environment)) else { panic!("it started") };
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("run `edgehill-server migrate-store` again"), "{}", refused.stderr);
}

/// Nobody is ended by a server that could not go on.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_with_another_key_or_none_takes_nothing_over() {
    let home = tempfile::tempdir().unwrap();
    let Some(environment) = environment(home.path()) else { return };
    let server = start_on(&environment);
    let [foreign, lost] = ["foreign.key", "lost.key"].map(|name| home.path().join(name));
    let (foreign, lost) = (foreign.to_str().unwrap(), lost.to_str().unwrap());
    let (code, ..) = said(&["key", "--account", "a", "--role", "player", "--key-file", foreign], &[]);
    assert_eq!(code, Some(0));
    for (key, words) in [(foreign, "was made with another key"), (lost, "no seat token is good")] {
        let with = [(environment[0].0, &*environment[0].1), (environment[1].0, key)];
        let Err(refused) = try_start(&[], &with) else { panic!("it started with {key}") };
        assert!(refused.stderr.contains(words), "{}", refused.stderr);
    }
    assert!(!Path::new(lost).exists(), "a key was made in the place of one that is lost");
    played(&server).await;
    assert_eq!(server.stop().code, Some(0));
}

/// The database's certificate is looked at: one that nobody vouches for is refused.
#[tokio::test(flavor = "multi_thread")]
async fn the_way_to_the_database_is_encrypted_where_its_address_asks_for_it() {
    let home = tempfile::tempdir().unwrap();
    let Some(environment) = environment(home.path()) else { return };
    let (authority, stranger) = (Authority::new("ours"), Authority::new("a stranger"));
    let certified = authority.server();
    let port = postgres().unwrap().listen_with(&certified.certificate, &certified.key);
    let database = environment[0].1.rsplit("dbname=").next().unwrap();
    let address = format!("host=localhost port={port} user=edgehill dbname={database} sslmode=require");
    let (ours, theirs) = (home.path().join("ours.pem"), home.path().join("theirs.pem"));
    fs::write(&ours, authority.pem()).unwrap();
    fs::write(&theirs, stranger.pem()).unwrap();
    let key = environment[1].1.as_str();
    let with = |ca: &'static str, path: &Path| {
        [
            (environment[0].0, address.clone()),
            (environment[1].0, key.to_owned()),
            (ca, path.display().to_string()),
        ]
    };
    let server = start(&[], &borrowed(&with("EDGEHILL_POSTGRES__CA_FILE", &ours)));
    played(&server).await;
    assert_eq!(server.stop().code, Some(0));
    let Err(refused) = try_start(&[], &borrowed(&with("EDGEHILL_POSTGRES__CA_FILE", &theirs))) else {
        panic!("it believed a stranger")
    };
    assert!(refused.stderr.contains("certificate"), "{}", refused.stderr);
}
