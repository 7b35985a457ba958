//! Views of an observer: [`View`] = [`Board`] (what lies where) + what is known among hidden things + [`TurnState`] (what is
//! going on).
//!
//! Invariant: a view of one observer with the changes of their event stream folded over it is their later view.

mod board;
mod calls;
mod change;
mod turn_state;

pub use board::{Arrow, ArrowKey, Board, CardPile, Entries, Marker, Piece, PieceGroup};
pub use calls::{Calls, PassScope, StandingPass};
pub use change::{Added, BoardChanges, Change, Changes};
pub use turn_state::{
    Entitlement, HiddenSet, HiddenSets, NodeView, Path, Phrase, Procedure, Roles, TurnState, Window,
};

use std::sync::Arc;

use crate::action::ActionId;
use crate::seat::Observer;

/// All that an observer sees of a match, in the tabletop's vocabulary.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// Observer that it is for.
    pub observer: Observer,
    /// The things on the board, and where they lie.
    pub board: Board,
    /// Knowledge of things that lie face down, sorted.
    pub known: HiddenSets,
    /// The observer's own actions that are not final yet. Drivers fill it.
    pub draft: Vec<ActionId>,
    /// Calls that stand on the match beside the game. Drivers fill it.
    pub calls: Calls,
    /// The situation.
    pub turn_state: Arc<TurnState>,
}

impl View {
    /// Replaces what `change` names.
    pub fn fold(&mut self, change: &Change) {
        match change {
            Change::TurnState(turn_state) => self.turn_state = Arc::clone(turn_state),
            Change::Known(known) => self.known = Arc::clone(known),
            Change::Draft { keep, add } => {
                self.draft.truncate(*keep);
                self.draft.extend_from_slice(add);
            }
            Change::Calls(calls) => self.calls = calls.clone(),
            other => self.board.fold(other),
        }
    }

    /// The changes that turn this view into `later`.
    #[must_use]
    pub fn changes_to(&self, later: &Self) -> Changes {
        let mut changes = self.board.changes_to(&later.board);
        if self.known != later.known {
            changes.push(Change::Known(Arc::clone(&later.known)));
        }
        if self.draft != later.draft {
            let keep = self.draft.iter().zip(&later.draft).take_while(|(a, b)| a == b).count();
            changes.push(Change::Draft { keep, add: later.draft[keep..].into() });
        }
        if self.calls != later.calls {
            changes.push(Change::Calls(later.calls.clone()));
        }
        if self.turn_state != later.turn_state {
            changes.push(Change::TurnState(Arc::clone(&later.turn_state)));
        }
        changes
    }
}
