//! Boards, and the things that have a place on them.

use edgehill_engine::catalogue::{
    Adjacency, BoardDef, BoxRef, CodeDef, MatDef, SpaceDef, SpaceKindDef, TrackBox, TrackDef,
};
use edgehill_proto::v1;

use super::{all, entry};
use crate::values::text::kept;
use crate::values::{Garbled, index};

pub(super) fn board(board: &v1::BoardDef) -> Result<BoardDef, Garbled> {
    Ok(BoardDef {
        entry: entry::of(board.entry.as_ref())?,
        unit: kept(&board.unit),
        x_min: board.x_min,
        y_min: board.y_min,
        x_max: board.x_max,
        y_max: board.y_max,
        x_scale: board.x_scale,
        y_scale: board.y_scale,
    })
}

pub(super) fn space_kind(kind: &v1::SpaceKindDef) -> SpaceKindDef {
    SpaceKindDef { id: kept(&kind.id), name: kept(&kind.name) }
}

pub(super) fn code(code: &v1::CodeDef) -> CodeDef {
    CodeDef { id: kept(&code.id), name: kept(&code.name) }
}

pub(super) fn space(space: &v1::SpaceDef) -> Result<SpaceDef, Garbled> {
    let adjacency = |one: &v1::Adjacency| {
        let confidence = entry::confidence(one.confidence());
        Ok(Adjacency { to: index(one.to)?, kind: kept(&one.kind), confidence })
    };
    Ok(SpaceDef {
        entry: entry::of(space.entry.as_ref())?,
        kind: index(space.kind)?,
        within: space.within.map(index).transpose()?,
        board: index(space.board)?,
        region: space.region.clone(),
        x: space.x,
        y: space.y,
        adjacencies: all(&space.adjacencies, adjacency)?,
    })
}

pub(super) fn mat(mat: &v1::MatDef) -> Result<MatDef, Garbled> {
    Ok(MatDef { entry: entry::of(mat.entry.as_ref())?, board: index(mat.board)?, x: mat.x, y: mat.y })
}

pub(super) fn track(track: &v1::TrackDef) -> Result<TrackDef, Garbled> {
    let same_as = |same: &v1::BoxRef| Ok(BoxRef { track: index(same.track)?, index: index(same.index)? });
    let one_box = |one: &v1::TrackBox| {
        Ok(TrackBox {
            number: one.number,
            x: one.x,
            y: one.y,
            label: one.label.clone(),
            grade: one.grade.clone(),
            gives: one.gives.clone(),
            attributes: entry::attributes(&one.attributes)?,
            confidence: entry::confidence(one.confidence()),
            same_as: one.same_as.as_ref().map(same_as).transpose()?,
        })
    };
    Ok(TrackDef {
        entry: entry::of(track.entry.as_ref())?,
        board: index(track.board)?,
        boxes: all(&track.boxes, one_box)?,
    })
}
