//! Seed groups: the same dice in every match, nothing drawn before all are there, and nothing revealed before all are over.

use std::sync::Arc;

use edgehill_engine::dice::{Commitment, ServerSeed, Terms};
use edgehill_engine::record::{Record, Recorded, verify};
use edgehill_proto::v1::create_match_request::Seed;
use edgehill_proto::v1::{self, ErrorReason, MatchStatus};
use edgehill_service::store::{MemoryStore, Quarantine, Store};

use crate::kit::{
    HasMatch, Seated, by, everything, exported, group_id, join, reason, resign, skirmish, soon,
};
use crate::running::{Client, Running, Start};

/// The match in which these entrants take the seats; without `group`, the first of a new one of two.
fn request(id: &str, group: Option<&str>, seat_entrants: &[u32]) -> v1::CreateMatchRequest {
    let new = group.is_none();
    let group = v1::SeedGroup {
        group_id: group.unwrap_or_default().to_owned(),
        matches: if new { 2 } else { 0 },
        entrants: if new { 2 } else { 0 },
        seat_entrants: seat_entrants.to_vec(),
    };
    v1::CreateMatchRequest { seed: Some(Seed::Group(group)), ..skirmish(id) }
}

async fn make(client: &mut Client, request: v1::CreateMatchRequest) -> String {
    client.create_match(request).await.unwrap().into_inner().id()
}

/// The first match of a group, and the group's id.
async fn begin(client: &mut Client, request: v1::CreateMatchRequest) -> (String, String) {
    let made = client.create_match(request).await.unwrap().into_inner();
    (made.id(), group_id(&made))
}

/// A mirrored pair: ids of both.
pub(crate) async fn pair(client: &mut Client, name: &str) -> [String; 2] {
    let (first, group) = begin(client, request(&format!("{name}-1"), None, &[0, 1])).await;
    let second = make(client, request(&format!("{name}-2"), Some(&group), &[1, 0])).await;
    [first, second]
}

/// A seat taken by an entrant with this entropy.
pub(crate) async fn sit(client: &mut Client, id: &str, seat: u32, byte: u8) -> v1::JoinMatchResponse {
    let entropy = if byte == 0 { Vec::new() } else { vec![byte; 32] };
    let request = v1::JoinMatchRequest {
        entropy,
        response_options: everything(),
        ..join(id, &format!("j{seat}"), seat)
    };
    client.join_match(request).await.unwrap().into_inner()
}

async fn state(client: &mut Client, id: &str) -> v1::MatchState {
    client.get_match(v1::GetMatchRequest { match_id: id.into() }).await.unwrap().into_inner().state()
}

async fn record(client: &mut Client, id: &str) -> Record {
    let record =
        exported(client.export_record(v1::ExportRecordRequest { match_id: id.into() }).await).await.unwrap();
    Record::parse(&record.text).unwrap()
}

fn is_consistent(running: &Running, record: &Record) {
    let game = running.host.registry().game("skirmish").unwrap();
    let report = verify(&**game, record, &[]);
    assert!(report.is_consistent(), "{report}");
}

/// Draws of a record, in order.
fn draws(record: &Record) -> Vec<Recorded> {
    let chance = |what: &Recorded| matches!(what, Recorded::Roll { .. } | Recorded::Pick { .. });
    record.entries().iter().map(|entry| entry.what.clone()).filter(chance).collect()
}

#[tokio::test]
async fn nothing_begins_before_all_are_made_and_all_have_joined() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let (first, group) = begin(&mut client, request("1", None, &[0, 1])).await;
    sit(&mut client, &first, 0, 1).await;
    let joined = sit(&mut client, &first, 1, 2).await;
    assert_eq!((joined.state().status(), joined.update), (MatchStatus::Waiting, None));
    let second = make(&mut client, request("2", Some(&group), &[1, 0])).await;
    assert_eq!(state(&mut client, &first).await.status(), MatchStatus::Waiting);
    // Once given, an entrant's entropy need not be given again.
    sit(&mut client, &second, 0, 0).await;
    assert_eq!(state(&mut client, &first).await.status(), MatchStatus::Waiting);
    let last = sit(&mut client, &second, 1, 1).await;
    assert_eq!(last.state().status(), MatchStatus::Running);
    assert!(last.update.unwrap().to_act);
    assert_eq!(state(&mut client, &first).await.status(), MatchStatus::Running);
}

#[tokio::test]
async fn an_entrant_has_one_entropy_in_the_group() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let [first, second] = pair(&mut client, "e").await;
    sit(&mut client, &first, 0, 1).await;
    let other = v1::JoinMatchRequest { entropy: vec![9; 32], ..join(&second, "x", 1) };
    assert_eq!(reason(client.join_match(other.clone()).await), ErrorReason::EntropyMismatch);
    assert!(!state(&mut client, &second).await.seats[1].joined);
    // The other entrant is another one.
    assert!(client.join_match(v1::JoinMatchRequest { seat: Some(0), ..other }).await.is_ok());
}

