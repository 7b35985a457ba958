//! Three nodes, each with a part of a replicated database (etcd, Patroni, PostgreSQL) and a server, under load, while one fault after the
//! other befalls them: what a client was told stays so, what it asked for happens once, and who watches misses nothing.
//!
//! Each node has a network, processes and a disk of its own on this machine ([`network`], [`site`]). The players and what they are held to
//! are those of the other tests of this program; beside that the history of all calls is checked by Porcupine ([`crate::porcupine`]).

mod fault;
mod network;
mod patroni;
mod programs;
mod shell;
mod site;

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use edgehill_engine::registry::Registry;
use edgehill_service::store::{PostgresServer, PostgresStore, Store};
use tokio::task::{JoinSet, block_in_place};

use crate::volume::{is_full, volume};
use crate::world::{Place, World};
use crate::{check, porcupine, table, world};
use fault::Fault;
use programs::programs;
use site::Site;

/// Times that each fault befalls the nodes in the full run; `EDGEHILL_ROUNDS` has another number, where an hour is too long.
const ROUNDS: usize = 5;
/// Tables of two players and two watchers.
const TABLES: usize = 32;
const WATCHERS: usize = 2;
/// Clients that make matches and leave them.
const CORNERS: usize = 2;
/// Matches that are looked through at once: five rounds leave tens of thousands.
const LOOKS_AT_ONCE: usize = 8;
/// The longest that a player thinks: so that an hour has no more matches than can be looked through.
const THOUGHT_MAX: Duration = Duration::from_secs(1);
/// Answers after a fault before the next one.
const ANSWERS_BETWEEN: u64 = 200;

/// The figures of one kind of fault.
#[derive(Debug)]
struct Row {
    fault: Fault,
    times: usize,
    acknowledged: u64,
    /// The longest time in which nobody had an answer.
    longest: Duration,
    /// The longest for which one player waited for theirs: where a server is gone, for its lease.
    longest_of_one: Duration,
}

/// Has one fault happen while the players play, and all be well again.
async fn suffer(world: &Arc<World>, site: &mut Site, players: &mut JoinSet<()>, row: &mut Row) {
    let (before, began) = (world.count(), Instant::now());
    let waits = &world.epochs.waits;
    let waited = waits.count();
    let (ask, asked) = tokio::sync::oneshot::channel();
    let gap = tokio::spawn(world::longest_gap(Arc::clone(world), asked));
    block_in_place(|| {
        let before = site.standing();
        row.fault.happen(site);
        site.wait_until_whole();
        row.fault.assert_bitten(&before, &site.standing());
    });
    tokio::select! {
        () = world.after(ANSWERS_BETWEEN) => {}
        Some(ended) = players.join_next() => panic!("a player ended: {ended:?}\n{}", site.logs()),
    }
    drop(ask);
    let gap = gap.await.unwrap();
    let acknowledged = world.count() - before;
    row.times += 1;
    row.acknowledged += acknowledged;
    row.longest = row.longest.max(gap);
    let of_one = waits.longest_after(waited);
    row.longest_of_one = row.longest_of_one.max(of_one);
    let (name, whole) = (row.fault.name(), began.elapsed());
    eprintln!(
        "{name}: {gap:.1?} without an answer to anybody, {of_one:.1?} to one, {acknowledged} acknowledged, well after {whole:.0?}"
    );
}

