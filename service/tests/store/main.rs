//! The stores: one law suite for all of them, then what only a file can suffer.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod acts;
mod checkpoints;
mod crash;
mod crash_replacing;
mod create_all;
mod damage;
mod disk;
mod disorder;
mod events;
mod kit;
mod laws;
mod leases;
mod line;
mod looked_after;
mod migrating;
mod past_hosts;
mod postgres;
#[path = "../shared/postgres.rs"]
#[allow(dead_code, reason = "tests of other parts use the rest")]
mod real_postgres;
mod rewriting;
mod rotation;
mod silent_hosts;
mod tamper;
