//! Seeks: who is brought together, in which order and seats; what is refused; and that a pairing happens once.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use edgehill_proto::prost_types;
use edgehill_proto::v1::{self, ErrorReason, MatchStatus, SeatKind};
use edgehill_service::clock::{Clock, ManualClock};
use edgehill_service::entropy::SeededEntropy;
use edgehill_service::limits::Limits;
use edgehill_service::store::MemoryStore;
use tonic::{Code, Status, Streaming};

use crate::accounts::Keys;
use crate::kit::{HasMatch, assert_field, by, reason, refusal, skirmish, soon, timestamp};
use crate::running::{Client, File, Running, Start};
use crate::trouble::Flaky;

/// One who seeks without an account, by their secret.
pub(crate) fn seek(name: &str) -> v1::SeekMatchRequest {
    let mut client_secret = name.as_bytes().to_vec();
    client_secret.resize(32, 0);
    v1::SeekMatchRequest {
        request_id: "seek".into(),
        game: "skirmish".into(),
        client_secret,
        ..v1::SeekMatchRequest::default()
    }
}

/// A seek with this account's key.
fn keyed(key: &str, request: v1::SeekMatchRequest) -> tonic::Request<v1::SeekMatchRequest> {
    by(key, v1::SeekMatchRequest { client_secret: Vec::new(), ..request })
}

/// A seek that is open.
struct Seeking {
    stream: Streaming<v1::SeekMatchResponse>,
    /// The count that came last.
    count: v1::SeekCount,
}

impl Seeking {
    /// Opens a seek, and waits until it is in.
    async fn open(client: &mut Client, request: impl tonic::IntoRequest<v1::SeekMatchRequest>) -> Self {
        let mut stream = client.seek_match(request).await.unwrap().into_inner();
        let first = soon(stream.message()).await.unwrap().expect("a count");
        Self { stream, count: first.seeking.expect("a count at once") }
    }

    /// The end of the stream: the seat, or why there is none.
    async fn end(&mut self) -> Result<v1::PairedSeat, Status> {
        loop {
            let item = soon(self.stream.message()).await?.expect("no stream ends without a word");
            if let Some(paired) = item.paired {
                assert_eq!(item.seeking, None);
                assert_eq!(soon(self.stream.message()).await?, None, "nothing comes after it");
                return Ok(paired);
            }
            self.count = item.seeking.expect("one of both");
        }
    }

    async fn paired(&mut self) -> v1::PairedSeat {
        self.end().await.unwrap()
    }
}

/// Takes the seat that was kept, with entropy.
async fn sit(client: &mut Client, paired: &v1::PairedSeat, name: &str) -> v1::JoinMatchResponse {
    let request = v1::JoinMatchRequest {
        match_id: paired.id(),
        request_id: format!("sit {name}"),
        seat: Some(paired.seat),
        invitation: paired.invitation.clone(),
        entropy: vec![9; 32],
        client_secret: seek(name).client_secret,
        ..v1::JoinMatchRequest::default()
    };
    client.join_match(request).await.unwrap().into_inner()
}

async fn listed(client: &mut Client) -> usize {
    client.list_matches(v1::ListMatchesRequest::default()).await.unwrap().into_inner().matches.len()
}

async fn state(client: &mut Client, id: &str) -> v1::MatchState {
    client.get_match(v1::GetMatchRequest { match_id: id.into() }).await.unwrap().into_inner().state()
}

fn seconds(seconds: i64) -> Option<prost_types::Duration> {
    Some(prost_types::Duration { seconds, nanos: 0 })
}

