//! Turn state of a match: the node, the prompt, procedures under way, the open window, what is owed, warnings,
//! the draft.

use super::outline::Outline;
use super::{calls, observer, words};
use crate::action::ActionId;
use crate::catalogue::Catalogue;
use crate::reference::Ref;
use crate::view::{Entitlement, NodeView, Phrase, Procedure, TurnState, View, Window};

/// The sections before the board.
pub(super) fn sections(catalogue: &Catalogue, view: &View) -> Vec<Outline> {
    let mut sections = vec![
        Outline::leaf(format!("{}, as seen by {}", catalogue.title, observer(catalogue, view.observer))),
        Outline::leaf(format!("Node: {}", node(catalogue, &view.turn_state.node))),
        Outline::leaf(format!("Prompt: {}", words::phrase(catalogue, &view.turn_state.prompt))),
    ];
    let frames =
        view.turn_state.procedures.iter().map(|frame| Outline::leaf(procedure(catalogue, frame))).collect();
    sections.extend(Outline::unless_empty("Under way", frames));
    sections.extend(view.turn_state.window.as_ref().map(|open| Outline::leaf(window(catalogue, open))));
    sections
}

/// The lines before the board in the brief form.
pub(super) fn brief(catalogue: &Catalogue, view: &View) -> Vec<String> {
    let turn_state = &view.turn_state;
    let eyes = observer(catalogue, view.observer);
    let mut lines = vec![format!("{} | {eyes} | {}", catalogue.title, node(catalogue, &turn_state.node))];
    if !turn_state.procedures.is_empty() {
        let frames: Vec<String> =
            turn_state.procedures.iter().map(|frame| brief_procedure(catalogue, frame)).collect();
        lines.push(frames.join(" > "));
    }
    lines
}

/// The odds of what is under way: roles that the catalogue has words of odds for, under the code `odds.ROLE`.
fn odds(catalogue: &Catalogue, turn_state: &TurnState) -> Vec<String> {
    let said = |(role, what): &(&'static str, Ref)| {
        let template = catalogue.phrases.get(format!("odds.{role}").as_str())?;
        Some(catalogue.fill(template, &[*what]).text)
    };
    turn_state.procedures.iter().flat_map(|frame| frame.roles.iter().filter_map(said)).collect()
}

/// One thing behind its title; several under it, a line each.
fn listed(title: &str, things: Vec<String>) -> Vec<String> {
    match things.as_slice() {
        [] => Vec::new(),
        [one] => vec![format!("{title}: {one}")],
        _ => {
            let under = things.into_iter().map(|one| format!("  {one}"));
            [format!("{title}:")].into_iter().chain(under).collect()
        }
    }
}

/// The lines of what is owed, first in line first.
pub(super) fn owed(catalogue: &Catalogue, turn_state: &TurnState) -> Vec<String> {
    listed("Owed", turn_state.entitlements.iter().map(|owed| entitlement(catalogue, owed)).collect())
}

/// Lists what the cards do that a prompt is about, where the catalogue tells it.
fn cards(catalogue: &Catalogue, prompt: &Phrase) -> Vec<String> {
    let card = |what: &Ref| match *what {
        Ref::Card(card) => catalogue.cards.get(usize::from(card)),
        _ => None,
    };
    let lines = prompt.refs.iter().filter_map(card).flat_map(|card| &card.rules_text);
    lines.map(|line| format!("  {line}")).collect()
}

/// The lines after the board in the brief form: what a player should read last.
pub(super) fn prompt(catalogue: &Catalogue, view: &View) -> Vec<String> {
    let turn_state = &view.turn_state;
    let mut lines: Vec<String> = Vec::new();
    if !view.draft.is_empty() {
        let final_yet = if view.calls.undoable == 0 { "Waiting for the others" } else { "Not final yet" };
        lines.push(format!("{final_yet}: {}", counted(catalogue, &view.draft)));
    }
    lines.extend(calls::lines(catalogue, &view.calls));
    lines.extend(
        turn_state.warnings.iter().map(|warning| format!("Warning: {}", words::phrase(catalogue, warning))),
    );
    lines.extend(turn_state.window.as_ref().map(|open| window(catalogue, open)));
    lines.extend(listed("Odds", odds(catalogue, turn_state)));
    lines.push(words::phrase(catalogue, &turn_state.prompt));
    lines.extend(cards(catalogue, &turn_state.prompt));
    lines
}

/// Lists what is owed, first in line first.
pub(super) fn entitlements(catalogue: &Catalogue, turn_state: &TurnState) -> Option<Outline> {
    let line = |owed| Outline::leaf(entitlement(catalogue, owed));
    Outline::unless_empty("Entitlements", turn_state.entitlements.iter().map(line).collect())
}

