//! Orders: the parts of stacks, and the sheet on which they are written.

use std::fmt;

use arrayvec::ArrayVec;

use crate::ledger::Rule;

use super::super::rules;
use super::board::{MAX_SPACES, Space};
use super::position::{LeaderSet, Position, Side, Stack};

/// The most parts that one month's orders can have, over all sides.
pub const MAX_PARTS: usize = 128;

/// An order to a part. The order of the variants is the canonical one within a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Order {
    /// Go to a neighbouring space.
    Move(Space),
    /// Go to a neighbouring space and form one stack there with all own parts that merge into it or stay (M4).
    Merge(Space),
    /// Add one's strength to the hold of a neighbouring space.
    SupportHold(Space),
    /// Add one's strength to what goes from one space to another, a neighbour of one's own.
    SupportMove {
        /// Space that it comes from; one's own space is allowed (M18).
        from: Space,
        /// Space that it goes to.
        to: Space,
    },
    /// Stay.
    Hold,
}

/// A part of a stack: the units of one space under one order (M23).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Space where they stand.
    pub space: Space,
    /// Side that they belong to.
    pub side: Side,
    /// Number of armies; 0 for leaders who act alone (L5).
    pub armies: u8,
    /// The leaders attached, or alone.
    pub leaders: LeaderSet,
    /// Its strength: armies and leaders (M2, L3); without an army, the leaders in their own side's ground (L1).
    pub strength: u8,
    /// The order that it has.
    pub order: Order,
}

/// All orders of a month: every unit of the position in exactly one part, in board order and, within a space, in
/// the order of [`Order`]. Equal order sets are equal values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orders {
    parts: ArrayVec<Part, MAX_PARTS>,
}

impl Orders {
    /// The parts; results come in the same sequence.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }
}

/// The error of an order that can't be written on a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderError {
    /// It names no units.
    NoUnits(Space),
    /// It names units that are not there, or have another order already.
    UnitsMissing(Space),
    /// There are more parts than [`MAX_PARTS`].
    TooManyParts,
}

impl fmt::Display for OrderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoUnits(space) => write!(f, "an order in space {} names no units", space.index()),
            Self::UnitsMissing(space) => {
                write!(f, "space {} lacks the units, or they have an order already", space.index())
            }
            Self::TooManyParts => write!(f, "more than {MAX_PARTS} parts"),
        }
    }
}

impl std::error::Error for OrderError {}

/// Collects the orders of all sides for one month.
///
/// Legality on the board is no matter of the sheet: an illegal order (which only imports can have)
/// is taken, and comes out `void`.
#[derive(Clone, Debug)]
pub struct OrderSheet<'a> {
    position: &'a Position,
    /// Units that have no order yet, by space.
    left: [(u8, LeaderSet); MAX_SPACES],
    orders: Orders,
}

impl<'a> OrderSheet<'a> {
    /// An empty sheet: every unit of `position` holds.
    pub fn new(position: &'a Position) -> Self {
        let mut left = [(0, LeaderSet::EMPTY); MAX_SPACES];
        for (space, stack) in position.stacks() {
            left[space.index()] = (stack.armies, stack.leaders);
        }
        Self { position, left, orders: Orders { parts: ArrayVec::new() } }
    }

    /// Gives an order to some units of a space. Equal orders of one space add up (M23); a hold is dropped, since
    /// what has no order holds anyway (M3, L20).
    ///
    /// # Errors
    /// See [`OrderError`]; the sheet is then unchanged.
    pub fn give(
        &mut self,
        space: Space,
        armies: u8,
        leaders: LeaderSet,
        order: Order,
    ) -> Result<(), OrderError> {
        let (armies_left, leaders_left) = self.left[space.index()];
        if armies == 0 && leaders.is_empty() {
            return Err(OrderError::NoUnits(space));
        }
        let Some(stack) = self.position.stack(space) else { return Err(OrderError::UnitsMissing(space)) };
        if armies > armies_left || !leaders_left.contains_all(leaders) {
            return Err(OrderError::UnitsMissing(space));
        }
        let leaders_alone = armies == 0 && stack.armies > 0;
        if order == Order::Hold || rules::PARTING.gives(false, leaders_alone) {
            return Ok(());
        }
        let leaders = if rules::SHARES_ORDER.gives(false, armies > 0) { LeaderSet::EMPTY } else { leaders };
        self.write(space, stack.side, armies, leaders, order)?;
        self.left[space.index()] = (armies_left - armies, leaders_left - leaders);
        Ok(())
    }

    /// Closes the sheet: what has no order holds (M3), leaders with the armies that hold (L20).
    ///
    /// # Errors
    /// [`OrderError::TooManyParts`].
    pub fn finish(mut self) -> Result<Orders, OrderError> {
        let position = self.position;
        for (space, Stack { side, .. }) in position.stacks() {
            let (armies, leaders) = self.left[space.index()];
            let (rest, led) = (self.rest(space, rules::SPLIT), self.rest(space, rules::ATTACHED));
            if rest == led {
                self.write_rest(space, *side, armies, leaders, rest)?;
            } else {
                self.write_rest(space, *side, armies, LeaderSet::EMPTY, rest)?;
                self.write_rest(space, *side, 0, leaders, led)?;
            }
        }
        Ok(self.orders)
    }

    /// Returns what units of `space` do that have no order: they hold by `rule`. Without it they follow the first part.
    fn rest(&self, space: Space, rule: Rule) -> Order {
        let first = self.orders.parts.iter().find(|part| part.space == space);
        rule.gives(Order::Hold, first.map_or(Order::Hold, |part| part.order))
    }

    /// As [`OrderSheet::write`], if there are any units.
    fn write_rest(
        &mut self,
        space: Space,
        side: Side,
        armies: u8,
        leaders: LeaderSet,
        order: Order,
    ) -> Result<(), OrderError> {
        if armies == 0 && leaders.is_empty() {
            return Ok(());
        }
        self.write(space, side, armies, leaders, order)
    }

    fn write(
        &mut self,
        space: Space,
        side: Side,
        armies: u8,
        leaders: LeaderSet,
        order: Order,
    ) -> Result<(), OrderError> {
        let strong_alone = self.position.strong_alone();
        let parts = &mut self.orders.parts;
        // Sheets are mostly written in canonical sequence, so the place is looked for from the end.
        let after = parts.iter().rev().take_while(|part| (part.space, part.order) > (space, order)).count();
        let at = parts.len() - after;
        if let Some(part) = at.checked_sub(1).and_then(|last| parts.get_mut(last))
            && (part.space, part.order) == (space, order)
        {
            part.armies += armies;
            part.leaders = part.leaders | leaders;
            part.strength = strength(part.armies, part.leaders, strong_alone);
            return Ok(());
        }
        let strength = strength(armies, leaders, strong_alone);
        parts
            .try_insert(at, Part { space, side, armies, leaders, strength, order })
            .map_err(|_| OrderError::TooManyParts)
    }
}

/// M2, L1, L3, L15. Can't overflow but for 254 armies and two leaders in one part; that counts as 255.
fn strength(armies: u8, leaders: LeaderSet, strong_alone: LeaderSet) -> u8 {
    if armies == 0 {
        let alone = (leaders & strong_alone).len() as u8;
        return rules::PAIR.gives(alone, alone.min(1));
    }
    let armies = rules::STRENGTH.gives(armies, 1);
    let led = rules::WITH_ARMY.gives(leaders.len() as u8, 0);
    armies.saturating_add(led)
}
