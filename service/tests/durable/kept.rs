//! The store of the day on which the API was frozen (`tests/kept/api-1`), as every later build reads it.
//!
//! It was written by the server of that build, and is never written again: `EDGEHILL_BLESS=1` makes one only where there is none. A
//! later build lists its matches, lets their seats in and gives them what was published to them. It plays them on as well, or, where its
//! rules are others, says so.

use std::path::{Path, PathBuf};

use edgehill_engine::record::{Record, verify};
use edgehill_engine::registry::Registry;
use edgehill_proto::v1::{self, ErrorReason, MatchStatus};
use edgehill_service::wire::status;
use prost::Message;
use serde::{Deserialize, Serialize};

use crate::check::events;
use crate::line::Client;
use crate::message::{HasMatch, batch, exported, ids};
use crate::process::{Running, as_holder, by, start, start_in};
use crate::random::Random;
use crate::truth::{FILE, KEY, write_file};

/// The file with all that was known of the matches, beside the store.
const KNOWN: &str = "known.json";

/// A kind of match: its game and options, the seats that are taken, the most actions that are.
type Kind = (&'static str, &'static [(&'static str, &'static str)], usize, usize);

/// The matches that were made.
const MADE: [Kind; 7] = [
    ("skirmish", &[], 2, 10_000),
    ("english-civil-war-iia", &[("max_seasons", "1")], 2, 10_000),
    ("english-civil-war-iia", &[], 2, 40),
    ("cruel-necessity", &[], 1, 40),
    ("this-war-without-an-enemy", &[], 2, 60),
    ("skirmish", &[], 2, 7),
    ("skirmish", &[], 1, 0),
];

/// A match of the store.
#[derive(Debug, Serialize, Deserialize)]
struct Known {
    id: String,
    game: String,
    rules_number: u32,
    content_hash: String,
    status: i32,
    /// The tokens of the seats, and an empty one for spectators.
    tokens: Vec<String>,
    /// The events of each of them, each a message of its own.
    events: Vec<Vec<String>>,
    /// The record, of a match that is finished.
    record: Option<String>,
}

impl Known {
    fn events(&self, observer: usize) -> Vec<v1::Event> {
        let bytes = |event: &String| hex::decode(event).unwrap();
        self.events[observer].iter().map(|event| v1::Event::decode(&*bytes(event)).unwrap()).collect()
    }

