//! The adjudicator: what simultaneous orders come to.
//!
//! It knows no map, no calendar and no points: a caller gives it a [`Board`] (which spaces touch), a
//! [`Position`] (who stands where), a sheet of orders and, for lone leaders, whose ground a space is. It serves
//! the 44 spaces of this game as well as the standard map with seven powers, where a stack is one army.
//!
//! Rules are cited by number: `rN` is a rule of the game's page (`r0`: the rules of Diplomacy), `MN`, `LN` and
//! `SN` are rulings on multiple units, leaders and the sequence. README.md in this folder has the equations, and the
//! rulings that adjudication needed beyond those (M30).
//!
//! Invariants, of everything that comes out:
//! - a space holds one side's units, and at most two leaders;
//! - each unit that went in is in the position after the moves or in one dislodged stack, never in both;
//! - equal boards, positions and order sets give equal results, in whatever order the orders were given;
//! - all arithmetic is on integers, nothing is allocated, and no input that the constructors accept panics.
//!
//! ```
//! use edgehill_engine::games::english_civil_war_iia::adjudicator::*;
//!
//! let [berkshire, oxford, buckingham] = [0, 1, 2].map(|index| Space::new(index).unwrap());
//! let board = Board::new(3, [(berkshire, buckingham), (oxford, buckingham), (berkshire, oxford)])?;
//! let [royalist, parliament] = [0, 1].map(|index| Side::new(index).unwrap());
//!
//! let mut position = Position::default();
//! position.place(berkshire, royalist, 1, LeaderSet::EMPTY)?;
//! position.place(oxford, royalist, 1, LeaderSet::EMPTY)?;
//! position.place(buckingham, parliament, 1, LeaderSet::EMPTY)?;
//!
//! let mut sheet = OrderSheet::new(&position);
//! sheet.give(berkshire, 1, LeaderSet::EMPTY, Order::Merge(buckingham))?;
//! sheet.give(oxford, 1, LeaderSet::EMPTY, Order::Merge(buckingham))?;
//! let orders = sheet.finish()?;
//!
//! let month = Month::new(&board, Rules::default());
//! let result = month.adjudicate(&orders);
//! assert_eq!(result.after.stack(buckingham).map(|stack| stack.armies), Some(2));
//! assert_eq!(result.dislodged[0].space, buckingham);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod adjust;
mod bits;
mod board;
mod bounds;
mod cut;
mod order;
mod outcome;
mod plan;
mod position;
mod report;
mod resolve;
mod retreat;

pub use adjust::{Builds, Removals};
pub use board::{Board, BoardError, MAX_SPACES, Space, SpaceSet, Spaces};
pub use order::{MAX_PARTS, Order, OrderError, OrderSheet, Orders, Part};
pub use outcome::{Bounce, Capture, Dislodgement, Join, Outcome, PartResult, RetreatOutcome, Void};
pub use position::{
    LeaderId, LeaderSet, Leaders, MAX_ARMIES, MAX_LEADERS, MAX_SIDES, MAX_STACK_LEADERS, PlaceError,
    Position, Side, Stack,
};
pub use report::{Adjudication, Dislodged};
pub use resolve::Settlement;
pub use retreat::{RetreatError, RetreatOrder, RetreatPart, Retreats, resolve_retreats};

/// The choices that the rules leave open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// M6's option: an attack that cuts at all cuts the whole supporting part, not only as many points as it is
    /// strong. Off unless chosen.
    pub cut_all: bool,
    /// M14: retreats of one side to one space join. Off in standard Diplomacy, where a space holds one unit and
    /// all that meet are lost.
    pub retreats_join: bool,
}

impl Rules {
    /// Standard Diplomacy, one army a space: the rules under which the public test cases are written.
    pub const STANDARD: Self = Self { cut_all: true, retreats_join: false };
}

impl Default for Rules {
    fn default() -> Self {
        Self { cut_all: false, retreats_join: true }
    }
}

/// The facts fixed before a month's orders are read: the board, the rules in force, and whose ground is whose.
#[derive(Clone, Debug)]
pub struct Month<'a> {
    board: &'a Board,
    rules: Rules,
    enemy_ground: [SpaceSet; MAX_SIDES],
}

impl<'a> Month<'a> {
    /// A month in which no space is under anybody's control.
    pub fn new(board: &'a Board, rules: Rules) -> Self {
        Self { board, rules, enemy_ground: [SpaceSet::EMPTY; MAX_SIDES] }
    }

    /// Sets the spaces that an enemy of `side` controls: a leader without an army can't retreat there (L9).
    ///
    /// This is the only use of control here; the strength of lone leaders was fixed with the position (L1, L21).
    #[must_use]
    pub fn with_enemy_ground(mut self, side: Side, spaces: SpaceSet) -> Self {
        self.enemy_ground[side.index()] = spaces;
        self
    }

    /// Adjudicates one month of orders: M1 to M30, L1 to L20, up to the retreats that are open.
    pub fn adjudicate(&self, orders: &Orders) -> Adjudication {
        let plan = plan::Plan::new(self.board, self.rules, orders.parts());
        let (known, settlement) = resolve::resolve(&plan);
        report::report(&plan, &known, settlement, self.board, &self.enemy_ground)
    }
}
