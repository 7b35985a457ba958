//! Three servers on one database, under load, while one after the other is killed, stopped, suspended, and their database is killed: what a
//! client was told stays so, and what it asked for happens once, whichever of the servers it asks.
//!
//! The players are those of the kills of one server ([`crate::killed`]); each goes on to the next server when its own is gone or says to
//! ask again. Whoever looks after the servers starts those again that have ended.

use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use edgehill_engine::registry::Registry;
use edgehill_service::store::{PostgresServer, PostgresStore};

use crate::process::{Running, start};
use crate::random::Random;
use crate::real_postgres::{Postgres, postgres_apart};
use crate::volume::volume;
use crate::world::{Place, World};
use crate::{check, table, world};

/// Faults of the full run.
const FAULTS: usize = 100;
const SERVERS: usize = 3;
const TABLES: usize = 32;
/// Clients that make matches and leave them.
const CORNERS: usize = 2;
/// The most answers between two faults.
const ANSWERS_MAX: usize = 1_000;
/// The time for which a server is suspended: longer than its lease.
const SUSPENDED: Duration = Duration::from_millis(3_500);

/// A fault, and what it is called.
const FAULT_NAMES: [&str; 5] = ["killed", "stopped", "suspended", "database killed", "all killed"];

/// Held by each test of several servers: of two at once, one would take the processors that a lease of the other needs.
pub(crate) static ALONE: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// The servers, which are started again when they have ended.
struct Servers {
    world: Arc<World>,
    postgres: Postgres,
    running: Vec<Running>,
}

impl Servers {
    fn start(world: &Arc<World>, postgres: Postgres) -> Self {
        let mut servers = Self { world: Arc::clone(world), postgres, running: Vec::new() };
        servers.running = (0..SERVERS).map(|_| servers.another()).collect();
        servers.tell();
        servers
    }

    /// The home of what belongs to no match, or any server if there is none.
    fn home(&self) -> usize {
        let Place::Cluster(database) = &self.world.place else { return 0 };
        let address = self.postgres.text(database, "SELECT servers.address FROM servers JOIN shards ON shards.server = servers.id WHERE shard = 0").unwrap_or_default();
        let owns = |running: &Running| address == format!("http://{}", running.address);
        self.running.iter().position(owns).unwrap_or(0)
    }

    fn another(&self) -> Running {
        let variables = self.world.variables();
        let variables: Vec<(&str, &str)> = variables.iter().map(|(name, value)| (*name, &**value)).collect();
        start(&[], &variables)
    }

    /// Ends the servers; what they have said.
    fn logs(&mut self) -> String {
        let killed = self.running.drain(..).map(|running| {
            running.signal("KILL");
            let address = running.address.clone();
            format!("== {address}\n{}\n", running.wait().stderr)
        });
        killed.collect()
    }

    /// Has clients know where the servers are.
    fn tell(&self) {
        let addresses = self.running.iter().map(|running| running.address.clone()).collect();
        self.world.epochs.are(addresses);
    }

    /// Puts another server in the place of one, which has ended as one of these codes says (`None`: by a signal).
    fn replace(&mut self, server: usize, codes: &[Option<i32>]) {
        let another = self.another();
        let said = std::mem::replace(&mut self.running[server], another).wait();
        assert!(codes.contains(&said.code) && !said.panicked(), "{:?}: {}", said.code, said.stderr);
        self.tell();
    }

    /// Starts those again that have ended by themselves, since they were overtaken or had no database when they took over.
    fn look_after(&mut self) {
        for server in 0..SERVERS {
            if self.running[server].has_ended() {
                self.replace(server, &[Some(1)]);
            }
        }
    }

    fn suspend(&mut self, server: usize) {
        self.running[server].signal("STOP");
        // Time has to pass for the lease, which nobody tells of.
        let slept = Command::new("sleep").arg(SUSPENDED.as_secs_f64().to_string()).status().unwrap();
        assert!(slept.success());
        self.running[server].signal("CONT");
    }

    fn fault(&mut self, fault: usize, server: usize) {
        match fault {
            0 => {
                self.running[server].signal("KILL");
                self.replace(server, &[None]);
            }
            1 => {
                self.running[server].signal("TERM");
                self.replace(server, &[Some(0), Some(1)]);
            }
            2 => self.suspend(server),
            3 => self.postgres.kill(),
            _ => {
                self.running.iter().for_each(|running| running.signal("KILL"));
                (0..SERVERS).for_each(|server| self.replace(server, &[None]));
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_was_answered_survives_whatever_becomes_of_the_servers_of_a_cluster() {
    let _alone = ALONE.lock().await;
    let Some(postgres) = tokio::task::block_in_place(postgres_apart) else { return };
    let address = tokio::task::block_in_place(|| postgres.database());
    let server = PostgresServer::new(&address, None, None).unwrap();
    let volume = volume(FAULTS);
    let mut random = Random::new(volume.seed);
    let world = World::new(Place::Cluster(address), Duration::ZERO);
    let mut servers = tokio::task::block_in_place(|| Servers::start(&world, postgres));
    let mut players = tokio::task::JoinSet::new();
    for number in 0..TABLES {
        players.spawn(table::play(Arc::clone(&world), number, volume.seed));
    }
    for number in TABLES..TABLES + CORNERS {
        players.spawn(table::come_and_go(Arc::clone(&world), number, volume.seed));
    }
    let mut gaps = [Duration::ZERO; FAULT_NAMES.len()];
    for case in 0..volume.cases {
        let fault = (case + volume.seed as usize) % FAULT_NAMES.len();
        let answers = random.below(ANSWERS_MAX) as u64;
        let server = match random.percent(70) {
            true => tokio::task::block_in_place(|| servers.home()),
            false => random.below(SERVERS),
        };
        let (ask, asked) = tokio::sync::oneshot::channel();
        let gap = tokio::spawn(world::longest_gap(Arc::clone(&world), asked));
        tokio::task::block_in_place(|| servers.fault(fault, server));
        tokio::select! {
            // It goes on, with the fault behind it.
            () = world.after(100 + answers) => {}
            Some(ended) = players.join_next() => panic!("a player ended: {ended:?}\n{}", servers.logs()),
        }
        drop(ask);
        gaps[fault] = gaps[fault].max(gap.await.unwrap());
        tokio::task::block_in_place(|| servers.look_after());
    }
    world.stop();
    while let Some(ended) = players.join_next().await {
        ended.unwrap();
    }
    let registry = Registry::built_in().unwrap();
    let mut line = world.line();
    let mut client = line.client().await;
    for played in world.all() {
        check::still_there(&mut client, &played).await;
        check::recorded(&mut client, &played, &registry, &world).await;
    }
    check::listed(&mut client, &world).await;
    drop((client, line));
    tokio::task::block_in_place(|| {
        servers.look_after();
        servers.running.drain(..).for_each(|running| {
            let said = running.stop();
            assert_eq!((said.code, said.panicked()), (Some(0), false), "{}", said.stderr);
        });
    });
    let (matches, answers) = (world.all().len(), world.count());
    eprintln!("{} faults, {answers} acknowledged, {matches} matches, 0 lost, 0 doubled", volume.cases);
    for (name, gap) in FAULT_NAMES.iter().zip(gaps) {
        eprintln!("  {name:<16} longest time without an answer: {gap:.1?}");
    }
    assert!(matches > TABLES + CORNERS && answers > 1_000, "little happened");
    let store = tokio::task::block_in_place(|| PostgresStore::open_to_read(&server)).unwrap();
    let report = store.fsck().await.unwrap();
    assert!(report.is_sound(), "{report:?}");
}
