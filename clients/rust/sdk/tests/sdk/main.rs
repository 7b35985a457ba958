//! The crate against a server that does what a test wants: calls that get lost, streams that break at every message.
//!
//! The server of the project has tests of its own with this crate, in `clients/rust`.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod account_watch;
mod bulk;
mod calls;
mod catalog;
mod cutter;
mod entropy;
mod fake;
mod layers;
mod manual;
mod pages;
mod play;
mod random;
mod rematch;
mod seek;
mod versions;
mod view_tracker;
mod watch;