/// Private warnings.
pub(super) fn warnings(catalogue: &Catalogue, turn_state: &TurnState) -> Option<Outline> {
    let line = |warning| Outline::leaf(words::phrase(catalogue, warning));
    Outline::unless_empty("Warnings", turn_state.warnings.iter().map(line).collect())
}

/// The observer's own actions that are not final, and how many of them can still be taken back.
pub(super) fn draft(catalogue: &Catalogue, view: &View) -> Option<Outline> {
    let undoable = view.calls.undoable;
    if view.draft.is_empty() && undoable == 0 {
        return None;
    }
    let actions = notation(catalogue, &view.draft);
    Some(Outline::leaf(format!("Draft ({}; can be taken back: {undoable}): {actions}", view.draft.len())))
}

/// Describes in words the point at which the match stands.
pub(super) fn node(catalogue: &Catalogue, node: &NodeView) -> String {
    match node {
        NodeView::Decision(seat) => format!("{} to choose", words::seat(catalogue, *seat)),
        NodeView::Sealed { to_act, committed } => {
            let to_act = words::seats(catalogue, *to_act);
            format!("sealed choices; to act: {to_act}; committed: {}", words::seats(catalogue, *committed))
        }
        NodeView::Chance => "dice or a draw are due".to_owned(),
        NodeView::Over(result) => format!("over: {}", words::result(catalogue, result)),
    }
}

/// The open window on one line.
pub(super) fn window(catalogue: &Catalogue, open: &Window) -> String {
    let attacked = if open.attacked { "own things attacked" } else { "own things not attacked" };
    format!(
        "Window: {}: {} is asked ({}; procedure {}; {attacked}; declined by `{}`)",
        words::say(catalogue, open.code, &[]),
        words::seat(catalogue, open.seat),
        words::rule(open.rule),
        open.procedure,
        catalogue.actions.notation(open.pass_action),
    )
}

fn procedure(catalogue: &Catalogue, frame: &Procedure) -> String {
    let roles = roles(catalogue, frame);
    let roles = if roles.is_empty() { roles } else { format!(": {roles}") };
    let stage = catalogue.procedure(frame.frame).and_then(|def| def.stage(frame.stage));
    let stage = stage.map_or_else(|| frame.stage.to_string(), |name| format!("{}: {name}", frame.stage));
    format!("{} ({}, stage {stage}){roles}", frame.frame, words::rule(frame.rule))
}

/// A procedure and who takes which part in it, by the names that players have for them.
fn brief_procedure(catalogue: &Catalogue, frame: &Procedure) -> String {
    let label = catalogue.procedure(frame.frame).map_or(frame.frame, |def| def.label);
    let role = |&(name, what): &(&'static str, Ref)| {
        let part = catalogue.role(name).map_or(name, |def| def.label);
        format!("{part}: {}", catalogue.name_in_role(name, what))
    };
    let roles: Vec<String> = frame.roles.iter().map(role).collect();
    format!("{label}{}", words::parenthesis(&roles))
}

fn roles(catalogue: &Catalogue, frame: &Procedure) -> String {
    let role = |(name, what): &(&'static str, _)| format!("{name} {}", catalogue.name_in_role(name, *what));
    frame.roles.iter().map(role).collect::<Vec<_>>().join(", ")
}

fn entitlement(catalogue: &Catalogue, owed: &Entitlement) -> String {
    let what = words::phrase(catalogue, &owed.what);
    format!("{}: {what} ({})", words::seat(catalogue, owed.seat), words::rule(owed.rule))
}

/// Number of runs of equal actions at most that a draft is told in; of a longer one, the last of them.
const DRAFT_RUNS_MAX: usize = 10;

/// Notations of a draft; equal ones in a row once, with their number, and of a long draft its end.
fn counted(catalogue: &Catalogue, actions: &[ActionId]) -> String {
    let run = |run: &[ActionId]| {
        let notation = catalogue.actions.notation(run[0]);
        if run.len() == 1 { notation } else { format!("{notation} x{}", run.len()) }
    };
    let mut runs: Vec<String> = actions.chunk_by(PartialEq::eq).map(run).collect();
    if runs.len() > DRAFT_RUNS_MAX {
        runs.drain(..runs.len() - DRAFT_RUNS_MAX);
        runs.insert(0, format!("({} actions) ...", actions.len()));
    }
    runs.join("; ")
}

fn notation(catalogue: &Catalogue, actions: &[ActionId]) -> String {
    let words: Vec<String> = actions.iter().map(|&action| catalogue.actions.notation(action)).collect();
    words.join("; ")
}
