//! Seats and observers as they are written on the command line.

use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::seat::{Observer, Seat, SeatSet};

use crate::error::Error;

/// The seat of this id, name or number (from 1).
pub(crate) fn seat(catalogue: &Catalogue, seats: usize, text: &str) -> Result<Seat, Error> {
    let playing = &catalogue.seats[..seats.min(catalogue.seats.len())];
    let named = playing
        .iter()
        .position(|seat| seat.id.eq_ignore_ascii_case(text) || seat.name.eq_ignore_ascii_case(text));
    let numbered =
        || text.parse::<usize>().ok().and_then(|n| n.checked_sub(1)).filter(|&i| i < playing.len());
    match named.or_else(numbered) {
        Some(index) => Ok(Seat::new(index as u8)),
        None => {
            let known: Vec<&str> = playing.iter().map(|seat| seat.id).collect();
            Err(Error::Seat { given: text.to_owned(), known: known.join(", ") })
        }
    }
}

/// A seat, or `spectator`.
pub(crate) fn observer(catalogue: &Catalogue, seats: usize, text: &str) -> Result<Observer, Error> {
    if text.eq_ignore_ascii_case("spectator") {
        return Ok(Observer::Spectator);
    }
    seat(catalogue, seats, text).map(Observer::Seat).map_err(|error| match error {
        Error::Seat { given, known } => Error::Seat { given, known: format!("{known}, spectator") },
        other => other,
    })
}

/// Ids of seats, for messages.
pub(crate) fn ids(catalogue: &Catalogue, seats: SeatSet) -> String {
    let ids = seats.iter().filter_map(|seat| catalogue.seats.get(seat.index())).map(|seat| seat.id);
    ids.collect::<Vec<_>>().join(", ")
}
