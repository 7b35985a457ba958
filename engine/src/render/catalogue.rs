//! The static half of a game in words: what `edgehill games ID` prints.

use super::outline::Outline;
use super::words;
use crate::catalogue::{
    Attribute, AttributeDef, AttributeValue, BoardDef, CatalogEntry, Catalogue, Chart, CodeDef, MatDef,
    SpaceDef, TrackBox, TrackDef, ValueName,
};
use crate::content::Confidence;
use crate::reference::Ref;

/// Seats, scenarios, options, spaces with their neighbours, pieces, cards, verbs and rules, one a line.
#[must_use]
pub fn catalogue(catalogue: &Catalogue) -> String {
    let version = format!("rules version {}, content {}", catalogue.rules_version, catalogue.content);
    let mut sections = vec![
        Outline::leaf(format!("{} ({})", catalogue.title, catalogue.id)),
        Outline::leaf(catalogue.summary),
        Outline::leaf(version),
    ];
    sections.extend(settings(catalogue));
    sections.extend(things(catalogue));
    sections.extend(verbs(catalogue));
    sections.extend(rules(catalogue));
    let mut text = String::new();
    for section in sections {
        section.write(0, &mut text);
    }
    text
}

/// A card by its id: its name, with what it does line by line under it; `None` if there is no such card.
#[must_use]
pub fn card(catalogue: &Catalogue, id: &str) -> Option<String> {
    let card = catalogue.cards.iter().find(|card| card.id.eq_ignore_ascii_case(id))?;
    let mut text = String::new();
    described(catalogue, card, String::new()).write(0, &mut text);
    Some(text)
}

/// An entry and some words on its line, with its rules and its facts under it.
fn described(catalogue: &Catalogue, one: &CatalogEntry, more: String) -> Outline {
    Outline::new(entry(one) + &more, under(catalogue, one))
}

/// The rules of an entry, a line each, and its facts on one line.
fn under(catalogue: &Catalogue, one: &CatalogEntry) -> Vec<Outline> {
    let lines = one.rules_text.iter().map(|line| Outline::leaf(line.clone()));
    lines.chain(facts(catalogue, &one.attributes).map(Outline::leaf)).collect()
}

/// Facts on one line, if there are any.
fn facts(catalogue: &Catalogue, attributes: &[Attribute]) -> Option<String> {
    let facts: Vec<String> = attributes.iter().map(|one| fact(catalogue, one)).collect();
    (!facts.is_empty()).then(|| facts.join("; "))
}

fn fact(catalogue: &Catalogue, attribute: &Attribute) -> String {
    let def = catalogue.attributes.get(usize::from(attribute.def));
    let label = def.map_or_else(|| format!("attribute {}", attribute.def), |def| def.label.to_owned());
    format!("{label} {}", attribute_values(catalogue, attribute))
}

/// The values of a fact in words, with their unit and how far they can be taken for the published game's.
#[must_use]
pub fn attribute_values(catalogue: &Catalogue, attribute: &Attribute) -> String {
    let def = catalogue.attributes.get(usize::from(attribute.def));
    let named = def.map_or(&[][..], |def| &def.values);
    let in_words = |one: &AttributeValue| match one {
        AttributeValue::Number(number) => ValueName::in_words(named, *number),
        other => attribute_value(catalogue, other),
    };
    let values: Vec<String> = attribute.values.iter().map(in_words).collect();
    let unit = def.map_or("", |def| def.unit);
    format!("{}{}{}", values.join(", "), spaced(unit), confidence(attribute.confidence))
}

/// A value of a fact, or a cell of a chart, in words: a number as digits.
#[must_use]
pub fn attribute_value(catalogue: &Catalogue, value: &AttributeValue) -> String {
    match value {
        AttributeValue::Number(number) => number.to_string(),
        AttributeValue::Text(text) => text.clone(),
        AttributeValue::Reference(what) => catalogue.name_of(*what),
    }
}

/// Words after a blank, if there are any.
fn spaced(words: &str) -> String {
    if words.is_empty() { String::new() } else { format!(" {words}") }
}

fn settings(catalogue: &Catalogue) -> Vec<Outline> {
    let seats =
        catalogue.seats.iter().map(|seat| Outline::leaf(format!("{}: {}", seat.id, seat.name))).collect();
    let scenarios = catalogue
        .scenarios
        .iter()
        .map(|s| {
            let returns = format!("returns {:+} to {:+}", s.returns_min, s.returns_max);
            Outline::leaf(format!("{}: {} (seats: {}; {returns})", s.id, s.title, s.seats))
        })
        .collect();
    let options = catalogue
        .options
        .iter()
        .map(|option| {
            let (accepts, default) = (option.kind.expected(), option.kind.print(option.default));
            Outline::leaf(format!("{}: {} ({accepts}; default {default})", option.id, option.title))
        })
        .collect();
    let sections = [("Seats", seats), ("Scenarios", scenarios), ("Options", options)];
    sections.into_iter().filter_map(|(title, under)| Outline::unless_empty(title, under)).collect()
}

