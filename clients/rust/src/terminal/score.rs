//! The score by its parts ([`told`]): what tracks, seats, places and cards say of it in a view.

use std::collections::{BTreeMap, BTreeSet};

use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::reference::{Location, Ref};
use edgehill_engine::seat::Seat;
use edgehill_engine::view::View;

use super::{about, marker_words};

/// The ids, in markers and attributes, of what tells of a victory: points, what they are worth, and what more would be; the
/// contract of a catalogue names none.
const POINTS: [&str; 5] = ["points", "victory", "victory-points", "score", "next-grade"];

/// Writes all that counts towards a victory, a line each, and the charts that say what it is worth.
pub(crate) fn told(catalogue: &Catalogue, view: &View) -> String {
    let mut lines = Vec::new();
    lines.extend(tracks(catalogue, view));
    lines.extend(seats(catalogue, view));
    lines.extend(points(catalogue, view));
    lines.extend(cards(catalogue, view));
    lines.extend(holdings(catalogue, view));
    lines.extend(pieces(catalogue, view));
    lines.push(worth(catalogue));
    lines.into_iter().map(|line| line + "\n").collect()
}

fn is_points(catalogue: &Catalogue, kind: u16) -> bool {
    let marker = catalogue.markers.get(usize::from(kind));
    marker.is_some_and(|marker| POINTS.contains(&marker.entry.id.as_str()))
}

/// Tracks with a marker of points, and what their box says.
fn tracks(catalogue: &Catalogue, view: &View) -> Vec<String> {
    let on_track = view.board.markers.iter().filter_map(|(marker, &number)| match marker.at {
        Location::Track(track) => Some((track, marker.kind, number)),
        _ => None,
    });
    let line = |(track, kind, number): (u16, u16, i32)| {
        let box_of = catalogue.tracks.get(usize::from(track)).and_then(|track| track.of_number(number));
        let says = box_of.filter(|_| !is_summed(catalogue, view, kind)).map_or_else(String::new, |one| {
            let grade = about::grade(catalogue, one);
            let gives =
                if one.gives.is_empty() { String::new() } else { format!(": {}", one.gives.join("; ")) };
            format!("{grade}{gives}")
        });
        format!("{}: {}{says}", catalogue.name_of(Ref::Track(track)), marker_words(catalogue, kind, number))
    };
    on_track
        .filter(|&(_, kind, _)| is_points(catalogue, kind) && !is_summed(catalogue, view, kind))
        .map(line)
        .collect()
}

/// True of a kind of points of which several places have a part.
fn is_summed(catalogue: &Catalogue, view: &View, kind: u16) -> bool {
    let of_kind = view.board.markers.keys().filter(|marker| marker.kind == kind);
    is_points(catalogue, kind) && of_kind.filter(|marker| !matches!(marker.at, Location::Seat(_))).count() > 1
}

/// Points before seats.
fn seats(catalogue: &Catalogue, view: &View) -> Vec<String> {
    let line = |(marker, &number): (&edgehill_engine::view::Marker, &i32)| match marker.at {
        Location::Seat(seat) if is_points(catalogue, marker.kind) => Some(format!(
            "{}: {}",
            catalogue.name_of(Ref::Seat(seat)),
            marker_words(catalogue, marker.kind, number)
        )),
        _ => None,
    };
    view.board.markers.iter().filter_map(line).collect()
}

/// Points that lie on several places: each with its part, and their sum.
fn points(catalogue: &Catalogue, view: &View) -> Vec<String> {
    let mut kinds: BTreeMap<u16, Vec<(Location, i32)>> = BTreeMap::new();
    for (marker, &number) in &view.board.markers {
        if is_summed(catalogue, view, marker.kind) && !matches!(marker.at, Location::Seat(_)) {
            kinds.entry(marker.kind).or_default().push((marker.at, number));
        }
    }
    let line = |(kind, parts): (u16, Vec<(Location, i32)>)| {
        let sum: i32 = parts.iter().map(|(_, number)| number).sum();
        let parts: Vec<String> = parts
            .iter()
            .filter(|(_, number)| *number != 0)
            .map(|&(at, number)| format!("{} {number:+}", catalogue.place(at)))
            .collect();
        let name = catalogue.name_of(Ref::Marker(kind));
        format!("{name} on the board: {sum:+} ({})", parts.join(", "))
    };
    kinds.into_iter().map(line).collect()
}

