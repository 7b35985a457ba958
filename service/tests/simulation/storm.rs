//! The troubles of a world ([`Storm`]): crashes, restarts, cut and held connections, a disk that fails or is slow, dates that jump. All of
//! them follow from the seed, and end.

use std::sync::Arc;
use std::time::Duration;

use turmoil::Sim;

use crate::random::Random;
use crate::world::{SERVER, World};

/// The time of a world in which troubles begin; those that go on end by themselves.
const LASTS: Duration = Duration::from_secs(120);
/// The dates that a clock jumps by, in seconds.
const JUMPS: [i64; 8] = [1, -1, 30, -30, 3_600, -3_600, 86_400, -86_400];

/// A trouble's end.
#[derive(Clone, Debug)]
enum End {
    /// The server starts again.
    Restart,
    /// A host of clients is connected again.
    Repaired(String),
    /// Delivers all that was held back on the way to a host, and from it.
    Released(String),
}

/// The troubles of a world.
pub(crate) struct Storm {
    world: Arc<World>,
    random: Random,
    hosts: Vec<String>,
    /// The most time between two troubles.
    pace: usize,
    next: Duration,
    ends: Vec<(Duration, End)>,
    /// True while the server ends in order.
    stopping: bool,
    pub(crate) troubles: u32,
}

impl Storm {
    pub(crate) fn new(world: Arc<World>, hosts: Vec<String>) -> Self {
        let mut random = world.random(2);
        let pace = *random.pick(&[1_000, 3_000, 9_000]).expect("a pace");
        let next = Duration::from_millis(random.below(pace) as u64);
        Self { world, random, hosts, pace, next, ends: Vec::new(), stopping: false, troubles: 0 }
    }

    /// Does what is due of it at this moment.
    pub(crate) fn blow(&mut self, sim: &mut Sim<'_>) {
        let now = sim.elapsed();
        self.end_due(sim, now);
        if self.stopping && !sim.is_host_running(SERVER) {
            self.stopping = false;
            self.end_later(now, 2_000, End::Restart);
        }
        if now >= self.next && now < LASTS {
            self.next = now + Duration::from_millis(50 + self.random.below(self.pace) as u64);
            self.begin(sim, now);
        }
    }

    /// It is over: everything goes on, once the server is up again.
    pub(crate) fn calm(&mut self, sim: &mut Sim<'_>) {
        self.world.disk.calm();
        self.next = Duration::MAX;
        let restarts = self.ends.iter().any(|(_, end)| matches!(end, End::Restart));
        for (_, end) in std::mem::take(&mut self.ends) {
            if !matches!(end, End::Restart) {
                end_now(&end, sim);
            }
        }
        if restarts {
            self.ends.push((sim.elapsed(), End::Restart));
        }
    }

    /// Returns whether a server runs that nobody has asked to stop.
    fn has_server(&self, sim: &mut Sim<'_>) -> bool {
        !self.stopping && sim.is_host_running(SERVER)
    }

    fn begin(&mut self, sim: &mut Sim<'_>, now: Duration) {
        let host = self.random.pick(&self.hosts).expect("there are hosts").clone();
        let disk = Arc::clone(&self.world.disk);
        let kind = self.random.below(8);
        self.troubles += 1;
        self.world.trace.note(now, format_args!("trouble {kind} {host}"));
        match kind {
            0 if self.has_server(sim) => {
                self.world.outages().begin(now);
                sim.crash(SERVER);
                self.end_later(now, 6_000, End::Restart);
            }
            1 if self.has_server(sim) => {
                self.world.ask_to_stop();
                self.stopping = true;
            }
            // There is no server to end.
            0 | 1 => {}
            2 => {
                sim.partition(SERVER, host.as_str());
                self.end_later(now, 6_000, End::Repaired(host));
            }
            3 => {
                sim.hold(SERVER, host.as_str());
                self.end_later(now, 3_000, End::Released(host));
            }
            4 => disk.fails_until(now + self.time(2_500)),
            5 => disk.slow_until(now + self.time(4_000)),
            6 => disk.next_unknown(1 + self.random.below(2) as u32),
            _ => {
                let by_seconds = *self.random.pick(&JUMPS).expect("a jump");
                self.world.trace.note(now, format_args!("the date jumps by {by_seconds} s"));
                self.world.date.jump(by_seconds * 1_000);
            }
        }
    }

    fn end_later(&mut self, now: Duration, longest_ms: usize, end: End) {
        let at = now + self.time(longest_ms);
        self.ends.push((at, end));
    }

    /// A time of so many milliseconds at most.
    fn time(&mut self, longest_ms: usize) -> Duration {
        Duration::from_millis(self.random.below(longest_ms) as u64)
    }

    fn end_due(&mut self, sim: &mut Sim<'_>, now: Duration) {
        let (due, later) = std::mem::take(&mut self.ends).into_iter().partition(|(at, _)| *at <= now);
        self.ends = later;
        let due: Vec<(Duration, End)> = due;
        for (_, end) in due {
            self.world.trace.note(now, format_args!("{end:?}"));
            end_now(&end, sim);
        }
    }
}

fn end_now(end: &End, sim: &mut Sim<'_>) {
    match end {
        End::Restart => sim.bounce(SERVER),
        End::Repaired(host) => sim.repair(SERVER, host.as_str()),
        End::Released(host) => sim.release(SERVER, host.as_str()),
    }
}
