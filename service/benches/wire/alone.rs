//! The host without a wire: the same steps, by a call of a function.

use std::sync::Arc;
use std::time::{Duration, Instant};

use edgehill_engine::seat::{Observer, Seat};
use edgehill_service::host::{CreateMatch, Host, JoinMatch, SeatCall, SeedWanted};
use edgehill_service::identity::SeatToken;
use edgehill_service::matches::{Ask, Call, EntropyMode, SeatPlan};
use edgehill_service::store::{AccountId, BodyHash, RequestId};

/// How long it is counted.
const ROUND: Duration = Duration::from_secs(2);

/// Steps a second of one worker.
pub(crate) async fn play(host: &Host) -> f64 {
    let (mut calls, mut games) = (0_u64, 0);
    let started = Instant::now();
    while started.elapsed() < ROUND {
        let (tokens, mut legal) = open(host, games).await;
        games += 1;
        while started.elapsed() < ROUND {
            let Some(seat) = legal.iter().position(|steps| !steps.is_empty()) else { break };
            let step = legal[seat][(calls as usize).wrapping_mul(2_654_435_761) % legal[seat].len()];
            calls += 1;
            let ask = Ask {
                id: RequestId::new(calls.to_string()).expect("short"),
                body: BodyHash::of(&step.0.to_le_bytes()),
            };
            let call = SeatCall { call: Call::steps(&[step]), ask, expected: None };
            legal = host
                .call(&tokens[seat], call, |live, _| {
                    let table = live.begun()?;
                    let owing = live.owing();
                    Ok((0..2)
                        .map(Seat::new)
                        .map(|seat| if owing.contains(seat) { table.legal(seat) } else { Vec::new() })
                        .collect::<Vec<_>>())
                })
                .await
                .expect("a legal step");
        }
    }
    calls as f64 / started.elapsed().as_secs_f64()
}

type Legal = Vec<Vec<edgehill_engine::step::StepId>>;

async fn open(host: &Host, game: u64) -> (Vec<SeatToken>, Legal) {
    let ask =
        |text: &str| Ask { id: RequestId::new(text).expect("short"), body: BodyHash::of(text.as_bytes()) };
    let account = AccountId::new("bench").expect("short");
    let rules = Arc::clone(host.registry().game("english-civil-war-iia").expect("a game of the build"));
    let setup = edgehill_engine::setup::Setup::default_of(rules.catalogue());
    let created = host.create(CreateMatch {
        account: account.clone(),
        ask: ask(&format!("alone-{game}")),
        game: rules,
        setup,
        position: None,
        seats: vec![SeatPlan::Open; 2],
        entropy_mode: EntropyMode::Open,
        seed: SeedWanted::Server,
    });
    let id = created.await.expect("a match").id;
    let mut tokens = Vec::new();
    for seat in 0..2 {
        let join = JoinMatch {
            id,
            account: account.clone(),
            ask: ask(&format!("join-{seat}")),
            seat: Some(seat),
            invitation: None,
            entropy: None,
            commitment: None,
            player: String::new(),
        };
        tokens.push(host.join(join, |_, _| Ok(())).await.expect("a seat").token);
    }
    let legal = host.read(id, |content| {
        let table = content.live()?.begun()?;
        debug_assert!(table.heard_count(Observer::Spectator) < 1_000);
        Ok((0..2).map(|seat| table.legal(Seat::new(seat))).collect())
    });
    (tokens, legal.await.expect("a match that has begun"))
}