#[tokio::test]
async fn two_who_want_the_same_get_a_seat_each_of_a_match_that_they_begin() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let bank = Some(v1::ClockConfig { bank: seconds(600), ..v1::ClockConfig::default() });
    let with_clock = |name| v1::SeekMatchRequest { clock: bank, ..seek(name) };
    let mut ada = Seeking::open(&mut client, with_clock("ada")).await;
    assert_eq!(ada.count, v1::SeekCount { same_terms: 1, same_game: 1 });
    assert_eq!(listed(&mut client).await, 0);
    let mut bob = Seeking::open(&mut client, with_clock("bob")).await;
    let (ada, bob) = (ada.paired().await, bob.paired().await);
    assert_eq!((ada.id(), ada.seat + bob.seat), (bob.id(), 1));
    assert_ne!(ada.invitation, bob.invitation);
    let config = ada.config();
    assert_eq!((config.game.as_str(), config.clock.unwrap().bank), ("skirmish", seconds(600)));
    let dice = config.dice.unwrap();
    assert_eq!((dice.origin(), dice.commitment.len()), (v1::SeedOrigin::Server, 32));
    let waits = ada.state();
    assert_eq!(waits.status(), MatchStatus::Waiting);
    assert!(waits.seats.iter().all(|seat| seat.kind() == SeatKind::Invited && !seat.joined));
    // Each takes the seat that is theirs, and no other, with entropy made after the commitment.
    let stolen = v1::PairedSeat { seat: bob.seat, ..ada.clone() };
    let refused = client.join_match(v1::JoinMatchRequest {
        match_id: stolen.id(),
        request_id: "steal".into(),
        seat: Some(stolen.seat),
        invitation: stolen.invitation.clone(),
        client_secret: vec![1; 32],
        ..v1::JoinMatchRequest::default()
    });
    assert_eq!(reason(refused.await), ErrorReason::BadInvitation);
    assert_eq!(sit(&mut client, &ada, "ada").await.seat, ada.seat);
    let last = sit(&mut client, &bob, "bob").await;
    assert_eq!(last.state().status(), MatchStatus::Running);
    assert!(last.state().seats.iter().all(|seat| seat.entropy() == v1::EntropyState::Given));
    assert_eq!(listed(&mut client).await, 1);
}

#[tokio::test]
async fn who_has_sought_for_longest_is_paired_first() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let north = |name| v1::SeekMatchRequest { seat: Some(0), ..seek(name) };
    let mut waiting = Vec::new();
    for name in ["a", "b", "c"] {
        waiting.push(Seeking::open(&mut client, north(name)).await);
    }
    assert_eq!(waiting[2].count, v1::SeekCount { same_terms: 3, same_game: 3 });
    for first in &mut waiting {
        let mut comes = Seeking::open(&mut client, seek(&format!("any {}", first.count.same_terms))).await;
        let (first, comes) = (first.paired().await, comes.paired().await);
        assert_eq!((first.seat, comes.seat, first.id()), (0, 1, comes.id()));
    }
}

#[tokio::test]
async fn wishes_for_a_side_are_kept_and_two_of_one_wish_wait_for_others() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let of = |name, seat| v1::SeekMatchRequest { seat: Some(seat), ..seek(name) };
    let mut one = Seeking::open(&mut client, of("one", 1)).await;
    let mut two = Seeking::open(&mut client, of("two", 1)).await;
    let mut three = Seeking::open(&mut client, of("three", 0)).await;
    let (one, three) = (one.paired().await, three.paired().await);
    assert_eq!((one.seat, three.seat, one.id()), (1, 0, three.id()));
    let mut four = Seeking::open(&mut client, seek("four")).await;
    let (two, four) = (two.paired().await, four.paired().await);
    assert_eq!((two.seat, four.seat, two.id()), (1, 0, four.id()));
    assert_ne!(one.id(), two.id());
}

#[tokio::test]
async fn sides_that_nobody_wishes_for_are_drawn() {
    let entropy = Arc::new(SeededEntropy::new(5));
    let running = Start { entropy, ..Start::default() }.run().await;
    let mut client = running.client().await;
    let mut firsts = [0; 2];
    for number in 0..24 {
        let ask = |name: &str| v1::SeekMatchRequest { request_id: format!("{number}"), ..seek(name) };
        let mut ada = Seeking::open(&mut client, ask("ada")).await;
        let mut bob = Seeking::open(&mut client, ask("bob")).await;
        firsts[ada.paired().await.seat as usize] += 1;
        bob.paired().await;
    }
    assert!(firsts.iter().all(|count| (4..=20).contains(count)), "{firsts:?}");
}

