//! Seats by their numbers.

use edgehill_convert::values;
use edgehill_engine::seat::Seat;
use edgehill_proto::v1::ErrorReason;

use super::Refused;

/// Reads the number of a seat of a match with `seats` seats.
///
/// # Errors
/// UNKNOWN_SEAT if the match has no such seat.
pub fn read(number: u32, seats: usize) -> Result<Seat, Refused> {
    let seat = values::seat(number).ok().filter(|seat| seat.index() < seats);
    seat.ok_or_else(|| {
        let seats = match seats {
            1 => "the only seat of this match is 0".to_owned(),
            _ => format!("the seats of this match are 0 to {}", seats.saturating_sub(1)),
        };
        Refused::new(ErrorReason::UnknownSeat, format!("seat {number}: {seats}"))
    })
}
