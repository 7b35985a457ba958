//! Places at which something has changed ([`told`]), so that a player sees it without the whole board.

use std::collections::{BTreeMap, BTreeSet};

use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::reference::{Location, Ref};
use edgehill_engine::render;
use edgehill_engine::view::{Board, Change, Piece};

/// Number of places that are shown again at most.
const PLACES_MAX: usize = 16;
/// Of a place with more pieces than this, only those are told that have changed.
const PIECES_MAX: usize = 6;

/// Writes the contents of places that are not as they were, a line each, but for lines of the question; of a pile or a crowd, what came
/// and what went. Arrows are told by events.
pub(super) fn told(catalogue: &Catalogue, before: &Board, after: &Board, question: &str) -> String {
    let asked: Vec<&str> = question.lines().collect();
    let mut lines = Vec::new();
    for at in changed_places(before, after, &before.changes_to(after)) {
        if let Some(line) =
            new_cards(catalogue, before, after, at).or_else(|| crowd(catalogue, before, after, at))
        {
            lines.push(line);
            continue;
        }
        let held = render::at_places(catalogue, after, &BTreeSet::from([at]));
        match held.trim_end() {
            "" => lines.push(format!("{}: nothing", render::heading(catalogue, at.into()))),
            held if asked.contains(&held) => {}
            held => lines.push(held.to_owned()),
        }
    }
    if lines.is_empty() {
        return String::new();
    }
    let more = lines.len().saturating_sub(PLACES_MAX);
    lines.truncate(PLACES_MAX);
    if more > 0 {
        lines.push(format!("and {more} more; `board` shows all"));
    }
    let lines: Vec<String> = lines.into_iter().map(|line| format!("  {line}\n")).collect();
    format!("Now:\n{}", lines.concat())
}

/// A place full of pieces of which a few came or went and nothing else has changed; `None` of any other place or change.
fn crowd(catalogue: &Catalogue, before: &Board, after: &Board, at: Location) -> Option<String> {
    let (old, new) = (pieces_at(before, at), pieces_at(after, at));
    let (come, gone) = (without(&new, &old), without(&old, &new));
    let kept = new.len() - come.len();
    let stays = |place: Location| match place {
        Location::Piece(id) => old.contains_key(&id) && new.contains_key(&id),
        _ => place == at,
    };
    let same = old.iter().all(|(id, was)| new.get(id).is_none_or(|piece| piece == was))
        && before
            .groups
            .iter()
            .filter(|it| stays(it.0.at))
            .eq(after.groups.iter().filter(|it| stays(it.0.at)))
        && before
            .markers
            .iter()
            .filter(|it| stays(it.0.at))
            .eq(after.markers.iter().filter(|it| stays(it.0.at)))
        && !before.pieces.values().chain(after.pieces.values()).any(|it| it.at != at && stays(it.at));
    if kept < PIECES_MAX || !same {
        return None;
    }
    let list = |lead: &str, ids: &[u16]| {
        let names: Vec<String> = ids.iter().map(|&id| catalogue.name_of(Ref::Piece(id))).collect();
        if names.is_empty() { String::new() } else { format!(", {lead}: {}", names.join(", ")) }
    };
    let heading = render::heading(catalogue, at.into());
    Some(format!("{heading}: {} pieces{}{}", new.len(), list("new", &come), list("gone", &gone)))
}

fn pieces_at(board: &Board, at: Location) -> BTreeMap<u16, &Piece> {
    board.pieces.iter().filter(|(_, piece)| piece.at == at).map(|(&id, piece)| (id, piece)).collect()
}

/// Ids of the pieces that the second list lacks.
fn without(these: &BTreeMap<u16, &Piece>, those: &BTreeMap<u16, &Piece>) -> Vec<u16> {
    these.keys().copied().filter(|id| !those.contains_key(id)).collect()
}

/// A pile to which cards that are seen were added, with these alone; `None` of any other place or change.
fn new_cards(catalogue: &Catalogue, before: &Board, after: &Board, at: Location) -> Option<String> {
    let Location::Pile(id) = at else { return None };
    let (old, new) = (before.piles.get(&id)?, after.piles.get(&id)?);
    let bare = after.markers.keys().all(|marker| marker.at != at);
    let kept = old.cards.iter().all(|card| new.cards.contains(card));
    let added: Vec<u16> = new.cards.iter().copied().filter(|card| !old.cards.contains(card)).collect();
    if !bare || !kept || old.cards.is_empty() || added.is_empty() {
        return None;
    }
    let cards: Vec<String> = added.iter().map(|&card| render::heading(catalogue, Ref::Card(card))).collect();
    let heading = render::heading(catalogue, at.into());
    Some(format!("{heading}: {} cards, new: {}", new.count, cards.join(", ")))
}

/// The places of which some changes are, each once: of a thing on a piece, the place of that piece.
fn changed_places(before: &Board, after: &Board, changes: &[Change]) -> BTreeSet<Location> {
    let mut places = BTreeSet::new();
    for change in changes {
        match change {
            Change::Piece(id, piece) => {
                places.insert(root(after, piece.at));
                places.extend(before.pieces.get(id).map(|it| root(before, it.at)));
            }
            Change::PieceGone(id) => places.extend(before.pieces.get(id).map(|it| root(before, it.at))),
            Change::Group(group, _) => {
                places.insert(root(after, group.at));
            }
            Change::Pile(id, _) => {
                places.insert(Location::Pile(*id));
            }
            Change::Marker(marker, _) => {
                places.insert(root(after, marker.at));
            }
            _ => {}
        }
    }
    // A piece that is nowhere any more has no line of its own.
    places.retain(|at| !matches!(at, Location::Piece(_)));
    places
}

/// The place on which all lies that a thing lies on. Pieces that would lie on each other have none.
fn root(board: &Board, mut at: Location) -> Location {
    for _ in 0..board.pieces.len() {
        match at {
            Location::Piece(id) => match board.pieces.get(&id) {
                Some(piece) => at = piece.at,
                None => return at,
            },
            _ => return at,
        }
    }
    at
}
