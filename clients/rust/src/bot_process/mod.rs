//! Bots of other programs: child processes that play seats of matches on a server, by lines of JSON on standard input and output
//! (docs/line-protocol.md).
//!
//! From the outside in: [`runner`] plays the seats that are kept for an account in the order of [`queue`], [`seat`] plays one of
//! them with as many processes as it takes, [`life`] is one process from its greeting to its end, [`process`] the process itself with
//! its pipes, [`limits`] what it may use up, [`log`] what it says beside the protocol. [`to_bot`] and [`from_bot`] are the lines.
//!
//! Invariants: no pipe of a bot holds the runner up, and none fills its memory; no process group outlives its match.

pub(crate) mod config;
mod from_bot;
mod group;
mod life;
mod limits;
mod log;
mod process;
mod queue;
mod report;
pub(crate) mod runner;
mod seat;
mod seat_stream;
pub(crate) mod seats_folder;
mod stop;
mod to_bot;
mod wire_json;

pub(crate) use group::ProcessGroup;
pub(crate) use report::SeatReport;
pub(crate) use stop::Stop;
