//! Matches made together: all of them or none, once, with whole seed groups.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use edgehill_proto::v1::match_plan::Seed;
use edgehill_proto::v1::{self, ErrorReason, MatchStatus, SeatKind};
use edgehill_service::clock::ManualClock;
use edgehill_service::limits::Limits;
use edgehill_service::store::{Faults, Moment};

use crate::kit::{
    HasMatch, Seated, assert_field, by, everything, exported, group_id, join, reason, refusal, resign,
    skirmish, soon, watch,
};
use crate::running::{Client, File, Start};
use crate::trouble::Flaky;

fn plan() -> v1::MatchPlan {
    v1::MatchPlan { game: "skirmish".into(), ..v1::MatchPlan::default() }
}

fn seat(kind: SeatKind, bot: &str) -> v1::SeatConfig {
    v1::SeatConfig { kind: kind.into(), bot: bot.into(), ..v1::SeatConfig::default() }
}

fn bots() -> v1::MatchPlan {
    v1::MatchPlan { seats: vec![seat(SeatKind::HouseBot, "random"); 2], ..plan() }
}

/// A match in a group of the request, in which these entrants take the seats.
fn grouped(group: u32, seat_entrants: &[u32]) -> v1::MatchPlan {
    let place = v1::GroupPlace { group, seat_entrants: seat_entrants.to_vec() };
    v1::MatchPlan { seed: Some(Seed::Group(place)), ..plan() }
}

fn request(id: &str, matches: Vec<v1::MatchPlan>) -> v1::CreateMatchesRequest {
    v1::CreateMatchesRequest {
        request_id: id.into(),
        matches,
        groups: Vec::new(),
        client_secret: vec![7; 32],
    }
}

/// So many mirrored pairs, each a group of its own.
fn pairs(id: &str, count: u32) -> v1::CreateMatchesRequest {
    let matches = (0..count).flat_map(|group| [grouped(group, &[0, 1]), grouped(group, &[1, 0])]);
    let groups = vec![v1::GroupPlan { entrants: 2 }; count as usize];
    v1::CreateMatchesRequest { groups, ..request(id, matches.collect()) }
}

async fn make(client: &mut Client, request: v1::CreateMatchesRequest) -> Vec<v1::CreateMatchResponse> {
    client.create_matches(request).await.unwrap().into_inner().created
}

/// The ids of all matches, in the order in which they were made.
async fn listed(client: &mut Client) -> Vec<String> {
    let (mut ids, mut page_token) = (Vec::new(), String::new());
    loop {
        let page = v1::ListMatchesRequest { page_token, ..v1::ListMatchesRequest::default() };
        let page = client.list_matches(page).await.unwrap().into_inner();
        ids.extend(page.matches.iter().map(HasMatch::id));
        page_token = page.next_page_token;
        if page_token.is_empty() {
            ids.reverse();
            return ids;
        }
    }
}

fn ids(made: &[v1::CreateMatchResponse]) -> Vec<String> {
    made.iter().map(HasMatch::id).collect()
}

/// Takes all seats of a match; with entropy of each entrant.
async fn sit(client: &mut Client, made: &v1::CreateMatchResponse, entrants: &[u8]) -> Seated {
    let mut tokens = Vec::new();
    for (seat, &entrant) in (0..).zip(entrants) {
        let request = v1::JoinMatchRequest {
            entropy: vec![entrant + 1; 32],
            response_options: everything(),
            ..join(&made.id(), &format!("j{seat}"), seat)
        };
        tokens.push(client.join_match(request).await.unwrap().into_inner().seat_token);
    }
    Seated { id: made.id(), tokens }
}

async fn state(client: &mut Client, id: &str) -> v1::MatchState {
    client.get_match(v1::GetMatchRequest { match_id: id.into() }).await.unwrap().into_inner().state()
}

