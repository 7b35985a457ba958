//! The text of a playout that one observer saw ([`Witness`]).
//!
//! Invariant: what is told of an event, with what was told before it, says all of the event's changes.

use std::fmt::Write as _;

use crate::catalogue::Catalogue;
use crate::game::Node;
use crate::reference::Ref;
use crate::registry::AnyTable;
use crate::render;
use crate::seat::Observer;
use crate::table::ObservedEvent;
use crate::view::{Board, Calls, CardPile, Change, HiddenSets, TurnState, View};

use super::super::failure::broken_for;
use super::super::outline_difference::outline_difference;
use super::super::phrases::{event_has_words, view_has_words};
use super::super::{Law, LawResult};
use super::knowledge;
use super::{Golden, ToldCall, short_hash};

/// One observer's text so far.
pub(super) struct Witness {
    observer: Observer,
    published: usize,
    /// The view that was told, event by event.
    view: View,
    /// The text of the view at the start or at the last end of a phase, and the number of events by then.
    told_in_full: (String, usize),
    golden: Golden,
}

impl Witness {
    /// Begins with the view before anything was published, and with what was published since.
    pub(super) fn of(table: &dyn AnyTable, observer: Observer) -> LawResult<Self> {
        let view = match table.first_view(observer) {
            Ok(view) => view,
            Err(error) => return broken_for(Law::Golden, observer, error.to_string()),
        };
        view_has_words(table.catalogue(), &view)?;
        let start = render::view(table.catalogue(), &view);
        let golden = Golden { observer, start: start.clone(), calls: Vec::new() };
        let mut witness = Self { observer, published: 0, view, told_in_full: (start, 0), golden };
        witness.look(table)?;
        Ok(witness)
    }

    /// Tells what was published since.
    pub(super) fn look(&mut self, table: &dyn AnyTable) -> LawResult {
        let news = table.published(self.observer, self.published);
        let mut call = ToldCall::default();
        if news.is_empty() {
            self.golden.calls.push(call);
            return Ok(());
        }
        let catalogue = table.catalogue();
        for seen in news {
            event_has_words(catalogue, self.observer, seen)?;
            call.events.push(self.event(catalogue, seen));
        }
        let view = table.view(self.observer);
        view_has_words(catalogue, &view)?;
        let text = render::view(catalogue, &view);
        let legal = match self.observer {
            Observer::Seat(seat) => table.legal(seat).len(),
            Observer::Spectator => 0,
        };
        call.after = format!("= {} published, {legal} legal, view {}\n", self.published, short_hash(&text));
        if table.node() == Node::Over {
            call.end = text;
        } else if news.iter().any(|seen| catalogue.phase_ends.contains(&seen.code)) {
            call.phase = self.phase(text);
        }
        self.golden.calls.push(call);
        Ok(())
    }

    /// Writes what has changed since the last end of a phase, now that the view is `text`.
    fn phase(&mut self, text: String) -> String {
        let mut told = format!("= the view has changed since {} were published\n", self.told_in_full.1);
        push_indented(&mut told, &outline_difference(&self.told_in_full.0, &text));
        self.told_in_full = (text, self.published);
        told
    }

    fn event(&mut self, catalogue: &Catalogue, seen: &ObservedEvent) -> String {
        let mut text = format!("- {}\n", render::event(catalogue, seen));
        for change in &seen.form.changes {
            push_indented(&mut text, &self.change(catalogue, change));
            self.view.fold(change);
        }
        self.published += 1;
        text
    }

    /// Writes what a change sets: of what is large, what is different from before.
    fn change(&self, catalogue: &Catalogue, change: &Change) -> String {
        match change {
            Change::Pile(id, now) => self.pile(catalogue, *id, now),
            Change::Known(now) => knowledge::difference(catalogue, &self.view.known, now),
            Change::TurnState(now) => self.turn_state(catalogue, change, now),
            other => render::change(catalogue, other),
        }
    }

    fn pile(&self, catalogue: &Catalogue, id: u16, now: &CardPile) -> String {
        let in_full = || render::change(catalogue, &Change::Pile(id, now.clone()));
        let Some(before) = self.view.board.piles.get(&id) else { return in_full() };
        let without = |pile: &CardPile, other: &CardPile| -> Vec<u16> {
            pile.cards.iter().copied().filter(|card| !other.cards.contains(card)).collect()
        };
        let (gone, come) = (without(before, now), without(now, before));
        let stay = before.cards.iter().filter(|card| !gone.contains(card));
        let in_order = stay.eq(now.cards.iter().filter(|card| !come.contains(card)));
        if before.cards.is_empty() || now.cards.is_empty() || !in_order {
            return in_full();
        }
        let name = |cards: &[u16]| -> String {
            let names: Vec<String> =
                cards.iter().map(|&card| render::heading(catalogue, Ref::Card(card))).collect();
            names.join(", ")
        };
        let mut text = format!("{}: {} cards", catalogue.name_of(Ref::Pile(id)), now.count);
        if !come.is_empty() {
            let _ = write!(text, ", comes: {}", name(&come));
        }
        if !gone.is_empty() {
            let _ = write!(text, ", goes: {}", name(&gone));
        }
        text
    }

    /// Writes node and prompt on one line, and below it what else has changed of the situation.
    fn turn_state(&self, catalogue: &Catalogue, change: &Change, now: &TurnState) -> String {
        let before = TurnState {
            node: now.node.clone(),
            prompt: now.prompt.clone(),
            ..TurnState::clone(&self.view.turn_state)
        };
        let rest = |turn_state: &TurnState| {
            let view = View {
                observer: self.observer,
                board: Board::default(),
                known: HiddenSets::default(),
                draft: Vec::new(),
                calls: Calls::default(),
                turn_state: turn_state.clone().into(),
            };
            render::view(catalogue, &view)
        };
        format!("{}\n{}", render::change(catalogue, change), outline_difference(&rest(&before), &rest(now)))
    }

    pub(super) fn into_golden(self) -> Golden {
        self.golden
    }
}

fn push_indented(to: &mut String, lines: &str) {
    for line in lines.lines() {
        let _ = writeln!(to, "  {line}");
    }
}