#[tokio::test]
async fn other_terms_do_not_fit_and_defaults_are_terms_like_any() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seek = |name| v1::SeekMatchRequest { game: "english-civil-war-iia".into(), ..seek(name) };
    let catalogue = running.host.registry().game("english-civil-war-iia").unwrap().catalogue();
    let option = &catalogue.options[0];
    let setup = edgehill_engine::setup::Setup::default_of(catalogue);
    let value = option.kind.print(setup.option(0));
    let named = v1::SeekMatchRequest {
        scenario: catalogue.scenarios[0].id.to_owned(),
        options: vec![v1::OptionValue { id: option.id.to_owned(), value }],
        ..seek("named")
    };
    let limit = Some(v1::ClockConfig { decision_limit: seconds(60), ..v1::ClockConfig::default() });
    let mut clocked =
        Seeking::open(&mut client, v1::SeekMatchRequest { clock: limit, ..seek("clocked") }).await;
    let commit = v1::EntropyMode::CommitReveal.into();
    let bound = v1::SeekMatchRequest { entropy_mode: commit, ..seek("bound") };
    let mut bound = Seeking::open(&mut client, bound).await;
    let mut plain = Seeking::open(&mut client, seek("plain")).await;
    assert_eq!(plain.count, v1::SeekCount { same_terms: 1, same_game: 3 });
    let mut other =
        Seeking::open(&mut client, v1::SeekMatchRequest { game: "skirmish".into(), ..seek("o") }).await;
    assert_eq!(other.count, v1::SeekCount { same_terms: 1, same_game: 1 });
    let mut named = Seeking::open(&mut client, named).await;
    assert_eq!(named.paired().await.id(), plain.paired().await.id());
    let mut again =
        Seeking::open(&mut client, v1::SeekMatchRequest { entropy_mode: commit, ..seek("again") }).await;
    let dice = bound.paired().await.config().dice.unwrap();
    assert_eq!(dice.entropy_mode(), v1::EntropyMode::CommitReveal);
    again.paired().await;
    // The others are where they were.
    running.draining.cancel();
    for seeking in [&mut clocked, &mut other] {
        assert_eq!(reason(seeking.end().await), ErrorReason::Draining);
    }
    assert_eq!(reason(client.seek_match(seek("late")).await), ErrorReason::Draining);
}

#[tokio::test]
async fn nobody_is_paired_with_themselves() {
    let keys = Keys::new();
    let running = Start { accounts: keys.accounts(), ..Start::default() }.run().await;
    let mut client = running.client().await;
    let of = |id: &str| v1::SeekMatchRequest { request_id: id.into(), ..seek("") };
    let mut first = Seeking::open(&mut client, keyed(&keys.ada, of("1"))).await;
    // With a secret of its own, too.
    let secret = v1::SeekMatchRequest { client_secret: vec![5; 32], ..of("2") };
    let mut second = Seeking::open(&mut client, by(&keys.ada, secret)).await;
    assert_eq!(second.count, v1::SeekCount { same_terms: 2, same_game: 2 });
    let mut bob = Seeking::open(&mut client, keyed(&keys.bob, of("1"))).await;
    let paired = bob.paired().await;
    assert_eq!(first.paired().await.id(), paired.id());
    let mut again = Seeking::open(&mut client, keyed(&keys.bob, of("2"))).await;
    assert_eq!(second.paired().await.id(), again.paired().await.id());
    // The match is none of theirs to take back.
    let abort =
        v1::AbortMatchRequest { match_id: paired.id(), request_id: "a".into(), creator_token: String::new() };
    assert_eq!(reason(client.abort_match(by(&keys.ada, abort.clone())).await), ErrorReason::NotAllowed);
    client.abort_match(by(&keys.chief, abort)).await.unwrap();
    // Those who don't play seek nothing.
    assert_eq!(reason(client.seek_match(keyed(&keys.eve, of("3"))).await), ErrorReason::NotAllowed);
    assert_eq!(reason(client.seek_match(seek("nobody")).await), ErrorReason::BadToken);
}

