//! The log of a match that is over becomes one entry, and nobody can tell but by its size: views, numbers, cursors, answers and the
//! record are as they were, in this server and in the next, with the rules and without.

use std::sync::Arc;
use std::time::Duration;

use edgehill_engine::registry::{Registry, games};
use edgehill_proto::v1::{self, ErrorReason, MatchStatus};
use edgehill_service::host::{FormerContents, HostCapacity, MatchReader, Replayed};
use edgehill_service::store::{AccountId, MatchId, Store};
use tonic::IntoRequest;

use crate::accounts::Keys;
use crate::kit::{
    HasBatch, HasMatch, HasResult, Seated, ViewTracker, by, exported, group_id, join, notations, reason,
    resign, skirmish, soon, watch,
};
use crate::player::Player;
use crate::receipts::receipts;
use crate::running::{self, Client, File, Start};

/// A match played to its end, and what was answered on the way.
struct Finished {
    seated: Seated,
    answered: Vec<(usize, v1::ApplyActionsRequest, v1::ApplyActionsResponse)>,
}

impl Finished {
    async fn play(client: &mut Client) -> Self {
        let seated = Seated::skirmish(client).await;
        let (mut player, mut answered) = (Player::new(&seated), Vec::new());
        while let Some((seat, request)) = player.next(client).await {
            let taken = client.apply_actions(by(&seated.tokens[seat], request.clone())).await;
            answered.push((seat, request, taken.unwrap().into_inner()));
        }
        Self { seated, answered }
    }

    fn id(&self) -> MatchId {
        self.seated.id.parse().unwrap()
    }

    /// All that can be asked of it afterwards: views, every observer's events from several cursors, the record, receipts.
    async fn sight(
        &self,
        client: &mut Client,
    ) -> (ViewTracker, Vec<Vec<v1::Event>>, String, Vec<v1::Receipt>) {
        let sight = self.seated.sight(client).await;
        let mut streams = Vec::new();
        for token in self.seated.tokens.iter().map(String::as_str).chain([""]) {
            for after in [0, 1, 17] {
                streams.push(self.events(client, token, after).await);
            }
        }
        let request = v1::ExportRecordRequest { match_id: self.seated.id.clone() };
        let record = exported(client.export_record(request).await).await.unwrap();
        (sight, streams, record.text, receipts(client, &self.seated).await)
    }

    /// The events of an observer after a number, to the end.
    async fn events(&self, client: &mut Client, token: &str, after: u64) -> Vec<v1::Event> {
        let request = watch(&self.seated.id, Some(after));
        let request = if token.is_empty() { request.into_request() } else { by(token, request) };
        let mut stream = client.watch_match(request).await.unwrap().into_inner();
        let mut events = Vec::new();
        while let Some(answer) = soon(stream.message()).await.unwrap() {
            events.extend(answer.update.unwrap().events);
        }
        let numbers: Vec<u64> = events.iter().map(|event| event.seq).collect();
        assert_eq!(numbers, (after + 1..after + 1 + events.len() as u64).collect::<Vec<_>>());
        events
    }

    /// That each call of it is answered as it was, that its ids can't be used for anything else, and that nothing more happens.
    async fn assert_answered_still(&self, client: &mut Client) {
        for (seat, request, answer) in &self.answered {
            let token = &self.seated.tokens[*seat];
            let again = client.apply_actions(by(token, request.clone())).await.unwrap().into_inner();
            assert_eq!(again.result().actions, answer.result().actions, "{}", request.request_id);
            let other = v1::ApplyActionsRequest { batch: None, ..request.clone() };
            let other = v1::ApplyActionsRequest {
                batch: self.seated.apply("", notations(&["done", "done", "done"])).batch,
                ..other
            };
            assert_eq!(reason(client.apply_actions(by(token, other)).await), ErrorReason::RequestIdReused);
        }
        let token = &self.seated.tokens[0];
        let more = self.seated.apply("one more", notations(&["done"])).keeping(0);
        assert_eq!(reason(client.apply_actions(by(token, more)).await), ErrorReason::MatchFinished);
    }
}

/// A server that archives when it is told to.
fn start(store: Arc<dyn Store>) -> Start {
    archiving_after(None, store)
}

fn archiving_after(archive_after: Option<Duration>, store: Arc<dyn Store>) -> Start {
    let start = Start::on(store);
    Start { capacity: HostCapacity { archive_after, ..start.capacity }, ..start }
}

/// Entries, and their bytes.
async fn size(store: &dyn Store, id: MatchId) -> (usize, usize) {
    let log = store.read(id, 0).await.unwrap();
    (log.records.len(), log.records.iter().map(|record| record.entry.len()).sum())
}

