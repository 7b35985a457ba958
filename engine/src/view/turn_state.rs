//! The head half of a view: the node, the flow, what is owed and what is known.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::action::ActionId;
use crate::game::{Game, Node};
use crate::ledger::Rule;
use crate::reference::{Ref, Refs};
use crate::seat::{Seat, SeatSet};

use super::PieceGroup;

/// Seats and things with the parts that they take in a procedure, in order; up to four need no memory of their own.
pub type Roles = SmallVec<[(&'static str, Ref); 4]>;

/// Procedures under way, outermost first; up to three need no memory of their own.
pub type Path = SmallVec<[Procedure; 3]>;

/// A sentence by code, in our words: the catalogue has its template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Phrase {
    /// Key of the template.
    pub code: &'static str,
    /// References that fill its places, in order.
    pub refs: Refs,
}

impl Phrase {
    /// The phrase `code` about `refs`.
    #[must_use]
    pub fn new(code: &'static str, refs: &[Ref]) -> Self {
        Self { code, refs: Refs::from_slice(refs) }
    }
}

/// The node as the observer sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NodeView {
    /// One seat is to act.
    Decision(Seat),
    /// Seats choose in secret.
    Sealed {
        /// Seats that are still to act.
        to_act: SeatSet,
        /// Seats that have committed.
        committed: SeatSet,
    },
    /// Dice or a draw are due.
    Chance,
    /// The match has ended.
    Over(crate::game::MatchResult),
}

impl NodeView {
    /// The node at which a state stands; of a sealed one, these seats have committed.
    ///
    /// # Panics
    /// If the match is over without a result.
    #[must_use]
    pub fn of<G: Game>(game: &G, state: &G::State, committed: SeatSet) -> Self {
        match game.node(state) {
            Node::Decision(seat) => Self::Decision(seat),
            Node::Sealed(to_act) => Self::Sealed { to_act, committed },
            Node::Chance => Self::Chance,
            Node::Over => Self::Over(game.result(state).expect("a match that is over has a result")),
        }
    }
}

/// One procedure under way, as its observer sees it: public facts, and to its own seat an unfinished choice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Procedure {
    /// Name of the procedure, as in the rulebook.
    pub frame: &'static str,
    /// The rule that it follows.
    pub rule: Rule,
    /// The stage that it has reached.
    pub stage: u8,
    /// Seats and things with the parts that they take, such as `attacker`; numbers too.
    pub roles: Roles,
}

impl Procedure {
    /// Returns what takes the part `role`, if anything does.
    #[must_use]
    pub fn role(&self, role: &str) -> Option<Ref> {
        self.roles.iter().find(|(name, _)| *name == role).map(|&(_, what)| what)
    }

    /// Everything that takes the part `role`, in order.
    pub fn roles<'a>(&'a self, role: &'a str) -> impl Iterator<Item = Ref> + 'a {
        self.roles.iter().filter(move |(name, _)| *name == role).map(|&(_, what)| what)
    }
}

/// A chance to interrupt that is open: a decision that public facts alone open, in which `Pass` is always legal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Window {
    /// Its name, such as `interception`.
    pub code: &'static str,
    /// The rule that opens it.
    pub rule: Rule,
    /// Seat that is asked.
    pub seat: Seat,
    /// Counts the enclosing procedures of the match: a standing pass for one of them ends with it.
    pub procedure: u32,
    /// True if something of the asked seat is attacked.
    pub attacked: bool,
    /// The action that declines: what a standing pass plays.
    pub pass_action: ActionId,
}

/// Something owed to a seat, in the order in which it will be done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entitlement {
    /// Seat that it is owed to.
    pub seat: Seat,
    /// The thing that is owed, by template.
    pub what: Phrase,
    /// By which rule.
    pub rule: Rule,
}

/// Faces of a seat's hidden pieces or cards, and the places that they are spread over.
///
/// A view has the sets of its observer and of everybody, and those that other seats have of the observer's own things:
/// [`crate::game::Game::resample`] must be able to rebuild them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HiddenSet {
    /// Owner of the things; `None` if they may be anybody's.
    pub owner: Option<Seat>,
    /// Seat that knows it; `None`: everybody.
    pub by: Option<Seat>,
    /// Kinds of pieces, pieces or cards, with a number where it is known (a strength), sorted.
    pub faces: Vec<(Ref, Option<i32>)>,
    /// Places where they lie, with how many of them each place holds, sorted: keys of back groups or, for
    /// cards, of piles.
    pub places: Vec<(PieceGroup, u16)>,
    /// Other facts that are known of them, such as how many are horse, or strength gained since.
    pub facts: Vec<Phrase>,
}

/// The sets of hidden things that an observer knows of, sorted; shared by all who know the same.
pub type HiddenSets = Arc<[HiddenSet]>;

/// The situation, for one observer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TurnState {
    /// The point at which the match stands, and the seats that are to act.
    pub node: NodeView,
    /// One line for anyone who looks.
    pub prompt: Phrase,
    /// Procedures under way, outermost first.
    pub procedures: Path,
    /// The chance to interrupt that is open, if one is.
    pub window: Option<Window>,
    /// Entitlements that are owed, first in line first.
    pub entitlements: Vec<Entitlement>,
    /// Things that the observer should look at again before committing; private.
    pub warnings: Vec<Phrase>,
}

impl TurnState {
    /// The situation at a state without a window and without anything owed; of a sealed node, these seats have committed.
    #[must_use]
    pub fn of<G: Game>(
        game: &G,
        state: &G::State,
        committed: SeatSet,
        prompt: Phrase,
        procedures: impl Iterator<Item = Procedure>,
    ) -> Self {
        Self {
            node: NodeView::of(game, state, committed),
            prompt,
            procedures: procedures.collect(),
            window: None,
            entitlements: Vec::new(),
            warnings: Vec::new(),
        }
    }
}
