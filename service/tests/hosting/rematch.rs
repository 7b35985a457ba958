//! Rematches: once for a match, with the sides swapped, for those who played it.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use edgehill_proto::v1::{self, ErrorReason, MatchStatus, SeatKind};
use edgehill_service::limits::Limits;
use edgehill_service::store::{MemoryStore, Quarantine, Store};

use crate::groups::pair;
use crate::kit::{HasMatch, Seated, by, join, reason, refusal, resign, skirmish};
use crate::running::{Client, File, Start};
use crate::trouble::Flaky;
use crate::unplayable::copy;

fn request(id: &str, request_id: &str) -> v1::RematchMatchRequest {
    v1::RematchMatchRequest { match_id: id.into(), request_id: request_id.into() }
}

fn seat(kind: SeatKind, bot: &str) -> v1::SeatConfig {
    v1::SeatConfig { kind: kind.into(), bot: bot.into(), ..v1::SeatConfig::default() }
}

async fn rematch(client: &mut Client, seated: &Seated, seat: usize) -> v1::RematchMatchResponse {
    client.rematch_match(by(&seated.tokens[seat], request(&seated.id, "again"))).await.unwrap().into_inner()
}

/// A match that North has given up.
async fn finished(client: &mut Client, request: v1::CreateMatchRequest) -> Seated {
    let seated = Seated::of(client, request).await;
    give_up(client, &seated).await;
    seated
}

async fn give_up(client: &mut Client, seated: &Seated) {
    let token = seated.tokens.iter().find(|token| !token.is_empty()).unwrap();
    client.resign_match(by(token, resign(&seated.id, "resign"))).await.unwrap();
}

/// Takes the seat that a player has in the rematch.
async fn sit(client: &mut Client, again: &v1::RematchMatchResponse) -> v1::JoinMatchResponse {
    let with = v1::JoinMatchRequest {
        invitation: again.invitation.clone(),
        ..join(&again.id(), &format!("again-{}", again.seat), again.seat)
    };
    client.join_match(with).await.unwrap().into_inner()
}

async fn listed(client: &mut Client) -> usize {
    client.list_matches(v1::ListMatchesRequest::default()).await.unwrap().into_inner().matches.len()
}

#[tokio::test]
async fn each_player_gets_the_other_side_of_the_same_match() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let bank = edgehill_proto::prost_types::Duration { seconds: 600, nanos: 0 };
    let clock = Some(v1::ClockConfig { bank: Some(bank), ..v1::ClockConfig::default() });
    let position_json = r#"{"turn": 2}"#.to_owned();
    let asked = v1::CreateMatchRequest { clock, position_json, ..skirmish("first") };
    let seated = finished(&mut client, asked).await;
    let south = rematch(&mut client, &seated, 1).await;
    let north = rematch(&mut client, &seated, 0).await;
    assert_eq!((north.seat, south.seat, north.id()), (1, 0, south.id()));
    assert_ne!(north.invitation, south.invitation);
    let (before, after) = (seated.get(&mut client).await.config(), north.config());
    assert_eq!(
        (&after.game, &after.scenario, &after.options, after.from_position, &after.clock),
        (&before.game, &before.scenario, &before.options, true, &before.clock)
    );
    // The old one had a chosen seed, and the new one has the server's, drawn for it.
    assert_eq!(before.dice.unwrap().origin(), v1::SeedOrigin::Chosen);
    let dice = after.dice.unwrap();
    assert_eq!((dice.origin(), dice.commitment.len()), (v1::SeedOrigin::Server, 32));
    // Nobody else sits down there.
    let uninvited = join(&north.id(), "x", 0);
    assert_eq!(reason(client.join_match(uninvited.clone()).await), ErrorReason::BadInvitation);
    let swapped = v1::JoinMatchRequest { invitation: north.invitation.clone(), ..uninvited };
    assert_eq!(reason(client.join_match(swapped).await), ErrorReason::BadInvitation);
    assert_eq!(sit(&mut client, &south).await.seat, 0);
    let last = sit(&mut client, &north).await;
    assert_eq!((last.seat, last.state().status()), (1, MatchStatus::Running));
    // Asked again, it is told again, whatever the request's id.
    let again = request(&seated.id, "another");
    let told = client.rematch_match(by(&seated.tokens[0], again)).await.unwrap().into_inner();
    assert_eq!((told.id(), told.seat, &told.invitation), (north.id(), 1, &north.invitation));
    assert_eq!(told.state().status(), MatchStatus::Running);
    assert_eq!(listed(&mut client).await, 2);
}