async fn until_archived(store: &dyn Store, id: MatchId) {
    soon(async {
        while size(store, id).await.0 > 1 {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

#[tokio::test]
async fn an_archived_match_reads_and_answers_as_it_did() {
    let file = File::new();
    let running = start(file.open()).run().await;
    let mut client = running.client().await;
    let finished = Finished::play(&mut client).await;
    let seen = finished.sight(&mut client).await;
    let (entries, bytes) = size(&*running.store, finished.id()).await;
    assert!(entries > 40, "{entries}");

    running.host.archive(finished.id()).await.unwrap();
    let (archived_entries, archived_bytes) = size(&*running.store, finished.id()).await;
    assert_eq!(archived_entries, 1);
    assert!(archived_bytes * 3 < bytes, "{archived_bytes} of {bytes}");
    assert_eq!(running.host.loaded_bytes(), 0, "it has left the memory");
    assert_eq!(finished.sight(&mut client).await, seen);
    finished.assert_answered_still(&mut client).await;
    // An archive stays one.
    running.host.archive(finished.id()).await.unwrap();
    assert_eq!(size(&*running.store, finished.id()).await, (1, archived_bytes));

    running.close().await;
    let running = start(file.open()).run().await;
    let mut client = running.client().await;
    assert_eq!(finished.sight(&mut client).await, seen);
    finished.assert_answered_still(&mut client).await;

    // A build without its rules reads it, too.
    running.close().await;
    let without = Start { registry: Registry::new(Vec::new()).unwrap(), ..start(file.open()) };
    let running = without.run().await;
    let mut client = running.client().await;
    let seen_by_seat = &seen.1[0];
    assert_eq!(finished.events(&mut client, &finished.seated.tokens[0], 0).await, *seen_by_seat);
    assert_eq!(receipts(&mut client, &finished.seated).await, seen.3, "a receipt needs no rules");
    assert_eq!(record_text(&mut client, &finished).await, seen.2, "its archive keeps the record");
    let got = finished.seated.get(&mut client).await;
    assert!(got.state().reveal.is_some(), "its dice are open to everybody");
    let listed = client.list_matches(v1::ListMatchesRequest::default()).await.unwrap().into_inner();
    assert_eq!(listed.matches[0].state(), got.state());
    let reader = MatchReader::new(
        Registry::new(Vec::new()).unwrap(),
        FormerContents::default(),
        Arc::clone(&running.store),
        running::KEY,
    );
    let read = reader.record(finished.id()).await.unwrap();
    assert_eq!((read.record.text, read.record.complete, read.fault), (seen.2, true, None));
}

async fn record_text(client: &mut Client, finished: &Finished) -> String {
    let request = v1::ExportRecordRequest { match_id: finished.seated.id.clone() };
    exported(client.export_record(request).await).await.unwrap().text
}

#[tokio::test]
async fn the_record_of_an_archive_has_the_acts_and_names_of_now_and_no_secret_before_its_time() {
    let (keys, file) = (Keys::new(), File::new());
    let guarded = |registry: Registry| Start { registry, accounts: keys.accounts(), ..start(file.open()) };
    let running = guarded(Registry::built_in().unwrap()).run().await;
    let mut client = running.client().await;
    // The first of a pair, whose other match goes on.
    let group = v1::SeedGroup { matches: 2, entrants: 2, seat_entrants: vec![0, 1], ..Default::default() };
    let create = |request_id: &str, group| v1::CreateMatchRequest {
        seed: Some(v1::create_match_request::Seed::Group(group)),
        ..skirmish(request_id)
    };
    let made = client.create_match(by(&keys.ada, create("1", group.clone()))).await.unwrap().into_inner();
    let place = v1::SeedGroup { group_id: group_id(&made), seat_entrants: vec![1, 0], ..group };
    let other = client.create_match(by(&keys.ada, create("2", place))).await.unwrap().into_inner();
    let mut tokens = Vec::new();
    for (id, seat, entrant) in [(made.id(), 0, 0), (made.id(), 1, 1), (other.id(), 1, 0), (other.id(), 0, 1)]
    {
        let player = ["Ann", "Bob"][entrant];
        let request = v1::JoinMatchRequest { player: player.into(), ..join(&id, &format!("{seat}"), seat) };
        let joined = client.join_match(by(&keys.ada, request)).await.unwrap().into_inner();
        tokens.push(joined.seat_token);
    }
    let seated = Seated { id: made.id(), tokens: tokens[..2].to_vec() };
    let mut player = Player::new(&seated);
    player.play(&mut client, 12).await;
    client.resign_match(by(&seated.tokens[0], resign(&seated.id, "r"))).await.unwrap();
    let id: MatchId = seated.id.parse().unwrap();
    running.host.archive(id).await.unwrap();
    let correct = |request_id: &str| v1::CorrectMatchResultRequest {
        match_id: made.id(),
        request_id: request_id.into(),
        returns: vec![1, -1],
        reason: "a wrong click".into(),
    };
    running.referee().await.correct_match_result(by(&keys.umpire, correct("c"))).await.unwrap();
    let record = |client: &mut Client| {
        let (mut client, request) =
            (client.clone(), by(&keys.eve, v1::ExportRecordRequest { match_id: made.id() }));
        async move { exported(client.export_record(request).await).await.unwrap().text }
    };
    let by_rules = record(&mut client).await;
    assert!(by_rules.contains("\nserver-seed withheld\n") && by_rules.contains("\"Ann\""));
    assert!(by_rules.contains("corrected 1 -1"), "{by_rules}");
    running.close().await;
    let running = guarded(Registry::new(Vec::new()).unwrap()).run().await;
    assert_eq!(record(&mut running.client().await).await, by_rules);
    running.close().await;

    // When the other is over, too, the seed is in it, and the names are those that are left.
    let running = guarded(Registry::built_in().unwrap()).run().await;
    let mut client = running.client().await;
    client.resign_match(by(&tokens[2], resign(&other.id(), "r"))).await.unwrap();
    let pseudonym = |account: &[u8]| (account == b"ada").then(|| AccountId::new("erased-1").unwrap());
    running.host.erase_in_match(id, &pseudonym).await.unwrap();
    let by_rules = record(&mut client).await;
    assert!(!by_rules.contains("withheld") && !by_rules.contains("Ann"), "{by_rules}");
    running.close().await;
    let running = guarded(Registry::new(Vec::new()).unwrap()).run().await;
    assert_eq!(record(&mut running.client().await).await, by_rules);
}

#[tokio::test]
async fn an_archived_match_that_another_content_takes_up_is_archived_again() {
    let file = File::new();
    let running = start(file.open()).run().await;
    let mut client = running.client().await;
    let finished = Finished::play(&mut client).await;
    let seen = finished.sight(&mut client).await;
    running.host.archive(finished.id()).await.unwrap();
    running.close().await;

    const BOARD: &str = include_str!("../../../engine/content/skirmish/board.toml");
    let files = vec![("board.toml".to_owned(), BOARD.replace("North Camp", "North Hill").into_bytes())];
    let registry = Registry::load(&games(), [("skirmish".to_owned(), files)].into()).unwrap();
    let store = file.open();
    let reader =
        MatchReader::new(registry.clone(), FormerContents::default(), Arc::clone(&store), running::KEY);
    let taken_up = reader.replayed(finished.id(), 5).await.unwrap();
    let Replayed::TakenUp(append) = taken_up else { panic!("{taken_up:?}") };
    store.append(append).await.unwrap().await.unwrap();
    assert_eq!(size(&*store, finished.id()).await.0, 2);
    assert_eq!(reader.replayed(finished.id(), 6).await.unwrap(), Replayed::Same);

    let running = Start { registry, ..start(store) }.run().await;
    let mut client = running.client().await;
    let now = finished.sight(&mut client).await;
    assert_eq!((&now.0, &now.1, &now.3), (&seen.0, &seen.1, &seen.3));
    assert!(now.2.contains("\nrepinned 1 "), "{}", now.2);
    running.host.archive(finished.id()).await.unwrap();
    assert_eq!(size(&*running.store, finished.id()).await.0, 1);
    assert_eq!(finished.sight(&mut client).await, now);
    finished.assert_answered_still(&mut client).await;
}

#[tokio::test]
async fn a_match_that_is_played_is_not_archived() {
    let running = start(File::new().open()).run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    Player::new(&seated).play(&mut client, 12).await;
    let (id, sight) = (seated.id.parse().unwrap(), seated.sight(&mut client).await);
    let before = size(&*running.store, id).await;
    running.host.archive(id).await.unwrap();
    assert_eq!(size(&*running.store, id).await, before);
    assert_eq!(seated.sight(&mut client).await, sight);
    Player { actions: 100, ..Player::new(&seated) }.play(&mut client, 1).await;
}

#[tokio::test]
async fn matches_are_archived_when_they_have_been_over_for_a_while() {
    let running = archiving_after(Some(Duration::ZERO), File::new().open()).run().await;
    let mut client = running.client().await;
    let finished = Finished::play(&mut client).await;
    until_archived(&*running.store, finished.id()).await;
    assert_eq!(finished.seated.get(&mut client).await.state().status(), MatchStatus::Finished);
}

#[tokio::test]
async fn what_was_over_before_a_start_is_archived_then() {
    let file = File::new();
    let running = start(file.open()).run().await;
    let mut client = running.client().await;
    let finished = Finished::play(&mut client).await;
    let seen = finished.sight(&mut client).await;
    running.close().await;

    let running = archiving_after(Some(Duration::from_secs(600)), file.open()).run().await;
    until_archived(&*running.store, finished.id()).await;
    assert_eq!(finished.sight(&mut running.client().await).await, seen);
}
