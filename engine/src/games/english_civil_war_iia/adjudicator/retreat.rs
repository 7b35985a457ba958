//! Retreats of dislodged stacks: who arrives, who meets whom, who is lost.

use std::fmt;

use arrayvec::ArrayVec;

use super::super::rules;
use super::Rules;
use super::board::Space;
use super::order::MAX_PARTS;
use super::outcome::{Capture, RetreatOutcome};
use super::position::{LeaderSet, MAX_STACK_LEADERS, Position, Side};
use super::report::{Adjudication, Dislodged};

/// An order to some units of a dislodged stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetreatOrder {
    /// Space where they were dislodged.
    pub space: Space,
    /// Number of armies.
    pub armies: u8,
    /// The leaders; with an army they go where it may go (L10).
    pub leaders: LeaderSet,
    /// Space to which they go; `None` disbands the armies and gives up the leaders.
    pub to: Option<Space>,
}

/// The result of a part of a dislodged stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetreatPart {
    /// Its order, or for units without one, that they disband (S7).
    pub order: RetreatOrder,
    /// Side that its units belong to.
    pub side: Side,
    /// The result of it.
    pub outcome: RetreatOutcome,
    /// Those of its leaders who were captured.
    pub captured: LeaderSet,
    /// Cause of their capture; `None` if nobody was captured.
    pub capture: Option<Capture>,
}

/// The result of all retreats of a month.
#[derive(Clone, Debug)]
pub struct Retreats {
    /// Every unit of every dislodged stack is in one part: stacks in board order, parts of a stack as ordered,
    /// and last what had no order.
    pub parts: ArrayVec<RetreatPart, MAX_PARTS>,
    /// All units after the retreats (M26).
    pub after: Position,
}

/// The error of retreat orders that can't be taken. An order to a space where the stack may not go is no
/// error: its units are lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetreatError {
    /// It names no units.
    NoUnits(Space),
    /// No dislodged stack of this space has these units without another order.
    UnitsMissing(Space),
    /// There are more parts than [`MAX_PARTS`].
    TooManyParts,
}

impl fmt::Display for RetreatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoUnits(space) => write!(f, "a retreat from space {} names no units", space.index()),
            Self::UnitsMissing(space) => {
                write!(f, "space {} lacks the dislodged units, or they have an order already", space.index())
            }
            Self::TooManyParts => write!(f, "more than {MAX_PARTS} parts"),
        }
    }
}

impl std::error::Error for RetreatError {}

/// Carries out the retreats of all sides (M14, M22, M27, L9, L10, L23). Equal orders of one space add up (M23).
///
/// # Errors
/// See [`RetreatError`].
pub fn resolve_retreats(
    adjudication: &Adjudication,
    orders: &[RetreatOrder],
    rules: Rules,
) -> Result<Retreats, RetreatError> {
    let mut parts = ArrayVec::new();
    if let Some(stray) = orders.iter().find(|order| !dislodged_at(adjudication, order.space)) {
        return Err(RetreatError::UnitsMissing(stray.space));
    }
    for stack in &adjudication.dislodged {
        collect(stack, orders, &mut parts)?;
    }
    let mut after = adjudication.after.clone();
    for part in &mut parts {
        bar(part, &adjudication.dislodged, &adjudication.after);
    }
    let before = parts.clone();
    for part in &mut parts {
        if before.iter().any(|other| clashes(part, other, rules)) {
            lose(part, RetreatOutcome::Clash, Capture::Clash);
        }
    }
    if rules::THIRD.allows(false) {
        parts.reverse();
    }
    for part in &mut parts {
        arrive(part, &mut after);
    }
    Ok(Retreats { parts, after })
}

fn dislodged_at(adjudication: &Adjudication, space: Space) -> bool {
    adjudication.dislodged.iter().any(|stack| stack.space == space)
}