#[tokio::test]
async fn a_rematch_has_a_rematch_in_which_all_are_where_they_began() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = finished(&mut client, skirmish("first")).await;
    let mut tokens = Vec::new();
    for old in [1, 0] {
        let again = rematch(&mut client, &seated, old).await;
        tokens.push(sit(&mut client, &again).await.seat_token);
    }
    let second = Seated { id: rematch(&mut client, &seated, 0).await.id(), tokens };
    give_up(&mut client, &second).await;
    // The one who had been North sat second.
    assert_eq!(rematch(&mut client, &second, 1).await.seat, 0);
    assert_eq!(listed(&mut client).await, 3);
}

#[tokio::test]
async fn house_bots_come_along_and_a_solitaire_player_has_the_same_seat() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seats = vec![seat(SeatKind::Open, ""), seat(SeatKind::HouseBot, "random")];
    let entropy_mode = v1::EntropyMode::CommitReveal.into();
    let asked = v1::CreateMatchRequest { seats: seats.clone(), ..skirmish("bot") };
    let seated = finished(&mut client, asked).await;
    let again = rematch(&mut client, &seated, 0).await;
    assert_eq!(again.seat, 1);
    let kinds: Vec<SeatKind> = again.state().seats.iter().map(v1::SeatState::kind).collect();
    assert_eq!(kinds, [SeatKind::HouseBot, SeatKind::Invited]);
    assert_eq!(sit(&mut client, &again).await.state().status(), MatchStatus::Running);

    let solitaire = v1::CreateMatchRequest { game: "cruel-necessity".into(), ..skirmish("alone") };
    let seated = finished(&mut client, solitaire).await;
    let again = rematch(&mut client, &seated, 0).await;
    assert_eq!((again.seat, again.state().seats.len()), (0, 1));
    assert_eq!(sit(&mut client, &again).await.state().status(), MatchStatus::Running);

    // A seat that did not reveal has lost, which is a result; the next match binds its seats as well.
    let bound = v1::CreateMatchRequest { seats, entropy_mode, seed: None, ..skirmish("bound") };
    let made = client.create_match(bound).await.unwrap().into_inner();
    let entropy_commitment =
        edgehill_engine::dice::Entropy::from_bytes([5; 32]).commit(&made.id(), 0).unwrap();
    let bound = v1::JoinMatchRequest {
        entropy_commitment: entropy_commitment.as_bytes().to_vec(),
        ..join(&made.id(), "bound", 0)
    };
    let token = client.join_match(bound).await.unwrap().into_inner().seat_token;
    let reveal = v1::RevealEntropyRequest {
        match_id: made.id(),
        request_id: "reveal".into(),
        entropy: vec![5; 32],
        response_options: None,
    };
    client.reveal_entropy(by(&token, reveal)).await.unwrap();
    let seated = Seated { id: made.id(), tokens: vec![token, String::new()] };
    give_up(&mut client, &seated).await;
    let dice = rematch(&mut client, &seated, 0).await.config().dice.unwrap();
    assert_eq!(dice.entropy_mode(), v1::EntropyMode::CommitReveal);
}

#[tokio::test]
async fn a_match_of_a_group_has_a_rematch_of_its_own() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let ids = pair(&mut client, "pair").await;
    let mut tables = Vec::new();
    for id in ids {
        let mut tokens = Vec::new();
        for seat in 0..2 {
            let joined = client.join_match(join(&id, &format!("j{seat}"), seat)).await.unwrap().into_inner();
            tokens.push(joined.seat_token);
        }
        tables.push(Seated { id, tokens });
    }
    give_up(&mut client, &tables[0]).await;
    let dice = rematch(&mut client, &tables[0], 0).await.config().dice.unwrap();
    assert_eq!((dice.origin(), dice.group), (v1::SeedOrigin::Server, None));
}

