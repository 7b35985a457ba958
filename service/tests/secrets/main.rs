//! The tests of secrets that nobody may learn, on the real server: from answers and their sizes, from
//! streams, from logs and metrics.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod course;
mod leaks;
mod mask;
#[path = "../shared/message.rs"]
#[allow(dead_code, reason = "tests of other parts use the rest")]
mod message;
mod muster;
mod pair;
#[path = "../server/process.rs"]
#[allow(dead_code, reason = "the server's own tests use the rest")]
mod process;
#[path = "../../../engine/tests/support/random.rs"]
mod random;
mod raw;
#[path = "../shared/raw_codec.rs"]
mod raw_codec;
#[path = "../server/receiver.rs"]
#[allow(dead_code, reason = "the server's own tests use the rest")]
mod receiver;
mod side;
mod twins;
#[path = "../durable/volume.rs"]
mod volume;