fn things(catalogue: &Catalogue) -> Vec<Outline> {
    let piles = catalogue.piles.iter().map(|pile| {
        let owner = pile.owner.map(|seat| words::seat(catalogue, seat));
        let parts: Vec<String> =
            owner.into_iter().chain(pile.ordered.then(|| "in order".to_owned())).collect();
        described(catalogue, &pile.entry, words::parenthesis(&parts))
    });
    let kinds = catalogue
        .kinds
        .iter()
        .map(|kind| described(catalogue, &kind.entry, if kind.back { " (back)" } else { "" }.to_owned()));
    let markers = catalogue.markers.iter().map(|marker| {
        let unit = if marker.unit.is_empty() { String::new() } else { format!(", {}", marker.unit) };
        described(catalogue, &marker.entry, unit)
    });
    let plain = |entries: &[CatalogEntry]| {
        entries.iter().map(|one| described(catalogue, one, String::new())).collect::<Vec<_>>()
    };
    let roles = catalogue.roles.iter().map(|role| {
        let unit = if role.unit.is_empty() { String::new() } else { format!(" ({})", role.unit) };
        let values = names_of_numbers(&role.values);
        Outline::leaf(format!("{}: {}{unit}{values}", role.name, role.label))
    });
    let codes = |codes: &[CodeDef]| {
        codes.iter().map(|code| Outline::leaf(format!("{}: {}", code.id, code.name))).collect::<Vec<_>>()
    };
    let sides = catalogue.sides.iter().map(|side| Outline::leaf(format!("{}: {}", side.id, side.name)));
    let procedures = catalogue.procedures.iter().map(|def| {
        let counts = if def.counts.is_empty() { String::new() } else { format!(" (counts {})", def.counts) };
        let stages = def.stages.iter().map(|stage| Outline::leaf(format!("{} {}", stage.number, stage.name)));
        Outline::new(format!("{}: {}{counts}", def.name, def.label), stages.collect())
    });
    let sections: [(&str, Vec<Outline>); 18] = [
        ("Sides that nobody plays", sides.collect()),
        ("Boards", catalogue.boards.iter().map(board).collect()),
        ("Attributes", catalogue.attributes.iter().map(declaration).collect()),
        ("Spaces", catalogue.spaces.iter().map(|one| space(catalogue, one)).collect()),
        ("Kinds of adjacencies", codes(&catalogue.adjacency_kinds)),
        ("Mats", catalogue.mats.iter().map(|one| mat(catalogue, one)).collect()),
        ("Tracks", catalogue.tracks.iter().map(|one| track(catalogue, one)).collect()),
        ("Grades of boxes", codes(&catalogue.grades)),
        ("Piles", piles.collect()),
        ("Kinds of pieces", kinds.collect()),
        ("Pieces", plain(&catalogue.pieces)),
        ("Cards", plain(&catalogue.cards)),
        ("Markers", markers.collect()),
        ("Arrows", plain(&catalogue.arrows)),
        ("Results of arrows", codes(&catalogue.arrow_results)),
        ("Charts", catalogue.charts.iter().map(|one| chart(catalogue, one)).collect()),
        ("Procedures", procedures.collect()),
        ("Roles", roles.collect()),
    ];
    sections.into_iter().filter_map(|(title, under)| Outline::unless_empty(title, under)).collect()
}

fn board(board: &BoardDef) -> Outline {
    let frame = format!("{}, {} to {}, {}", board.x_min, board.y_min, board.x_max, board.y_max);
    let scales = format!("scales {} : {}", board.x_scale, board.y_scale);
    Outline::leaf(format!("{}: {frame} (right, down) in {}; {scales}", entry(&board.entry), board.unit))
}

fn declaration(def: &AttributeDef) -> Outline {
    let many = if def.many { ", any number" } else { "" };
    let kind = format!("{:?}", def.kind).to_lowercase();
    let values = names_of_numbers(&def.values);
    Outline::leaf(format!("{}: {} ({kind}{many}){values}", def.id, def.label))
}

/// `; 0 no, 1 yes`, or nothing where numbers are plain.
fn names_of_numbers(values: &[ValueName]) -> String {
    let named: Vec<String> = values.iter().map(|value| format!("{} {}", value.number, value.name)).collect();
    if named.is_empty() { String::new() } else { format!("; {}", named.join(", ")) }
}

/// ` at 3, -2`, with the board where it is not the first.
fn place(catalogue: &Catalogue, board: u16, x: i32, y: i32) -> String {
    let named = catalogue.boards.get(usize::from(board)).filter(|_| board > 0);
    let on = named.map_or_else(String::new, |board| format!(" of {}", board.entry.id));
    format!(" at {x}, {y}{on}")
}

