//! References and places.

use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::reference::{Location, Ref};
use edgehill_engine::seat::Seat;
use edgehill_proto::v1;
use thiserror::Error;
use v1::location::Place;
use v1::r#ref::What;

use super::seat;

/// The reason that a reference can't be read.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Error)]
pub enum BadRef {
    /// None of its fields is set.
    #[error("expected one field of the reference to be set")]
    Unset,
    /// No game has a thing of this number.
    #[error("expected a smaller number: no game has so many of these")]
    Unknown,
}

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

/// Reads a reference, whether or not a game has what it names.
///
/// # Errors
/// If nothing is set, or no game can have that many of such things.
pub fn read(given: &v1::Ref) -> Result<Ref, BadRef> {
    let index = |index: u32| u16::try_from(index).map_err(|_| BadRef::Unknown);
    Ok(match given.what.ok_or(BadRef::Unset)? {
        What::Space(space) => Ref::Space(index(space)?),
        What::Mat(mat) => Ref::Mat(index(mat)?),
        What::Track(track) => Ref::Track(index(track)?),
        What::Pile(pile) => Ref::Pile(index(pile)?),
        What::Piece(piece) => Ref::Piece(index(piece)?),
        What::Card(card) => Ref::Card(index(card)?),
        What::Kind(kind) => Ref::Kind(index(kind)?),
        What::Marker(marker) => Ref::Marker(index(marker)?),
        What::Seat(number) => Ref::Seat(seat::numbered(number, Seat::MAX).ok_or(BadRef::Unknown)?),
        What::Number(number) => Ref::Number(number),
    })
}

/// Checks that the game has what a reference names.
///
/// # Errors
/// Says what it has of this sort.
pub fn check(catalogue: &Catalogue, what: Ref) -> Result<(), String> {
    let (noun, index, count) = match what {
        Ref::Space(index) => ("space", index.into(), catalogue.spaces.len()),
        Ref::Mat(index) => ("mat", index.into(), catalogue.mats.len()),
        Ref::Track(index) => ("track", index.into(), catalogue.tracks.len()),
        Ref::Pile(index) => ("pile", index.into(), catalogue.piles.len()),
        Ref::Piece(index) => ("piece", index.into(), catalogue.pieces.len()),
        Ref::Kind(index) => ("kind", index.into(), catalogue.kinds.len()),
        Ref::Card(index) => ("card", index.into(), catalogue.cards.len()),
        Ref::Marker(index) => ("marker", index.into(), catalogue.markers.len()),
        Ref::Seat(seat) => ("seat", seat.index(), catalogue.seats.len()),
        Ref::Number(_) => return Ok(()),
    };
    match count.checked_sub(1) {
        _ if index < count => Ok(()),
        None => Err(format!("expected something else: this game has no {noun}s")),
        Some(last) => Err(format!("expected a {noun} of this game, 0 to {last}")),
    }
}
