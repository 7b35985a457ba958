//! `options_hash`: it tells nothing of the hands and blocks of a described position before its salt is open, and fits the true
//! ones alone when it is.

use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::dice::OptionsSalt;
use edgehill_engine::record::{Dice, Record, options_hash};
use edgehill_engine::setup::Setup;
use edgehill_proto::v1;
use edgehill_proto::v1::create_match_request::Seed;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::kit::{HasMatch, Seated, by, exported, resign, skirmish};
use crate::running::{Client, Running, Start};

/// A seat's hand and where a block of theirs stands are what the other seat may not see.
fn position(north: &str, south: &str, space: &str) -> Value {
    json!({ "blocks": { "south": { "1": space } }, "hands": { "north": [north], "south": [south] } })
}

/// All positions of that kind that there are.
fn positions(catalogue: &Catalogue) -> Vec<Value> {
    let cards: Vec<&str> = catalogue.cards.iter().map(|card| card.id.as_str()).collect();
    let mut all = Vec::new();
    for north in &cards {
        for south in cards.iter().filter(|south| *south != north) {
            all.extend(["heath", "bridge", "ford", "village"].map(|space| position(north, south, space)));
        }
    }
    all
}

/// The hash under a tag and what an attacker may put in the salt's place.
fn searched(tag: &str, salt: &[u8], scenario: &str, position: &Value) -> [u8; 32] {
    let text = |text: &str| [&(text.len() as u32).to_le_bytes()[..], text.as_bytes()].concat();
    let parts = [tag.as_bytes(), salt, &text(scenario), &[0; 4], &text(&position.to_string())];
    Sha256::digest(parts.concat()).into()
}

fn catalogue(running: &Running) -> &Catalogue {
    running.host.registry().game("skirmish").unwrap().catalogue()
}

/// A match from a position that hides something, both seats taken.
async fn hidden(client: &mut Client, name: &str, seed: Option<Seed>) -> (Value, Seated, v1::MatchConfig) {
    let true_position = position("matchlock", "fife", "heath");
    let position_json = true_position.to_string();
    let request = v1::CreateMatchRequest { position_json, seed, ..skirmish(name) };
    let seated = Seated::of(client, request).await;
    let config = seated.get(client).await.config();
    (true_position, seated, config)
}

/// The positions whose hash is the published one, as far as everything that is public goes.
fn found<'a>(config: &v1::MatchConfig, all: &'a [Value]) -> Vec<&'a Value> {
    let commitment = config.dice.clone().unwrap().commitment;
    let id = config.match_id.as_bytes();
    let salts = [&[][..], &[0; 32], &commitment, id, &config.options_hash];
    let fits = |position: &&Value| {
        salts.iter().any(|salt| {
            let tags = ["edgehill/options/1", "edgehill/options/2"];
            tags.iter().any(|tag| searched(tag, salt, &config.scenario, position)[..] == config.options_hash)
        })
    };
    all.iter().filter(fits).collect()
}

#[tokio::test]
async fn no_position_has_the_published_hash_until_the_salt_is_open_and_then_the_true_one_has() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    for (name, seed) in [("drawn", None), ("chosen", Some(Seed::ChosenSeed(vec![3; 32])))] {
        let (true_position, seated, config) = hidden(&mut client, name, seed).await;
        assert!(config.options.is_empty() && config.from_position);
        let all = positions(catalogue(&running));
        assert!(all.len() > 500 && all.contains(&true_position));
        assert_eq!(found(&config, &all), Vec::<&Value>::new(), "{name}");
        assert_eq!(seated.get(&mut client).await.state().reveal, None);

        client.resign_match(by(&seated.tokens[0], resign(&seated.id, "r"))).await.unwrap();
        let salt = seated.get(&mut client).await.state().reveal.unwrap().options_salt;
        let salt = OptionsSalt::from_bytes(salt.try_into().unwrap());
        let setup = Setup::default_of(catalogue(&running));
        let hash = |position| options_hash(catalogue(&running), &setup, Some(position), &salt);
        let fits: Vec<&Value> =
            all.iter().filter(|position| hash(position)[..] == config.options_hash).collect();
        assert_eq!(fits, [&true_position], "{name}");
        let record = v1::ExportRecordRequest { match_id: seated.id.clone() };
        let record = exported(client.export_record(record).await).await.unwrap();
        assert!(record.text.contains(&format!("\nsalt {}\n", salt.to_hex())), "{}", record.text);
    }
}

#[tokio::test]
async fn two_matches_from_one_position_have_hashes_of_their_own() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let (_, _, one) = hidden(&mut client, "one", None).await;
    let (_, _, other) = hidden(&mut client, "other", None).await;
    assert_ne!(one.options_hash, other.options_hash);
}

/// The other match of the group began from the same position, and goes on.
#[tokio::test]
async fn a_group_keeps_its_one_salt_until_its_last_match_is_over() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let group = |group_id: &str| {
        let group_id = group_id.to_owned();
        Some(Seed::Group(v1::SeedGroup { group_id, matches: 2, entrants: 2, seat_entrants: vec![0, 1] }))
    };
    let position_json = position("matchlock", "fife", "heath").to_string();
    let first =
        v1::CreateMatchRequest { position_json: position_json.clone(), seed: group(""), ..skirmish("first") };
    let first = client.create_match(first).await.unwrap().into_inner();
    let second = v1::CreateMatchRequest {
        position_json,
        seed: group(&crate::kit::group_id(&first)),
        ..skirmish("second")
    };
    let second = client.create_match(second).await.unwrap().into_inner();
    assert_eq!(first.config().options_hash, second.config().options_hash);
    let all = positions(catalogue(&running));
    assert_eq!(found(&second.config(), &all), Vec::<&Value>::new());
    let mut tokens = Vec::new();
    for id in [first.id(), second.id()] {
        for seat in 0..2 {
            let joined = client.join_match(crate::kit::join(&id, &format!("j{seat}"), seat)).await.unwrap();
            tokens.push(joined.into_inner().seat_token);
        }
    }
    let exported_dice = async |client: &mut Client, match_id: String| {
        let record = client.export_record(v1::ExportRecordRequest { match_id }).await;
        Record::parse(&exported(record).await.unwrap().text).unwrap().header().dice.clone()
    };
    client.resign_match(by(&tokens[0], resign(&first.id(), "r"))).await.unwrap();
    let early = exported_dice(&mut client, first.id()).await;
    assert!(matches!(early, Dice::Committed { secrets: None, .. }), "{early:?}");
    client.resign_match(by(&tokens[2], resign(&second.id(), "r"))).await.unwrap();
    let mut salts = Vec::new();
    for id in [first.id(), second.id()] {
        let Dice::Committed { secrets: Some(secrets), .. } = exported_dice(&mut client, id).await else {
            panic!("it is open");
        };
        salts.push(secrets.salt);
    }
    assert_eq!(salts[0], salts[1]);
}
