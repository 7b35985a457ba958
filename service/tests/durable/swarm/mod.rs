//! A swarm of hostile clients, beside 24 honest players: no honest call fails or outlives its deadline, their matches end
//! right, and the server keeps within its memory, panics nowhere, hangs nowhere and gives back what it took.
//!
//! The server is killed now and then, and started again. Honest calls are repeated over a kill alone; the rest of what honest
//! clients expect is as in [`crate::killed`]. Each kind of attack has addresses of its own, since it is to do harm within what a
//! server allows an address, and not to be stopped at the door.

mod cancelled;
mod cursors;
mod half_open;
mod hostile;
mod mutants;
mod own_match;
mod repeats;
mod slow_readers;

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use edgehill_engine::registry::Registry;
use tokio::task::JoinSet;

use crate::process::{Running, start_in};
use crate::random::Random;
use crate::world::{Place, World};
use crate::{check, lives, table};
use hostile::{Hostile, Swarm};

/// Tables of two honest players each.
const TABLES: usize = 12;
/// The longest that an honest player thinks.
const THOUGHT_MAX: Duration = Duration::from_millis(150);
/// Clients of each kind of attack.
const HOSTILE: usize = 2;
/// The shortest and the longest life of a server before it is killed.
const LIFE: (Duration, Duration) = (Duration::from_secs(10), Duration::from_secs(30));
/// The most memory that the server may have had, in bytes: matches that stay in memory (`capacity.loaded_bytes`), and half as much
/// again.
const MEMORY_MAX: u64 = 768 << 20;
/// Attacks of each kind that a life of the server sees at least.
const ATTACKS_MIN: u64 = 5;
/// The time in which a client of the swarm, and then the server, has put down all that it held: what lasts longest are answers
/// that nobody reads (`deadlines.answer_seconds`).
const AFTERMATH: Duration = Duration::from_secs(90);

/// The server's life is over: by a kill, or because the swarm is.
async fn live(running: &Running, world: &World, random: &mut Random) {
    let (least, most) = LIFE;
    let spread = random.below((most - least).as_millis() as usize);
    #[expect(clippy::disallowed_methods, reason = "the server lives so long")]
    tokio::time::sleep(least + Duration::from_millis(spread as u64)).await;
    let peak = running.memory_peak();
    assert!(peak <= MEMORY_MAX, "{peak} bytes of memory");
    assert!(world.count() > 0, "no honest call was answered");
}

/// Plays beside the swarm for `count` lives of the server, and returns a line with the figures.
pub(crate) async fn play(count: usize, seed: u64) -> String {
    let mut random = Random::new(seed);
    let world = World::new(Place::Folder, THOUGHT_MAX);
    let swarm = Swarm::new();
    let mut running = tokio::task::block_in_place(|| start_in(&world.store()));
    let mut files = running.open_files().len();
    world.epochs.up(&running.address);
    let mut players = JoinSet::new();
    for number in 0..TABLES {
        players.spawn(table::play(Arc::clone(&world), number, seed));
    }
    let mut attackers = JoinSet::new();
    for number in 0..HOSTILE {
        let hostile = |kind: u8| {
            let from = Ipv4Addr::new(127, 0, 10 + kind, 1);
            let random = Random::new(seed ^ u64::from(kind) << 40 ^ (number as u64) << 48);
            Hostile::new(from, world.line(), Arc::clone(&swarm), random)
        };
        attackers.spawn(mutants::attack(hostile(0)));
        attackers.spawn(half_open::attack(hostile(1)));
        attackers.spawn(slow_readers::attack(hostile(2)));
        attackers.spawn(repeats::attack(hostile(3)));
        attackers.spawn(cursors::attack(hostile(4)));
        attackers.spawn(cancelled::attack(hostile(5)));
    }
    for life in 1..=count {
        tokio::select! {
            () = live(&running, &world, &mut random) => {}
            Some(ended) = players.join_next() => panic!("a player ended: {ended:?}"),
            Some(ended) = attackers.join_next() => panic!("a client of the swarm ended: {ended:?}"),
        }
        if life < count {
            lives::fall(&world, running, 0, random.below(200_000)).await;
            running = tokio::task::block_in_place(|| lives::rise(&world, &mut random));
            files = running.open_files().len();
            let mut client = running.matches().await;
            for played in world.all().iter().filter(|played| !played.done()) {
                check::still_there(&mut client, played).await;
            }
            drop(client);
            world.epochs.up(&running.address);
        }
    }
    swarm.stop();
    world.stop();
    within(AFTERMATH, "the swarm's calls", ended(attackers)).await;
    within(AFTERMATH, "the players' matches", ended(players)).await;
    let mut client = running.matches().await;
    let registry = Registry::built_in().unwrap();
    for played in world.all() {
        check::still_there(&mut client, &played).await;
        check::recorded(&mut client, &played, &registry, &world).await;
    }
    drop(client);
    if tokio::time::timeout(AFTERMATH, closed(&running, files)).await.is_err() {
        panic!("{files} files and connections were open, and now {:?}", running.open_files());
    }
    let peak = running.memory_peak();
    assert!(peak <= MEMORY_MAX, "{peak} bytes of memory");
    let said = tokio::task::block_in_place(|| running.stop());
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(!said.panicked(), "{}", said.stderr);
    let report = edgehill_service::store::fsck(world.store().join("edgehill.sqlite")).unwrap();
    assert!(report.is_sound(), "{report:?}");
    assert!(swarm.least() >= count as u64 * ATTACKS_MIN, "little was attacked: {swarm}");
    let waits = &world.epochs.waits;
    let [half, most] = [50, 99].map(|percent| waits.percentile(percent).as_secs_f64() * 1e3);
    format!(
        "{} matches of {} honest players beside a swarm: {} calls, half of them answered within {half:.1} ms and 99 of 100 \
         within {most:.1} ms; {} MB of memory; attacks: {swarm}",
        world.all().len(),
        2 * TABLES,
        waits.count(),
        peak >> 20
    )
}

async fn ended(mut tasks: JoinSet<()>) {
    while let Some(ended) = tasks.join_next().await {
        ended.unwrap();
    }
}

/// Returns when the server has no more files and connections open than it had.
async fn closed(running: &Running, files: usize) {
    while running.open_files().len() > files {
        #[expect(clippy::disallowed_methods, reason = "the kernel tells nobody when a descriptor is closed")]
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn within(time: Duration, what: &str, end: impl Future<Output = ()>) {
    tokio::time::timeout(time, end).await.unwrap_or_else(|_| panic!("{what} do not end within {time:?}"));
}
