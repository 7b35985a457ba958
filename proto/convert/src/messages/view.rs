//! Views, whole.

use edgehill_engine::view::View;
use edgehill_proto::v1;
use prost::{DecodeError, Message};

use super::{TextMode, action, board, known, observer, turn_state};

/// A view.
#[must_use]
pub fn of(view: &View, words: TextMode<'_>) -> v1::View {
    v1::View {
        observer: Some(observer::of(view.observer)),
        board: Some(board::of(&view.board)),
        known: known::all(&view.known, words),
        draft: action::ids(&view.draft),
        turn_state: Some(turn_state::of(&view.turn_state, words)),
    }
}

/// Reads the view of these bytes.
///
/// # Errors
/// If they are none of a view.
pub fn read(bytes: &[u8]) -> Result<v1::View, DecodeError> {
    v1::View::decode(bytes)
}
