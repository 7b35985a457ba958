//! Words and hints for drawing: codes and numbers that stand for something have names, things have sides and short labels, and what
//! lies at one place is drawn once.

use std::collections::{BTreeMap, BTreeSet};

use edgehill_engine::catalogue::{
    AttributeKind, AttributeValue, Catalogue, CodeDef, PileFacing, SHORT_LABEL_MAX,
};
use edgehill_engine::reference::Ref;
use edgehill_engine::seat::Observer;
use edgehill_engine::view::View;

use crate::{entries, games};

/// A number that is never anything but 0 or 1 says yes or no, or has a unit.
#[test]
fn what_is_so_or_is_not_has_words() {
    for game in games() {
        let catalogue = game.catalogue();
        let entries = entries(catalogue);
        let of_entries = entries.iter().flat_map(|(_, entry)| &entry.attributes);
        let boxes = catalogue.tracks.iter().flat_map(|track| &track.boxes);
        let mut numbers: BTreeMap<u16, BTreeSet<i32>> = BTreeMap::new();
        for attribute in of_entries.chain(boxes.flat_map(|one| &one.attributes)) {
            let values = attribute.values.iter().filter_map(|value| match value {
                AttributeValue::Number(number) => Some(*number),
                _ => None,
            });
            numbers.entry(attribute.def).or_default().extend(values);
        }
        for (def, numbers) in numbers {
            let def = &catalogue.attributes[usize::from(def)];
            let of = format!("{} of {}: {numbers:?}", def.id, catalogue.id);
            if def.values.is_empty() {
                let plain = def.kind != AttributeKind::Number || !def.unit.is_empty();
                assert!(plain || numbers != BTreeSet::from([0, 1]), "{of}, yes or no?");
            } else {
                let named = |number: &i32| def.values.iter().any(|value| value.number == *number);
                assert!(def.unit.is_empty() && numbers.iter().all(named), "{of}: a number without a name");
            }
        }
    }
}

fn ids<'a>(codes: &'a [CodeDef], of: &str) -> BTreeSet<&'a str> {
    let ids: BTreeSet<&str> = codes.iter().map(|code| code.id).collect();
    assert_eq!(ids.len(), codes.len(), "{of}: a code twice");
    assert!(codes.iter().all(|code| !code.name.is_empty()), "{of}: a code without a name");
    ids
}

#[test]
fn grades_and_kinds_of_adjacencies_have_names() {
    for game in games() {
        let catalogue = game.catalogue();
        let boxes = catalogue.tracks.iter().flat_map(|track| &track.boxes);
        let grades: BTreeSet<&str> =
            boxes.map(|one| one.grade.as_str()).filter(|grade| !grade.is_empty()).collect();
        assert_eq!(grades, ids(&catalogue.grades, catalogue.id), "{}", catalogue.id);
        let near = catalogue.spaces.iter().flat_map(|space| &space.adjacencies);
        let kinds: BTreeSet<&str> = near.map(|near| near.kind).filter(|kind| !kind.is_empty()).collect();
        assert_eq!(kinds, ids(&catalogue.adjacency_kinds, catalogue.id), "{}", catalogue.id);
        ids(&catalogue.arrow_results, catalogue.id);
    }
}

#[test]
fn every_code_has_a_sentence() {
    for game in games() {
        for (code, template) in &game.catalogue().phrases {
            let said = template.chars().any(char::is_alphabetic) || template.contains('{');
            assert!(said, "{code} of {}: {template:?}", game.catalogue().id);
        }
    }
}

#[test]
fn markers_and_kinds_have_short_labels_that_differ() {
    for game in games() {
        let catalogue = game.catalogue();
        let differ = |labels: Vec<&str>| {
            let short = |label: &&str| (1..=SHORT_LABEL_MAX).contains(&label.chars().count());
            assert!(labels.iter().all(short), "{}: {labels:?}", catalogue.id);
            let mut all = BTreeSet::new();
            let twice: Vec<&str> = labels.into_iter().filter(|label| !all.insert(*label)).collect();
            assert!(twice.is_empty(), "{}: {twice:?} twice", catalogue.id);
        };
        differ(catalogue.markers.iter().map(|marker| marker.short_label.as_str()).collect());
        differ(catalogue.kinds.iter().map(|kind| kind.short_label.as_str()).collect());
    }
}

