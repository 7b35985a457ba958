//! The time that honest players wait for their answers beside a swarm of hostile clients.
//!
//! 24 players at twelve tables, who think for up to 150 ms before each call, and the swarm of `tests/durable/swarm`, share the
//! machine with the server, which is killed twice in the minute. The figure is of the whole path, on the durable store; the bar is
//! that 99 of 100 answers come within 250 ms.
//!
//! `cargo bench -p edgehill-service --bench swarm`

#![expect(clippy::unwrap_used, reason = "its parts are those of a test")]

#[path = "../tests/durable/check.rs"]
#[allow(dead_code, reason = "the test of kills uses the rest")]
mod check;
#[path = "../tests/durable/history.rs"]
#[allow(dead_code, reason = "the test of nodes uses the rest")]
mod history;
#[path = "../tests/durable/journal.rs"]
mod journal;
#[path = "../tests/durable/line.rs"]
#[allow(dead_code, reason = "the test of a cluster uses the rest")]
mod line;
#[path = "../tests/durable/lives.rs"]
mod lives;
#[path = "../tests/shared/message.rs"]
#[allow(dead_code, reason = "tests use the rest")]
mod message;
#[path = "../tests/server/process.rs"]
#[allow(dead_code, reason = "the server's own tests use the rest")]
mod process;
#[path = "../../engine/tests/support/random.rs"]
mod random;
#[path = "../tests/shared/raw_codec.rs"]
mod raw_codec;
#[path = "../tests/durable/seat.rs"]
mod seat;
#[path = "../tests/durable/stream.rs"]
mod stream;
#[path = "../tests/durable/swarm/mod.rs"]
mod swarm;
#[path = "../tests/durable/table.rs"]
#[allow(dead_code, reason = "the test of kills uses the rest")]
mod table;
#[path = "../tests/durable/unary.rs"]
mod unary;
#[path = "../tests/durable/watcher.rs"]
#[allow(dead_code, reason = "the test of nodes uses it")]
mod watcher;
#[path = "../tests/durable/world.rs"]
#[allow(dead_code, reason = "the test of kills uses the rest")]
mod world;

/// The lives of the server: about a minute.
const LIVES: usize = 3;

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build();
    println!("{}", runtime.expect("a runtime").block_on(swarm::play(LIVES, 1642)));
}
