//! Views, whole.

use edgehill_engine::view::View;
use edgehill_proto::v1;

use super::{Words, board, head, known, observer, step};

/// A view.
#[must_use]
pub fn of(view: &View, words: Words<'_>) -> v1::View {
    v1::View {
        observer: Some(observer::of(view.observer)),
        board: Some(board::of(&view.board)),
        known: known::all(&view.known, words),
        draft: step::ids(&view.draft),
        head: Some(head::of(&view.head, words)),
    }
}
