//! The observer whose eyes are meant.

use edgehill_engine::seat::Observer;
use edgehill_proto::v1;

use super::{Refused, seat};

/// Reads an observer of a match with `seats` seats; `None` where none is named, which is the caller themselves.
///
/// # Errors
/// UNKNOWN_SEAT if the match has no such seat.
pub fn read(given: Option<&v1::Observer>, seats: usize) -> Result<Option<Observer>, Refused> {
    given
        .map(|given| {
            given.seat.map_or(Ok(Observer::Spectator), |seat| seat::read(seat, seats).map(Observer::Seat))
        })
        .transpose()
}
