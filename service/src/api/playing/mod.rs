//! `PlaySeats`: any number of seats over one stream.
//!
//! One task reads the client's messages, and each seat has one of its own, so that seats do not wait for each other. All
//! write to one short queue towards the client: a client that reads slowly is notified less often, and
//! nothing piles up for it.

mod channel;
mod elsewhere;
mod opener;
mod seats;
mod stream;
mod update;

pub(super) use seats::OpenSeats;
pub(super) use stream::StreamCounts;
