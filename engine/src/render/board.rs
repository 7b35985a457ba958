//! Contents of all places: spaces, mats, tracks, piles, cards and seats that hold something, each with all
//! that it holds.

use std::collections::{BTreeMap, BTreeSet};

use super::outline::Outline;
use super::words::{self, Naming};
use crate::catalogue::Catalogue;
use crate::reference::{Location, Ref};
use crate::view::{Board, CardPile, Marker, Piece, PieceGroup};

/// A test of whether a place is of a section's sort.
type Belongs = fn(Location) -> bool;

/// The sections of a board, in a fixed order; each entry but arrows is in exactly one of them.
pub(super) fn sections(catalogue: &Catalogue, board: &Board, naming: Naming) -> Vec<Outline> {
    let mut walk = Walk::over(catalogue, board, naming);
    let mut sections = Vec::new();
    for region in regions(catalogue) {
        let belongs =
            |at| matches!(at, Location::Space(space) if region_of(catalogue, space) == Some(region));
        sections.extend(Outline::unless_empty(region, walk.places(belongs)));
    }
    let titles: [(&str, Belongs); 6] = [
        ("Spaces", |at| matches!(at, Location::Space(_))),
        ("Mats", |at| matches!(at, Location::Mat(_))),
        ("Tracks", |at| matches!(at, Location::Track(_))),
        ("Piles", |at| matches!(at, Location::Pile(_))),
        ("On cards", |at| matches!(at, Location::Card(_))),
        ("Before seats", |at| matches!(at, Location::Seat(_))),
    ];
    for (title, belongs) in titles {
        sections.extend(Outline::unless_empty(title, walk.places(belongs)));
    }
    // Things on pieces that lie nowhere in this view.
    sections.extend(Outline::unless_empty("On pieces that are not seen", walk.places(|_| true)));
    sections
}

/// Lists what lies at some of the places, each on one line; nothing of places that hold nothing.
pub(super) fn at_places(catalogue: &Catalogue, board: &Board, places: &BTreeSet<Location>) -> Vec<String> {
    let held = Walk::over(catalogue, board, Naming::Ids).places(|at| places.contains(&at));
    held.iter().map(Outline::line).collect()
}

/// The parts of the board that its spaces are shown with, in their order.
fn regions(catalogue: &Catalogue) -> Vec<&str> {
    let mut regions: Vec<&str> = Vec::new();
    for space in &catalogue.spaces {
        if !space.region.is_empty() && !regions.contains(&space.region.as_str()) {
            regions.push(&space.region);
        }
    }
    regions
}

fn region_of(catalogue: &Catalogue, space: u16) -> Option<&str> {
    catalogue.spaces.get(usize::from(space)).map(|space| space.region.as_str())
}

/// A piece on one line: its face, whose it is, its flags, where it came from.
pub(super) fn piece(catalogue: &Catalogue, naming: Naming, id: u16, piece: &Piece) -> String {
    let name = naming.heading(catalogue, Ref::Piece(id));
    let kind = naming.of(catalogue, Ref::Kind(piece.kind));
    let face = if name.eq_ignore_ascii_case(&kind) { name } else { format!("{name}: {kind}") };
    let parts = attributes(catalogue, piece.owner, piece.kind, piece.flags, piece.from);
    format!("{face}{}", words::parenthesis(&parts))
}

/// The members of a group on one line, without their place.
pub(super) fn group(catalogue: &Catalogue, naming: Naming, group: &PieceGroup, count: u16) -> String {
    let kind = naming.of(catalogue, Ref::Kind(group.kind));
    let parts = attributes(catalogue, group.owner, group.kind, group.flags, group.from);
    format!("{count} x {kind}{}", words::parenthesis(&parts))
}

/// A marker's kind and number, by its name where it has one.
pub(super) fn marker(catalogue: &Catalogue, naming: Naming, kind: u16, number: i32) -> String {
    let value = catalogue
        .markers
        .get(usize::from(kind))
        .map_or_else(|| number.to_string(), |it| it.entry.value(number));
    format!("{} = {value}", naming.of(catalogue, Ref::Marker(kind)))
}