#[tokio::test]
async fn a_seek_that_is_asked_for_again_is_the_same_one() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let north = |name| v1::SeekMatchRequest { seat: Some(0), ..seek(name) };
    let mut old = Seeking::open(&mut client, north("ada")).await;
    let mut behind = Seeking::open(&mut client, north("ben")).await;
    // The newer stream has it, with the place of the older one.
    let mut newer = Seeking::open(&mut client, north("ada")).await;
    assert_eq!(newer.count, v1::SeekCount { same_terms: 2, same_game: 2 });
    let taken = refusal(old.end().await);
    assert_eq!((taken.reason(), taken.code), (ErrorReason::OpenedElsewhere, Code::Aborted as i32));
    let other = v1::SeekMatchRequest { seat: Some(1), ..seek("ada") };
    assert_eq!(reason(client.seek_match(other.clone()).await), ErrorReason::RequestIdReused);
    let mut bob = Seeking::open(&mut client, seek("bob")).await;
    let paired = bob.paired().await;
    assert_eq!(newer.paired().await.id(), paired.id());
    // After the pairing: the same seat, without a count before it, however long one would wait.
    let mut again = client
        .seek_match(v1::SeekMatchRequest { wait: seconds(1), ..north("ada") })
        .await
        .unwrap()
        .into_inner();
    let told = soon(again.message()).await.unwrap().unwrap().paired.expect("the seat");
    assert_eq!((told.id(), told.seat), (paired.id(), 0));
    assert_eq!(reason(client.seek_match(other).await), ErrorReason::RequestIdReused);
    // The same id of somebody else is another seek.
    let eve = Seeking::open(&mut client, north("eve")).await;
    let mut dan = Seeking::open(&mut client, seek("dan")).await;
    assert_eq!(behind.paired().await.id(), dan.paired().await.id());
    assert_eq!(eve.count.same_terms, 2);
}

#[tokio::test]
async fn a_client_that_goes_takes_its_seek_back() {
    let clock = Arc::new(ManualClock::new(1_700_000_000_000));
    let running = Start { clock: clock.clone(), ..Start::default() }.run().await;
    let mut client = running.client().await;
    let north = |name| v1::SeekMatchRequest { seat: Some(0), ..seek(name) };
    let gone = Seeking::open(&mut client, north("gone")).await;
    let mut stays = Seeking::open(&mut client, north("stays")).await;
    assert_eq!(stays.count.same_terms, 2);
    drop(gone);
    // The server hears of it a moment later.
    while stays.count.same_terms > 1 {
        clock.advance(Duration::from_secs(15));
        let item = soon(stays.stream.message()).await.unwrap().unwrap();
        stays.count = item.seeking.unwrap();
    }
    let mut comes = Seeking::open(&mut client, seek("comes")).await;
    assert_eq!(stays.paired().await.id(), comes.paired().await.id());
}

#[tokio::test]
async fn a_seek_expires_and_tells_meanwhile_how_many_seek() {
    let clock = Arc::new(ManualClock::new(1_700_000_000_000));
    let running = Start { clock: clock.clone(), ..Start::default() }.run().await;
    let mut client = running.client().await;
    let asked = v1::SeekMatchRequest { wait: seconds(40), seat: Some(1), ..seek("ada") };
    let mut ada = Seeking::open(&mut client, asked.clone()).await;
    let mut ben = Seeking::open(&mut client, v1::SeekMatchRequest { seat: Some(1), ..seek("ben") }).await;
    clock.advance(Duration::from_secs(15));
    let count = soon(ada.stream.message()).await.unwrap().unwrap().seeking.unwrap();
    assert_eq!(count, v1::SeekCount { same_terms: 2, same_game: 2 });
    clock.advance(Duration::from_secs(24));
    soon(ada.stream.message()).await.unwrap().unwrap();
    clock.advance(Duration::from_secs(1));
    let expired = refusal(ada.end().await);
    assert_eq!((expired.reason(), expired.code), (ErrorReason::SeekExpired, Code::DeadlineExceeded as i32));
    assert_eq!(expired.retry_after, None);
    // It is gone, and the same request seeks anew.
    let mut eve = Seeking::open(&mut client, seek("eve")).await;
    ben.paired().await;
    eve.paired().await;
    let mut again = Seeking::open(&mut client, asked).await;
    assert_eq!(again.count.same_terms, 1);
    let mut cat = Seeking::open(&mut client, seek("cat")).await;
    assert_eq!(again.paired().await.id(), cat.paired().await.id());
}

