//! The tests of what survives, tried on the real server: killed at any moment, its files cut short and
//! damaged, cursors from before, in the midst of hostile clients.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod beside_swarm;
mod check;
mod cluster;
mod corrupt;
mod cursors;
mod damaged;
mod history;
mod journal;
mod kept;
mod killed;
mod line;
mod lives;
#[path = "../shared/message.rs"]
#[allow(dead_code, reason = "tests of other parts use the rest")]
mod message;
mod nodes;
mod over_the_wire;
mod porcupine;
#[path = "../server/process.rs"]
#[allow(dead_code, reason = "the server's own tests use the rest")]
mod process;
#[path = "../../../engine/tests/support/random.rs"]
mod random;
#[path = "../shared/raw_codec.rs"]
mod raw_codec;
#[path = "../shared/postgres.rs"]
#[allow(dead_code, reason = "tests of other parts use the rest")]
mod real_postgres;
mod seat;
mod stream;
mod swarm;
mod table;
mod truth;
mod unary;
mod volume;
mod watcher;
mod world;
