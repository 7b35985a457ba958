//! Typed references into a game's catalogue: [`Ref`] names anything, [`Location`] names a place where something can lie.

use smallvec::SmallVec;

use crate::seat::Seat;

/// Things that a sentence, an event or an arrow is about, in order; up to four need no memory of their own.
pub type Refs = SmallVec<[Ref; 4]>;

/// A thing that an action, a phrase or an event names. Numbers are indices into the catalogue's lists.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ref {
    /// A space of the board.
    Space(u16),
    /// A named box beside the board, such as a battle row.
    Mat(u16),
    /// A track.
    Track(u16),
    /// A pile of cards: deck, hand, discard, face-down set.
    Pile(u16),
    /// One named piece.
    Piece(u16),
    /// A kind of piece: a face or a back.
    Kind(u16),
    /// A card.
    Card(u16),
    /// A kind of marker.
    Marker(u16),
    /// A seat.
    Seat(Seat),
    /// A plain number: a count, a die, an ordinal.
    Number(i32),
}

/// The place of a piece, a group or a marker.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Location {
    /// On a space.
    Space(u16),
    /// In a mat.
    Mat(u16),
    /// On a track (the number of a marker there is its box).
    Track(u16),
    /// With a pile.
    Pile(u16),
    /// On another piece: attached to it, carried by it.
    Piece(u16),
    /// On a card.
    Card(u16),
    /// Before a seat.
    Seat(Seat),
}

impl From<Location> for Ref {
    fn from(at: Location) -> Self {
        match at {
            Location::Space(i) => Self::Space(i),
            Location::Mat(i) => Self::Mat(i),
            Location::Track(i) => Self::Track(i),
            Location::Pile(i) => Self::Pile(i),
            Location::Piece(i) => Self::Piece(i),
            Location::Card(i) => Self::Card(i),
            Location::Seat(seat) => Self::Seat(seat),
        }
    }
}
