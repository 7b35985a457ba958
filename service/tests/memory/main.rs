//! The bytes that a match counts as in memory, held against those that are allocated for it.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::sync::Arc;

use edgehill_engine::registry::Registry;
use edgehill_engine::setup::Setup;
use edgehill_service::clock::SystemClock;
use edgehill_service::entropy::SystemEntropy;
use edgehill_service::host::{
    Content, CreateMatch, Creator, Host, HostCapacity, JoinMatch, MatchPlan, Parts, SeatCall, SeedWanted,
};
use edgehill_service::identity::{CallerKey, CurrentAccounts, ServerKey};
use edgehill_service::limits::Limits;
use edgehill_service::matches::{Ask, Call, EntropyMode, Phase, SeatConfig};
use edgehill_service::store::{AccountId, BodyHash, MatchId, MemoryStore, RequestId, ShardSet, Store};
use edgehill_service::telemetry::Metrics;

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

/// Actions that are taken in a match, if it does not end before: each a request of its own.
const ACTIONS: usize = 400;

async fn host(store: &Arc<dyn Store>) -> Host {
    let parts = Parts {
        registry: Registry::built_in().unwrap(),
        store: Arc::clone(store),
        key: ServerKey::from_bytes([7; 32]),
        clock: Arc::new(SystemClock::new()),
        entropy: Arc::new(SystemEntropy),
        accounts: CurrentAccounts::default(),
        limits: Limits::default().into(),
        capacity: HostCapacity::default(),
        metrics: Metrics::nowhere(),
        shards: ShardSet::ALL,
    };
    Host::open(parts).await.unwrap()
}

fn ask(number: usize) -> Ask {
    let id = format!("request {number:08}");
    Ask { id: RequestId::new(&id).unwrap(), body: BodyHash::of(id.as_bytes()) }
}

/// Makes a match of a game, and plays it for `actions` actions.
async fn play(host: &Host, game: &str, actions: usize) -> MatchId {
    let game = Arc::clone(host.registry().game(game).unwrap());
    let setup = Setup::default_of(game.catalogue());
    let (account, seats) = (AccountId::new("ada").unwrap(), game.catalogue().seats_of(&setup));
    let wanted = CreateMatch {
        creator: Creator {
            account: account.clone(),
            secret: None,
            counted_as: CallerKey::Account(account.clone()),
        },
        ask: ask(actions),
        plan: MatchPlan {
            game: Arc::clone(&game),
            setup,
            position: None,
            seats: vec![SeatConfig::Open; seats],
            entropy_mode: EntropyMode::Open,
            clock: None,
            spectator_delay: None,
            conduct: None,
        },
        seed: SeedWanted::Chosen([3; 32]),
    };
    let id = host.create(wanted).await.unwrap().id;
    let mut tokens = Vec::new();
    for seat in 0..seats {
        let join = JoinMatch {
            id,
            account: account.clone(),
            secret: None,
            ask: ask(seat),
            seat: Some(seat as u32),
            invitation: None,
            entropy: None,
            commitment: None,
            player: format!("player {seat}"),
        };
        tokens.push(host.join(join, |_, _| Ok(())).await.unwrap().token);
    }
    for number in 0..actions {
        let next = |content: &Content| {
            let live = content.live()?;
            let to_act = live.to_act().iter().next().filter(|_| live.course().phase() == Phase::Running);
            let table = live.begun()?;
            Ok(to_act.map(|seat| {
                let legal = table.legal(seat);
                (seat, legal[number * 7 % legal.len()])
            }))
        };
        let Some((seat, action)) = host.read(id, next).await.unwrap() else { break };
        let call = SeatCall { call: Call::actions(&[action]), ask: ask(1_000 + number), expected: None };
        host.execute(host.hold(id), &tokens[seat.index()], call, |_, _| Ok(())).await.unwrap();
    }
    id
}

#[tokio::test]
async fn a_match_counts_as_about_as_many_bytes_as_are_allocated_for_it() {
    let _profiler = dhat::Profiler::builder().testing().build();
    for game in Registry::built_in().unwrap().ids() {
        for actions in [0, ACTIONS] {
            let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
            let playing = host(&store).await;
            let id = play(&playing, game, actions).await;
            let grown = playing.loaded_bytes();
            drop(playing);
            // Opened once before, so that what the store remembers of it is there already.
            let host = host(&store).await;
            store.read(id, 0).await.unwrap();
            let before = dhat::HeapStats::get().curr_bytes;
            host.read(id, |_| Ok(())).await.unwrap();
            let allocated = (dhat::HeapStats::get().curr_bytes - before) as u64;
            let counted = host.loaded_bytes();
            eprintln!(
                "{game}, {actions} actions: {allocated} bytes, counted as {counted}; {grown} where it was played"
            );
            for counted in [counted, grown] {
                assert!(
                    counted * 4 >= allocated * 3 && counted <= 2 * allocated + 16_384,
                    "{game}, {actions} actions: {allocated} bytes count as {counted}"
                );
            }
        }
    }
}
