//! Tracks with their boxes.

use crate::content::Confidence;

use super::{Attribute, CatalogEntry};

/// A track: boxes, each with its own place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrackDef {
    /// Id, name, facts.
    pub entry: CatalogEntry,
    /// Index into [`Catalogue::boards`](super::Catalogue::boards).
    pub board: u16,
    /// Boxes, the first one first.
    pub boxes: Vec<TrackBox>,
}

impl TrackDef {
    /// A track whose boxes lie to the right of `(x, y)`, `row` of them in a row; each row lies one below the one before it.
    #[must_use]
    pub fn across(
        entry: CatalogEntry,
        board: u16,
        (x, y): (i32, i32),
        row: usize,
        boxes: Vec<TrackBox>,
    ) -> Self {
        let place = |(index, one): (usize, TrackBox)| TrackBox {
            x: x + (index % row) as i32,
            y: y + (index / row) as i32,
            ..one
        };
        Self { entry, board, boxes: boxes.into_iter().enumerate().map(place).collect() }
    }

    /// A track whose boxes lie below `(x, y)`.
    #[must_use]
    pub(crate) fn down(entry: CatalogEntry, board: u16, (x, y): (i32, i32), boxes: Vec<TrackBox>) -> Self {
        Self::across(entry, board, (x, y), 1, boxes)
    }

    /// Places of the middles of the boxes, in order.
    pub fn places(&self) -> impl Iterator<Item = (i32, i32)> + '_ {
        self.boxes.iter().map(|one| (one.x, one.y))
    }

    /// The box of a number.
    #[must_use]
    pub fn of_number(&self, number: i32) -> Option<&TrackBox> {
        self.boxes.iter().find(|one| one.number == number)
    }
}

/// A box of a track.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrackBox {
    /// The number of a marker of [position](super::MarkerPriority::Position) that stands here.
    pub number: i32,
    /// Place of its middle, to the right; boxes are one unit wide.
    pub x: i32,
    /// Place of its middle, downwards; boxes are one unit high.
    pub y: i32,
    /// Words in the box.
    pub label: String,
    /// Grade, in the game's own words; empty if boxes have none.
    pub grade: String,
    /// Effects while the marker stands here, line by line, in our words.
    pub gives: Vec<String>,
    /// Typed facts, ascending by [`Attribute::def`].
    pub attributes: Vec<Attribute>,
    /// Level of its weakest field.
    pub confidence: Confidence,
    /// The box of an earlier track that this one is: both lie at one place, and a page draws the earlier.
    pub same_as: Option<BoxRef>,
}

/// A box of a track of the catalogue.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct BoxRef {
    /// Index into [`Catalogue::tracks`](super::Catalogue::tracks).
    pub track: u16,
    /// Index into [`TrackDef::boxes`].
    pub index: u16,
}

impl TrackBox {
    /// A box that is no better and no worse than others; its track gives it a place.
    #[must_use]
    pub fn new(number: i32, label: impl Into<String>, confidence: Confidence) -> Self {
        let (grade, gives, attributes) = (String::new(), Vec::new(), Vec::new());
        Self { number, x: 0, y: 0, label: label.into(), grade, gives, attributes, confidence, same_as: None }
    }

    /// The same with its effects.
    #[must_use]
    pub(crate) fn with_gives(self, gives: Vec<String>) -> Self {
        Self { gives, ..self }
    }
}