fn mat(catalogue: &Catalogue, mat: &MatDef) -> Outline {
    described(catalogue, &mat.entry, place(catalogue, mat.board, mat.x, mat.y))
}

fn track(catalogue: &Catalogue, track: &TrackDef) -> Outline {
    let boxes = track.boxes.iter().map(|one| track_box(catalogue, one));
    let under = under(catalogue, &track.entry).into_iter().chain(boxes).collect();
    let (x, y) = track.places().next().unwrap_or_default();
    Outline::new(entry(&track.entry) + &place(catalogue, track.board, x, y), under)
}

fn track_box(catalogue: &Catalogue, one: &TrackBox) -> Outline {
    let number = one.number.to_string();
    let label = if one.label == number && one.grade.is_empty() { String::new() } else { spaced(&one.label) };
    let grade = if one.grade.is_empty() { String::new() } else { format!(" ({})", one.grade) };
    let text = format!("{number}{label}{grade}{}", confidence(one.confidence));
    let gives = one.gives.iter().map(|line| Outline::leaf(line.clone()));
    Outline::new(text, gives.chain(facts(catalogue, &one.attributes).map(Outline::leaf)).collect())
}

fn chart(catalogue: &Catalogue, chart: &Chart) -> Outline {
    let turn_states = Outline::leaf(chart.columns.join(" | "));
    let row = |row: &crate::catalogue::ChartRow| {
        let cells: Vec<String> = row.cells.iter().map(|cell| attribute_value(catalogue, cell)).collect();
        Outline::leaf(format!("{}{}", cells.join(" | "), confidence(row.confidence)))
    };
    let under = under(catalogue, &chart.entry).into_iter().chain([turn_states]);
    Outline::new(entry(&chart.entry), under.chain(chart.rows.iter().map(row)).collect())
}

fn verbs(catalogue: &Catalogue) -> Option<Outline> {
    let count = |verb: usize| {
        let of_verb = |&id: &_| catalogue.actions.get(id).is_some_and(|def| usize::from(def.verb) == verb);
        catalogue.actions.ids().filter(of_verb).count()
    };
    let line = |(index, verb): (usize, &crate::action::Verb)| {
        let example = catalogue
            .actions
            .ids()
            .filter_map(|id| catalogue.actions.get(id))
            .find(|def| usize::from(def.verb) == index)
            .map_or_else(String::new, |def| format!(", as in `{}`", def.notation));
        let refs = if verb.refs.is_empty() { String::new() } else { format!(" [{}]", verb.refs.join(", ")) };
        Outline::leaf(format!("{}{refs}: {} (actions: {}{example})", verb.id, verb.title, count(index)))
    };
    let under = catalogue.actions.verbs().iter().enumerate().map(line).collect();
    Outline::unless_empty(&format!("Verbs ({} actions)", catalogue.actions.len()), under)
}

fn rules(catalogue: &Catalogue) -> Option<Outline> {
    let line = |rule: &crate::ledger::RuleEntry| {
        Outline::leaf(format!("{} {} ({}): {}", rule.id, rule.title, rule.status, rule.text.trim()))
    };
    Outline::unless_empty("Rules", catalogue.ledger.iter().map(line).collect())
}

fn space(catalogue: &Catalogue, space: &SpaceDef) -> Outline {
    let neighbour = |adjacency: &crate::catalogue::Adjacency| {
        let id = catalogue.id_of(Ref::Space(adjacency.to));
        let by = if adjacency.kind.is_empty() { String::new() } else { format!(" by {}", adjacency.kind) };
        format!("{id}{by}{}", confidence(adjacency.confidence))
    };
    let near: Vec<String> = space.adjacencies.iter().map(neighbour).collect();
    let near =
        if near.is_empty() { "no neighbours".to_owned() } else { format!("next to {}", near.join(", ")) };
    let region = if space.region.is_empty() { String::new() } else { format!(" ({})", space.region) };
    let kind = catalogue.space_kinds.get(usize::from(space.kind));
    let kind = kind.map_or_else(String::new, |kind| format!(", {}", kind.name));
    let within =
        space.within.map_or_else(String::new, |at| format!(" in {}", catalogue.id_of(Ref::Space(at))));
    let at = place(catalogue, space.board, space.x, space.y);
    described(catalogue, &space.entry, format!("{region}{kind}{within}{at}; {near}"))
}

/// Id, name where it differs, and the level where it is not the published game's.
fn entry(entry: &CatalogEntry) -> String {
    words::id_and_name(&entry.id, &entry.name) + &confidence(entry.confidence)
}

/// ` <reconstructed>`; nothing of what is the published game's.
#[must_use]
pub fn confidence(level: Confidence) -> String {
    let level = match level {
        Confidence::Official => return String::new(),
        Confidence::PublicSecondary => "secondary source",
        Confidence::Inferred => "inferred",
        Confidence::House => "house",
        Confidence::Reconstructed => "reconstructed",
    };
    format!(" <{level}>")
}