#[tokio::test]
async fn matches_are_made_in_their_order_as_each_would_be_alone() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let invited =
        v1::MatchPlan { seats: vec![seat(SeatKind::Open, ""), seat(SeatKind::Invited, "")], ..plan() };
    let chosen = v1::MatchPlan { seed: Some(Seed::ChosenSeed(vec![3; 32])), ..invited.clone() };
    let other = v1::MatchPlan { game: "english-civil-war-iia".into(), ..plan() };
    let reveal = v1::MatchPlan { entropy_mode: v1::EntropyMode::CommitReveal.into(), ..plan() };
    let made = make(&mut client, request("r", vec![invited, chosen, other, reveal, bots()])).await;
    assert_eq!(ids(&made), listed(&mut client).await);
    let games: Vec<String> = made.iter().map(|one| one.config().game).collect();
    assert_eq!(games, ["skirmish", "skirmish", "english-civil-war-iia", "skirmish", "skirmish"]);
    let invitations: Vec<usize> = made.iter().map(|one| one.invitations.len()).collect();
    assert_eq!(invitations, [1, 1, 0, 0, 0]);
    let origins: Vec<_> = made.iter().map(|one| one.config().dice.unwrap().origin()).collect();
    assert_eq!(origins[..2], [v1::SeedOrigin::Server, v1::SeedOrigin::Chosen]);
    assert_eq!(made[3].config().dice.unwrap().entropy_mode(), v1::EntropyMode::CommitReveal);
    let commitments: std::collections::BTreeSet<_> =
        made.iter().map(|one| one.config().dice.unwrap().commitment).collect();
    assert_eq!(commitments.len(), 5, "each has a seed of its own, and the chosen one no commitment");
    // The bots play, whoever watches.
    let mut bots = client.watch_match(watch(&made[4].id(), None)).await.unwrap().into_inner();
    soon(async { while bots.message().await.unwrap().is_some() {} }).await;
    assert_eq!(state(&mut client, &made[4].id()).await.status(), MatchStatus::Finished);
    // An invitation lets in, and a creator token takes back.
    let invitation = made[0].invitations[0].invitation.clone();
    let invited = v1::JoinMatchRequest { invitation, ..join(&made[0].id(), "i", 1) };
    assert_eq!(client.join_match(invited).await.unwrap().into_inner().seat, 1);
    let abort = v1::AbortMatchRequest {
        match_id: made[1].id(),
        request_id: "a".into(),
        creator_token: made[1].creator_token.clone(),
    };
    client.abort_match(abort).await.unwrap();
    let seated = sit(&mut client, &made[2], &[0, 1]).await;
    assert!(seated.legal(&mut client, 0).await.to_act);
}

