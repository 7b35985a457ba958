//! Boards, and the things that have a place on them.

use edgehill_engine::catalogue::{
    Adjacency, BoardDef, CodeDef, MatDef, SpaceDef, SpaceKindDef, TrackBox, TrackDef,
};
use edgehill_proto::v1;

use super::entry;
use crate::messages::rule;

/// A board.
pub(super) fn board(board: &BoardDef) -> v1::BoardDef {
    v1::BoardDef {
        entry: Some(entry::of(&board.entry)),
        unit: board.unit.to_owned(),
        x_min: board.x_min,
        y_min: board.y_min,
        x_max: board.x_max,
        y_max: board.y_max,
        x_scale: board.x_scale,
        y_scale: board.y_scale,
    }
}

/// A kind of space.
pub(super) fn space_kind(kind: &SpaceKindDef) -> v1::SpaceKindDef {
    v1::SpaceKindDef { id: kind.id.to_owned(), name: kind.name.to_owned() }
}

/// A stable word with its name.
pub(super) fn code(code: &CodeDef) -> v1::CodeDef {
    v1::CodeDef { id: code.id.to_owned(), name: code.name.to_owned() }
}

/// A space.
pub(super) fn space(space: &SpaceDef) -> v1::SpaceDef {
    let adjacency = |one: &Adjacency| v1::Adjacency {
        to: one.to.into(),
        kind: one.kind.to_owned(),
        confidence: rule::confidence(one.confidence).into(),
    };
    v1::SpaceDef {
        entry: Some(entry::of(&space.entry)),
        kind: space.kind.into(),
        within: space.within.map(Into::into),
        board: space.board.into(),
        x: space.x,
        y: space.y,
        adjacencies: space.adjacencies.iter().map(adjacency).collect(),
        region: space.region.clone(),
    }
}

/// A mat.
pub(super) fn mat(mat: &MatDef) -> v1::MatDef {
    v1::MatDef { entry: Some(entry::of(&mat.entry)), board: mat.board.into(), x: mat.x, y: mat.y }
}

/// A track with its boxes.
pub(super) fn track(track: &TrackDef) -> v1::TrackDef {
    let one_box = |one: &TrackBox| v1::TrackBox {
        number: one.number,
        x: one.x,
        y: one.y,
        label: one.label.clone(),
        grade: one.grade.clone(),
        gives: one.gives.clone(),
        confidence: rule::confidence(one.confidence).into(),
        attributes: entry::attributes(&one.attributes),
        same_as: one.same_as.map(|same| v1::BoxRef { track: same.track.into(), index: same.index.into() }),
    };
    v1::TrackDef {
        entry: Some(entry::of(&track.entry)),
        board: track.board.into(),
        boxes: track.boxes.iter().map(one_box).collect(),
    }
}