#[tokio::test]
async fn a_match_of_which_one_does_not_come_expires_before_others_do() {
    let clock = Arc::new(ManualClock::new(1_700_000_000_000));
    let limits = Limits { paired_seconds: 30, waiting_seconds: 500, ..Limits::default() };
    let file = File::new();
    let running = Start { clock: clock.clone(), limits, ..Start::on(file.open()) }.run().await;
    let mut client = running.client().await;
    let plain = client.create_match(skirmish("plain")).await.unwrap().into_inner().id();
    let mut tokens = Vec::new();
    for round in ["1", "2"] {
        let ask = |name| v1::SeekMatchRequest { request_id: round.into(), ..seek(name) };
        let mut ada = Seeking::open(&mut client, ask("ada")).await;
        let mut bob = Seeking::open(&mut client, ask("bob")).await;
        let paired = ada.paired().await;
        bob.paired().await;
        assert_eq!(paired.state().expire_time, Some(timestamp(clock.unix_ms() + 30_000)));
        tokens.push((paired.id(), sit(&mut client, &paired, "ada").await.seat_token));
        if round == "1" {
            clock.advance(Duration::from_secs(30));
            assert_eq!(crate::expiry::end(&mut client, &paired.id()).await.status(), MatchStatus::Expired);
        }
    }
    // The second one's time runs on after a start.
    clock.advance(Duration::from_secs(10));
    drop(client);
    running.close().await;
    let running = Start { clock: clock.clone(), limits, ..Start::on(file.open()) }.run().await;
    let mut client = running.client().await;
    let (second, token) = &tokens[1];
    assert_eq!(state(&mut client, second).await.status(), MatchStatus::Waiting);
    clock.advance(Duration::from_secs(20));
    assert_eq!(crate::expiry::end(&mut client, second).await.status(), MatchStatus::Expired);
    let leave = v1::LeaveMatchRequest { match_id: second.clone(), request_id: "l".into() };
    assert_eq!(reason(client.leave_match(by(token, leave)).await), ErrorReason::MatchExpired);
    assert_eq!(state(&mut client, &plain).await.status(), MatchStatus::Waiting);
    // Their requests lead to it still, and seek nobody any more.
    let request = v1::SeekMatchRequest { request_id: "2".into(), ..seek("bob") };
    let mut again = client.seek_match(request).await.unwrap().into_inner();
    let told = soon(again.message()).await.unwrap().unwrap().paired.unwrap();
    assert_eq!((told.id(), told.state().status()), (second.clone(), MatchStatus::Expired));
}

