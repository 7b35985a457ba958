//! A world from its beginning to its end, in this process ([`run`]).

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rand_core::SeedableRng;
use tokio::task::JoinSet;
use turmoil::{Builder, Sim};

use crate::flaw::Flaw;
use crate::storm::Storm;
use crate::world::{SERVER, World, seconds};
use crate::{audit, clocks, life, table};

/// The step of the simulated time: what is sent arrives at the beginning of one.
const TICK: Duration = Duration::from_millis(10);
/// The time of a world by which all of its matches are over and looked at.
const LONGEST: Duration = Duration::from_secs(1_800);
/// The hosts of clients, the tables on each, and the matches of each table, one after the other.
const HOSTS: usize = 3;
const TABLES: usize = 3;
const ROUNDS: usize = 8;

/// The panics of the process: of tasks of the server, too, which nobody else would hear of.
static PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Runs the world of this seed, and prints its figures. The randomness and the time of the whole process are the world's from here on,
/// so that there is one in a process.
///
/// # Panics
/// If a promise is broken.
pub(crate) fn run(seed: u64, flaw: Option<Flaw>) {
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        PANICS.lock().unwrap_or_else(PoisonError::into_inner).push(panic.to_string());
        default(panic);
    }));
    mad_turmoil::rand::set_rng(SeedableRng::seed_from_u64(seed));
    // A thread of its own: what is drawn once for each thread, such as the order of its maps, is drawn from the world's randomness.
    let running = std::thread::Builder::new().name("world".into()).spawn(move || {
        fastrand::seed(seed);
        println!("{}", World::new(seed, flaw).run());
    });
    let ended = running.expect("a thread").join();
    let panics = PANICS.lock().unwrap_or_else(PoisonError::into_inner).clone();
    assert!(ended.is_ok() && panics.is_empty(), "{panics:?}");
}

fn has_panicked() -> bool {
    !PANICS.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
}

impl World {
    fn run(self: Arc<Self>) -> String {
        let mut random = self.random(1);
        let latency = *random.pick(&[5, 20, 60]).expect("a latency");
        let mut sim = Builder::new()
            .rng_seed(random.next())
            .tick_duration(TICK)
            .simulation_duration(LONGEST)
            .min_message_latency(Duration::ZERO)
            .max_message_latency(Duration::from_millis(latency))
            .tcp_capacity(1_024)
            .enable_random_order()
            .build();
        let world = Arc::clone(&self);
        sim.host(SERVER, move || life::live(Arc::clone(&world)));
        let hosts: Vec<String> = (0..HOSTS).map(|host| format!("clients-{host}")).collect();
        for (number, host) in hosts.iter().enumerate() {
            let world = Arc::clone(&self);
            sim.client(host.as_str(), async move {
                let mut tables = JoinSet::new();
                for table in 0..TABLES {
                    tables.spawn(table::play(Arc::clone(&world), number * TABLES + table, ROUNDS));
                }
                while let Some(ended) = tables.join_next().await {
                    ended?;
                }
                Ok(())
            });
        }
        let mut storm = Storm::new(Arc::clone(&self), hosts);
        self.go_on(&mut sim, &mut storm);
        storm.calm(&mut sim);
        let played = sim.elapsed();
        sim.client("auditor", audit::audit(Arc::clone(&self)));
        self.go_on(&mut sim, &mut storm);
        drop(sim);
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let run_out = runtime.block_on(clocks::check(&self));
        let (trace, lines) = self.trace.hash();
        format!(
            "world {}: {} matches, {} calls, {} troubles, {} outages, {run_out} clocks ran out, {:.0} s, {lines} lines, trace {trace}",
            self.seed,
            self.played().len(),
            self.calls(),
            storm.troubles,
            self.outages().count(),
            seconds(played),
        )
    }

    /// Lets time pass until all clients have ended.
    fn go_on(&self, sim: &mut Sim<'_>, storm: &mut Storm) {
        loop {
            let ended = sim.step().unwrap_or_else(|error| panic!("the world ends: {error}"));
            assert!(!has_panicked(), "somebody panicked");
            if ended {
                return;
            }
            storm.blow(sim);
        }
    }
}
