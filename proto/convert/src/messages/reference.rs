//! References and places.

use edgehill_engine::reference::{Location, Ref};
use edgehill_proto::v1;
use v1::location::Place;
use v1::r#ref::What;

use super::seat;

/// A reference.
#[must_use]
pub fn of(what: Ref) -> v1::Ref {
    let what = match what {
        Ref::Space(index) => What::Space(index.into()),
        Ref::Mat(index) => What::Mat(index.into()),
        Ref::Track(index) => What::Track(index.into()),
        Ref::Pile(index) => What::Pile(index.into()),
        Ref::Piece(index) => What::Piece(index.into()),
        Ref::Kind(index) => What::Kind(index.into()),
        Ref::Card(index) => What::Card(index.into()),
        Ref::Marker(index) => What::Marker(index.into()),
        Ref::Seat(seat) => What::Seat(seat::of(seat)),
        Ref::Number(number) => What::Number(number),
    };
    v1::Ref { what: Some(what) }
}

/// References in order.
#[must_use]
pub fn all(refs: &[Ref]) -> Vec<v1::Ref> {
    refs.iter().map(|&what| of(what)).collect()
}

/// A place.
#[must_use]
pub fn at(at: Location) -> v1::Location {
    let place = match at {
        Location::Space(index) => Place::Space(index.into()),
        Location::Mat(index) => Place::Mat(index.into()),
        Location::Track(index) => Place::Track(index.into()),
        Location::Pile(index) => Place::Pile(index.into()),
        Location::Piece(index) => Place::Piece(index.into()),
        Location::Card(index) => Place::Card(index.into()),
        Location::Seat(seat) => Place::Seat(seat::of(seat)),
    };
    v1::Location { place: Some(place) }
}
