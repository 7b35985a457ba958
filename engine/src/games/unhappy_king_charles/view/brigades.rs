//! Brigades as each observer sees them: groups of faces or of backs by their places; what is known of those whose faces are hidden.
//!
//! Each side's hidden counters of one back are one set of faces, spread over all groups of that back (rulings Y1, X9, X11).

use crate::view::{Board, Entries, HiddenSet, Marker, PieceGroup};
use crate::vocabulary::*;

use super::super::UnhappyKing;
use super::super::catalogue::{DESERTERS, back_kind, location};
use super::super::content::SEATS;
use super::super::content::brigades::BrigadeBack;
use super::super::content::ids::{CounterId, CounterSet};
use super::super::state::{Holder, Marks, State};
use super::part::Part;

/// The mark that a hidden face is a turncoat's, with the face in a known set (X11).
pub(in super::super) const TURNCOAT: i32 = 1;

/// Returns whether an observer knows the face of a counter.
pub(in super::super) fn is_known(
    game: &UnhappyKing,
    state: &State,
    counter: CounterId,
    observer: Observer,
) -> bool {
    let marks = state.brigades.get(counter).marks;
    match observer {
        Observer::Spectator => marks.contains(Marks::PUBLIC),
        Observer::Seat(seat) => {
            state.brigades.side(&game.content, counter) == seat || marks.contains(Marks::KNOWN)
        }
    }
}

/// The marks of a counter that show to others, with its face or with its back alone.
pub(in super::super) const SHOWN_WITH_BACK: Marks =
    Marks::all().difference(Marks::KNOWLEDGE).difference(Marks::TURNED).difference(Marks::DESERTING);

/// The marks of a counter that its own side alone sees: which are selected for Desertion (H15), and which of those in the Unemployed Generals
/// Box are picked to reform (Y5).
fn own_marks(at: Holder) -> Marks {
    let boxed = SEATS.iter().any(|&seat| at == Holder::unemployed(seat));
    if boxed { Marks::DESERTING | Marks::PICKED } else { Marks::DESERTING }
}

/// The group of a counter that an observer sees by its back.
fn back_group(game: &UnhappyKing, state: &State, counter: CounterId) -> PieceGroup {
    let one = state.brigades.get(counter);
    PieceGroup {
        at: location(&game.content, one.at),
        owner: Some(state.brigades.side(&game.content, counter)),
        kind: back_kind(&game.content, state.brigades.back(&game.content, counter)),
        flags: (one.marks & (SHOWN_WITH_BACK - own_marks(one.at))).bits().into(),
        from: None,
    }
}

/// The group of a counter whose face an observer sees.
fn face_group(game: &UnhappyKing, state: &State, counter: CounterId, observer: Observer) -> PieceGroup {
    let one = state.brigades.get(counter);
    let side = state.brigades.side(&game.content, counter);
    let marks = if observer.is(side) { one.marks } else { one.marks - own_marks(one.at) };
    PieceGroup {
        at: location(&game.content, one.at),
        owner: Some(side),
        kind: game.content.face_of[counter].index() as u16,
        flags: marks.bits().into(),
        from: None,
    }
}

/// Puts the Brigades of a part on a board, and how many of each place are selected for Desertion.
pub(super) fn lay_out(game: &UnhappyKing, state: &State, observer: Observer, part: &Part, board: &mut Board) {
    for holder in (0..Holder::BOUND).map(Holder::new).filter(|holder| part.holders[holder.index()]) {
        let counters = state.brigades.at(holder);
        for counter in counters {
            let group = if is_known(game, state, counter, observer) {
                face_group(game, state, counter, observer)
            } else {
                back_group(game, state, counter)
            };
            board.add_to_group(group, 1);
        }
        let deserting = state.brigades.marked(counters, Marks::DESERTING).count();
        if deserting > 0 {
            let at = location(&game.content, holder);
            board.markers.insert(Marker { at, kind: DESERTERS }, deserting as i32);
        }
    }
}

/// Returns what is known of Brigades: to an observer of the enemy's, to the enemy of their own, to everybody of both.
pub(super) fn known(game: &UnhappyKing, state: &State, observer: Observer) -> Vec<HiddenSet> {
    let mut sets = Vec::new();
    for owner in SEATS {
        let other = owner.other();
        for back in BrigadeBack::ALL {
            let counters = state.brigades.of_back(&game.content, owner, back);
            let lacking = |mark: Marks| counters - state.brigades.marked(counters, mark);
            let (of_all, of_other) = (lacking(Marks::PUBLIC), lacking(Marks::KNOWN));
            sets.extend(set(game, state, owner, None, of_all));
            // The other side's knowledge shows to both sides, where it is more than everybody's.
            if of_all != of_other && observer != Observer::Spectator {
                sets.extend(set(game, state, owner, Some(other), of_other));
            }
        }
    }
    sets
}

/// The set of hidden counters of a side; none if there are none.
fn set(
    game: &UnhappyKing,
    state: &State,
    owner: Seat,
    by: Option<Seat>,
    counters: CounterSet,
) -> Option<HiddenSet> {
    if counters.is_empty() {
        return None;
    }
    let mut places: Entries<PieceGroup, u16> = Entries::new();
    let mut left = counters;
    while let Some(first) = left.first() {
        // Of one side and back, those at one place with the same marks are alike.
        let at = state.brigades.get(first).at;
        let there = left & state.brigades.at(at);
        let marked = state.brigades.marked(there, SHOWN_WITH_BACK);
        let alike = if marked.is_empty() { there } else { CounterSet::one(first) };
        *places.entry(back_group(game, state, first)).or_insert(0) += alike.count() as u16;
        left -= alike;
    }
    let turned = state.brigades.marked(counters, Marks::TURNED);
    let face =
        |counter| (Ref::from(game.content.face_of[counter]), turned.contains(counter).then_some(TURNCOAT));
    let mut faces: Vec<(Ref, Option<i32>)> = counters.iter().map(face).collect();
    faces.sort_unstable();
    Some(HiddenSet { owner: Some(owner), by, faces, places: places.into_iter().collect(), facts: Vec::new() })
}
