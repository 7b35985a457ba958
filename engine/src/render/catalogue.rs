//! The static half of a game in words: what `edgehill games ID` prints.

use super::outline::Outline;
use super::words;
use crate::catalogue::{Catalogue, Entry, SpaceDef};
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
    told(card).write(0, &mut text);
    Some(text)
}

/// An entry, with what it does under it.
fn told(one: &Entry) -> Outline {
    Outline::new(entry(one), one.lines.iter().map(|line| Outline::leaf(line.clone())).collect())
}

fn settings(catalogue: &Catalogue) -> Vec<Outline> {
    let seats =
        catalogue.seats.iter().map(|seat| Outline::leaf(format!("{}: {}", seat.id, seat.name))).collect();
    let scenarios = catalogue
        .scenarios
        .iter()
        .map(|s| Outline::leaf(format!("{}: {} (seats: {})", s.id, s.title, s.seats)))
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
    let piles: Vec<Outline> = catalogue
        .piles
        .iter()
        .map(|pile| {
            let owner = pile.owner.map(|seat| words::seat(catalogue, seat));
            let parts: Vec<String> =
                owner.into_iter().chain(pile.ordered.then(|| "in order".to_owned())).collect();
            Outline::leaf(format!("{}{}", entry(&pile.entry), words::parenthesis(&parts)))
        })
        .collect();
    let kinds = catalogue
        .kinds
        .iter()
        .map(|kind| {
            Outline::leaf(format!("{}{}", entry(&kind.entry), if kind.back { " (back)" } else { "" }))
        })
        .collect();
    let spaces = catalogue.spaces.iter().map(|one| space(catalogue, one)).collect();
    let plain = |entries: &[Entry]| entries.iter().map(told).collect();
    let spaces_title = format!("Spaces (at right, down, in units of {})", catalogue.map_unit);
    let sections: [(&str, Vec<Outline>); 9] = [
        (&spaces_title, spaces),
        ("Mats", plain(&catalogue.mats)),
        ("Tracks", plain(&catalogue.tracks)),
        ("Piles", piles),
        ("Kinds of pieces", kinds),
        ("Pieces", plain(&catalogue.pieces)),
        ("Cards", plain(&catalogue.cards)),
        ("Markers", plain(&catalogue.markers)),
        ("Arrows", plain(&catalogue.arrows)),
    ];
    sections.into_iter().filter_map(|(title, under)| Outline::unless_empty(title, under)).collect()
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
        Outline::leaf(format!("{}: {} (actions: {}{example})", verb.id, verb.title, count(index)))
    };
    let under = catalogue.actions.verbs().iter().enumerate().map(line).collect();
    Outline::unless_empty(&format!("Verbs ({} actions)", catalogue.actions.len()), under)
}

fn rules(catalogue: &Catalogue) -> Option<Outline> {
    let line = |rule: &crate::ledger::Entry| {
        Outline::leaf(format!("{} {} ({}): {}", rule.id, rule.title, rule.status, rule.text.trim()))
    };
    Outline::unless_empty("Rules", catalogue.ledger.iter().map(line).collect())
}

fn space(catalogue: &Catalogue, space: &SpaceDef) -> Outline {
    let link = |(to, kind): &(u16, &'static str)| {
        let id = catalogue.id_of(Ref::Space(*to));
        if kind.is_empty() { id } else { format!("{id} by {kind}") }
    };
    let links: Vec<String> = space.links.iter().map(link).collect();
    let links =
        if links.is_empty() { "no neighbours".to_owned() } else { format!("next to {}", links.join(", ")) };
    let region = if space.region.is_empty() { String::new() } else { format!(" ({})", space.region) };
    Outline::leaf(format!("{}{region} at {}, {}; {links}", entry(&space.entry), space.x, space.y))
}

/// Id, name where it differs, and the badge where it is not the published game's.
fn entry(entry: &Entry) -> String {
    let name = if entry.id.eq_ignore_ascii_case(&entry.name) {
        entry.name.clone()
    } else {
        format!("{} {}", entry.id, entry.name)
    };
    match badge(entry.badge) {
        "" => name,
        badge => format!("{name} <{badge}>"),
    }
}

const fn badge(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::Official => "",
        Confidence::PublicSecondary => "secondary source",
        Confidence::Inferred => "inferred",
        Confidence::House => "house",
        Confidence::Reconstructed => "reconstructed",
    }
}