#[tokio::test]
async fn a_match_fits_its_group() {
    let keys = crate::accounts::Keys::new();
    let running = Start { accounts: keys.accounts(), ..Start::default() }.run().await;
    let mut client = running.client().await;
    let created = client.create_match(by(&keys.ada, request("1", None, &[0, 1]))).await.unwrap().into_inner();
    let first = group_id(&created);
    let base = request("2", Some(&first), &[1, 0]);
    let group = |change: fn(&mut v1::SeedGroup)| {
        let mut request = base.clone();
        if let Some(Seed::Group(group)) = &mut request.seed {
            change(group);
        }
        request
    };
    for bad in [
        v1::CreateMatchRequest { game: "english-civil-war-iia".into(), ..base.clone() },
        v1::CreateMatchRequest { position_json: r#"{"turn": 2}"#.into(), ..base.clone() },
        group(|group| group.matches = 3),
        group(|group| group.entrants = 3),
        group(|group| group.seat_entrants = vec![0, 2]),
    ] {
        assert_eq!(reason(client.create_match(by(&keys.ada, bad)).await), ErrorReason::GroupMismatch);
    }
    // Nobody else's account adds to it, or learns that it is there.
    assert_eq!(reason(client.create_match(by(&keys.bob, base.clone())).await), ErrorReason::UnknownGroup);
    let alone = client.create_match(by(&keys.ada, skirmish("alone"))).await.unwrap().into_inner();
    let alone = request("3", Some(&alone.id()), &[0, 1]);
    assert_eq!(reason(client.create_match(by(&keys.ada, alone)).await), ErrorReason::UnknownGroup);
    let second = client.create_match(by(&keys.ada, base.clone())).await.unwrap().into_inner();
    assert_eq!(client.create_match(by(&keys.ada, base)).await.unwrap().into_inner(), second);
    let third = request("third", Some(&first), &[1, 0]);
    assert_eq!(reason(client.create_match(by(&keys.ada, third)).await), ErrorReason::GroupMismatch);
    let filter = v1::ListMatchesRequest { group_id: first, ..v1::ListMatchesRequest::default() };
    let listed = client.list_matches(by(&keys.ada, filter)).await.unwrap().into_inner();
    assert_eq!(listed.matches.len(), 2);
}

#[tokio::test]
async fn a_mirrored_pair_has_the_same_dice_and_tells_its_seed_when_both_are_over() {
    let store = Arc::new(MemoryStore::new());
    let running = Start::on(store.clone()).run().await;
    let mut client = running.client().await;
    let ids = pair(&mut client, "p").await;
    let mut seats = Vec::new();
    for (id, bytes) in [(&ids[0], [1, 2]), (&ids[1], [2, 1])] {
        let mut tokens = Vec::new();
        for seat in 0..2 {
            tokens.push(sit(&mut client, id, seat, bytes[seat as usize]).await.seat_token);
        }
        seats.push(Seated { id: id.clone(), tokens });
    }
    // Each deals as the other does, side by side: the first actions are the same on both tables.
    let mut hands = Vec::new();
    for table in &seats {
        hands.push([
            table.legal(&mut client, 0).await.legal_actions,
            table.legal(&mut client, 1).await.legal_actions,
        ]);
    }
    assert_eq!(hands[0], hands[1]);

    // A watcher of the last match gets the seed with its end.
    let watch = v1::WatchMatchRequest {
        match_id: ids[1].clone(),
        after_seq: Some(0),
        ..v1::WatchMatchRequest::default()
    };
    let mut watch = client.watch_match(watch).await.unwrap().into_inner();
    seats[0].choose_cards(&mut client).await;
    client.resign_match(by(&seats[0].tokens[0], resign(&ids[0], "r"))).await.unwrap();
    assert_eq!(state(&mut client, &ids[0]).await.reveal, None, "the other match goes on");
    let early = record(&mut client, &ids[0]).await;
    assert!(!format!("{early:?}").is_empty());
    let text = exported(client.export_record(v1::ExportRecordRequest { match_id: ids[0].clone() }).await)
        .await
        .unwrap();
    assert!(text.complete && text.text.contains("group \"withheld\""), "{}", text.text);
    seats[1].choose_cards(&mut client).await;
    client.resign_match(by(&seats[1].tokens[0], resign(&ids[1], "r"))).await.unwrap();
    let last = soon(async {
        let mut last = None;
        while let Some(message) = watch.message().await.unwrap() {
            last = message.update.unwrap().state.or(last);
        }
        last.unwrap()
    })
    .await;
    let revealed = last.reveal.expect("the last state has the seed");
    assert_eq!(revealed.entropies, [vec![1; 32], vec![2; 32]]);

    // A server that starts again says the same.
    drop(running);
    let running = Start::on(store).run().await;
    let mut client = running.client().await;
    for id in &ids {
        assert_eq!(state(&mut client, id).await.reveal.as_ref(), Some(&revealed));
        let watch = v1::WatchMatchRequest { match_id: id.clone(), ..v1::WatchMatchRequest::default() };
        let first = client.watch_match(watch).await.unwrap().into_inner().message().await.unwrap().unwrap();
        assert_eq!(first.update.unwrap().state.unwrap().reveal.as_ref(), Some(&revealed));
    }
    let records = [record(&mut client, &ids[0]).await, record(&mut client, &ids[1]).await];
    records.iter().for_each(|record| is_consistent(&running, record));
    assert_eq!(draws(&records[0]), draws(&records[1]));
    // And it is what was committed to when the first was made.
    let config = client
        .get_match(v1::GetMatchRequest { match_id: ids[1].clone() })
        .await
        .unwrap()
        .into_inner()
        .config();
    let catalogue = running.host.registry().game("skirmish").unwrap().catalogue();
    let version = catalogue.rules_version.to_string();
    let committed = Terms {
        id: &revealed.group_id,
        game: "skirmish",
        rules_version: &version,
        content_hash: *catalogue.content.as_bytes(),
        options_hash: config.options_hash.clone().try_into().unwrap(),
    };
    let commitment = Commitment::from_bytes(config.dice.unwrap().commitment.try_into().unwrap());
    let server_seed = ServerSeed::from_bytes(revealed.server_seed.try_into().unwrap());
    assert!(commitment.verify(&committed, &server_seed).is_ok());
}

#[tokio::test]
async fn a_group_of_house_bots_plays_by_itself_once_it_is_whole() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let bot = v1::SeatConfig {
        kind: v1::SeatKind::HouseBot.into(),
        bot: "random".into(),
        ..v1::SeatConfig::default()
    };
    let bots =
        |request: v1::CreateMatchRequest| v1::CreateMatchRequest { seats: vec![bot.clone(); 2], ..request };
    let (first, group) = begin(&mut client, bots(request("1", None, &[0, 1]))).await;
    assert_eq!(state(&mut client, &first).await.status(), MatchStatus::Waiting);
    let watch = v1::WatchMatchRequest {
        match_id: first.clone(),
        after_seq: Some(0),
        ..v1::WatchMatchRequest::default()
    };
    let mut watch = client.watch_match(watch).await.unwrap().into_inner();
    let second = make(&mut client, bots(request("2", Some(&group), &[1, 0]))).await;
    soon(async { while watch.message().await.unwrap().is_some() {} }).await;
    let watch = v1::WatchMatchRequest {
        match_id: second.clone(),
        after_seq: Some(0),
        ..v1::WatchMatchRequest::default()
    };
    let mut watch = client.watch_match(watch).await.unwrap().into_inner();
    soon(async { while watch.message().await.unwrap().is_some() {} }).await;
    is_consistent(&running, &record(&mut client, &first).await);
    is_consistent(&running, &record(&mut client, &second).await);
}

