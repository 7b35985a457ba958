//! The board half of a view: keyed entries that an event can replace one by one.

use litemap::LiteMap;

use crate::reference::{Location, Refs};
use crate::seat::Seat;

use super::{Change, Changes};

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

/// Entries of a board by their keys: one array, sorted. A board is small and changes in few places, so that finding is cheap, copying is
/// one allocation, and comparing is one walk.
pub type Entries<K, V> = LiteMap<K, V>;

/// The things on the board, and where they lie; or a part of them ([`Game::board_changes`](crate::game::Game::board_changes)).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Board {
    /// Pieces by id.
    pub pieces: Entries<u16, Piece>,
    /// Sizes of groups; none is 0.
    pub groups: Entries<PieceGroup, u16>,
    /// Piles by id.
    pub piles: Entries<u16, CardPile>,
    /// Numbers of markers.
    pub markers: Entries<Marker, i32>,
    /// Arrows.
    pub arrows: Entries<ArrowKey, Arrow>,
}

impl Board {
    /// Adds `count` to a group.
    pub fn add_to_group(&mut self, group: PieceGroup, count: u16) {
        if count > 0 {
            *self.groups.entry(group).or_insert(0) += count;
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
    pub fn changes_to(&self, later: &Self) -> Changes {
        let mut changes = Changes::new();
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

/// Calls `note` with each key whose value differs, and the later value: first those that are gone.
fn differences<K: Ord, V: PartialEq>(
    before: &Entries<K, V>,
    after: &Entries<K, V>,
    mut note: impl FnMut(&K, Option<&V>),
) {
    let mut later = after.iter().peekable();
    for (key, _) in before.iter() {
        while later.next_if(|(other, _)| *other < key).is_some() {}
        if later.next_if(|(other, _)| *other == key).is_none() {
            note(key, None);
        }
    }
    let mut earlier = before.iter().peekable();
    for (key, value) in after.iter() {
        while earlier.next_if(|(other, _)| *other < key).is_some() {}
        if earlier.next_if(|(other, _)| *other == key).is_none_or(|(_, old)| old != value) {
            note(key, Some(value));
        }
    }
}
