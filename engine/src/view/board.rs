//! The board half of a view: keyed entries that an event can replace one by one.

use std::collections::BTreeMap;

use crate::reference::{Location, Refs};
use crate::seat::Seat;

use super::Change;

/// One piece that the observer can tell from others.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Its kind: the face that the observer sees.
    pub kind: u16,
    /// Seat that it belongs to.
    pub owner: Option<Seat>,
    /// Place where it is.
    pub at: Location,
    /// Public properties, as bits named in the catalogue.
    pub flags: u32,
    /// Place where it came from, while the rules remember it: the area across the border that it entered by.
    pub from: Option<Location>,
}

/// The key of pieces that nothing the observer knows tells apart: fungible faces, or backs.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PieceGroup {
    /// Place where they are.
    pub at: Location,
    /// Seat that they belong to.
    pub owner: Option<Seat>,
    /// Their kind: a face or a back.
    pub kind: u16,
    /// Public properties, as bits named in the catalogue.
    pub flags: u32,
    /// Place where they came from, while the rules remember it.
    pub from: Option<Location>,
}

/// A pile of cards as the observer sees it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CardPile {
    /// Number of cards.
    pub count: u16,
    /// Those that the observer sees; in the pile's order where the catalogue says that order means something, else ascending.
    pub cards: Vec<u16>,
}

/// The key of a marker: where, and of which kind. Its content is a number.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Marker {
    /// Place that it lies on.
    pub at: Location,
    /// Its kind, in the catalogue.
    pub kind: u16,
}

/// The key of an arrow: an order, an attack, a retreat.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ArrowKey {
    /// Place where it starts.
    pub from: Location,
    /// Place where it points; equal to `from` for what stays.
    pub to: Location,
    /// A third end: the start of the move that a support points along.
    pub of: Option<Location>,
    /// Its kind, in the catalogue.
    pub kind: u16,
    /// Seat that it belongs to.
    pub seat: Option<Seat>,
    /// Tells apart several of the same key.
    pub ordinal: u8,
}

/// The statement of an arrow.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Arrow {
    /// The result code, once there is one.
    pub result: Option<&'static str>,
    /// Things that it is about: strengths, causes, the supported move.
    pub refs: Refs,
}

/// The things on the board, and where they lie.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Board {
    /// Pieces by id.
    pub pieces: BTreeMap<u16, Piece>,
    /// Sizes of groups; none is 0.
    pub groups: BTreeMap<PieceGroup, u16>,
    /// Piles by id.
    pub piles: BTreeMap<u16, CardPile>,
    /// Numbers of markers.
    pub markers: BTreeMap<Marker, i32>,
    /// Arrows.
    pub arrows: BTreeMap<ArrowKey, Arrow>,
}

impl Board {
    /// Adds `count` to a group.
    pub fn add_to_group(&mut self, group: PieceGroup, count: u16) {
        if count > 0 {
            *self.groups.entry(group).or_default() += count;
        }
    }

    /// Replaces what `change` names; a change of the head is none of the board's.
    pub fn fold(&mut self, change: &Change) {
        match change {
            Change::Piece(id, piece) => {
                self.pieces.insert(*id, *piece);
            }
            Change::PieceGone(id) => {
                self.pieces.remove(id);
            }
            Change::Group(group, 0) => {
                self.groups.remove(group);
            }
            Change::Group(group, count) => {
                self.groups.insert(*group, *count);
            }
            Change::Pile(id, pile) => {
                self.piles.insert(*id, pile.clone());
            }
            Change::Marker(marker, Some(number)) => {
                self.markers.insert(*marker, *number);
            }
            Change::Marker(marker, None) => {
                self.markers.remove(marker);
            }
            Change::Arrow(key, Some(arrow)) => {
                self.arrows.insert(*key, arrow.clone());
            }
            Change::Arrow(key, None) => {
                self.arrows.remove(key);
            }
            Change::ArrowsCleared => self.arrows.clear(),
            Change::Known(_) | Change::Draft { .. } | Change::Calls(_) | Change::TurnState(_) => {}
        }
    }

    /// The changes that turn this board into `later`.
    #[must_use]
    pub fn changes_to(&self, later: &Self) -> Vec<Change> {
        let mut changes = Vec::new();
        differences(&self.pieces, &later.pieces, |id, piece| {
            changes.push(piece.map_or(Change::PieceGone(*id), |piece| Change::Piece(*id, *piece)));
        });
        differences(&self.groups, &later.groups, |group, count| {
            changes.push(Change::Group(*group, count.copied().unwrap_or(0)));
        });
        differences(&self.piles, &later.piles, |id, pile| {
            changes.push(Change::Pile(*id, pile.cloned().unwrap_or_default()));
        });
        differences(&self.markers, &later.markers, |marker, number| {
            changes.push(Change::Marker(*marker, number.copied()));
        });
        differences(&self.arrows, &later.arrows, |key, arrow| {
            changes.push(Change::Arrow(*key, arrow.cloned()));
        });
        changes
    }
}

/// Calls `note` with each key whose value differs, and the later value.
fn differences<K: Ord, V: PartialEq>(
    before: &BTreeMap<K, V>,
    after: &BTreeMap<K, V>,
    mut note: impl FnMut(&K, Option<&V>),
) {
    for key in before.keys().filter(|key| !after.contains_key(key)) {
        note(key, None);
    }
    for (key, value) in after {
        if before.get(key) != Some(value) {
            note(key, Some(value));
        }
    }
}
