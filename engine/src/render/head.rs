//! What is going on: the node, the prompt, procedures under way, the open window, what is owed, warnings, the draft.

use super::outline::Outline;
use super::{calls, observer, words};
use crate::catalogue::Catalogue;
use crate::reference::Ref;
use crate::step::StepId;
use crate::view::{Context, Entitlement, Head, NodeView, Phrase, View, Window};

/// The sections before the board.
pub(super) fn sections(catalogue: &Catalogue, view: &View) -> Vec<Outline> {
    let mut sections = vec![
        Outline::leaf(format!("{}, as seen by {}", catalogue.title, observer(catalogue, view.observer))),
        Outline::leaf(format!("Node: {}", node(catalogue, &view.head.node))),
        Outline::leaf(format!("Prompt: {}", words::phrase(catalogue, &view.head.prompt))),
    ];
    let frames = view.head.context.iter().map(|frame| Outline::leaf(context(catalogue, frame))).collect();
    sections.extend(Outline::unless_empty("Under way", frames));
    sections.extend(view.head.window.as_ref().map(|open| Outline::leaf(window(catalogue, open))));
    sections
}

/// The lines before the board in the brief form.
pub(super) fn brief(catalogue: &Catalogue, view: &View) -> Vec<String> {
    let head = &view.head;
    let eyes = observer(catalogue, view.observer);
    let mut lines = vec![format!("{} | {eyes} | {}", catalogue.title, node(catalogue, &head.node))];
    if !head.context.is_empty() {
        let frames: Vec<String> = head.context.iter().map(|frame| brief_context(catalogue, frame)).collect();
        lines.push(frames.join(" > "));
    }
    lines
}

/// The odds of what is under way: roles that the catalogue has words of odds for, under the code `odds.ROLE`.
fn odds(catalogue: &Catalogue, head: &Head) -> Option<String> {
    let said = |(role, what): &(&'static str, Ref)| {
        let template = catalogue.phrases.get(format!("odds.{role}").as_str())?;
        Some(template.replace("{0}", &catalogue.name_of(*what)))
    };
    let odds: Vec<String> =
        head.context.iter().flat_map(|frame| frame.roles.iter().filter_map(said)).collect();
    (!odds.is_empty()).then(|| format!("Odds: {}", odds.join(", ")))
}

/// What the cards do that a prompt is about, where the catalogue tells it.
fn cards(catalogue: &Catalogue, prompt: &Phrase) -> Vec<String> {
    let card = |what: &Ref| match *what {
        Ref::Card(card) => catalogue.cards.get(usize::from(card)),
        _ => None,
    };
    let lines = prompt.refs.iter().filter_map(card).flat_map(|card| &card.lines);
    lines.map(|line| format!("  {line}")).collect()
}

/// The lines after the board in the brief form: what a player should read last.
pub(super) fn prompt(catalogue: &Catalogue, view: &View) -> Vec<String> {
    let head = &view.head;
    let mut lines: Vec<String> = Vec::new();
    lines.extend(head.entitlements.iter().map(|owed| format!("Owed: {}", entitlement(catalogue, owed))));
    if !view.draft.is_empty() {
        let final_yet = if view.calls.undoable == 0 { "Waiting for the others" } else { "Not final yet" };
        lines.push(format!("{final_yet}: {}", notation(catalogue, &view.draft)));
    }
    lines.extend(calls::lines(catalogue, &view.calls));
    lines.extend(
        head.warnings.iter().map(|warning| format!("Warning: {}", words::phrase(catalogue, warning))),
    );
    lines.extend(head.window.as_ref().map(|open| window(catalogue, open)));
    lines.extend(odds(catalogue, head));
    lines.push(words::phrase(catalogue, &head.prompt));
    lines.extend(cards(catalogue, &head.prompt));
    lines
}

/// What is owed, first in line first.
pub(super) fn entitlements(catalogue: &Catalogue, head: &Head) -> Option<Outline> {
    let line = |owed| Outline::leaf(entitlement(catalogue, owed));
    Outline::unless_empty("Entitlements", head.entitlements.iter().map(line).collect())
}

/// Private warnings.
pub(super) fn warnings(catalogue: &Catalogue, head: &Head) -> Option<Outline> {
    let line = |warning| Outline::leaf(words::phrase(catalogue, warning));
    Outline::unless_empty("Warnings", head.warnings.iter().map(line).collect())
}

/// The observer's own steps that are not final, and how many of them can still be taken back.
pub(super) fn draft(catalogue: &Catalogue, view: &View) -> Option<Outline> {
    let undoable = view.calls.undoable;
    if view.draft.is_empty() && undoable == 0 {
        return None;
    }
    let steps = notation(catalogue, &view.draft);
    Some(Outline::leaf(format!("Draft ({}; can be taken back: {undoable}): {steps}", view.draft.len())))
}

/// Where the match stands, in words.
pub(super) fn node(catalogue: &Catalogue, node: &NodeView) -> String {
    match node {
        NodeView::Decision(seat) => format!("{} to choose", words::seat(catalogue, *seat)),
        NodeView::Sealed { owing, committed } => {
            let owing = words::seats(catalogue, *owing);
            format!("sealed choices; owing: {owing}; committed: {}", words::seats(catalogue, *committed))
        }
        NodeView::Chance => "dice or a draw are due".to_owned(),
        NodeView::Over(ending) => format!("over: {}", words::ending(catalogue, ending)),
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
        catalogue.steps.notation(open.decline),
    )
}

fn context(catalogue: &Catalogue, frame: &Context) -> String {
    let roles = roles(catalogue, frame);
    let roles = if roles.is_empty() { roles } else { format!(": {roles}") };
    format!("{} ({}, step {}){roles}", frame.frame, words::rule(frame.rule), frame.step)
}

fn brief_context(catalogue: &Catalogue, frame: &Context) -> String {
    let roles = roles(catalogue, frame);
    if roles.is_empty() { frame.frame.to_owned() } else { format!("{} ({roles})", frame.frame) }
}

fn roles(catalogue: &Catalogue, frame: &Context) -> String {
    let role = |(name, what): &(&'static str, _)| format!("{name} {}", catalogue.name_of(*what));
    frame.roles.iter().map(role).collect::<Vec<_>>().join(", ")
}

fn entitlement(catalogue: &Catalogue, owed: &Entitlement) -> String {
    let what = words::phrase(catalogue, &owed.what);
    format!("{}: {what} ({})", words::seat(catalogue, owed.seat), words::rule(owed.rule))
}

fn notation(catalogue: &Catalogue, steps: &[StepId]) -> String {
    let words: Vec<String> = steps.iter().map(|&step| catalogue.steps.notation(step)).collect();
    words.join("; ")
}