#[tokio::test]
async fn a_stopped_match_holds_its_group_back_and_lets_the_others_be_joined() {
    let store = Arc::new(MemoryStore::new());
    let running = Start::on(store.clone()).run().await;
    let mut client = running.client().await;
    let [first, second] = pair(&mut client, "s").await;
    for (id, seats) in [(&first, 2), (&second, 1)] {
        for seat in 0..seats {
            sit(&mut client, id, seat, 0).await;
        }
    }
    let stopped = first.parse().unwrap();
    let why = Quarantine { reason: "OPERATOR".into(), detail: "for the test".into(), since_ms: 1 };
    store.quarantine(stopped, why).await.unwrap();
    // A server that starts again finds it so.
    let running = Start::on(store).run().await;
    let mut client = running.client().await;
    assert_eq!(state(&mut client, &first).await.status(), MatchStatus::Quarantined);
    let joined = sit(&mut client, &second, 1, 0).await;
    assert!(!joined.seat_token.is_empty());
    assert_eq!(joined.state().status(), MatchStatus::Waiting, "nothing begins without the other match");
    running.host.release(stopped).await.unwrap();
    // Looked at, the group goes on.
    state(&mut client, &first).await;
    let watch = v1::WatchMatchRequest {
        match_id: second.clone(),
        after_seq: Some(0),
        ..v1::WatchMatchRequest::default()
    };
    let mut watch = client.watch_match(watch).await.unwrap().into_inner();
    soon(async {
        loop {
            if !watch.message().await.unwrap().unwrap().update.unwrap().events.is_empty() {
                return;
            }
        }
    })
    .await;
    assert_eq!(state(&mut client, &first).await.status(), MatchStatus::Running);
}
