//! House bots have a share of their own: so many threads, so many matches that they play alone, and no more.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use edgehill_engine::action::ActionId;
use edgehill_engine::bot::{Bot, HouseBot, Random};
use edgehill_engine::game::Game;
use edgehill_engine::games::skirmish::Skirmish;
use edgehill_engine::registry::{Hosted, Registry};
use edgehill_engine::view::View;
use edgehill_proto::v1::{self, LimitName, MatchStatus};
use edgehill_service::host::HostCapacity;
use edgehill_service::limits::Limits;
use edgehill_service::store::Store;
use tokio::task::JoinSet;

use crate::accounts::Keys;
use crate::kit::{HasMatch, by, join, refusal, resign, skirmish, soon};
use crate::running::{Client, File, Running, Start};
use crate::trouble::Full;

const LIMITS: (usize, usize) = (3, 5);

/// A match of a game in which house bots have the first `bots` seats.
fn with_bots(game: &str, name: &str, bots: usize) -> v1::CreateMatchRequest {
    let bot = v1::SeatConfig {
        kind: v1::SeatKind::HouseBot.into(),
        bot: "random".into(),
        ..v1::SeatConfig::default()
    };
    v1::CreateMatchRequest { game: game.into(), seats: vec![bot; bots], ..skirmish(name) }
}

/// Ids of the matches that were made of `requests` sent all at once by the holder of `key`, and the limits that the others met.
async fn make_at_once(
    running: &Running,
    key: &str,
    requests: impl Iterator<Item = v1::CreateMatchRequest>,
) -> (Vec<String>, Vec<String>) {
    let client = running.client().await;
    let mut calls = JoinSet::new();
    for request in requests {
        let (mut client, request) = (client.clone(), by(key, request));
        calls.spawn(async move { client.create_match(request).await });
    }
    let (mut made, mut refused) = (Vec::new(), Vec::new());
    for answer in soon(calls.join_all()).await {
        match answer {
            Ok(created) => made.push(created.into_inner().id()),
            Err(status) => {
                let refusal = refusal(Err::<(), _>(status.clone()));
                assert_eq!(refusal.reason(), v1::ErrorReason::LimitReached, "{status:?}");
                let info = tonic_types::StatusExt::get_details_error_info(&status).unwrap();
                refused.push(info.metadata["limit"].clone());
            }
        }
    }
    (made, refused)
}

/// Plays on as a person against the bot of seat 0, until it has answered.
async fn a_bot_answers(client: &mut Client, key: &str, name: &str) {
    let created = client.create_match(by(key, with_bots("skirmish", name, 1))).await.unwrap();
    let id = created.into_inner().id();
    let joined = client.join_match(by(key, join(&id, "j", 1))).await.unwrap().into_inner();
    let watch = v1::WatchMatchRequest { match_id: id.clone(), after_seq: Some(0), ..Default::default() };
    let mut watch = client.watch_match(by(key, watch)).await.unwrap().into_inner();
    soon(async {
        loop {
            let update = watch.message().await.unwrap().unwrap().update.unwrap();
            if update.events.iter().any(|event| event.code == "committed") {
                return;
            }
        }
    })
    .await;
    client.resign_match(by(&joined.seat_token, resign(&id, "r"))).await.unwrap();
}

