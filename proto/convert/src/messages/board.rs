//! The board half of a view: pieces, groups, piles, markers, arrows.

use edgehill_engine::view::{Arrow, ArrowKey, Board, CardPile, Marker, Piece, PieceGroup};
use edgehill_proto::v1;

use super::{reference, seat};

/// A board: each list sorted by its entries' keys, as the engine sorts them.
#[must_use]
pub fn of(board: &Board) -> v1::Board {
    v1::Board {
        pieces: board.pieces.iter().map(|(&id, one)| piece(id, one)).collect(),
        groups: board.groups.iter().map(|(key, &count)| group(key, count)).collect(),
        piles: board.piles.iter().map(|(&id, one)| pile(id, one)).collect(),
        markers: board.markers.iter().map(|(key, &number)| marker(key, number)).collect(),
        arrows: board.arrows.iter().map(|(key, one)| arrow(key, one)).collect(),
    }
}

/// A piece.
#[must_use]
pub fn piece(id: u16, piece: &Piece) -> v1::Piece {
    v1::Piece {
        piece: id.into(),
        kind: piece.kind.into(),
        owner: piece.owner.map(seat::of),
        at: Some(reference::at(piece.at)),
        flags: piece.flags,
        origin: piece.from.map(reference::at),
    }
}

/// A group and its size.
#[must_use]
pub fn group(key: &PieceGroup, count: u16) -> v1::PieceGroup {
    v1::PieceGroup {
        at: Some(reference::at(key.at)),
        owner: key.owner.map(seat::of),
        kind: key.kind.into(),
        flags: key.flags,
        origin: key.from.map(reference::at),
        count: count.into(),
    }
}

/// A pile.
#[must_use]
pub fn pile(id: u16, pile: &CardPile) -> v1::CardPile {
    let cards = pile.cards.iter().map(|&card| card.into()).collect();
    v1::CardPile { pile: id.into(), count: pile.count.into(), cards }
}

/// Returns the key that tells a marker apart.
#[must_use]
pub fn marker_key(key: &Marker) -> v1::MarkerKey {
    v1::MarkerKey { at: Some(reference::at(key.at)), kind: key.kind.into() }
}

/// A marker and its number.
#[must_use]
pub fn marker(key: &Marker, number: i32) -> v1::Marker {
    v1::Marker { key: Some(marker_key(key)), number }
}

/// Returns the key that tells an arrow apart.
#[must_use]
pub fn arrow_key(key: &ArrowKey) -> v1::ArrowKey {
    v1::ArrowKey {
        start: Some(reference::at(key.from)),
        end: Some(reference::at(key.to)),
        of: key.of.map(reference::at),
        kind: key.kind.into(),
        seat: key.seat.map(seat::of),
        ordinal: key.ordinal.into(),
    }
}

/// An arrow and what it says.
#[must_use]
pub fn arrow(key: &ArrowKey, arrow: &Arrow) -> v1::Arrow {
    v1::Arrow {
        key: Some(arrow_key(key)),
        result: arrow.result.unwrap_or_default().to_owned(),
        refs: reference::all(&arrow.refs),
    }
}