/// The side that an entry's attribute names: a seat's id, or that of a side that nobody plays.
fn side_of(catalogue: &Catalogue, what: Ref) -> Option<String> {
    match catalogue.attribute(what, "side").or_else(|| catalogue.attribute(what, "seat"))?.values.first()? {
        AttributeValue::Text(side) => Some(side.clone()),
        AttributeValue::Reference(what) => Some(catalogue.id_of(*what)),
        AttributeValue::Number(_) => None,
    }
}

#[test]
fn sides_are_seats_or_declared() {
    for game in games() {
        let catalogue = game.catalogue();
        let seats = catalogue.seats.iter().map(|seat| (seat.id, seat.color));
        let all: Vec<(&str, &str)> =
            seats.chain(catalogue.sides.iter().map(|side| (side.id, side.color))).collect();
        let ids: BTreeSet<&str> = all.iter().map(|(id, _)| *id).collect();
        let colors: BTreeSet<&str> = all.iter().map(|(_, color)| *color).collect();
        assert_eq!((ids.len(), colors.len()), (all.len(), all.len()), "{}: {all:?}", catalogue.id);
        let kinds = (0..catalogue.kinds.len() as u16).map(Ref::Kind);
        let pieces = (0..catalogue.pieces.len() as u16).map(Ref::Piece);
        let named: BTreeSet<String> =
            kinds.chain(pieces).filter_map(|what| side_of(catalogue, what)).collect();
        assert!(named.iter().all(|side| ids.contains(side.as_str())), "{}: {named:?}", catalogue.id);
        let unused: Vec<&str> =
            catalogue.sides.iter().map(|side| side.id).filter(|id| !named.contains(*id)).collect();
        assert!(unused.is_empty(), "{}: {unused:?} have nothing", catalogue.id);
    }
}

/// A box that two tracks share stands in both, and the later one says so: a page draws it once.
#[test]
fn boxes_at_one_place_are_one_box() {
    let mut shared = 0;
    for game in games() {
        let catalogue = game.catalogue();
        let mut first: BTreeMap<(u16, i32, i32), (u16, u16)> = BTreeMap::new();
        for (track, def) in (0..).zip(&catalogue.tracks) {
            for (index, one) in (0..).zip(&def.boxes) {
                let of = format!("box {} of {} in {}", one.number, def.entry.id, catalogue.id);
                let same = one.same_as.map(|same| (same.track, same.index));
                match first.get(&(def.board, one.x, one.y)) {
                    None => {
                        assert_eq!(same, None, "{of} is where no other is");
                        first.insert((def.board, one.x, one.y), (track, index));
                    }
                    Some(there) => {
                        assert_eq!(same, Some(*there), "{of} lies on another");
                        shared += 1;
                    }
                }
            }
        }
    }
    assert!(shared > 0 || games().len() == 1, "no game has a shared box");
}

/// Fails if a thing on the board is nobody's and its catalogue does not say which side it is of.
pub(crate) fn sided(catalogue: &Catalogue, view: &View) {
    let pieces = view.board.pieces.iter().map(|(&id, piece)| (Some(id), piece.kind, piece.owner));
    let groups = view.board.groups.keys().map(|group| (None, group.kind, group.owner));
    for (piece, kind, owner) in pieces.chain(groups).filter(|(_, _, owner)| owner.is_none()) {
        let own = piece.and_then(|piece| side_of(catalogue, Ref::Piece(piece)));
        let side = own.or_else(|| side_of(catalogue, Ref::Kind(kind)));
        let name = catalogue.name_of(piece.map_or(Ref::Kind(kind), Ref::Piece));
        assert!(side.is_some(), "{name} of {} is {owner:?}'s, and of no side", catalogue.id);
    }
}

/// Fails if an observer sees cards that a pile turns to others, or not those that it turns to them.
pub(crate) fn piles_lie_as_declared(catalogue: &Catalogue, view: &View) {
    for (&id, pile) in &view.board.piles {
        let def = &catalogue.piles[usize::from(id)];
        let owns = matches!((view.observer, def.owner), (Observer::Seat(seat), Some(owner)) if seat == owner);
        let seen = match def.facing {
            PileFacing::Everybody => usize::from(pile.count),
            PileFacing::Owner if owns => usize::from(pile.count),
            PileFacing::Owner | PileFacing::Nobody => 0,
        };
        let facing = def.facing;
        assert_eq!(pile.cards.len(), seen, "{} of {}, {facing:?}", def.entry.id, catalogue.id);
    }
    let owned = |facing| facing != PileFacing::Owner;
    assert!(catalogue.piles.iter().all(|pile| owned(pile.facing) || pile.owner.is_some()));
}
