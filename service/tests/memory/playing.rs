//! Matches that are played by the first legal actions at hand, without a server before the host.

use std::sync::Arc;

use edgehill_engine::registry::Registry;
use edgehill_engine::setup::Setup;
use edgehill_service::clock::{Clock, SystemClock};
use edgehill_service::entropy::SystemEntropy;
use edgehill_service::host::{
    Content, CreateMatch, Creator, Host, HostCapacity, JoinMatch, MatchPlan, Parts, SeatCall, SeedWanted,
};
use edgehill_service::identity::{CallerKey, CurrentAccounts, ServerKey};
use edgehill_service::limits::Limits;
use edgehill_service::matches::{Ask, Call, EntropyMode, Phase, SeatConfig};
use edgehill_service::store::{AccountId, BodyHash, MatchId, RequestId, ShardSet, Store};
use edgehill_service::telemetry::Metrics;

/// A host that lets nothing go by itself.
pub(crate) async fn host(store: &Arc<dyn Store>) -> Host {
    host_with(store, Arc::new(SystemClock::new()), HostCapacity::default()).await
}

pub(crate) async fn host_with(store: &Arc<dyn Store>, clock: Arc<dyn Clock>, capacity: HostCapacity) -> Host {
    let parts = Parts {
        registry: Registry::built_in().unwrap(),
        store: Arc::clone(store),
        key: ServerKey::from_bytes([7; 32]),
        clock,
        entropy: Arc::new(SystemEntropy),
        accounts: CurrentAccounts::default(),
        limits: Limits::default().into(),
        capacity,
        metrics: Metrics::nowhere(),
        shards: ShardSet::ALL,
    };
    Host::open(parts).await.unwrap()
}

fn ask(number: usize) -> Ask {
    let id = format!("request {number:08}");
    Ask { id: RequestId::new(&id).unwrap(), body: BodyHash::of(id.as_bytes()) }
}

/// Makes a match of a game, and plays it for `actions` actions, if it does not end before: each a request of its own. `seed` tells it from
/// the other matches of the host.
pub(crate) async fn play(host: &Host, game: &str, actions: usize, seed: u8) -> MatchId {
    let game = Arc::clone(host.registry().game(game).unwrap());
    let setup = Setup::default_of(game.catalogue());
    let (account, seats) = (AccountId::new("ada").unwrap(), game.catalogue().seats_of(&setup));
    let wanted = CreateMatch {
        creator: Creator {
            account: account.clone(),
            secret: None,
            counted_as: CallerKey::Account(account.clone()),
        },
        ask: ask(seed.into()),
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
        seed: SeedWanted::Chosen([seed; 32]),
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