/// A pile's count and the cards that are seen.
pub(super) fn cards(catalogue: &Catalogue, pile: &CardPile) -> String {
    let noun = if pile.count == 1 { "card" } else { "cards" };
    let seen: Vec<String> =
        pile.cards.iter().map(|&card| words::heading(catalogue, Ref::Card(card))).collect();
    if seen.is_empty() {
        format!("{} {noun}", pile.count)
    } else {
        format!("{} {noun}, seen: {}", pile.count, seen.join(", "))
    }
}

fn attributes(
    catalogue: &Catalogue,
    owner: Option<crate::seat::Seat>,
    kind: u16,
    flags: u32,
    from: Option<Location>,
) -> Vec<String> {
    let mut parts: Vec<String> = owner.map(|seat| words::seat(catalogue, seat)).into_iter().collect();
    if catalogue.kinds.get(usize::from(kind)).is_some_and(|kind| kind.back) {
        parts.push("face down".to_owned());
    }
    parts.extend(words::flags(catalogue, flags));
    parts.extend(from.map(|at| format!("from {}", catalogue.place(at))));
    parts
}

/// A walk over the places of a board that shows each of them once.
struct Walk<'a> {
    catalogue: &'a Catalogue,
    board: &'a Board,
    naming: Naming,
    pieces: BTreeMap<Location, Vec<u16>>,
    groups: BTreeMap<Location, Vec<PieceGroup>>,
    markers: BTreeMap<Location, Vec<Marker>>,
    all: BTreeSet<Location>,
    shown: BTreeSet<Location>,
}

impl<'a> Walk<'a> {
    fn over(catalogue: &'a Catalogue, board: &'a Board, naming: Naming) -> Self {
        let mut walk = Self {
            catalogue,
            board,
            naming,
            pieces: BTreeMap::new(),
            groups: BTreeMap::new(),
            markers: BTreeMap::new(),
            all: board.piles.keys().map(|&id| Location::Pile(id)).collect(),
            shown: BTreeSet::new(),
        };
        for (&id, piece) in &board.pieces {
            walk.pieces.entry(piece.at).or_default().push(id);
        }
        for group in board.groups.keys() {
            walk.groups.entry(group.at).or_default().push(*group);
        }
        for marker in board.markers.keys() {
            walk.markers.entry(marker.at).or_default().push(*marker);
        }
        walk.all.extend(walk.pieces.keys().chain(walk.groups.keys()).chain(walk.markers.keys()));
        walk
    }

    /// Each place of this sort that was not shown yet, with what it holds.
    fn places(&mut self, belongs: impl Fn(Location) -> bool) -> Vec<Outline> {
        let places: Vec<Location> = self.all.iter().copied().filter(|&at| belongs(at)).collect();
        let mut outlines = Vec::new();
        for at in places {
            if self.shown.contains(&at) {
                continue;
            }
            let heading = words::heading(self.catalogue, at.into());
            let held = self.held(at);
            outlines.push(match at {
                Location::Pile(id) => match self.board.piles.get(&id) {
                    Some(pile) => Outline::new(format!("{heading}: {}", cards(self.catalogue, pile)), held),
                    None => Outline::new(heading, held),
                },
                _ => Outline::new(heading, held),
            });
        }
        outlines
    }

    /// Lists what lies at a place, with all that lies on it; nothing the second time, so that a ring of pieces ends.
    fn held(&mut self, at: Location) -> Vec<Outline> {
        if !self.shown.insert(at) {
            return Vec::new();
        }
        let mut held = Vec::new();
        for id in self.pieces.get(&at).cloned().unwrap_or_default() {
            let text = piece(self.catalogue, self.naming, id, &self.board.pieces[&id]);
            let under = self.held(Location::Piece(id));
            held.push(Outline::new(text, under));
        }
        for key in self.groups.get(&at).into_iter().flatten() {
            held.push(Outline::leaf(group(self.catalogue, self.naming, key, self.board.groups[key])));
        }
        for key in self.markers.get(&at).into_iter().flatten() {
            held.push(Outline::leaf(marker(self.catalogue, self.naming, key.kind, self.board.markers[key])));
        }
        held
    }
}
