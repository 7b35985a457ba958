//! The observer whose eyes are meant.

use edgehill_engine::seat::Observer;
use edgehill_proto::v1;

use super::seat;

/// An observer.
#[must_use]
pub fn of(observer: Observer) -> v1::Observer {
    let seat = match observer {
        Observer::Seat(seat) => Some(seat::of(seat)),
        Observer::Spectator => None,
    };
    v1::Observer { seat }
}