/// Points of the cards in piles that count, pile by pile.
fn cards(catalogue: &Catalogue, view: &View) -> Vec<String> {
    let Some(def) = catalogue.attributes.iter().position(|def| POINTS.contains(&def.id)) else {
        return Vec::new();
    };
    let of_card = |&card: &u16| {
        let points = catalogue.cards.get(usize::from(card))?.attribute(def as u16)?.number()?;
        (points != 0).then(|| format!("{} {points:+}", catalogue.name_of(Ref::Card(card))))
    };
    let line = |(&pile, held): (&u16, &edgehill_engine::view::CardPile)| {
        let cards: Vec<String> = held.cards.iter().filter_map(of_card).collect();
        let name = catalogue.name_of(Ref::Pile(pile));
        let counts = view
            .board
            .markers
            .keys()
            .any(|it| it.at == Location::Pile(pile) && is_points(catalogue, it.kind));
        (counts && !cards.is_empty()).then(|| format!("{name}: {}", cards.join(", ")))
    };
    view.board.piles.iter().filter_map(line).collect()
}

/// The number of places that each seat holds, by the marker that says so and the kind of place.
fn holdings(catalogue: &Catalogue, view: &View) -> Vec<String> {
    let mut counts: BTreeMap<(u16, u16), BTreeMap<Seat, u32>> = BTreeMap::new();
    for (marker, &number) in &view.board.markers {
        let (Location::Space(space), Some(def)) =
            (marker.at, catalogue.markers.get(usize::from(marker.kind)))
        else {
            continue;
        };
        let named = def.entry.values.iter().find(|value| value.number == number).and_then(|it| it.what);
        if let (Some(Ref::Seat(seat)), Some(site)) = (named, catalogue.spaces.get(usize::from(space))) {
            *counts.entry((marker.kind, site.kind)).or_default().entry(seat).or_default() += 1;
        }
    }
    let line = |((marker, kind), seats): ((u16, u16), BTreeMap<Seat, u32>)| {
        let kind = catalogue.space_kinds.get(usize::from(kind)).map_or("Space", |kind| kind.name);
        let seats: Vec<String> = seats
            .iter()
            .map(|(&seat, count)| format!("{} {count}", catalogue.name_of(Ref::Seat(seat))))
            .collect();
        format!("{} ({kind}): {}", catalogue.name_of(Ref::Marker(marker)), seats.join(", "))
    };
    counts.into_iter().map(line).collect()
}

/// The number of each seat's pieces on spaces, as far as they are seen.
fn pieces(catalogue: &Catalogue, view: &View) -> Option<String> {
    let pieces = view.board.pieces.values().map(|piece| (piece.owner, piece.at, 1));
    let groups = view.board.groups.iter().map(|(group, &count)| (group.owner, group.at, u32::from(count)));
    let mut counts: BTreeMap<Seat, u32> = BTreeMap::new();
    for (owner, at, count) in pieces.chain(groups) {
        if let (Some(seat), Location::Space(_)) = (owner, at) {
            *counts.entry(seat).or_default() += count;
        }
    }
    let counted: Vec<String> = counts
        .iter()
        .map(|(&seat, count)| format!("{} {count}", catalogue.name_of(Ref::Seat(seat))))
        .collect();
    (!counted.is_empty()).then(|| format!("Pieces on the map: {}", counted.join(", ")))
}

/// Where to read what the score is worth.
fn worth(catalogue: &Catalogue) -> String {
    let is_of_victory = |id: &str| id.contains("victory") || id.contains("points");
    let charts = catalogue.charts.iter().map(|chart| chart.entry.id.as_str()).filter(|id| is_of_victory(id));
    let tracks = catalogue.tracks.iter().map(|track| track.entry.id.as_str()).filter(|id| is_of_victory(id));
    // A track and a chart may have one id, and are told together.
    let asked: BTreeSet<&str> = charts.chain(tracks).collect();
    let asked: Vec<String> = asked.into_iter().map(|id| format!("`about {id}`")).collect();
    // The engine serves no list of the rules of victory: those that have the word are the nearest to it.
    let said = |word: &&str| catalogue.ledger.iter().any(|rule| rule.text.to_lowercase().contains(*word));
    let word = ["victory", "wins", "points"].into_iter().find(said).unwrap_or_default();
    let rules = format!("`rules {word}` lists the rules that say so");
    if asked.is_empty() {
        format!("What it is worth: {rules}.")
    } else {
        format!("What it is worth: {}; {rules}.", asked.join(", "))
    }
}