    /// The match as it is served now.
    async fn look(client: &mut Client, id: String, tokens: Vec<String>) -> Self {
        let got = client.get_match(v1::GetMatchRequest { match_id: id.clone() }).await.unwrap().into_inner();
        let (config, status) = (got.config(), got.state().status());
        let rules = config.rules.unwrap();
        let mut all = Vec::new();
        for token in &tokens {
            let ask = v1::GetMatchRequest { match_id: id.clone() };
            let seq = client.get_match(as_holder(token, ask)).await.unwrap().into_inner().seq();
            let events = events(client, &id, token, seq).await;
            all.push(events.iter().map(|event| hex::encode(event.encode_to_vec())).collect());
        }
        let record = match status {
            MatchStatus::Finished => record(client, &id).await.ok(),
            _ => None,
        };
        Self {
            id,
            game: config.game,
            rules_number: rules.number,
            content_hash: hex::encode(rules.content_hash),
            status: status.into(),
            tokens,
            events: all,
            record,
        }
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kept/api-1")
}

async fn record(client: &mut Client, id: &str) -> Result<String, tonic::Status> {
    let export = v1::ExportRecordRequest { match_id: id.to_owned() };
    Ok(exported(client.export_record(export).await).await?.text)
}

/// Lets the seats of a match act until it is finished, `actions` times at most.
async fn play(client: &mut Client, id: &str, tokens: &[String], actions: usize, random: &mut Random) {
    for number in 0..actions {
        let mut acted = false;
        for token in tokens {
            let list = v1::ListLegalActionsRequest { match_id: id.to_owned(), ..Default::default() };
            let listed = client.list_legal_actions(by(token, list)).await.unwrap().into_inner();
            if let Some(&action) = random.pick(&listed.legal_actions.unwrap_or_default().ids) {
                let apply = v1::ApplyActionsRequest {
                    match_id: id.to_owned(),
                    request_id: format!("a{number}"),
                    batch: Some(batch(ids(&[action]))),
                    ..v1::ApplyActionsRequest::default()
                };
                client.apply_actions(by(token, apply)).await.unwrap();
                acted = true;
                break;
            }
        }
        if !acted {
            return;
        }
    }
}

/// Makes the store, with a match of each kind, in `folder`.
async fn make(folder: &Path) {
    let work = tempfile::tempdir().unwrap();
    let running = tokio::task::block_in_place(|| start_in(work.path()));
    let mut client = running.matches().await;
    let mut random = Random::new(1642);
    let mut known = Vec::new();
    for (number, (game, options, seats, actions)) in MADE.into_iter().enumerate() {
        let options =
            options.iter().map(|&(id, value)| v1::OptionValue { id: id.into(), value: value.into() });
        let create = v1::CreateMatchRequest {
            request_id: format!("kept {number}"),
            game: game.to_owned(),
            options: options.collect(),
            client_secret: vec![7; 32],
            ..v1::CreateMatchRequest::default()
        };
        let id = client.create_match(create).await.unwrap().into_inner().id();
        let mut tokens = Vec::new();
        for seat in 0..seats {
            let join = v1::JoinMatchRequest {
                match_id: id.clone(),
                request_id: format!("seat {seat}"),
                seat: Some(seat as u32),
                entropy: vec![seat as u8 + 1; 32],
                player: format!("player {seat}"),
                client_secret: vec![7; 32],
                ..v1::JoinMatchRequest::default()
            };
            tokens.push(client.join_match(join).await.unwrap().into_inner().seat_token);
        }
        play(&mut client, &id, &tokens, actions, &mut random).await;
        tokens.push(String::new());
        known.push(Known::look(&mut client, id, tokens).await);
    }
    drop(client);
    assert_eq!(tokio::task::block_in_place(|| running.stop()).code, Some(0));
    std::fs::create_dir_all(folder).unwrap();
    for name in [FILE, KEY] {
        std::fs::copy(work.path().join(name), folder.join(name)).unwrap();
    }
    std::fs::write(folder.join(KNOWN), serde_json::to_string_pretty(&known).unwrap() + "\n").unwrap();
}

/// The status of a match, as a build serves it that has its rules, or has not.
fn expected_status(known: &Known, playable: bool) -> MatchStatus {
    match MatchStatus::try_from(known.status).unwrap() {
        MatchStatus::Finished => MatchStatus::Finished,
        status if playable => status,
        _ => MatchStatus::Unplayable,
    }
}

/// Returns whether this build has the rules of a match.
async fn is_playable(running: &Running, known: &Known) -> bool {
    let mut catalog = running.catalog().await;
    let get = v1::GetGameRequest { game: known.game.clone(), ..v1::GetGameRequest::default() };
    let game = catalog.get_game(get).await.unwrap().into_inner().game.unwrap();
    let rules = game.summary.unwrap().rules.unwrap();
    (rules.number, hex::encode(rules.content_hash)) == (known.rules_number, known.content_hash.clone())
}

/// Holds what a server with these variables serves of the store against what was known, and returns of how many matches it has other
/// rules.
async fn hold(env: &[(&str, &str)]) -> usize {
    let work = tempfile::tempdir().unwrap();
    for name in [FILE, KEY] {
        write_file(&work.path().join(name), &std::fs::read(folder().join(name)).unwrap());
    }
    let known = std::fs::read_to_string(folder().join(KNOWN)).unwrap();
    let all: Vec<Known> = serde_json::from_str(&known).unwrap();
    assert_eq!(all.len(), MADE.len());
    let store = ["--store", work.path().to_str().unwrap()];
    let running = tokio::task::block_in_place(|| start(&store, env));
    let mut client = running.matches().await;
    let listed = client.list_matches(v1::ListMatchesRequest::default()).await.unwrap().into_inner().matches;
    let mut listed: Vec<(String, i32)> = listed.iter().map(|one| (one.id(), one.state().status)).collect();
    listed.sort();
    let mut expected = Vec::new();
    for known in &all {
        let status = expected_status(known, is_playable(&running, known).await);
        expected.push((known.id.clone(), status.into()));
    }
    expected.sort();
    assert_eq!(listed, expected);
    let registry = Registry::built_in().unwrap();
    let mut unplayable = 0;
    for known in &all {
        let (id, playable) = (&known.id, is_playable(&running, known).await);
        unplayable += usize::from(!playable);
        let now = Known::look(&mut client, id.clone(), known.tokens.clone()).await;
        assert_eq!((&now.game, &now.content_hash), (&known.game, &known.content_hash), "{id}");
        assert_eq!(now.status, i32::from(expected_status(known, playable)), "{id}");
        for observer in 0..known.tokens.len() {
            assert_eq!(now.events(observer), known.events(observer), "{id}, observer {observer}");
        }
        if let Some(text) = &known.record {
            // A record is what is said of a match for ever.
            let record = Record::parse(text).unwrap();
            if playable {
                assert_eq!(now.record.as_ref(), Some(text), "{id}");
                let report = verify(&**registry.game(&known.game).unwrap(), &record, &[]);
                assert!(report.is_consistent(), "{id}: {report}");
            }
        }
        let resign = v1::ResignMatchRequest {
            match_id: id.clone(),
            request_id: "enough".into(),
            ..Default::default()
        };
        let resigned = client.resign_match(by(&known.tokens[0], resign)).await;
        let reason = resigned.as_ref().err().map(|refused| status::read(refused).unwrap().reason());
        // A seat may give up what this build can't play as well.
        let expected = match MatchStatus::try_from(known.status).unwrap() {
            MatchStatus::Running => None,
            MatchStatus::Waiting => Some(ErrorReason::MatchNotStarted),
            status => {
                assert_eq!(status, MatchStatus::Finished);
                Some(ErrorReason::MatchFinished)
            }
        };
        assert_eq!(reason, expected, "{id}: {resigned:?}");
    }
    drop(client);
    let said = tokio::task::block_in_place(|| running.stop());
    assert!(said.code == Some(0) && !said.panicked(), "{said:?}");
    unplayable
}

#[tokio::test(flavor = "multi_thread")]
async fn the_store_of_the_day_of_api_1_is_read_by_every_later_build() {
    if std::env::var("EDGEHILL_BLESS").is_ok() && !folder().exists() {
        make(&folder()).await;
    }
    let unplayable = hold(&[]).await;
    // And by one whose rules of a game are others.
    let content = tempfile::tempdir().unwrap();
    let skirmish = content.path().join("skirmish");
    std::fs::create_dir(&skirmish).unwrap();
    let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/content/skirmish");
    for file in std::fs::read_dir(built_in).unwrap() {
        let file = file.unwrap();
        let text = std::fs::read_to_string(file.path()).unwrap().replace("North Camp", "Northern Camp");
        std::fs::write(skirmish.join(file.file_name()), text).unwrap();
    }
    let with_other_content = hold(&[("EDGEHILL_CONTENT", content.path().to_str().unwrap())]).await;
    assert!(with_other_content > 0 && with_other_content >= unplayable);
}