/// The table of all faults, as docs/operations-cluster.md has it.
fn table_of(rows: &[Row]) -> String {
    let mut text =
        "| fault | times | acknowledged | lost | doubled | longest gap of all | of one | bar |\n".to_owned();
    text.push_str("| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for Row { fault, times, acknowledged, longest, longest_of_one } in rows {
        let bar = fault.bar().map_or("-".to_owned(), |bar| format!("{} s", bar.as_secs()));
        let (name, [all, one]) = (fault.name(), [longest, longest_of_one].map(Duration::as_secs_f64));
        writeln!(text, "| {name} | {times} | {acknowledged} | 0 | 0 | {all:.1} s | {one:.1} s | {bar} |")
            .unwrap();
    }
    text
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_was_answered_survives_whatever_becomes_of_nodes_of_a_cluster() {
    let _alone = crate::cluster::ALONE.lock().await;
    let Some(programs) = block_in_place(programs) else { return };
    let rounds = std::env::var("EDGEHILL_ROUNDS");
    let volume = volume(rounds.map_or(ROUNDS, |given| given.parse().expect("EDGEHILL_ROUNDS is a number")));
    let began = Instant::now();
    let mut site = block_in_place(|| Site::start(programs));
    eprintln!("three nodes are well after {:.0?}", began.elapsed());
    let world = World::recorded(Place::Nodes, THOUGHT_MAX, WATCHERS);
    world.epochs.are(site.servers());
    let mut players = JoinSet::new();
    for number in 0..TABLES {
        players.spawn(table::play(Arc::clone(&world), number, volume.seed));
    }
    for number in TABLES..TABLES + CORNERS {
        players.spawn(table::come_and_go(Arc::clone(&world), number, volume.seed));
    }
    world.after(ANSWERS_BETWEEN).await;
    let faults: &[Fault] = if is_full() { &fault::ALL } else { &fault::FEW };
    let (faults, left): (Vec<Fault>, Vec<Fault>) =
        faults.iter().partition(|fault| site.has_networks() || !fault.needs_networks());
    for fault in left {
        eprintln!("skipped: {} (nodes are on ports of loopback)", fault.name());
    }
    let row = |&fault| {
        let none = Duration::ZERO;
        Row { fault, times: 0, acknowledged: 0, longest: none, longest_of_one: none }
    };
    let mut rows: Vec<Row> = faults.iter().map(row).collect();
    for _ in 0..volume.cases {
        for row in &mut rows {
            suffer(&world, &mut site, &mut players, row).await;
        }
    }
    world.stop();
    while let Some(ended) = players.join_next().await {
        ended.unwrap();
    }
    look_through(&world, &site).await;
    let (matches, answers) = (world.all().len(), world.count());
    eprintln!("{answers} acknowledged, {matches} matches, 0 lost, 0 doubled");
    eprintln!("{}", table_of(&rows));
    assert!(matches > TABLES + CORNERS && answers > 1_000, "little happened");
}

/// Holds all matches against what their players and watchers were told, by the rules of these tests and by Porcupine.
async fn look_through(world: &Arc<World>, site: &Site) {
    let registry = Registry::built_in().unwrap();
    let mut looks = JoinSet::new();
    for first in 0..LOOKS_AT_ONCE {
        let (world, registry) = (Arc::clone(world), registry.clone());
        looks.spawn(async move {
            let mut line = world.line();
            let mut client = line.client().await;
            for played in world.all().iter().skip(first).step_by(LOOKS_AT_ONCE) {
                check::still_there(&mut client, played).await;
                check::recorded(&mut client, played, &registry, &world).await;
            }
        });
    }
    while let Some(ended) = looks.join_next().await {
        ended.unwrap();
    }
    let mut line = world.line();
    let mut client = line.client().await;
    check::listed(&mut client, world).await;
    drop((client, line));
    let server = PostgresServer::new(&site.database("edgehill"), None, None).unwrap();
    let store = block_in_place(|| PostgresStore::open_to_read(&server)).unwrap();
    let report = store.fsck().await.unwrap();
    assert!(report.is_sound(), "{report:?}");
    store.close().await;
    let (codes, panics) = site.server_ends();
    // In order; since it was overtaken, or had no database when it took over; killed.
    assert!(codes.iter().all(|code| [0, 1, 137].contains(code)), "{codes:?}");
    assert!(panics.is_empty(), "{panics:?}");
    let history = world.history.as_ref().expect("it was recorded");
    block_in_place(|| porcupine::check(history.written()));
}
