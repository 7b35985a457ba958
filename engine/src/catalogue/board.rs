//! Geometry: the boards of a game, and what has a place on them.
//!
//! Invariant: every space, mat and box of a track lies in the frame of its board; `within` leads nowhere in a circle.

use crate::content::Confidence;

use super::CatalogEntry;

/// A sheet that things have places on: the map, the display of a battle, the sheet with the tracks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardDef {
    /// Id and name.
    pub entry: CatalogEntry,
    /// Unit of x, in words.
    pub unit: &'static str,
    /// Left edge.
    pub x_min: i32,
    /// Upper edge.
    pub y_min: i32,
    /// Right edge.
    pub x_max: i32,
    /// Lower edge.
    pub y_max: i32,
    /// Length on paper of one unit of x, against [`BoardDef::y_scale`].
    pub x_scale: u32,
    /// Length on paper of one unit of y: degrees of longitude are shorter than those of latitude.
    pub y_scale: u32,
}

impl BoardDef {
    /// A board whose frame is what `places` take up, and a margin; its units are alike in both directions.
    #[must_use]
    pub fn around(
        entry: CatalogEntry,
        unit: &'static str,
        margin: i32,
        places: impl IntoIterator<Item = (i32, i32)>,
    ) -> Self {
        let mut frame: Option<[i32; 4]> = None;
        for (x, y) in places {
            let [left, up, right, down] = frame.unwrap_or([x, y, x, y]);
            frame = Some([left.min(x), up.min(y), right.max(x), down.max(y)]);
        }
        let [left, up, right, down] = frame.unwrap_or_default();
        Self {
            entry,
            unit,
            x_min: left.saturating_sub(margin),
            y_min: up.saturating_sub(margin),
            x_max: right.saturating_add(margin),
            y_max: down.saturating_add(margin),
            x_scale: 1,
            y_scale: 1,
        }
    }

    /// The same with units of other lengths on paper.
    #[must_use]
    pub fn scaled(self, x_scale: u32, y_scale: u32) -> Self {
        Self { x_scale, y_scale, ..self }
    }

    /// Tests that a place lies in the frame.
    #[must_use]
    pub const fn contains(&self, x: i32, y: i32) -> bool {
        self.x_min <= x && x <= self.x_max && self.y_min <= y && y <= self.y_max
    }
}

/// A kind of space, such as a county, a port, a sector of a battle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpaceKindDef {
    /// Stable name in lower case with hyphens.
    pub id: &'static str,
    /// Name in players' words.
    pub name: &'static str,
}

/// A neighbour of a space.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Adjacency {
    /// Index of the neighbour.
    pub to: u16,
    /// Kind of border or road; empty where all are alike.
    pub kind: &'static str,
    /// Level of the weakest of what the content says of it.
    pub confidence: Confidence,
}

/// A space of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpaceDef {
    /// Id, name, facts.
    pub entry: CatalogEntry,
    /// Index into [`Catalogue::space_kinds`](super::Catalogue::space_kinds).
    pub kind: u16,
    /// The space that it lies in, if it lies in one.
    pub within: Option<u16>,
    /// Index into [`Catalogue::boards`](super::Catalogue::boards).
    pub board: u16,
    /// The part of the board that it is shown with, such as a Region, in players' words; empty where the board has no parts.
    pub region: String,
    /// Place of its label, to the right.
    pub x: i32,
    /// Place of its label, downwards.
    pub y: i32,
    /// Neighbours.
    pub adjacencies: Vec<Adjacency>,
}

/// A named box beside the map, such as a row of a battle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatDef {
    /// Id, name, facts.
    pub entry: CatalogEntry,
    /// Index into [`Catalogue::boards`](super::Catalogue::boards).
    pub board: u16,
    /// Place of its middle, to the right.
    pub x: i32,
    /// Place of its middle, downwards.
    pub y: i32,
}
