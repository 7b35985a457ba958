//! The knowledge of hidden things.

use edgehill_engine::reference::Ref;
use edgehill_engine::view::HiddenSet;
use edgehill_proto::v1;

use super::{TextMode, board, phrase, reference, seat};

/// All sets, in order.
#[must_use]
pub fn all(known: &[HiddenSet], words: TextMode<'_>) -> Vec<v1::HiddenSet> {
    known.iter().map(|set| of(set, words)).collect()
}

/// One set: faces, and the places that they are spread over.
#[must_use]
pub fn of(set: &HiddenSet, words: TextMode<'_>) -> v1::HiddenSet {
    let face = |&(what, number): &(Ref, Option<i32>)| v1::Face { what: Some(reference::of(what)), number };
    v1::HiddenSet {
        owner: set.owner.map(seat::of),
        by: set.by.map(seat::of),
        faces: set.faces.iter().map(face).collect(),
        places: set.places.iter().map(|(key, count)| board::group(key, *count)).collect(),
        facts: set.facts.iter().map(|fact| phrase::of(fact, words)).collect(),
    }
}
