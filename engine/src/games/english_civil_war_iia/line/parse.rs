//! Lines into actions: items of one space are put together, in the sequence in which actions take them.

use crate::action::ActionId;
use crate::event::Events;
use crate::game::{CONTRACT, Game, LineError};
use crate::ledger::Rule;
use crate::seat::Seat;
use crate::view::Phrase;

use super::super::EnglishCivilWar;
use super::super::actions::{Action, space_ref};
use super::super::adjudicator::{LeaderSet, Order, Space};
use super::super::realm::{SPACES_MAX, roster};
use super::super::state::State;
use super::super::state::draft::{Draft, Entry, Stage};
use super::item::{Item, Units, read};

/// Reads a line for `seat` against `state`.
///
/// # Errors
/// Names the item that can't be read or carried out, and what would be accepted.
pub(in super::super) fn parse(
    game: &EnglishCivilWar,
    state: &State,
    seat: Seat,
    text: &str,
) -> Result<Vec<ActionId>, LineError> {
    let items = text.split([';', '\n']).map(str::trim).filter(|item| !item.is_empty());
    let mut writer = LineWriter { game, seat, state: *state, actions: Vec::new() };
    let mut batch: Vec<Numbered<'_>> = Vec::new();
    let mut committed = false;
    for (index, text) in items.enumerate() {
        if committed {
            // Whatever it says, it comes after a reveal: the driver refuses the action by that, at its place in the list.
            writer.actions.push(game.actions().id(Action::Done));
        } else if text.eq_ignore_ascii_case("done") {
            writer.write(&batch, true)?;
            writer.complete(index, text)?;
            committed = true;
        } else if let Some(action) = game.catalogue().actions.parse(text) {
            writer.write(&batch, false)?;
            batch.clear();
            writer.take(Origin { index, text }, action)?;
        } else {
            let item = read(game.realm(), text).map_err(|expected| fault(index, text, expected))?;
            batch.push(Numbered { origin: Origin { index, text }, item });
        }
    }
    if !committed {
        writer.write(&batch, false)?;
    }
    Ok(writer.actions)
}

/// The place of an item in the line.
#[derive(Clone, Copy)]
struct Origin<'a> {
    index: usize,
    text: &'a str,
}

#[derive(Clone, Copy)]
struct Numbered<'a> {
    origin: Origin<'a>,
    item: Item,
}

/// A part of a space, put together from items.
#[derive(Clone, Copy)]
struct Part<'a> {
    origin: Origin<'a>,
    units: Units,
    order: Order,
}

fn fault(index: usize, text: &str, expected: impl Into<String>) -> LineError {
    LineError { index, item: text.to_owned(), expected: expected.into() }
}

struct LineWriter<'a> {
    game: &'a EnglishCivilWar,
    seat: Seat,
    /// With the actions so far, the last commit left out.
    state: State,
    actions: Vec<ActionId>,
}

