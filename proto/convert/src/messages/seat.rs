//! Seats as numbers.

use edgehill_engine::seat::{Seat, SeatSet};

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