#[tokio::test]
async fn a_faulty_plan_is_named_and_nothing_is_made() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let with = |index: usize, faulty: v1::MatchPlan| {
        let mut matches = vec![plan(); 5];
        matches[index] = faulty;
        request("f", matches)
    };
    let bot =
        v1::MatchPlan { seats: vec![seat(SeatKind::Open, ""), seat(SeatKind::HouseBot, "x")], ..plan() };
    let chosen_reveal = v1::MatchPlan {
        seed: Some(Seed::ChosenSeed(vec![3; 32])),
        entropy_mode: v1::EntropyMode::CommitReveal.into(),
        ..plan()
    };
    let short = v1::MatchPlan { seed: Some(Seed::ChosenSeed(vec![3; 31])), ..plan() };
    let option = v1::OptionValue { id: "fog".into(), value: "1".into() };
    let clock = v1::MatchPlan { clock: Some(v1::ClockConfig::default()), ..plan() };
    let position = |json: &str| v1::MatchPlan { position_json: json.into(), ..plan() };
    let cases = [
        (with(3, bot), ErrorReason::UnknownBot, "matches[3].seats[1].bot"),
        (with(0, v1::MatchPlan { game: "chess".into(), ..plan() }), ErrorReason::UnknownGame, "matches[0]"),
        (with(4, chosen_reveal), ErrorReason::InvalidField, "matches[4].entropy_mode"),
        (with(1, short), ErrorReason::InvalidField, "matches[1].chosen_seed"),
        (
            with(2, v1::MatchPlan { options: vec![option], ..plan() }),
            ErrorReason::UnknownOption,
            "matches[2].options[0].id",
        ),
        (with(2, position("{")), ErrorReason::InvalidField, "matches[2].position_json"),
        (with(2, position(r#"{"turn": 99}"#)), ErrorReason::BadPosition, "matches[2].position_json.turn"),
        (with(2, clock), ErrorReason::InvalidField, "matches[2].clock"),
        (request("f", Vec::new()), ErrorReason::InvalidField, "matches"),
        (request("f", vec![plan(); 257]), ErrorReason::InvalidField, "matches"),
        (request("", vec![plan()]), ErrorReason::InvalidField, "request_id"),
        (
            v1::CreateMatchesRequest { client_secret: Vec::new(), ..request("f", vec![plan()]) },
            ErrorReason::InvalidField,
            "client_secret",
        ),
    ];
    for (faulty, reason, field) in cases {
        assert_field(client.create_matches(faulty).await, reason, field);
    }
    let refused = refusal(client.create_matches(with(3, v1::MatchPlan::default())).await);
    assert!(refused.message.starts_with("matches[3]: game ``"), "{}", refused.message);
    assert_eq!(listed(&mut client).await.len(), 0);
    // The id is free still.
    assert_eq!(make(&mut client, request("f", vec![plan(); 2])).await.len(), 2);
}

#[tokio::test]
async fn a_faulty_group_is_named_and_nothing_is_made() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let with = |change: fn(&mut v1::CreateMatchesRequest)| {
        let mut request = pairs("g", 2);
        change(&mut request);
        request
    };
    let cases = [
        (with(|all| all.matches.truncate(3)), ErrorReason::InvalidField, "groups[1]"),
        (with(|all| all.groups[1].entrants = 0), ErrorReason::InvalidField, "groups[1].entrants"),
        (with(|all| all.groups[0].entrants = 257), ErrorReason::InvalidField, "groups[0].entrants"),
        (
            with(|all| all.matches.push(grouped(2, &[0, 1]))),
            ErrorReason::InvalidField,
            "matches[4].group.group",
        ),
        (
            with(|all| all.matches[1] = grouped(0, &[0])),
            ErrorReason::InvalidField,
            "matches[1].group.seat_entrants",
        ),
        (
            with(|all| all.matches[3] = grouped(1, &[0, 2])),
            ErrorReason::InvalidField,
            "matches[3].group.seat_entrants",
        ),
        (
            with(|all| all.matches[2].entropy_mode = v1::EntropyMode::CommitReveal.into()),
            ErrorReason::InvalidField,
            "matches[2].entropy_mode",
        ),
        (
            with(|all| all.matches[3].position_json = r#"{"turn": 2}"#.into()),
            ErrorReason::GroupMismatch,
            "matches[3]",
        ),
        (
            with(|all| all.matches[1].game = "english-civil-war-iia".into()),
            ErrorReason::GroupMismatch,
            "matches[1]",
        ),
    ];
    for (faulty, reason, field) in cases {
        assert_field(client.create_matches(faulty).await, reason, field);
    }
    assert_eq!(listed(&mut client).await.len(), 0);
}

#[tokio::test]
async fn all_have_room_below_a_limit_or_none_is_made() {
    let limits = Limits { open_matches: 4, bot_matches: 2, ..Limits::default() };
    let running = Start { limits, ..Start::default() }.run().await;
    let mut client = running.client().await;
    let full = |answer: Result<tonic::Response<v1::CreateMatchesResponse>, tonic::Status>, limit: &str| {
        let refused = refusal(answer);
        assert_eq!(refused.reason(), ErrorReason::LimitReached);
        assert!(refused.message.contains(limit), "{}", refused.message);
    };
    full(client.create_matches(request("a", vec![plan(); 5])).await, "LIMIT_NAME_OPEN_MATCHES");
    full(client.create_matches(request("a", vec![bots(); 3])).await, "LIMIT_NAME_BOT_MATCHES");
    // Nothing of what was refused counts.
    let faulty = request("a", vec![plan(), v1::MatchPlan::default()]);
    assert_eq!(reason(client.create_matches(faulty).await), ErrorReason::UnknownGame);
    let made = make(&mut client, request("a", vec![plan(); 4])).await;
    full(client.create_matches(request("b", vec![plan()])).await, "LIMIT_NAME_OPEN_MATCHES");
    assert_eq!(reason(client.create_match(skirmish("c")).await), ErrorReason::LimitReached);
    // A repetition is none more.
    assert_eq!(make(&mut client, request("a", vec![plan(); 4])).await, made);
    let seated = sit(&mut client, &made[2], &[0, 1]).await;
    client.resign_match(by(&seated.tokens[0], resign(&seated.id, "r"))).await.unwrap();
    make(&mut client, request("b", vec![plan()])).await;
}

#[tokio::test]
async fn a_request_that_comes_again_makes_nothing_and_has_the_same_answer() {
    let file = File::new();
    // One that stands still: time in which the server is down puts deadlines off.
    let clock = Arc::new(ManualClock::new(1_700_000_000_000));
    let start = || Start { clock: clock.clone(), ..Start::on(file.open()) };
    let running = start().run().await;
    let mut client = running.client().await;
    let invited = v1::MatchPlan { seats: vec![seat(SeatKind::Invited, "")], ..plan() };
    let asked = || {
        let mut request = pairs("again", 2);
        request.matches.push(invited.clone());
        request
    };
    let made = make(&mut client, asked()).await;
    assert_eq!(make(&mut client, asked()).await, made);
    // The same in other words.
    let mut same = asked();
    same.matches[4].seats.push(seat(SeatKind::Open, ""));
    same.matches[4].entropy_mode = v1::EntropyMode::Open.into();
    assert_eq!(make(&mut client, same).await, made);
    let others: [fn(&mut v1::CreateMatchesRequest); 6] = [
        |all| drop(all.matches.pop()),
        |all| all.matches.push(plan()),
        |all| all.matches.swap(0, 1),
        |all| all.matches[4].seats.clear(),
        |all| all.groups[0].entrants = 3,
        |all| all.matches[0].game = "chess".into(),
    ];
    for change in others {
        let mut other = asked();
        change(&mut other);
        assert_eq!(reason(client.create_matches(other).await), ErrorReason::RequestIdReused);
    }
    // One request id is one of both methods.
    assert_eq!(reason(client.create_match(skirmish("again")).await), ErrorReason::RequestIdReused);
    let single = client.create_match(skirmish("single")).await.unwrap().into_inner();
    let as_bulk = request("single", vec![plan()]);
    assert_eq!(reason(client.create_matches(as_bulk).await), ErrorReason::RequestIdReused);
    // Whoever has another secret is somebody else.
    let elsewhere = v1::CreateMatchesRequest { client_secret: vec![8; 32], ..request("again", vec![plan()]) };
    let theirs = make(&mut client, elsewhere).await;
    assert_eq!(listed(&mut client).await.len(), 7);
    running.close().await;
    let running = start().run().await;
    let mut client = running.client().await;
    assert_eq!(make(&mut client, asked()).await, made);
    assert_eq!(client.create_match(skirmish("single")).await.unwrap().into_inner(), single);
    assert!(!ids(&made).contains(&theirs[0].id()));
    assert_eq!(listed(&mut client).await.len(), 7);
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_come_at_once_make_the_same_matches() {
    let running = Start::default().run().await;
    let mut tasks = Vec::new();
    for _ in 0..8 {
        let mut client = running.client().await;
        tasks.push(tokio::spawn(async move { make(&mut client, pairs("once", 4)).await }));
    }
    let mut made = Vec::new();
    for task in tasks {
        made.push(task.await.unwrap());
    }
    assert!(made.windows(2).all(|two| two[0] == two[1]));
    let mut client = running.client().await;
    assert_eq!(listed(&mut client).await, ids(&made[0]));
}

/// Fails all commits while it is told to.
#[derive(Debug, Default)]
struct Failing(AtomicBool);

impl Faults for Failing {
    fn at(&self, moment: Moment) -> Result<(), String> {
        let fails = self.0.load(Ordering::SeqCst) && matches!(moment, Moment::Commit { .. });
        if fails { Err("a fault of the test".to_owned()) } else { Ok(()) }
    }
}

#[tokio::test]
async fn a_store_that_fails_keeps_none_and_the_same_request_makes_all() {
    let (file, faults) = (File::new(), Arc::new(Failing::default()));
    let limits = Limits { open_matches: 8, ..Limits::default() };
    let running = Start { limits, ..Start::on(file.open_with(faults.clone())) }.run().await;
    let mut client = running.client().await;
    faults.0.store(true, Ordering::SeqCst);
    for _ in 0..3 {
        assert_eq!(reason(client.create_matches(pairs("f", 4)).await), ErrorReason::StoreUnavailable);
    }
    faults.0.store(false, Ordering::SeqCst);
    assert_eq!(listed(&mut client).await.len(), 0);
    // Nothing of it counts, either.
    let made = make(&mut client, pairs("f", 4)).await;
    assert_eq!(listed(&mut client).await, ids(&made));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_who_repeats_through_faults_ends_with_one_set() {
    let (file, flaky) = (File::new(), Flaky::new(11));
    let running = Start::on(file.open_with(flaky.clone())).run().await;
    let mut client = running.client().await;
    flaky.set(true);
    let mut made = Vec::new();
    for number in 0..10 {
        loop {
            match client.create_matches(pairs(&format!("r{number}"), 2)).await {
                Ok(all) => break made.extend(all.into_inner().created),
                refused => assert_eq!(reason(refused), ErrorReason::StoreUnavailable),
            }
        }
    }
    flaky.set(false);
    assert!(flaky.failed.load(Ordering::SeqCst) > 0);
    let mut all = ids(&made);
    all.sort_unstable();
    assert_eq!(listed(&mut client).await, all);
}

#[tokio::test]
async fn a_mirrored_pair_begins_and_reveals_as_one_that_was_made_one_by_one() {
    let file = File::new();
    let running = Start::on(file.open()).run().await;
    let mut client = running.client().await;
    let made = make(&mut client, pairs("p", 3)).await;
    let groups: Vec<String> = made.iter().map(group_id).collect();
    assert!(groups[0] == groups[1] && groups[2] == groups[3] && groups[0] != groups[2]);
    let commitment = |one: &v1::CreateMatchResponse| one.config().dice.unwrap().commitment;
    assert_eq!(commitment(&made[2]), commitment(&made[3]));
    assert_ne!(commitment(&made[0]), commitment(&made[2]));
    // Nobody else is told the id, and nobody adds to a group that is whole.
    let shown = state(&mut client, &made[2].id()).await;
    assert_eq!((shown.status(), shown.reveal), (MatchStatus::Waiting, None));
    let place =
        v1::SeedGroup { group_id: groups[1].clone(), seat_entrants: vec![0, 1], ..v1::SeedGroup::default() };
    let third = v1::CreateMatchRequest {
        seed: Some(v1::create_match_request::Seed::Group(place)),
        ..skirmish("third")
    };
    assert_eq!(reason(client.create_match(third).await), ErrorReason::GroupMismatch);

    let first = sit(&mut client, &made[2], &[0, 1]).await;
    assert_eq!(state(&mut client, &first.id).await.status(), MatchStatus::Waiting);
    // An entrant has one entropy in the group.
    let other = v1::JoinMatchRequest { entropy: vec![9; 32], ..join(&made[3].id(), "x", 0) };
    assert_eq!(reason(client.join_match(other).await), ErrorReason::EntropyMismatch);
    drop(client);
    running.close().await;
    let running = Start::on(file.open()).run().await;
    let mut client = running.client().await;
    let second = sit(&mut client, &made[3], &[1, 0]).await;
    for seated in [&first, &second] {
        assert_eq!(state(&mut client, &seated.id).await.status(), MatchStatus::Running);
    }
    assert_eq!(state(&mut client, &made[0].id()).await.status(), MatchStatus::Waiting, "another group");
    for seat in 0..2 {
        let hands = [first.legal(&mut client, seat).await, second.legal(&mut client, seat).await];
        assert_eq!(hands[0].legal_actions, hands[1].legal_actions);
    }
    client.resign_match(by(&first.tokens[0], resign(&first.id, "r"))).await.unwrap();
    assert_eq!(state(&mut client, &first.id).await.reveal, None, "the other match goes on");
    client.resign_match(by(&second.tokens[0], resign(&second.id, "r"))).await.unwrap();
    let reveals = [
        state(&mut client, &first.id).await.reveal.unwrap(),
        state(&mut client, &second.id).await.reveal.unwrap(),
    ];
    assert_eq!(reveals[0], reveals[1]);
    assert_eq!((&reveals[0].group_id, reveals[0].entropies.len()), (&groups[2], 2));
    assert_eq!(reveals[0].entropies, [vec![1; 32], vec![2; 32]]);
    let record =
        exported(client.export_record(v1::ExportRecordRequest { match_id: first.id.clone() }).await).await;
    assert!(record.unwrap().complete);
}

#[tokio::test]
async fn a_whole_group_of_house_bots_plays_by_itself() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let mut asked = pairs("b", 2);
    asked.matches.iter_mut().for_each(|plan| plan.seats = bots().seats);
    for id in ids(&make(&mut client, asked).await) {
        let mut watched = client.watch_match(watch(&id, None)).await.unwrap().into_inner();
        soon(async { while watched.message().await.unwrap().is_some() {} }).await;
        assert_eq!(state(&mut client, &id).await.status(), MatchStatus::Finished);
    }
}

#[tokio::test]
async fn as_many_as_one_call_takes_are_made_in_one_transaction() {
    let file = File::new();
    let running = Start::on(file.open()).run().await;
    let mut client = running.client().await;
    let before = running.store.stats().transactions;
    let made = make(&mut client, pairs("256", 128)).await;
    assert_eq!(running.store.stats().transactions - before, 1);
    assert_eq!(made.len(), 256);
    assert_eq!(listed(&mut client).await, ids(&made));
    // One group of all of them.
    let mut one = request("one", (0..256).map(|_| grouped(0, &[0, 1])).collect());
    one.groups = vec![v1::GroupPlan { entrants: 2 }];
    let group = make(&mut client, one.clone()).await;
    let filter =
        v1::ListMatchesRequest { group_id: group_id(&group[0]), ..v1::ListMatchesRequest::default() };
    let page = client.list_matches(filter).await.unwrap().into_inner();
    assert!(page.matches.len() == 100 && !page.next_page_token.is_empty());
    assert_eq!(make(&mut client, one).await, group);
}

#[tokio::test]
async fn those_who_may_not_make_a_match_make_none() {
    let keys = crate::accounts::Keys::new();
    let running = Start { accounts: keys.accounts(), ..Start::default() }.run().await;
    let mut client = running.client().await;
    let asked = || request("k", vec![plan(); 2]);
    assert_eq!(reason(client.create_matches(asked()).await), ErrorReason::BadToken);
    assert_eq!(reason(client.create_matches(by(&keys.eve, asked())).await), ErrorReason::NotAllowed);
    let mine = client.create_matches(by(&keys.ada, asked())).await.unwrap().into_inner();
    let theirs = client.create_matches(by(&keys.bob, asked())).await.unwrap().into_inner();
    assert!(mine.created.iter().all(|one| !ids(&theirs.created).contains(&one.id())));
    running.draining.cancel();
    assert_eq!(reason(client.create_matches(by(&keys.ada, asked())).await), ErrorReason::Draining);
}