#[tokio::test]
async fn seeks_are_bounded_by_caller_and_server_and_count_as_streams_and_matches() {
    let limits = Limits { seeks: 2, server_seeks: 2, ..Limits::default() };
    let running = Start { limits, ..Start::default() }.run().await;
    let mut client = running.client().await;
    let north = |name| v1::SeekMatchRequest { seat: Some(0), ..seek(name) };
    let mut first = Seeking::open(&mut client, north("a")).await;
    let _second = Seeking::open(&mut client, north("b")).await;
    let full = refusal(client.seek_match(north("c")).await);
    assert_eq!(full.reason(), ErrorReason::LimitReached);
    assert!(full.message.contains("LIMIT_NAME_SEEKS"), "{}", full.message);
    // A seek that is taken over needs no more room.
    let _newer = Seeking::open(&mut client, north("a")).await;
    assert_eq!(reason(first.end().await), ErrorReason::OpenedElsewhere);

    let keys = Keys::new();
    let limits = Limits { seeks: 2, server_seeks: 1, open_matches: 1, ..Limits::default() };
    let running = Start { limits, accounts: keys.accounts(), ..Start::default() }.run().await;
    let mut client = running.client().await;
    let ada = Seeking::open(&mut client, keyed(&keys.ada, north(""))).await;
    let full = refusal(client.seek_match(keyed(&keys.bob, north(""))).await);
    assert!(full.message.contains("LIMIT_NAME_SERVER_SEEKS"), "{}", full.message);
    // The match that may come of it counts already.
    let create = v1::CreateMatchRequest { client_secret: Vec::new(), ..skirmish("c") };
    let full = refusal(client.create_match(by(&keys.ada, create.clone())).await);
    assert!(full.message.contains("LIMIT_NAME_OPEN_MATCHES"), "{}", full.message);
    drop(ada.stream);
    let made = loop {
        match client.create_match(by(&keys.ada, create.clone())).await {
            Ok(made) => break made.into_inner(),
            full => assert_eq!(reason(full), ErrorReason::LimitReached),
        }
    };
    assert!(!made.creator_token.is_empty());
    let full = refusal(client.seek_match(keyed(&keys.ada, north(""))).await);
    assert!(full.message.contains("LIMIT_NAME_OPEN_MATCHES"), "{}", full.message);

    let limits = Limits { streams: 1, ..Limits::default() };
    let running = Start { limits, ..Start::default() }.run().await;
    let mut client = running.client().await;
    let _open = Seeking::open(&mut client, north("a")).await;
    let full = refusal(client.seek_match(north("b")).await);
    assert!(full.message.contains("LIMIT_NAME_STREAMS"), "{}", full.message);
}

#[tokio::test]
async fn a_match_of_callers_who_were_paired_counts_with_the_one_who_sought_first() {
    let keys = Keys::new();
    let limits = Limits { open_matches: 1, ..Limits::default() };
    let store = Arc::new(MemoryStore::new());
    let start = Start { limits, accounts: keys.accounts(), ..Start::on(store) };
    let running = start.clone().run().await;
    let mut client = running.client().await;
    let ask = |id: &str| v1::SeekMatchRequest { request_id: id.into(), ..seek("") };
    let mut ada = Seeking::open(&mut client, keyed(&keys.ada, ask("1"))).await;
    let mut bob = Seeking::open(&mut client, keyed(&keys.bob, ask("1"))).await;
    ada.paired().await;
    bob.paired().await;
    let create = |id| v1::CreateMatchRequest { client_secret: Vec::new(), ..skirmish(id) };
    assert_eq!(reason(client.create_match(by(&keys.ada, create("a"))).await), ErrorReason::LimitReached);
    drop(running);
    let running = start.run().await;
    let mut client = running.client().await;
    assert_eq!(reason(client.create_match(by(&keys.ada, create("a"))).await), ErrorReason::LimitReached);
    client.create_match(by(&keys.bob, create("b"))).await.unwrap();
}

#[tokio::test]
async fn what_can_not_be_sought_is_refused_with_what_would_be_accepted() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let invalid = ErrorReason::InvalidField;
    let cases = [
        (v1::SeekMatchRequest { request_id: String::new(), ..seek("a") }, invalid, "request_id"),
        (v1::SeekMatchRequest { client_secret: vec![], ..seek("a") }, invalid, "client_secret"),
        (v1::SeekMatchRequest { seat: Some(2), ..seek("a") }, invalid, "seat"),
        (v1::SeekMatchRequest { seat: Some(u32::MAX), ..seek("a") }, invalid, "seat"),
        (v1::SeekMatchRequest { wait: seconds(0), ..seek("a") }, invalid, "wait"),
        (v1::SeekMatchRequest { wait: seconds(-1), ..seek("a") }, invalid, "wait"),
        (v1::SeekMatchRequest { wait: seconds(3_601), ..seek("a") }, invalid, "wait"),
        (v1::SeekMatchRequest { entropy_mode: 9, ..seek("a") }, invalid, "entropy_mode"),
        (v1::SeekMatchRequest { clock: Some(v1::ClockConfig::default()), ..seek("a") }, invalid, "clock"),
        (
            v1::SeekMatchRequest { game: "cruel-necessity".into(), ..seek("a") },
            ErrorReason::NoOpponent,
            "game",
        ),
    ];
    for (request, expected, field) in cases {
        assert_field(client.seek_match(request).await, expected, field);
    }
    let unknown = v1::SeekMatchRequest { game: "chess".into(), ..seek("a") };
    assert_eq!(reason(client.seek_match(unknown).await), ErrorReason::UnknownGame);
    let unknown = v1::SeekMatchRequest { scenario: "none".into(), ..seek("a") };
    assert_eq!(reason(client.seek_match(unknown).await), ErrorReason::UnknownScenario);
    let rules = Some(v1::RulesVersion { number: 9_999, content_hash: Vec::new() });
    let changed = v1::SeekMatchRequest { rules, ..seek("a") };
    assert_eq!(reason(client.seek_match(changed).await), ErrorReason::RulesChanged);
    // Nothing of all that seeks.
    assert_eq!(Seeking::open(&mut client, seek("a")).await.count.same_game, 1);
}

