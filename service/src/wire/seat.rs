//! Seats as numbers.

use edgehill_engine::seat::{Seat, SeatSet};
use edgehill_proto::v1::ErrorReason;

use super::Refused;

/// A seat's number, from 0.
#[must_use]
pub fn of(seat: Seat) -> u32 {
    // A game has at most eight.
    seat.index() as u32
}

/// The numbers of seats, ascending.
#[must_use]
pub fn all(seats: SeatSet) -> Vec<u32> {
    seats.iter().map(of).collect()
}

/// Reads the number of a seat of a match with `seats` seats.
///
/// # Errors
/// UNKNOWN_SEAT if the match has no such seat.
pub fn read(number: u32, seats: usize) -> Result<Seat, Refused> {
    numbered(number, seats).ok_or_else(|| {
        let seats = match seats {
            1 => "the only seat of this match is 0".to_owned(),
            _ => format!("the seats of this match are 0 to {}", seats.saturating_sub(1)),
        };
        Refused::new(ErrorReason::UnknownSeat, format!("seat {number}: {seats}"))
    })
}

/// The seat of this number, if it is below `seats` and below the most that a game can have.
pub(super) fn numbered(number: u32, seats: usize) -> Option<Seat> {
    let index = u8::try_from(number).ok()?;
    (usize::from(index) < seats.min(Seat::MAX)).then(|| Seat::new(index))
}
