//! Menus with what a choice depends on ([`told`]): names, and the markers of the things that an action is about.

use std::collections::BTreeSet;

use edgehill_engine::action::ActionId;
use edgehill_engine::catalogue::{Catalogue, MarkerPriority};
use edgehill_engine::reference::{Location, Ref};
use edgehill_engine::render;
use edgehill_engine::view::View;

use super::{map, marker_brief, markers_at};

/// A menu with more actions than this is printed in short.
pub(crate) const LONG_MENU: usize = 24;

/// More actions of a verb than this are not printed again while they and their numbers stay the same.
const REPEATED_MAX: usize = 8;

/// Legal actions by verb in order of first mention, with their numbers from 1; `columns` wide where it is in short. Of what
/// stood in `before` with the same numbers, only the number is told.
pub(crate) fn told(
    catalogue: &Catalogue,
    view: &View,
    actions: &[ActionId],
    before: &[ActionId],
    columns: usize,
) -> String {
    let text = listed(catalogue, view, actions, Layout { from: 1, before, columns: Some(columns) });
    if actions.len() > LONG_MENU {
        return text + "menu: Each with its name, strengths and odds\n";
    }
    text
}

/// The same with the names and markers of all, however long it is, and what the markers are.
pub(crate) fn whole(catalogue: &Catalogue, view: &View, actions: &[ActionId]) -> String {
    let text = listed(catalogue, view, actions, Layout { from: 1, before: &[], columns: None });
    let refs = |&action: &ActionId| catalogue.actions.get(action).map_or(&[][..], |def| &def.refs);
    let places = actions.iter().flat_map(refs).filter_map(|&what| place(what));
    let kinds: BTreeSet<u16> =
        places.flat_map(|place| told_markers(catalogue, view, place)).map(|it| it.0).collect();
    let legend = kinds.into_iter().map(|kind| {
        let def = Ref::Marker(kind);
        format!("{}: {}", catalogue.id_of(def), catalogue.name_of(def))
    });
    let legend: Vec<String> = legend.collect();
    if legend.is_empty() { text } else { format!("{text}In brackets: {}\n", legend.join("; ")) }
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
    let layout = Layout { from: menu + 1, before: &[], columns: Some(columns) };
    let listed = listed(catalogue, view, earlier, layout);
    format!("Before what you have written, and put there for you:\n{listed}")
}

/// The way in which a menu is printed.
#[derive(Copy, Clone)]
struct Layout<'a> {
    /// The number of its first action.
    from: usize,
    /// The menu that was printed before it.
    before: &'a [ActionId],
    /// The columns in which a long one is packed.
    columns: Option<usize>,
}

fn listed(catalogue: &Catalogue, view: &View, actions: &[ActionId], layout: Layout<'_>) -> String {
    let Layout { from, before, columns } = layout;
    let notation = |&action: &ActionId| catalogue.actions.notation(action);
    let widest = actions.iter().map(|action| notation(action).chars().count()).max().unwrap_or(0);
    let digits = (from + actions.len()).saturating_sub(1).to_string().len();
    let mut text = String::new();
    for (verb, numbers) in render::by_verb(catalogue, actions) {
        text.push_str(&render::verb(catalogue, verb));
        let places: Vec<usize> = numbers.into_iter().map(|number| number - 1).collect();
        let same = |&at: &usize| before.get(at) == Some(&actions[at]);
        if places.len() > REPEATED_MAX && places.iter().all(same) {
            let (first, last) = (places[0] + from, places[places.len() - 1] + from);
            text.push_str(&format!(
                "\n  {first} to {last}, {} as before: `legal` lists them\n",
                places.len()
            ));
            continue;
        }
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

/// The names of the things that an action is about, each with its markers; a number without a name stands in the notation.
fn words(catalogue: &Catalogue, view: &View, action: ActionId) -> String {
    let Some(def) = catalogue.actions.get(action) else { return String::new() };
    let roles = catalogue.actions.verb_of(action).map_or(&[][..], |verb| verb.refs);
    let named = |(index, &what): (usize, &Ref)| {
        let name = match (what, roles.get(index)) {
            (Ref::Number(number), Some(role)) => {
                catalogue.role(role).filter(|role| !role.values.is_empty())?.value(number)
            }
            (Ref::Number(_), None) => return None,
            _ => catalogue.name_of(what),
        };
        let facts = facts(catalogue, view, what);
        Some(if facts.is_empty() { name } else { format!("{name} [{}]", facts.join(", ")) })
    };
    def.refs.iter().enumerate().filter_map(named).collect::<Vec<_>>().join(", ")
}

/// Facts of a thing that a choice may depend on: its markers, and what lies on a space; of a card, its numbers.
fn facts(catalogue: &Catalogue, view: &View, what: Ref) -> Vec<String> {
    if let Ref::Card(card) = what {
        return card_numbers(catalogue, card);
    }
    let Some(place) = place(what) else { return Vec::new() };
    let held = map::held(catalogue, &view.board, place);
    let markers = told_markers(catalogue, view, place).into_iter();
    let markers = markers.map(|(kind, number)| marker_brief(catalogue, kind, number));
    (!held.is_empty()).then_some(held).into_iter().chain(markers).collect()
}

/// The place that a thing is, if things can lie on it.
fn place(what: Ref) -> Option<Location> {
    match what {
        Ref::Space(at) => Some(Location::Space(at)),
        Ref::Mat(at) => Some(Location::Mat(at)),
        Ref::Track(at) => Some(Location::Track(at)),
        Ref::Piece(id) => Some(Location::Piece(id)),
        _ => None,
    }
}

/// The markers of a place that tell more than at which box of a track it stands.
fn told_markers(catalogue: &Catalogue, view: &View, place: Location) -> Vec<(u16, i32)> {
    let plain = |&(kind, _): &(u16, i32)| {
        let def = catalogue.markers.get(usize::from(kind));
        def.is_some_and(|def| def.priority != MarkerPriority::Position && def.entry.id != super::BOX)
    };
    markers_at(Some(view), place).into_iter().filter(plain).collect()
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