/// Everybody's seat, asked for again and again until the server answers.
async fn insist(running: &Running, request: &v1::SeekMatchRequest) -> v1::PairedSeat {
    let mut client = running.client().await;
    loop {
        let mut stream = match client.seek_match(request.clone()).await {
            Ok(stream) => stream.into_inner(),
            refused => {
                assert_eq!(reason(refused), ErrorReason::StoreUnavailable);
                continue;
            }
        };
        loop {
            match soon(stream.message()).await {
                Ok(Some(v1::SeekMatchResponse { paired: Some(paired), .. })) => return paired,
                Ok(Some(_)) => {}
                Ok(None) => panic!("no stream ends without a word"),
                refused => {
                    let reason = reason(refused);
                    assert!(
                        [ErrorReason::StoreUnavailable, ErrorReason::OpenedElsewhere].contains(&reason),
                        "{reason:?}"
                    );
                    break;
                }
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pairing_happens_once_through_faults_lost_streams_and_restarts() {
    let (file, flaky) = (File::new(), Flaky::new(11));
    let running = Arc::new(Start::on(file.open_with(Arc::clone(&flaky) as _)).run().await);
    flaky.set(true);
    let mut tasks = Vec::new();
    for number in 0..16_u32 {
        let running = Arc::clone(&running);
        // One alone, so that all can be paired in whatever order they come.
        let wish = (number == 0).then_some(1);
        let request = v1::SeekMatchRequest { seat: wish, ..seek(&format!("player {number}")) };
        tasks.push(tokio::spawn(async move {
            let mut client = running.client().await;
            if number % 3 == 0
                && let Ok(stream) = client.seek_match(request.clone()).await
            {
                // It goes at once, whatever has become of it.
                drop(stream);
            }
            (insist(&running, &request).await, request)
        }));
    }
    let mut seats = Vec::new();
    for task in tasks {
        let (paired, request) = task.await.unwrap();
        assert!(request.seat.is_none_or(|seat| seat == paired.seat));
        seats.push((paired, request));
    }
    flaky.set(false);
    assert!(flaky.failed.load(Ordering::SeqCst) > 0);
    // Every seat of every match is one player's.
    let mut taken: Vec<(String, u32)> = seats.iter().map(|(paired, _)| (paired.id(), paired.seat)).collect();
    taken.sort();
    taken.dedup();
    assert_eq!(taken.len(), 16);
    assert!(taken.chunks(2).all(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1), "{taken:?}");
    assert_eq!(listed(&mut running.client().await).await, 8);
    let running = Arc::into_inner(running).expect("all have ended");
    running.close().await;
    let running = Start::on(file.open()).run().await;
    let mut client = running.client().await;
    for (paired, request) in &seats {
        let mut again = client.seek_match(request.clone()).await.unwrap().into_inner();
        let told = soon(again.message()).await.unwrap().unwrap().paired.unwrap();
        assert_eq!((told.id(), told.seat, &told.invitation), (paired.id(), paired.seat, &paired.invitation));
    }
    assert_eq!(listed(&mut client).await, 8);
}
