//! A client's handling of a view and the events after it: it folds them, by the comments of the wire alone.

use edgehill_proto::v1;
use v1::change::Entry;

type Place = (u8, u32);

fn place(at: Option<&v1::Location>) -> Option<Place> {
    use v1::location::Place::{Card, Mat, Piece, Pile, Seat, Space, Track};
    at.map(|at| match at.place.expect("a place is set") {
        Space(index) => (1, index),
        Mat(index) => (2, index),
        Track(index) => (3, index),
        Pile(index) => (4, index),
        Piece(index) => (5, index),
        Card(index) => (6, index),
        Seat(index) => (7, index),
    })
}

fn group_key(group: &v1::PieceGroup) -> impl Ord + use<> {
    (place(group.at.as_ref()), group.owner, group.kind, group.flags, place(group.origin.as_ref()))
}

fn marker_key(key: Option<&v1::MarkerKey>) -> impl Ord + use<> {
    key.map(|key| (place(key.at.as_ref()), key.kind))
}

fn arrow_key(key: Option<&v1::ArrowKey>) -> impl Ord + use<> {
    key.map(|key| {
        let ends = [place(key.start.as_ref()), place(key.end.as_ref()), place(key.of.as_ref())];
        (ends, key.kind, key.seat, key.ordinal)
    })
}

/// Puts `entry` into a list that is sorted by key, or takes what has its key out.
fn set<T, K: Ord>(list: &mut Vec<T>, entry: T, key: impl Fn(&T) -> K, there: bool) {
    match (list.binary_search_by_key(&key(&entry), &key), there) {
        (Ok(index), true) => list[index] = entry,
        (Err(index), true) => list.insert(index, entry),
        (Ok(index), false) => drop(list.remove(index)),
        (Err(_), false) => {}
    }
}

/// Folds an event over a view.
pub(crate) fn fold(view: &mut v1::View, event: &v1::Event) {
    for change in &event.changes {
        let board = view.board.as_mut().expect("a view has a board");
        match change.entry.clone().expect("a change has an entry") {
            Entry::Piece(piece) => set(&mut board.pieces, piece, |one| one.piece, true),
            Entry::PieceGone(id) => board.pieces.retain(|one| one.piece != id),
            Entry::Group(group) => {
                let there = group.count > 0;
                set(&mut board.groups, group, group_key, there);
            }
            Entry::Pile(pile) => set(&mut board.piles, pile, |one| one.pile, true),
            Entry::Marker(marker) => {
                set(&mut board.markers, marker, |one| marker_key(one.key.as_ref()), true)
            }
            Entry::MarkerGone(key) => {
                let gone = v1::Marker { key: Some(key), number: 0 };
                set(&mut board.markers, gone, |one| marker_key(one.key.as_ref()), false);
            }
            Entry::Arrow(arrow) => set(&mut board.arrows, arrow, |one| arrow_key(one.key.as_ref()), true),
            Entry::ArrowGone(key) => {
                let gone = v1::Arrow { key: Some(key), ..v1::Arrow::default() };
                set(&mut board.arrows, gone, |one| arrow_key(one.key.as_ref()), false);
            }
            Entry::ArrowsCleared(v1::ArrowsCleared {}) => board.arrows.clear(),
            Entry::Known(known) => view.known = known.known,
            Entry::Draft(draft) => {
                view.draft.truncate(draft.keep as usize);
                view.draft.extend(draft.add);
            }
            Entry::TurnState(turn_state) => view.turn_state = Some(*turn_state),
        }
    }
}

/// Returns whether each list of the board is sorted by its entries' keys, each key once.
pub(crate) fn is_sorted(board: &v1::Board) -> bool {
    let v1::Board { pieces, groups, piles, markers, arrows } = board;
    pieces.is_sorted_by(|a, b| a.piece < b.piece)
        && groups.is_sorted_by(|a, b| group_key(a) < group_key(b))
        && piles.is_sorted_by(|a, b| a.pile < b.pile)
        && markers.is_sorted_by(|a, b| marker_key(a.key.as_ref()) < marker_key(b.key.as_ref()))
        && arrows.is_sorted_by(|a, b| arrow_key(a.key.as_ref()) < arrow_key(b.key.as_ref()))
}
