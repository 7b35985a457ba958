//! Tracks with their boxes.

use crate::content::Confidence;

use super::{Attribute, CatalogEntry};

/// A track: boxes in a row, each as far from the one before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrackDef {
    /// Id, name, facts.
    pub entry: CatalogEntry,
    /// Index into [`Catalogue::boards`](super::Catalogue::boards).
    pub board: u16,
    /// Place of the first box's middle, to the right.
    pub x: i32,
    /// Place of the first box's middle, downwards.
    pub y: i32,
    /// Way from each box to the next, to the right.
    pub dx: i32,
    /// Way from each box to the next, downwards.
    pub dy: i32,
    /// Boxes, the first one first.
    pub boxes: Vec<TrackBox>,
}

impl TrackDef {
    /// Places of the middles of the boxes, in order.
    pub fn places(&self) -> impl Iterator<Item = (i32, i32)> + '_ {
        (0..).zip(&self.boxes).map(|(index, _)| (self.x + index * self.dx, self.y + index * self.dy))
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
}

impl TrackBox {
    /// A box that is no better and no worse than others.
    #[must_use]
    pub fn new(number: i32, label: impl Into<String>, confidence: Confidence) -> Self {
        let (grade, gives, attributes) = (String::new(), Vec::new(), Vec::new());
        Self { number, label: label.into(), grade, gives, attributes, confidence }
    }

    /// The same with its effects.
    #[must_use]
    pub fn with_gives(self, gives: Vec<String>) -> Self {
        Self { gives, ..self }
    }
}