#[tokio::test]
async fn only_players_of_a_match_that_is_finished_have_a_rematch() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let asked = || by(&seated.tokens[0], request(&seated.id, "r"));
    assert_eq!(reason(client.rematch_match(asked()).await), ErrorReason::MatchRunning);
    let other = finished(&mut client, skirmish("other")).await;
    let elsewhere = by(&other.tokens[0], request(&seated.id, "r"));
    assert_eq!(reason(client.rematch_match(elsewhere).await), ErrorReason::NotAllowed);
    assert_eq!(reason(client.rematch_match(request(&other.id, "r")).await), ErrorReason::BadToken);
    let nameless = by(&other.tokens[0], request(&other.id, ""));
    assert_eq!(reason(client.rematch_match(nameless).await), ErrorReason::InvalidField);

    let made = client.create_match(skirmish("waiting")).await.unwrap().into_inner();
    let joined = client.join_match(join(&made.id(), "w", 0)).await.unwrap().into_inner();
    let waits = || by(&joined.seat_token, request(&made.id(), "r"));
    assert_eq!(reason(client.rematch_match(waits()).await), ErrorReason::MatchNotStarted);
    let abort = v1::AbortMatchRequest {
        match_id: made.id(),
        request_id: "a".into(),
        creator_token: made.creator_token.clone(),
    };
    client.abort_match(abort).await.unwrap();
    assert_eq!(reason(client.rematch_match(waits()).await), ErrorReason::MatchAborted);
    assert_eq!(listed(&mut client).await, 3);
    running.draining.cancel();
    assert_eq!(reason(client.rematch_match(asked()).await), ErrorReason::Draining);
}

#[tokio::test]
async fn a_rematch_counts_like_any_match_of_the_one_who_asked_first() {
    let limits = Limits { open_matches: 1, ..Limits::default() };
    let running = Start { limits, ..Start::default() }.run().await;
    let mut client = running.client().await;
    let seated = finished(&mut client, skirmish("first")).await;
    let second = Seated::of(&mut client, skirmish("second")).await;
    let full = refusal(client.rematch_match(by(&seated.tokens[0], request(&seated.id, "r"))).await);
    assert_eq!(full.reason(), ErrorReason::LimitReached);
    assert!(full.message.contains("LIMIT_NAME_OPEN_MATCHES"), "{}", full.message);
    assert_eq!(listed(&mut client).await, 2);
    give_up(&mut client, &second).await;
    let again = rematch(&mut client, &seated, 0).await;
    // That it is there already costs nothing more.
    assert_eq!(rematch(&mut client, &seated, 1).await.id(), again.id());
    assert_eq!(reason(client.create_match(skirmish("third")).await), ErrorReason::LimitReached);
}

#[tokio::test]
async fn it_is_the_match_of_the_account_that_asked_first() {
    let keys = crate::accounts::Keys::new();
    let running = Start { accounts: keys.accounts(), ..Start::default() }.run().await;
    let mut client = running.client().await;
    let made = client.create_match(by(&keys.ada, skirmish("first"))).await.unwrap().into_inner();
    let mut tokens = Vec::new();
    for (seat, key) in [&keys.ada, &keys.bob].into_iter().enumerate() {
        let joined = client.join_match(by(key, join(&made.id(), "j", seat as u32))).await.unwrap();
        tokens.push(joined.into_inner().seat_token);
    }
    let seated = Seated { id: made.id(), tokens };
    give_up(&mut client, &seated).await;
    let again = rematch(&mut client, &seated, 1).await;
    assert_eq!(rematch(&mut client, &seated, 0).await.id(), again.id());
    let abort = || v1::AbortMatchRequest {
        match_id: again.id(),
        request_id: "a".into(),
        creator_token: String::new(),
    };
    assert_eq!(reason(client.abort_match(by(&keys.ada, abort())).await), ErrorReason::NotAllowed);
    client.abort_match(by(&keys.bob, abort())).await.unwrap();
    // There was one, and it came to nothing.
    let told = rematch(&mut client, &seated, 0).await;
    assert_eq!((told.id(), told.state().status()), (again.id(), MatchStatus::Aborted));
}

