//! Changes of a view.

use edgehill_engine::view::Change;
use edgehill_proto::v1;
use v1::change::Entry;

use super::{TextMode, action, board, known, turn_state};

/// A change; `None` for what stands on the match beside its game, which no view here has.
#[must_use]
pub fn of(change: &Change, words: TextMode<'_>) -> Option<v1::Change> {
    let entry = match change {
        Change::Piece(id, piece) => Entry::Piece(board::piece(*id, piece)),
        Change::PieceGone(id) => Entry::PieceGone((*id).into()),
        Change::Group(key, count) => Entry::Group(board::group(key, *count)),
        Change::Pile(id, pile) => Entry::Pile(board::pile(*id, pile)),
        Change::Marker(key, Some(number)) => Entry::Marker(board::marker(key, *number)),
        Change::Marker(key, None) => Entry::MarkerGone(board::marker_key(key)),
        Change::Arrow(key, Some(arrow)) => Entry::Arrow(board::arrow(key, arrow)),
        Change::Arrow(key, None) => Entry::ArrowGone(board::arrow_key(key)),
        Change::ArrowsCleared => Entry::ArrowsCleared(v1::ArrowsCleared {}),
        Change::Known(sets) => Entry::Known(v1::KnownChange { known: known::all(sets, words) }),
        // A draft has at most 2,048 actions.
        Change::Draft { keep, add } => {
            Entry::Draft(v1::DraftChange { keep: *keep as u32, add: action::ids(add) })
        }
        Change::TurnState(now) => Entry::TurnState(Box::new(turn_state::of(now, words))),
        Change::Calls(_) => return None,
    };
    Some(v1::Change { entry: Some(entry) })
}
