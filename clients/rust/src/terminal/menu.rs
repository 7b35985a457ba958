//! Menus with what a choice depends on ([`told`]): names, and the markers of the things that an action is about.

use edgehill_engine::action::ActionId;
use edgehill_engine::catalogue::{Catalogue, MarkerPriority};
use edgehill_engine::reference::{Location, Ref};
use edgehill_engine::view::View;

use super::{map, marker_brief, markers_at};

/// A menu with more actions than this is printed in short.
pub(crate) const LONG_MENU: usize = 24;

/// Legal actions by verb in order of first mention, with their numbers from 1; `columns` wide where it is in short.
pub(crate) fn told(catalogue: &Catalogue, view: &View, actions: &[ActionId], columns: usize) -> String {
    let text = listed(catalogue, view, actions, 1, Some(columns));
    if actions.len() > LONG_MENU {
        return text + "menu: Each with its name, strengths and odds\n";
    }
    text
}

/// The same with the names and markers of all, however long it is.
pub(crate) fn whole(catalogue: &Catalogue, view: &View, actions: &[ActionId]) -> String {
    listed(catalogue, view, actions, 1, None)
}

/// Actions that go in front of what is written: their numbers follow those of the menu.
pub(crate) fn earlier(
    catalogue: &Catalogue,
    view: &View,
    menu: usize,
    earlier: &[ActionId],
    columns: usize,
) -> String {
    if earlier.is_empty() {
        return String::new();
    }
    let listed = listed(catalogue, view, earlier, menu + 1, Some(columns));
    format!("Before what you have written, and put there for you:\n{listed}")
}

/// A menu whose numbers begin with `from`; in `columns` if it is long.
fn listed(
    catalogue: &Catalogue,
    view: &View,
    actions: &[ActionId],
    from: usize,
    columns: Option<usize>,
) -> String {
    let notation = |&action: &ActionId| catalogue.actions.notation(action);
    let widest = actions.iter().map(|action| notation(action).chars().count()).max().unwrap_or(0);
    let digits = (from + actions.len()).saturating_sub(1).to_string().len();
    let mut text = String::new();
    for (verb, places) in by_verb(catalogue, actions) {
        text.push_str(&heading(catalogue, verb));
        if let Some(columns) = columns.filter(|_| actions.len() > LONG_MENU) {
            let items = places.iter().map(|&at| format!("{} {}", at + from, notation(&actions[at])));
            text.push_str(&packed(items, columns));
            continue;
        }
        text.push('\n');
        for at in places {
            let action = actions[at];
            let words = words(catalogue, view, action);
            let line = format!("  {:>digits$}  {:<widest$}  {words}", at + from, notation(&action));
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    text
}

/// Items in lines of `columns`, below what they belong to.
fn packed(items: impl Iterator<Item = String>, columns: usize) -> String {
    let mut text = String::new();
    let mut line = String::new();
    for item in items {
        if line.is_empty() || line.chars().count() + 2 + item.chars().count() > columns {
            text.push_str(&line);
            line = "\n".to_owned();
        }
        line.push_str("  ");
        line.push_str(&item);
    }
    text.push_str(&line);
    text.push('\n');
    text
}

/// Places in `actions`, by verb in order of first mention.
fn by_verb(catalogue: &Catalogue, actions: &[ActionId]) -> Vec<(Option<u8>, Vec<usize>)> {
    let mut groups: Vec<(Option<u8>, Vec<usize>)> = Vec::new();
    for (index, &action) in actions.iter().enumerate() {
        let verb = catalogue.actions.get(action).map(|def| def.verb);
        match groups.iter_mut().find(|(group, _)| *group == verb) {
            Some((_, places)) => places.push(index),
            None => groups.push((verb, vec![index])),
        }
    }
    groups
}

fn heading(catalogue: &Catalogue, verb: Option<u8>) -> String {
    match verb.and_then(|verb| catalogue.actions.verbs().get(usize::from(verb))) {
        Some(verb) => format!("{}: {}", verb.id, verb.title),
        None => "no action of this game".to_owned(),
    }
}

/// The names of the things that an action is about, each with its markers.
fn words(catalogue: &Catalogue, view: &View, action: ActionId) -> String {
    let Some(def) = catalogue.actions.get(action) else { return String::new() };
    let named = |&what: &Ref| {
        let facts = facts(catalogue, view, what);
        let name = catalogue.name_of(what);
        if facts.is_empty() { name } else { format!("{name} [{}]", facts.join(", ")) }
    };
    def.refs.iter().map(named).collect::<Vec<_>>().join(", ")
}

/// Facts of a thing that a choice may depend on: its markers, and what lies on a space; of a card, its numbers.
fn facts(catalogue: &Catalogue, view: &View, what: Ref) -> Vec<String> {
    let place = match what {
        Ref::Space(at) => Location::Space(at),
        Ref::Mat(at) => Location::Mat(at),
        Ref::Track(at) => Location::Track(at),
        Ref::Piece(id) => Location::Piece(id),
        Ref::Card(card) => return card_numbers(catalogue, card),
        _ => return Vec::new(),
    };
    let held = map::held(catalogue, &view.board, place);
    let plain = |&(kind, _): &(u16, i32)| {
        let def = catalogue.markers.get(usize::from(kind));
        def.is_some_and(|def| def.priority != MarkerPriority::Position && def.entry.id != super::BOX)
    };
    let markers = markers_at(Some(view), place);
    let markers = markers.iter().filter(|it| plain(it));
    let markers = markers.map(|&(kind, number)| marker_brief(catalogue, kind, number));
    (!held.is_empty()).then_some(held).into_iter().chain(markers).collect()
}

fn card_numbers(catalogue: &Catalogue, card: u16) -> Vec<String> {
    let Some(entry) = catalogue.cards.get(usize::from(card)) else { return Vec::new() };
    let number = |one: &edgehill_engine::catalogue::Attribute| {
        let def = catalogue.attributes.get(usize::from(one.def))?;
        let number = one.number().filter(|&number| number != 0)?;
        let label = def.label.split(':').next().unwrap_or(def.label);
        Some(format!("{label} {number}"))
    };
    entry.attributes.iter().filter_map(number).take(2).collect()
}
