//! A change of a view: absolute, so that folding is replacing.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::action::ActionId;

use super::{Arrow, ArrowKey, Calls, CardPile, HiddenSets, Marker, Piece, PieceGroup, TurnState};

/// Changes in the order in which they are folded; up to four need no memory of their own.
pub type Changes = SmallVec<[Change; 4]>;

/// The changes that each of some observers sees, in their order; for the observers of most games without memory of its own.
pub type BoardChanges = SmallVec<[Changes; 3]>;

/// Actions that a draft gained; up to eight need no memory of their own.
pub type Added = SmallVec<[ActionId; 8]>;

/// Sets one entry of a view to what it is now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// A piece is so now: placed, moved, turned over.
    Piece(u16, Piece),
    /// A piece can't be seen any more: taken off, or turned face down.
    PieceGone(u16),
    /// A group has so many members now; 0: it is gone.
    Group(PieceGroup, u16),
    /// A pile is so now.
    Pile(u16, CardPile),
    /// A marker shows this now, or is gone.
    Marker(Marker, Option<i32>),
    /// An arrow says this now, or is gone.
    Arrow(ArrowKey, Option<Arrow>),
    /// All arrows are gone.
    ArrowsCleared,
    /// Knowledge among hidden things is this now. Drivers write this one, rules never do.
    Known(HiddenSets),
    /// The observer's own draft: its first `keep` actions stay, these follow. Drivers write this one, rules never do.
    Draft {
        /// Number of actions that stay.
        keep: usize,
        /// Actions that follow them.
        add: Added,
    },
    /// Offers, standing passes and what can be undone are this now. Drivers write this one, rules never do.
    Calls(Calls),
    /// The head is so now. Drivers write this one, rules never do.
    TurnState(Arc<TurnState>),
}