impl LineWriter<'_> {
    fn act(&mut self, origin: Origin<'_>, act: Action) -> Result<(), LineError> {
        let action = self.game.actions().id(act);
        if self.game.catalogue().actions.get(action).is_none() {
            return Err(self.refused(origin, "NOT_ADJACENT", CONTRACT));
        }
        self.take(origin, action)
    }

    /// Takes an action if it is legal.
    fn take(&mut self, origin: Origin<'_>, action: ActionId) -> Result<(), LineError> {
        if let Some(reason) = self.game.rule_violations(&self.state, self.seat, action).first() {
            let text =
                self.game.catalogue().say(&Phrase { code: reason.code, refs: reason.refs.as_slice().into() });
            let expected = format!("{text} ({}, rule {}): something legal", reason.code, reason.rule);
            return Err(fault(origin.index, origin.text, expected));
        }
        self.game.apply(&mut self.state, self.seat, action, &mut Events::silent());
        self.actions.push(action);
        Ok(())
    }

    fn refused(&self, origin: Origin<'_>, code: &'static str, rule: Rule) -> LineError {
        let at = self.entry().map(|entry| space_ref(entry.at));
        let text = self.game.catalogue().say(&Phrase::new(code, at.as_slice()));
        fault(origin.index, origin.text, format!("{text} ({code}, rule {rule}): something legal"))
    }

    /// Ends the draft: what has no order holds, what has no retreat disbands, points are kept.
    fn complete(&mut self, index: usize, text: &str) -> Result<(), LineError> {
        let origin = Origin { index, text };
        let rest = self.rest();
        while let Some(entry) = self.entry().filter(|entry| entry.stage() != Stage::Commit) {
            if entry.part.is_some() {
                return Err(self.refused(origin, "IN_A_PART", CONTRACT));
            }
            self.act(origin, rest)?;
        }
        let done = self.game.actions().id(Action::Done);
        if let Some(reason) = self.game.rule_violations(&self.state, self.seat, done).first() {
            return Err(self.refused(origin, reason.code, reason.rule));
        }
        self.actions.push(done);
        Ok(())
    }

    fn rest(&self) -> Action {
        match self.state.phase {
            super::super::state::Phase::Retreats => Action::Disband,
            _ => Action::Hold,
        }
    }

    fn entry(&self) -> Option<Entry> {
        match &self.state.side_drafts[self.seat.index()].draft {
            Draft::Parts(entry) => Some(*entry),
            _ => None,
        }
    }

    /// Writes a batch of items; `ends` if the draft is completed after it, so that spaces come in board order.
    fn write(&mut self, batch: &[Numbered<'_>], ends: bool) -> Result<(), LineError> {
        let Some(first) = batch.first() else { return Ok(()) };
        match self.state.side_drafts[self.seat.index()].draft {
            Draft::Nothing => {
                let nobody = "nothing: there is nothing to write now";
                Err(fault(first.origin.index, first.origin.text, nobody))
            }
            Draft::Influence(_) => self.write_influence(batch),
            Draft::Adjustment(_) => self.write_adjustment(batch),
            Draft::Parts(_) => self.write_parts(batch, ends),
        }
    }

    fn write_influence(&mut self, batch: &[Numbered<'_>]) -> Result<(), LineError> {
        let mut points = Vec::new();
        for one in batch {
            let Item::Influence { space, points: more } = one.item else {
                return Err(fault(one.origin.index, one.origin.text, "influence, such as I PEM 4"));
            };
            points.push((space, more, one.origin));
        }
        points.sort_by_key(|&(space, _, origin)| (space, origin.index));
        for (space, count, origin) in points {
            for _ in 0..count {
                self.act(origin, Action::Fund(space))?;
            }
        }
        Ok(())
    }

    fn write_adjustment(&mut self, batch: &[Numbered<'_>]) -> Result<(), LineError> {
        let mut acts = Vec::new();
        for one in batch {
            let (kind, place, act, count) = match one.item {
                Item::Remove { space, armies } => (0, space.index(), Action::Remove(space), armies),
                Item::Build(space) => (1, space.index(), Action::Build(space), 1),
                Item::Place { leader, space } => (2, leader.index(), Action::Place(space), 1),
                _ => {
                    let expected = "a removal (X NFK 2), a build (B LON) or a leader's start (P Charles OXF)";
                    return Err(fault(one.origin.index, one.origin.text, expected));
                }
            };
            acts.push((kind, place, one.origin, act, count));
        }
        acts.sort_by_key(|&(kind, place, origin, ..)| (kind, place, origin.index));
        for (kind, place, origin, act, count) in acts {
            if kind == 2 {
                self.check_next_leader(place, origin)?;
            }
            for _ in 0..count {
                self.act(origin, act)?;
            }
        }
        Ok(())
    }

    /// Leaders are placed in roster order, so the one named must be the next.
    fn check_next_leader(&self, leader: usize, origin: Origin<'_>) -> Result<(), LineError> {
        let Draft::Adjustment(adjust) = &self.state.side_drafts[self.seat.index()].draft else {
            return Ok(());
        };
        let next = roster(self.seat).nth(adjust.placed.len());
        if next.is_some_and(|next| next.index() == leader) {
            return Ok(());
        }
        let name = next.map_or("nobody", |next| &self.game.realm().leaders[next.index()].id);
        Err(fault(origin.index, origin.text, format!("the next leader in roster order, {name}")))
    }

    fn write_parts(&mut self, batch: &[Numbered<'_>], ends: bool) -> Result<(), LineError> {
        let retreats = self.rest() == Action::Disband;
        let mut by_space: [Vec<Part<'_>>; SPACES_MAX] = std::array::from_fn(|_| Vec::new());
        for one in batch {
            let part = as_part(one, retreats)?;
            add(&mut by_space[part.units.space.index()], part);
        }
        for parts in &mut by_space {
            parts.sort_by_key(|part| part.order);
        }
        let before = self.write_current(&by_space, batch, ends)?;
        for (index, parts) in by_space.iter().enumerate() {
            let (Some(first), Some(space)) = (parts.first(), Space::new(index as u8)) else { continue };
            if before == Some(space) {
                continue;
            }
            if ends {
                self.hold_up_to(space, first.origin)?;
            }
            self.go_to(space, first.origin)?;
            self.write_space(space, parts)?;
        }
        Ok(())
    }

    /// Writes the space that is being written, if it is named, since nothing else can come before it; gives that space. A
    /// list that is completed holds there otherwise, if it was picked or begun.
    fn write_current(
        &mut self,
        by_space: &[Vec<Part<'_>>; SPACES_MAX],
        batch: &[Numbered<'_>],
        ends: bool,
    ) -> Result<Option<Space>, LineError> {
        let Some(entry) = self.entry().filter(|entry| entry.stage() != Stage::Commit) else {
            return Ok(None);
        };
        let parts = &by_space[entry.at.index()];
        if let Some(first) = parts.first() {
            self.go_to(entry.at, first.origin)?;
            self.write_space(entry.at, parts)?;
            return Ok(Some(entry.at));
        }
        if let Some(first) = batch.first().filter(|_| ends && (entry.picked || !entry.untouched())) {
            self.act(first.origin, self.rest())?;
        }
        Ok(None)
    }

    /// On the default path: the open spaces before `space` hold.
    fn hold_up_to(&mut self, space: Space, origin: Origin<'_>) -> Result<(), LineError> {
        let rest = self.rest();
        while let Some(entry) = self.entry() {
            if entry.stage() == Stage::Commit || entry.at >= space || !entry.open.contains(space) {
                break;
            }
            self.act(origin, rest)?;
        }
        Ok(())
    }

    fn go_to(&mut self, space: Space, origin: Origin<'_>) -> Result<(), LineError> {
        match self.entry() {
            Some(entry) if entry.at == space && entry.open.contains(space) => {
                if entry.part.is_some() {
                    return Err(self.refused(origin, "IN_A_PART", CONTRACT));
                }
                Ok(())
            }
            _ => self.act(origin, Action::Pick(space)),
        }
    }

    fn write_space(&mut self, space: Space, parts: &[Part<'_>]) -> Result<(), LineError> {
        let Some(entry) = self.entry() else { return Ok(()) };
        let (armies, leaders) = (entry.armies, entry.leaders);
        let mut named = (0_u16, LeaderSet::EMPTY);
        for part in parts {
            let Units { armies: more, leaders: also, .. } = part.units;
            let twice = !(named.1 & also).is_empty();
            named = (named.0 + u16::from(more), named.1 | also);
            if named.0 > u16::from(armies) || !leaders.contains_all(also) || twice {
                let expected =
                    format!("units that stand in {} without an order", self.game.realm().county(space).id);
                return Err(fault(part.origin.index, part.origin.text, expected));
            }
        }
        for part in parts.iter().filter(|part| part.order != Order::Hold) {
            self.write_part(part)?;
        }
        let open = self.entry().is_some_and(|entry| entry.at == space && entry.open.contains(space));
        match parts.last() {
            Some(last) if open => self.act(last.origin, self.rest()),
            _ => Ok(()),
        }
    }

    fn write_part(&mut self, part: &Part<'_>) -> Result<(), LineError> {
        let whole = self.entry().is_some_and(|entry| entry.stage() == Stage::Whole);
        if !whole {
            let first = part.units.leaders.iter().next();
            match (part.units.armies, first) {
                (0, Some(leader)) => self.act(part.origin, Action::Alone(leader))?,
                (armies, _) => self.act(part.origin, Action::Part(armies.max(1)))?,
            }
        }
        while let Some(leader) = self.entry().and_then(|entry| entry.part?.ask.iter().next()) {
            let with = part.units.leaders.contains(leader);
            self.act(part.origin, if with { Action::With(leader) } else { Action::Without(leader) })?;
        }
        let retreats = self.rest() == Action::Disband;
        let act = match part.order {
            Order::Move(to) if retreats => Action::Retreat(to),
            Order::Move(to) => Action::Move(to),
            Order::Merge(to) => Action::Merge(to),
            Order::SupportHold(to) => Action::Support(to),
            Order::SupportMove { from, to } => Action::SupportMove { from, to },
            Order::Hold => self.rest(),
        };
        self.act(part.origin, act)
    }
}

/// An item as a part, where parts are written.
fn as_part<'a>(one: &Numbered<'a>, retreats: bool) -> Result<Part<'a>, LineError> {
    let (units, order) = match (one.item, retreats) {
        (Item::Order { units, order }, false) => (units, order),
        (Item::Retreat { units, to }, true) => (units, to.map_or(Order::Hold, Order::Move)),
        (_, false) => return Err(fault(one.origin.index, one.origin.text, "an order, such as A KEN-SSX")),
        (_, true) => {
            return Err(fault(
                one.origin.index,
                one.origin.text,
                "a retreat, such as A OXF R BRK or A OXF D",
            ));
        }
    };
    Ok(Part { origin: one.origin, units, order })
}

/// Equal orders of a space are one part (M23).
fn add<'a>(parts: &mut Vec<Part<'a>>, part: Part<'a>) {
    let same = parts
        .iter_mut()
        .find(|other| other.order == part.order && (other.units.leaders & part.units.leaders).is_empty());
    match same {
        Some(other) if super::super::rules::PARTS.applies(true) => {
            other.units.armies = other.units.armies.saturating_add(part.units.armies);
            other.units.leaders = other.units.leaders | part.units.leaders;
        }
        _ => parts.push(part),
    }
}