#[tokio::test]
async fn rules_that_are_gone_hinder_none_and_a_stopped_match_has_none() {
    let before: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let running = Start::on(before.clone()).run().await;
    let mut client = running.client().await;
    let gone = finished(&mut client, v1::CreateMatchRequest { seed: None, ..skirmish("gone") }).await;
    let stopped = finished(&mut client, v1::CreateMatchRequest { seed: None, ..skirmish("stopped") }).await;
    let after: Arc<dyn Store> = Arc::new(MemoryStore::new());
    for seated in [&gone, &stopped] {
        let id = seated.id.parse().unwrap();
        copy(&*before, &*after, id, |header| header.rules_version += 7, |_, _| {}).await;
    }
    let why = Quarantine { reason: "OPERATOR".into(), detail: "for the test".into(), since_ms: 1 };
    after.quarantine(stopped.id.parse().unwrap(), why).await.unwrap();
    let running = Start::on(after).run().await;
    let mut client = running.client().await;
    let now = running.host.registry().game("skirmish").unwrap().catalogue().rules_version;
    let again = rematch(&mut client, &gone, 0).await;
    assert_eq!(again.config().rules.unwrap().number, now);
    assert_eq!(gone.get(&mut client).await.config().rules.unwrap().number, now + 7);
    let refused = client.rematch_match(by(&stopped.tokens[0], request(&stopped.id, "r"))).await;
    assert_eq!(reason(refused), ErrorReason::Quarantined);
}

#[tokio::test(flavor = "multi_thread")]
async fn players_who_ask_at_once_get_one_match() {
    let running = Start::default().run().await;
    let seated = finished(&mut running.client().await, skirmish("first")).await;
    let mut tasks = Vec::new();
    for number in 0..16 {
        let (mut client, seated) = (running.client().await, seated.clone());
        tasks.push(tokio::spawn(async move { rematch(&mut client, &seated, number % 2).await.id() }));
    }
    let mut ids = Vec::new();
    for task in tasks {
        ids.push(task.await.unwrap());
    }
    assert!(ids.windows(2).all(|two| two[0] == two[1]), "{ids:?}");
    assert_eq!(listed(&mut running.client().await).await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_made_once_through_faults_restarts_and_archives() {
    let (file, flaky) = (File::new(), Flaky::new(7));
    let running = Start::on(file.open_with(Arc::clone(&flaky) as _)).run().await;
    let mut client = running.client().await;
    let mut tables = Vec::new();
    for number in 0..8 {
        tables.push(finished(&mut client, skirmish(&format!("m{number}"))).await);
    }
    // Half of them are archived before their rematch, and half behind it.
    for seated in &tables[..4] {
        running.host.archive(seated.id.parse().unwrap()).await.unwrap();
    }
    flaky.set(true);
    let mut ids = Vec::new();
    for seated in &tables {
        let id = loop {
            match client.rematch_match(by(&seated.tokens[0], request(&seated.id, "r"))).await {
                Ok(again) => break again.into_inner().id(),
                refused => assert_eq!(reason(refused), ErrorReason::StoreUnavailable),
            }
        };
        ids.push(id);
    }
    flaky.set(false);
    assert!(flaky.failed.load(Ordering::SeqCst) > 0);
    for seated in &tables[4..] {
        running.host.archive(seated.id.parse().unwrap()).await.unwrap();
    }
    drop(client);
    running.close().await;
    let running = Start::on(file.open()).run().await;
    let mut client = running.client().await;
    for (seated, id) in tables.iter().zip(&ids) {
        for seat in 0..2 {
            assert_eq!(rematch(&mut client, seated, seat).await.id(), *id);
        }
    }
    assert_eq!(listed(&mut client).await, 16);
}
