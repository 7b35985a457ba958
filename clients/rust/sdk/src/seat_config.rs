//! The callers that may take a seat of a new match, as [`NewMatch::seats`](crate::NewMatch::seats) takes them.

use edgehill_proto::v1::{SeatConfig, SeatKind};

/// Anybody: the first to come has the seat.
#[must_use]
pub fn open() -> SeatConfig {
    SeatConfig { kind: SeatKind::Open.into(), bot: String::new() }
}

/// The holder of the seat's invitation, which [`CreatedMatch`](crate::CreatedMatch) has.
#[must_use]
pub fn invited() -> SeatConfig {
    SeatConfig { kind: SeatKind::Invited.into(), bot: String::new() }
}

/// The server's house bot of this name.
#[must_use]
pub fn house_bot(name: impl Into<String>) -> SeatConfig {
    SeatConfig { kind: SeatKind::HouseBot.into(), bot: name.into() }
}
