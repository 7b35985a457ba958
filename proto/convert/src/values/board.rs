//! The places of things, and what is known of hidden ones.

use edgehill_engine::view::{Arrow, ArrowKey, Board, CardPile, HiddenSet, Marker, Piece, PieceGroup};
use edgehill_proto::v1;

use super::reference::{at, origin, owner, phrases, reference, references};
use super::text::kept;
use super::{Garbled, count, index};

pub(super) fn board(board: &v1::Board) -> Result<Board, Garbled> {
    Ok(Board {
        pieces: board.pieces.iter().map(piece).collect::<Result<_, _>>()?,
        groups: board.groups.iter().map(group).collect::<Result<_, _>>()?,
        piles: board.piles.iter().map(pile).collect::<Result<_, _>>()?,
        markers: board.markers.iter().map(marker).collect::<Result<_, _>>()?,
        arrows: board.arrows.iter().map(arrow).collect::<Result<_, _>>()?,
    })
}

pub(super) fn piece(piece: &v1::Piece) -> Result<(u16, Piece), Garbled> {
    let what = Piece {
        kind: index(piece.kind)?,
        owner: owner(piece.owner)?,
        at: at(piece.at.as_ref())?,
        flags: piece.flags,
        from: origin(piece.origin.as_ref())?,
    };
    Ok((index(piece.piece)?, what))
}

pub(super) fn group(group: &v1::PieceGroup) -> Result<(PieceGroup, u16), Garbled> {
    let key = PieceGroup {
        at: at(group.at.as_ref())?,
        owner: owner(group.owner)?,
        kind: index(group.kind)?,
        flags: group.flags,
        from: origin(group.origin.as_ref())?,
    };
    Ok((key, count(group.count)?))
}

pub(super) fn pile(pile: &v1::CardPile) -> Result<(u16, CardPile), Garbled> {
    let cards = pile.cards.iter().map(|&card| index(card)).collect::<Result<_, _>>()?;
    Ok((index(pile.pile)?, CardPile { count: count(pile.count)?, cards }))
}

pub(super) fn marker_key(key: &v1::MarkerKey) -> Result<Marker, Garbled> {
    Ok(Marker { at: at(key.at.as_ref())?, kind: index(key.kind)? })
}

pub(super) fn marker(marker: &v1::Marker) -> Result<(Marker, i32), Garbled> {
    let key = marker.key.as_ref().ok_or_else(|| Garbled::missing("key"))?;
    Ok((marker_key(key)?, marker.number))
}

pub(super) fn arrow_key(key: &v1::ArrowKey) -> Result<ArrowKey, Garbled> {
    Ok(ArrowKey {
        from: at(key.start.as_ref())?,
        to: at(key.end.as_ref())?,
        of: origin(key.of.as_ref())?,
        kind: index(key.kind)?,
        seat: owner(key.seat)?,
        ordinal: u8::try_from(key.ordinal)
            .map_err(|_| Garbled::new(format!("an arrow's ordinal {}", key.ordinal)))?,
    })
}

pub(super) fn arrow(arrow: &v1::Arrow) -> Result<(ArrowKey, Arrow), Garbled> {
    let key = arrow.key.as_ref().ok_or_else(|| Garbled::missing("key"))?;
    let result = (!arrow.result.is_empty()).then(|| kept(&arrow.result));
    Ok((arrow_key(key)?, Arrow { result, refs: references(&arrow.refs)? }))
}

pub(super) fn known(sets: &[v1::HiddenSet]) -> Result<Vec<HiddenSet>, Garbled> {
    sets.iter().map(hidden_set).collect()
}

fn hidden_set(set: &v1::HiddenSet) -> Result<HiddenSet, Garbled> {
    let face = |face: &v1::Face| {
        let what = face.what.as_ref().ok_or_else(|| Garbled::missing("what"))?;
        Ok::<_, Garbled>((reference(what)?, face.number))
    };
    Ok(HiddenSet {
        owner: owner(set.owner)?,
        by: owner(set.by)?,
        faces: set.faces.iter().map(face).collect::<Result<_, _>>()?,
        places: set.places.iter().map(group).collect::<Result<_, _>>()?,
        facts: phrases(&set.facts)?,
    })
}
