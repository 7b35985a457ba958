//! Answers to `about` and `near`: all that the catalogue tells of a thing, and where it is now.

use std::collections::BTreeSet;

use edgehill_engine::catalogue::{
    Attribute, CatalogEntry, Catalogue, Chart, SeatDef, SpaceDef, TrackBox, TrackDef,
};
use edgehill_engine::reference::{Location, Ref};
use edgehill_engine::render;
use edgehill_engine::seat::Seat;
use edgehill_engine::view::View;

/// Number of names that a question without an answer is answered with.
const SUGGESTIONS_MAX: usize = 12;

/// A thing that can be asked about: an entry of one of the catalogue's lists.
#[derive(Copy, Clone)]
struct Subject<'a> {
    /// The list that it stands in, as `about LIST` is asked.
    list: &'static str,
    /// The word for it, by itself.
    noun: &'static str,
    entry: &'a CatalogEntry,
    /// Its index in that list.
    index: usize,
}

impl Subject<'_> {
    fn what(&self) -> Option<Ref> {
        let index = u16::try_from(self.index).ok()?;
        Some(match self.list {
            "spaces" => Ref::Space(index),
            "mats" => Ref::Mat(index),
            "tracks" => Ref::Track(index),
            "piles" => Ref::Pile(index),
            "kinds" => Ref::Kind(index),
            "pieces" => Ref::Piece(index),
            "cards" => Ref::Card(index),
            "markers" => Ref::Marker(index),
            _ => return None,
        })
    }

    fn is_called(&self, name: &str) -> bool {
        self.entry.id.eq_ignore_ascii_case(name) || self.entry.name.eq_ignore_ascii_case(name)
    }
}

/// Everything that has an entry, in the catalogue's order.
fn subjects<'a>(catalogue: &'a Catalogue) -> Vec<Subject<'a>> {
    let mut all = Vec::new();
    let mut add = |list, noun, entries: Vec<&'a CatalogEntry>| {
        let one = |(index, entry)| Subject { list, noun, entry, index };
        all.extend(entries.into_iter().enumerate().map(one).collect::<Vec<_>>());
    };
    add("spaces", "space", catalogue.spaces.iter().map(|one| &one.entry).collect());
    add("mats", "box", catalogue.mats.iter().map(|one| &one.entry).collect());
    add("tracks", "track", catalogue.tracks.iter().map(|one| &one.entry).collect());
    add("piles", "pile", catalogue.piles.iter().map(|one| &one.entry).collect());
    add("pieces", "piece", catalogue.pieces.iter().collect());
    add("kinds", "kind of piece", catalogue.kinds.iter().map(|one| &one.entry).collect());
    add("cards", "card", catalogue.cards.iter().collect());
    add("markers", "marker", catalogue.markers.iter().map(|one| &one.entry).collect());
    add("arrows", "arrow", catalogue.arrows.iter().collect());
    add("charts", "chart", catalogue.charts.iter().map(|one| &one.entry).collect());
    add("boards", "board", catalogue.boards.iter().map(|one| &one.entry).collect());
    all
}

/// All that is known of what is called so: every entry of that id or name; of a list by its name, its entries.
pub(crate) fn about(catalogue: &Catalogue, view: Option<&View>, name: &str) -> String {
    let all = subjects(catalogue);
    if name.is_empty() {
        return contents(catalogue, &all);
    }
    let called: Vec<&Subject<'_>> = all.iter().filter(|one| one.is_called(name)).collect();
    if !called.is_empty() {
        return called.iter().map(|one| told(catalogue, view, one)).collect();
    }
    if name.eq_ignore_ascii_case("verbs") {
        return verbs(catalogue);
    }
    let is_called =
        |seat: &&SeatDef| seat.id.eq_ignore_ascii_case(name) || seat.name.eq_ignore_ascii_case(name);
    if let Some(index) = catalogue.seats.iter().position(|seat| is_called(&seat)) {
        return seat(catalogue, view, index);
    }
    let listed: Vec<&Subject<'_>> = all.iter().filter(|one| one.list.eq_ignore_ascii_case(name)).collect();
    if !listed.is_empty() {
        return listed.iter().map(|one| format!("  {}\n", title(one.entry))).collect();
    }
    unknown(&all, "Nothing", name)
}

