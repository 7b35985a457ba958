//! The callers that may take a seat of a new match, as [`NewMatch::seats`](crate::NewMatch::seats) takes them.

use edgehill_proto::v1::{SeatConfig, SeatKind};

/// Anybody: the first to come has the seat.
#[must_use]
pub fn open() -> SeatConfig {
    SeatConfig { kind: SeatKind::Open.into(), ..SeatConfig::default() }
}

/// The holder of the seat's invitation, which [`CreatedMatch`](crate::CreatedMatch) has.
#[must_use]
pub fn invited() -> SeatConfig {
    SeatConfig { kind: SeatKind::Invited.into(), ..SeatConfig::default() }
}

/// The holder of this account's key, who needs no invitation; on servers that have accounts.
#[must_use]
pub fn account(id: impl Into<String>) -> SeatConfig {
    SeatConfig { kind: SeatKind::Invited.into(), account_id: id.into(), ..SeatConfig::default() }
}

/// The server's house bot of this name.
#[must_use]
pub fn house_bot(name: impl Into<String>) -> SeatConfig {
    SeatConfig { kind: SeatKind::HouseBot.into(), bot: name.into(), ..SeatConfig::default() }
}