/// Writes down the parts of one stack: as ordered, then what had no order.
fn collect(
    stack: &Dislodged,
    orders: &[RetreatOrder],
    parts: &mut ArrayVec<RetreatPart, MAX_PARTS>,
) -> Result<(), RetreatError> {
    let start = parts.len();
    let (mut armies, mut leaders) = (stack.armies, stack.leaders);
    for order in orders.iter().filter(|order| order.space == stack.space) {
        if order.armies == 0 && order.leaders.is_empty() {
            return Err(RetreatError::NoUnits(order.space));
        }
        if order.armies > armies || !leaders.contains_all(order.leaders) {
            return Err(RetreatError::UnitsMissing(order.space));
        }
        let led = if rules::STACK_LEADERS.gives(true, stack.armies == 0) {
            order.leaders
        } else {
            LeaderSet::EMPTY
        };
        armies -= order.armies;
        leaders = leaders - led;
        if order.armies > 0 || !led.is_empty() {
            add(parts, start, stack.side, RetreatOrder { leaders: led, ..*order })?;
        }
    }
    if armies > 0 || !leaders.is_empty() {
        add(parts, start, stack.side, RetreatOrder { space: stack.space, armies, leaders, to: None })?;
    }
    Ok(())
}

fn add(
    parts: &mut ArrayVec<RetreatPart, MAX_PARTS>,
    start: usize,
    side: Side,
    order: RetreatOrder,
) -> Result<(), RetreatError> {
    if let Some(same) = parts[start..].iter_mut().find(|part| part.order.to == order.to) {
        same.order.armies += order.armies;
        same.order.leaders = same.order.leaders | order.leaders;
        return Ok(());
    }
    let outcome = RetreatOutcome::Retreated;
    let part = RetreatPart { order, side, outcome, captured: LeaderSet::EMPTY, capture: None };
    parts.try_push(part).map_err(|_| RetreatError::TooManyParts)
}

/// Loses a part that has nowhere to go, or may not go where it was sent.
fn bar(part: &mut RetreatPart, stacks: &[Dislodged], after: &Position) {
    let RetreatOrder { space, armies, to, .. } = part.order;
    let Some(stack) = stacks.iter().find(|stack| stack.space == space) else { return };
    let open = if armies > 0 { stack.retreats } else { stack.lone_retreats };
    if !to.is_some_and(|to| open.contains(to) && after.stack(to).is_none()) {
        lose(part, RetreatOutcome::Disbanded, Capture::NoRetreat);
    }
}

/// Returns whether two parts meet: of two sides in one space, or in standard Diplomacy of two stacks.
fn clashes(part: &RetreatPart, other: &RetreatPart, rules: Rules) -> bool {
    let both_go = [part, other].iter().all(|part| part.outcome == RetreatOutcome::Retreated);
    let joins = rules::REUNITED.applies(rules.retreats_join);
    let strangers = part.side != other.side || (!joins && part.order.space != other.order.space);
    let loses = rules::CLASH.gives(true, part.order.space > other.order.space);
    both_go && strangers && loses && part.order.to == other.order.to
}

fn lose(part: &mut RetreatPart, outcome: RetreatOutcome, capture: Capture) {
    let leaders_only = part.order.armies == 0 && outcome != RetreatOutcome::Clash;
    part.outcome = if leaders_only { RetreatOutcome::Captured } else { outcome };
    if !part.order.leaders.is_empty() {
        part.captured = part.order.leaders;
        part.capture = Some(capture);
    }
}

/// Brings a part to its space; leaders for whom there is no place are captured (L23).
fn arrive(part: &mut RetreatPart, after: &mut Position) {
    let (RetreatOutcome::Retreated, Some(to)) = (part.outcome, part.order.to) else { return };
    let places =
        MAX_STACK_LEADERS - after.stack(to).map_or(0, |stack| stack.leaders.len()).min(MAX_STACK_LEADERS);
    let placed = part.order.leaders.first(places);
    part.captured = part.order.leaders - placed;
    if !part.captured.is_empty() {
        part.capture = Some(Capture::Third);
    }
    if part.order.armies == 0 && placed.is_empty() {
        part.outcome = RetreatOutcome::Captured;
        return;
    }
    after.join(to, part.side, part.order.armies, placed);
}