/// The lists that can be asked for.
fn contents(catalogue: &Catalogue, all: &[Subject<'_>]) -> String {
    let mut text = format!("{}\n`about NAME` tells all of a thing; these have names:\n", catalogue.summary);
    for list in all.chunk_by(|a, b| a.list == b.list) {
        let example = &list[0].entry.id;
        text.push_str(&format!(
            "  about {:<8} {} of them, such as `about {example}`\n",
            list[0].list,
            list.len()
        ));
    }
    text.push_str("  about verbs    all that can be done\n");
    text
}

/// A seat, and what lies before it.
fn seat(catalogue: &Catalogue, view: Option<&View>, index: usize) -> String {
    let def = &catalogue.seats[index];
    let mut text = format!("{} ({}), seat\n", def.name, def.id);
    let piles = catalogue.piles.iter().filter(|pile| pile.owner.is_some_and(|seat| seat.index() == index));
    let piles: Vec<String> = piles.map(|pile| title(&pile.entry)).collect();
    if !piles.is_empty() {
        text.push_str(&format!("  Its piles: {}\n", piles.join(", ")));
    }
    let at = BTreeSet::from([Location::Seat(Seat::new(index as u8))]);
    let held = view.map(|view| render::at_places(catalogue, &view.board, &at)).unwrap_or_default();
    text.extend(held.lines().map(|line| format!("  Now: {line}\n")));
    text
}

fn verbs(catalogue: &Catalogue) -> String {
    let line = |verb: &edgehill_engine::action::Verb| {
        let refs: String = verb.refs.iter().map(|name| format!(" {}", name.to_uppercase())).collect();
        format!("  {}{refs}: {}\n", verb.id, verb.title)
    };
    catalogue.actions.verbs().iter().map(line).collect()
}

/// The answer where nothing is called so: names that have the words in them, or where to look.
fn unknown(all: &[Subject<'_>], nothing: &str, name: &str) -> String {
    let wanted = name.to_lowercase();
    let alike = |one: &&Subject<'_>| {
        one.entry.id.to_lowercase().contains(&wanted) || one.entry.name.to_lowercase().contains(&wanted)
    };
    let names: BTreeSet<String> = all.iter().filter(alike).map(|one| title(one.entry)).collect();
    if names.is_empty() {
        return format!("{nothing} is called `{name}`: `about` alone lists what there is.\n");
    }
    let more = if names.len() > SUGGESTIONS_MAX { ", ..." } else { "" };
    let names: Vec<String> = names.into_iter().take(SUGGESTIONS_MAX).collect();
    format!("{nothing} is called `{name}` in full; do you mean one of: {}{more}?\n", names.join(", "))
}

/// Name, and id in brackets where it differs.
fn title(entry: &CatalogEntry) -> String {
    if entry.id.eq_ignore_ascii_case(&entry.name) {
        entry.name.clone()
    } else {
        format!("{} ({})", entry.name, entry.id)
    }
}

fn told(catalogue: &Catalogue, view: Option<&View>, one: &Subject<'_>) -> String {
    let mut lines =
        vec![format!("{}, {}{}", title(one.entry), one.noun, render::confidence(one.entry.confidence))];
    let index = one.index;
    match one.list {
        "spaces" => lines.push(format!("  {}", site(catalogue, &catalogue.spaces[index]))),
        "piles" => lines.extend(
            catalogue.piles[index].owner.map(|seat| format!("  Of {}", catalogue.name_of(Ref::Seat(seat)))),
        ),
        "kinds" if catalogue.kinds[index].back => lines.push("  A back: its face is hidden".to_owned()),
        "markers" if !catalogue.markers[index].unit.is_empty() => {
            lines.push(format!("  In {}", catalogue.markers[index].unit));
        }
        _ => {}
    }
    lines.extend(one.entry.rules_text.iter().map(|line| format!("  {line}")));
    lines.extend(one.entry.attributes.iter().map(|one| format!("  {}", fact(catalogue, one))));
    if !one.entry.values.is_empty() {
        let values: Vec<String> =
            one.entry.values.iter().map(|value| format!("{} = {}", value.number, value.name)).collect();
        lines.push(format!("  Values: {}", values.join(", ")));
    }
    match one.list {
        "spaces" => {
            lines.extend(neighbours(catalogue, &catalogue.spaces[index]));
            let inside: Vec<String> = inside(catalogue, index).map(|it| title(&it.entry)).collect();
            if !inside.is_empty() {
                lines.push(format!("  Within it: {}", inside.join(", ")));
            }
        }
        "tracks" => lines.extend(boxes(catalogue, view, &catalogue.tracks[index], index)),
        "charts" => lines.extend(rows(catalogue, &catalogue.charts[index])),
        "boards" => lines.push("  `map` draws it".to_owned()),
        _ => {}
    }
    if let (Some(view), Some(what)) = (view, one.what()) {
        lines.extend(now(catalogue, view, what));
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

fn site(catalogue: &Catalogue, space: &SpaceDef) -> String {
    let kind = catalogue.space_kinds.get(usize::from(space.kind)).map(|kind| kind.name.to_owned());
    let region = (!space.region.is_empty()).then(|| space.region.clone());
    let within = space.within.map(|at| format!("within {}", catalogue.name_of(Ref::Space(at))));
    kind.into_iter().chain(region).chain(within).collect::<Vec<_>>().join(", ")
}

/// The neighbours of a space, a line each way of getting there.
fn neighbours(catalogue: &Catalogue, space: &SpaceDef) -> Vec<String> {
    if space.adjacencies.is_empty() {
        return vec![match space.within {
            Some(at) => format!("  Its neighbours are those of {}", catalogue.name_of(Ref::Space(at))),
            None => "  Next to nothing".to_owned(),
        }];
    }
    let mut by_kind: Vec<(&str, Vec<String>)> = Vec::new();
    for adjacency in &space.adjacencies {
        let to = catalogue.spaces.get(usize::from(adjacency.to));
        let name =
            to.map_or_else(String::new, |to| title(&to.entry)) + &render::confidence(adjacency.confidence);
        match by_kind.iter_mut().find(|(kind, _)| *kind == adjacency.kind) {
            Some((_, names)) => names.push(name),
            None => by_kind.push((adjacency.kind, vec![name])),
        }
    }
    let line = |(kind, names): (&str, Vec<String>)| {
        format!("  Next to{}: {}", by(catalogue, kind), names.join(", "))
    };
    by_kind.into_iter().map(line).collect()
}

/// The way by which one gets to a neighbour, in brackets, where ways differ.
fn by(catalogue: &Catalogue, kind: &str) -> String {
    let name = catalogue.adjacency_kinds.iter().find(|def| def.id == kind).map_or(kind, |def| def.name);
    if name.is_empty() { String::new() } else { format!(" ({name})") }
}

/// The grade of a box in brackets, where it has one.
pub(super) fn grade(catalogue: &Catalogue, one: &TrackBox) -> String {
    let name = catalogue.grades.iter().find(|def| def.id == one.grade).map_or(&*one.grade, |def| def.name);
    if name.is_empty() { String::new() } else { format!(" ({name})") }
}

/// The spaces that lie within a space.
fn inside(catalogue: &Catalogue, index: usize) -> impl Iterator<Item = &SpaceDef> {
    catalogue.spaces.iter().filter(move |space| space.within.map(usize::from) == Some(index))
}

/// The boxes of a track, a line each, with the markers that stand there now.
fn boxes(catalogue: &Catalogue, view: Option<&View>, track: &TrackDef, index: usize) -> Vec<String> {
    let markers = super::markers_at(view, Location::Track(index as u16));
    let mut lines = Vec::new();
    for one in &track.boxes {
        let number = one.number.to_string();
        let label = if one.label == number { String::new() } else { format!(" {}", one.label) };
        let grade = grade(catalogue, one);
        let mut parts = one.gives.clone();
        parts.extend(one.attributes.iter().map(|one| fact(catalogue, one)));
        let parts = if parts.is_empty() { String::new() } else { format!(": {}", parts.join("; ")) };
        let here: Vec<String> = markers
            .iter()
            .filter(|&&(kind, at)| at == one.number && super::is_position(catalogue, index as u16, kind))
            .map(|&(kind, _)| catalogue.name_of(Ref::Marker(kind)))
            .collect();
        let here = if here.is_empty() { String::new() } else { format!(" <- {}", here.join(", ")) };
        let is_told = one.attributes.iter().any(|fact| fact.confidence == one.confidence);
        let level = if is_told { String::new() } else { render::confidence(one.confidence) };
        lines.push(format!("  {number}{label}{grade}{parts}{level}{here}"));
    }
    lines
}

/// The rows of a chart under its columns.
fn rows(catalogue: &Catalogue, chart: &Chart) -> Vec<String> {
    let cells = |row: &edgehill_engine::catalogue::ChartRow| {
        row.cells.iter().map(|cell| render::attribute_value(catalogue, cell)).collect::<Vec<_>>()
    };
    let mut table = vec![chart.columns.clone()];
    table.extend(chart.rows.iter().map(cells));
    let width = |column: usize| table.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..chart.columns.len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}"));
        format!("  {}", cells.collect::<Vec<_>>().join(" | ")).trim_end().to_owned()
    };
    table.iter().map(line).collect()
}

fn fact(catalogue: &Catalogue, attribute: &Attribute) -> String {
    let label = catalogue.attributes.get(usize::from(attribute.def)).map_or("", |def| def.label);
    format!("{label}: {}", render::attribute_values(catalogue, attribute))
}

/// Where a thing is in the view, and what lies there.
fn now(catalogue: &Catalogue, view: &View, what: Ref) -> Vec<String> {
    let board = &view.board;
    let place = match what {
        Ref::Space(at) => Some(Location::Space(at)),
        Ref::Mat(at) => Some(Location::Mat(at)),
        Ref::Track(at) => Some(Location::Track(at)),
        Ref::Pile(at) => Some(Location::Pile(at)),
        Ref::Piece(id) => {
            let mut lines = Vec::new();
            if let Some(piece) = board.pieces.get(&id) {
                lines.push(format!("  It is now at {}", catalogue.place(piece.at)));
            }
            let held = render::at_places(catalogue, board, &BTreeSet::from([Location::Piece(id)]));
            lines.extend(held.lines().map(|line| format!("  Now: {line}")));
            return lines;
        }
        Ref::Card(card) => {
            let piles = board.piles.iter().filter(|(_, pile)| pile.cards.contains(&card));
            return piles
                .map(|(&id, _)| format!("  It is now in {}", catalogue.name_of(Ref::Pile(id))))
                .collect();
        }
        _ => None,
    };
    let Some(place) = place else { return Vec::new() };
    let held = render::at_places(catalogue, board, &BTreeSet::from([place]));
    if held.is_empty() {
        return vec!["  Now: nothing lies there".to_owned()];
    }
    held.lines().map(|line| format!("  Now: {line}")).collect()
}

/// The neighbours of a space with what lies there now, a line each.
pub(crate) fn near(catalogue: &Catalogue, view: &View, name: &str) -> String {
    let all = subjects(catalogue);
    let Some(space) = all.iter().find(|one| one.list == "spaces" && one.is_called(name)) else {
        let spaces: Vec<Subject<'_>> = all.iter().filter(|one| one.list == "spaces").copied().collect();
        return unknown(&spaces, "No space", name);
    };
    let own = &catalogue.spaces[space.index];
    let from = own.within.filter(|_| own.adjacencies.is_empty()).map_or(space.index, usize::from);
    let around = &catalogue.spaces[from];
    let within = if from == space.index { String::new() } else { format!(", in {}", title(&around.entry)) };
    let mut text = format!("Next to {}{within}:\n", title(space.entry));
    for adjacency in &around.adjacencies {
        let way = by(catalogue, adjacency.kind);
        text.push_str(&held_line(catalogue, view, usize::from(adjacency.to), &way));
    }
    let inside =
        catalogue.spaces.iter().enumerate().filter(|(_, it)| it.within.map(usize::from) == Some(from));
    for (index, _) in inside.filter(|&(index, _)| index != space.index) {
        text.push_str(&held_line(catalogue, view, index, " (within it)"));
    }
    text
}

/// A space with what lies there now, on a line.
fn held_line(catalogue: &Catalogue, view: &View, space: usize, by: &str) -> String {
    let held = render::at_places(catalogue, &view.board, &BTreeSet::from([Location::Space(space as u16)]));
    let name = catalogue.spaces.get(space).map(|to| title(&to.entry)).unwrap_or_default();
    let held = held.trim_end().split_once(": ").map_or("nothing there", |(_, held)| held);
    format!("  {name}{by}: {held}\n")
}
