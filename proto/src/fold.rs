//! Changes folded over views ([`change`]): what the comments of `view.proto` and `event.proto` say of them.
//!
//! Invariant: each list of a board stays sorted by the keys of its entries, with each key once, as a server sends it.

use std::cmp::Ordering;

use crate::v1::change::Entry;
use crate::v1::location::Place;
use crate::v1::{Arrow, ArrowKey, Board, Change, Location, Marker, MarkerKey, PieceGroup, View};

/// Replaces the entry that `change` names; one without an entry that this version of the wire has changes nothing.
pub fn change(view: &mut View, change: &Change) {
    match &change.entry {
        Some(Entry::TurnState(turn_state)) => view.turn_state = Some((**turn_state).clone()),
        Some(Entry::Known(known)) => view.known.clone_from(&known.known),
        Some(Entry::Draft(draft)) => {
            view.draft.truncate(draft.keep as usize);
            view.draft.extend_from_slice(&draft.add);
        }
        Some(entry) => board(view.board.get_or_insert_default(), entry),
        None => {}
    }
}

fn board(board: &mut Board, entry: &Entry) {
    match entry {
        Entry::Piece(piece) => {
            put(&mut board.pieces, *piece, |one| one.piece.cmp(&piece.piece));
        }
        Entry::PieceGone(id) => take(&mut board.pieces, |one| one.piece.cmp(id)),
        Entry::Group(group) if group.count == 0 => take(&mut board.groups, |one| groups(one, group)),
        Entry::Group(group) => put(&mut board.groups, *group, |one| groups(one, group)),
        Entry::Pile(pile) => put(&mut board.piles, pile.clone(), |one| one.pile.cmp(&pile.pile)),
        Entry::Marker(marker) => put(&mut board.markers, *marker, |one| markers(one, marker.key.as_ref())),
        Entry::MarkerGone(key) => take(&mut board.markers, |one| markers(one, Some(key))),
        Entry::Arrow(arrow) => put(&mut board.arrows, arrow.clone(), |one| arrows(one, arrow.key.as_ref())),
        Entry::ArrowGone(key) => take(&mut board.arrows, |one| arrows(one, Some(key))),
        Entry::ArrowsCleared(_) => board.arrows.clear(),
        // Turn state, draft and knowledge are not the board's.
        Entry::Known(_) | Entry::Draft(_) | Entry::TurnState(_) => {}
    }
}

/// Puts an entry where `order` finds its key, or where it belongs.
fn put<T>(list: &mut Vec<T>, entry: T, order: impl FnMut(&T) -> Ordering) {
    match list.binary_search_by(order) {
        Ok(place) => list[place] = entry,
        Err(place) => list.insert(place, entry),
    }
}

/// Takes the entry out whose key `order` finds, if it is there.
fn take<T>(list: &mut Vec<T>, order: impl FnMut(&T) -> Ordering) {
    if let Ok(place) = list.binary_search_by(order) {
        list.remove(place);
    }
}

fn groups(one: &PieceGroup, other: &PieceGroup) -> Ordering {
    let key = |group: &PieceGroup| {
        (place(group.at.as_ref()), group.owner, group.kind, group.flags, place(group.origin.as_ref()))
    };
    key(one).cmp(&key(other))
}

fn markers(one: &Marker, other: Option<&MarkerKey>) -> Ordering {
    let key = |key: Option<&MarkerKey>| key.map(|key| (place(key.at.as_ref()), key.kind));
    key(one.key.as_ref()).cmp(&key(other))
}

fn arrows(one: &Arrow, other: Option<&ArrowKey>) -> Ordering {
    let key = |key: Option<&ArrowKey>| {
        key.map(|key| {
            let ends = (place(key.start.as_ref()), place(key.end.as_ref()), place(key.of.as_ref()));
            (ends, key.kind, key.seat, key.ordinal)
        })
    };
    key(one.key.as_ref()).cmp(&key(other))
}

/// Returns the key that places are sorted by: their sort as `Location` numbers it, then their index. No place is
/// before any.
fn place(at: Option<&Location>) -> Option<(u8, u32)> {
    Some(match at?.place? {
        Place::Space(index) => (1, index),
        Place::Mat(index) => (2, index),
        Place::Track(index) => (3, index),
        Place::Pile(index) => (4, index),
        Place::Piece(index) => (5, index),
        Place::Card(index) => (6, index),
        Place::Seat(index) => (7, index),
    })
}
