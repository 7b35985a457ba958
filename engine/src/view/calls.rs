//! Calls that stand on the match beside the game: offers and standing passes.

use crate::seat::SeatSet;

/// The time for which a standing pass stands.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum PassScope {
    /// Until it is taken back.
    Always,
    /// Within the procedure that is under way.
    Procedure(u32),
    /// Until something of the seat's own is attacked.
    UntilAttacked,
}

/// A seat's word that it will pass, whatever it holds; private to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StandingPass {
    /// In windows of this name; `None`: in all.
    pub window: Option<String>,
    /// For how long.
    pub scope: PassScope,
}

/// Offers and passes that stand on the match: made by calls on it, not by actions of the game. Drivers fill it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Calls {
    /// Seats that offer a draw.
    pub draw_offers: SeatSet,
    /// The observer's own standing passes.
    pub standing: Vec<StandingPass>,
    /// Number of the observer's own actions that can still be taken back.
    pub undoable: usize,
}
