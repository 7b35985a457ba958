//! Plain text for every game: a [`View`] and its events, menus, refusals and catalogue in words.
//!
//! Invariant: the text is a function of its arguments alone, in catalogue order, without colour and without regard to any
//! width; and every entry of a view is in [`view`]'s text. Goldens are made of it.

mod arrow;
mod board;
mod calls;
mod catalogue;
mod change;
mod event;
mod known;
mod menu;
mod outline;
mod rule_violation;
mod turn_state;
mod words;

#[cfg(feature = "laws")]
pub(crate) use arrow::arrow_code;
pub use catalogue::{attribute_value, attribute_values, card, catalogue, confidence};
pub use change::{change, changes};
pub use event::event;
pub use menu::{action, by_verb, menu, verb};
pub use rule_violation::{refusal, rule_violation};
#[cfg(feature = "laws")]
pub(crate) use words::template;
pub use words::{OWN_PHRASES, heading, result, say, victory};

use std::collections::BTreeSet;

use outline::Outline;
use words::Naming;

use crate::catalogue::Catalogue;
use crate::reference::{Location, Ref};
use crate::seat::Observer;
use crate::view::{Board, TurnState, View};

/// All that `view` holds, one entry a line: what goldens keep.
#[must_use]
pub fn view(catalogue: &Catalogue, view: &View) -> String {
    let mut text = String::new();
    for section in sections(catalogue, view) {
        section.write(0, &mut text);
    }
    text
}

/// The same for a terminal: [`brief_board`], then [`owed`] and [`prompt`].
#[must_use]
pub fn brief(catalogue: &Catalogue, view: &View) -> String {
    let mut text = brief_board(catalogue, view);
    text.push_str(&owed(catalogue, view));
    text.push_str(&prompt(catalogue, view));
    text
}

/// Writes what lies where for a terminal: one line a space, mat, track or pile, things by their ids; rules,
/// step counters and empty piles left out.
#[must_use]
pub fn brief_board(catalogue: &Catalogue, view: &View) -> String {
    let mut text = turn_state::brief(catalogue, view).join("\n");
    text.push('\n');
    let mut held = view.board.clone();
    held.piles.retain(|_, pile| pile.count > 0);
    let board = board::sections(catalogue, &held, Naming::Ids);
    let rest = [arrow::section(catalogue, &held), known::section(catalogue, &view.known, Naming::Ids)];
    for section in board.into_iter().chain(rest.into_iter().flatten()) {
        section.write_brief(&mut text);
    }
    text
}

/// Writes what lies at the spaces that the prompt is about, a line each: what a player should see again
/// before they choose. It is part of [`brief_board`], too.
#[must_use]
pub fn at_prompt(catalogue: &Catalogue, view: &View) -> String {
    let space = |what: &Ref| if let Ref::Space(space) = *what { Some(Location::Space(space)) } else { None };
    let places = view.turn_state.prompt.refs.iter().filter_map(space).collect();
    at_places(catalogue, &view.board, &places)
}

/// Writes what lies at some places, a line each; nothing of places that hold nothing, nor of what lies on a piece.
#[must_use]
pub fn at_places(catalogue: &Catalogue, board: &Board, places: &BTreeSet<Location>) -> String {
    board::at_places(catalogue, board, places).iter().map(|line| format!("{line}\n")).collect()
}

/// Writes what is owed, first in line first: what stays so over many choices.
#[must_use]
pub fn owed(catalogue: &Catalogue, view: &View) -> String {
    turn_state::owed(catalogue, &view.turn_state).iter().map(|line| format!("{line}\n")).collect()
}

/// Writes what a player should read before choosing, a line each: the draft, warnings, the open window, the odds of what is
/// under way, the prompt, and what the cards do that the prompt is about.
#[must_use]
pub fn prompt(catalogue: &Catalogue, view: &View) -> String {
    turn_state::prompt(catalogue, view).iter().map(|line| format!("{line}\n")).collect()
}

/// Names an observer in words.
#[must_use]
pub fn observer(catalogue: &Catalogue, observer: Observer) -> String {
    match observer {
        Observer::Seat(seat) => words::seat(catalogue, seat),
        Observer::Spectator => "a spectator".to_owned(),
    }
}

fn sections(catalogue: &Catalogue, view: &View) -> Vec<Outline> {
    // Each part by name: a new one can't be left out in silence.
    let View { observer: _, board, known, draft: _, calls, turn_state } = view;
    let TurnState { node: _, prompt: _, procedures: _, window: _, entitlements: _, warnings: _ } =
        &**turn_state;
    let Board { pieces: _, groups: _, piles: _, markers: _, arrows: _ } = board;
    let mut sections = turn_state::sections(catalogue, view);
    sections.extend(board::sections(catalogue, board, Naming::Names));
    sections.extend(arrow::section(catalogue, board));
    sections.extend(turn_state::entitlements(catalogue, turn_state));
    sections.extend(known::section(catalogue, known, Naming::Names));
    sections.extend(turn_state::warnings(catalogue, turn_state));
    sections.extend(calls::section(catalogue, calls));
    sections.extend(turn_state::draft(catalogue, view));
    sections
}
