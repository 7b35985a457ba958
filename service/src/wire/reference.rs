//! References as callers give them.

use edgehill_convert::values;
use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::reference::Ref;
use edgehill_proto::v1;
use thiserror::Error;

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

/// Reads a reference, whether or not a game has what it names.
///
/// # Errors
/// If nothing is set, or no game can have that many of such things.
pub fn read(given: &v1::Ref) -> Result<Ref, BadRef> {
    match given.what {
        None => Err(BadRef::Unset),
        Some(_) => values::reference(given).map_err(|_| BadRef::Unknown),
    }
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