/// Follows a match to its end.
async fn end(client: &mut Client, key: &str, id: &str) {
    let watch = v1::WatchMatchRequest { match_id: id.into(), ..v1::WatchMatchRequest::default() };
    let mut watch = client.watch_match(by(key, watch)).await.unwrap().into_inner();
    while soon(watch.message()).await.unwrap().is_some() {}
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_play_alone_in_so_many_matches_of_a_creator_and_of_all() {
    let keys = Keys::new();
    let file = File::new();
    let store = Arc::new(Full::new(file.open()));
    let limits = Limits { bot_matches: LIMITS.0, server_bot_matches: LIMITS.1, ..Limits::default() };
    let start = |store: Arc<dyn Store>| Start { limits, accounts: keys.accounts(), ..Start::on(store) };
    let running = start(store.clone()).run().await;
    let mut client = running.client().await;
    // No match ends while appends find no room.
    store.set(true);
    let attack = |name: &'static str, count: usize| {
        (0..count).map(move |number| with_bots("english-civil-war-iia", &format!("{name}{number}"), 2))
    };
    let (made, refused) = make_at_once(&running, &keys.ada, attack("a", 300)).await;
    assert_eq!((made.len(), refused.len()), (LIMITS.0, 300 - LIMITS.0));
    assert!(refused.iter().all(|limit| limit == LimitName::BotMatches.as_str_name()), "{refused:?}");
    let (others, refused) = make_at_once(&running, &keys.bob, attack("b", LIMITS.0)).await;
    assert_eq!(others.len(), LIMITS.1 - LIMITS.0);
    assert_eq!(refused, [LimitName::ServerBotMatches.as_str_name()]);

    // A match that is made again is the same match (looked at once the bots' appends find room: until then they hold it), and a person may
    // still play against a bot.
    store.set(false);
    let (again, _) = make_at_once(&running, &keys.bob, attack("b", LIMITS.0)).await;
    assert!(others.iter().all(|id| again.contains(id)), "{others:?} are not among {again:?}");
    a_bot_answers(&mut client, &keys.ada, "honest").await;
    // A match that is over makes room.
    for id in made.iter().chain(&others) {
        end(&mut client, &keys.ada, id).await;
    }
    store.set(true);
    let (made, _) = make_at_once(&running, &keys.ada, attack("c", 300)).await;
    assert_eq!(made.len(), LIMITS.0);

    // A server that starts again counts the same, and its bots go on by themselves: then there is room again.
    // Its bots wait for room, and stop with the turn at which they are.
    tokio::join!(running.close(), async { store.set(false) });
    let store = Arc::new(Full::new(file.open()));
    store.set(true);
    let running = start(store.clone()).run().await;
    let (none, refused) = make_at_once(&running, &keys.ada, attack("d", 1)).await;
    assert_eq!((none.len(), &*refused[0]), (0, LimitName::BotMatches.as_str_name()));
    store.set(false);
    soon(async { while make_at_once(&running, &keys.ada, attack("d", 1)).await.0.is_empty() {} }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_plays_against_a_bot_does_not_wait_for_bots_that_play_alone() {
    const MATCHES: usize = 60;
    let keys = Keys::new();
    let limits = Limits { bot_matches: MATCHES, ..Limits::default() };
    let running = Start { limits, accounts: keys.accounts(), ..Start::default() }.run().await;
    let mut client = running.client().await;
    let attack = (0..MATCHES).map(|number| with_bots("english-civil-war-iia", &format!("a{number}"), 2));
    let (made, _) = make_at_once(&running, &keys.ada, attack).await;
    assert_eq!(made.len(), MATCHES);
    a_bot_answers(&mut client, &keys.bob, "honest").await;
    let mut running_still = 0;
    for id in &made {
        let got =
            client.get_match(by(&keys.bob, v1::GetMatchRequest { match_id: id.clone() })).await.unwrap();
        running_still += usize::from(got.into_inner().state().status() == MatchStatus::Running);
    }
    assert!(running_still > 0, "the attack was over before a bot has answered");
}

/// Bots that think now, and the most that did at once.
static THINKING: AtomicUsize = AtomicUsize::new(0);
static AT_ONCE: AtomicUsize = AtomicUsize::new(0);

/// A bot that counts how many think at once, and gives others time to.
struct Counted(Random);

impl Bot for Counted {
    fn choose(&mut self, view: &View, legal: &[ActionId]) -> ActionId {
        AT_ONCE.fetch_max(THINKING.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        for _ in 0..1_000 {
            std::thread::yield_now();
        }
        let chosen = self.0.choose(view, legal);
        THINKING.fetch_sub(1, Ordering::SeqCst);
        chosen
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_more_bots_think_at_once_than_there_are_threads_for_them() {
    let game = Hosted::new(Skirmish::load(&Skirmish::builtin()).unwrap()).with_bot(HouseBot {
        name: "random",
        about: "Counts how many think at once.",
        make: |game, seat, seed| Box::new(Counted(Random::new(game.catalogue(), seat, seed))),
    });
    let registry = Registry::new(vec![Arc::new(game)]).unwrap();
    let capacity = HostCapacity { bot_threads: 2, ..HostCapacity::default() };
    let running = Start { registry, capacity, ..Start::default() }.run().await;
    let mut client = running.client().await;
    let mut made = Vec::new();
    for number in 0..8 {
        let created = client.create_match(with_bots("skirmish", &format!("m{number}"), 2)).await.unwrap();
        made.push(created.into_inner().id());
    }
    let wait = |id: String| {
        let mut client = client.clone();
        async move {
            let watch = v1::WatchMatchRequest { match_id: id, ..v1::WatchMatchRequest::default() };
            let mut watch = client.watch_match(watch).await.unwrap().into_inner();
            while soon(watch.message()).await.unwrap().is_some() {}
        }
    };
    let ends: JoinSet<()> = made.into_iter().map(wait).collect();
    ends.join_all().await;
    let at_once = AT_ONCE.load(Ordering::SeqCst);
    assert!((1..=2).contains(&at_once), "{at_once} bots thought at once");
}
