//! Differences of what is known among hidden things.
//!
//! Invariant: the sets before and the difference give the sets now. A set is told by the seats that it is about and by its faces:
//! in full where it is new, else what has come and gone of it.

use std::fmt::Write as _;

use crate::catalogue::Catalogue;
use crate::reference::Ref;
use crate::render;
use crate::view::{Change, HiddenSet};

/// Writes the sets that are different now, one after the other.
pub(super) fn difference(catalogue: &Catalogue, before: &[HiddenSet], now: &[HiddenSet]) -> String {
    let mut gone: Vec<&HiddenSet> = before.iter().filter(|set| !now.contains(set)).collect();
    let mut text = String::new();
    for set in now.iter().filter(|set| !before.contains(set)) {
        match likest(&gone, set) {
            Some(index) => tell_changes(catalogue, gone.remove(index), set, &mut text),
            None => {
                let lines = Lines::of(catalogue, set);
                let _ = writeln!(text, "now known: {}: {}", seats(catalogue, set), lines.faces.join(", "));
                lines.under.iter().for_each(|line| push(&mut text, ' ', line));
            }
        }
    }
    for set in gone {
        let _ = writeln!(text, "no more known: {}", title(catalogue, set));
    }
    text
}

/// The index of the set that has most in common with `set`, of those about the same seats; `None` if no set has anything.
fn likest(sets: &[&HiddenSet], set: &HiddenSet) -> Option<usize> {
    let alike = |other: &HiddenSet| {
        let faces = other.faces.iter().filter(|(face, _)| set.faces.iter().any(|(it, _)| it == face)).count();
        let places = other.places.iter().filter(|(at, _)| set.places.iter().any(|(it, _)| it == at)).count();
        (other.owner == set.owner && other.by == set.by && faces + places > 0).then_some((faces, places))
    };
    let scored = sets.iter().enumerate().filter_map(|(index, other)| Some((alike(other)?, index)));
    // Of equal ones the first.
    scored.max_by_key(|&(alike, index)| (alike, std::cmp::Reverse(index))).map(|(_, index)| index)
}

fn tell_changes(catalogue: &Catalogue, before: &HiddenSet, now: &HiddenSet, text: &mut String) {
    let (old, new) = (Lines::of(catalogue, before), Lines::of(catalogue, now));
    let _ = writeln!(text, "known: {}", title(catalogue, before));
    for (sign, here, there) in [('-', &old, &new), ('+', &new, &old)] {
        let faces = without(&here.faces, &there.faces);
        if !faces.is_empty() {
            push(text, sign, &faces.join(", "));
        }
        without(&here.under, &there.under).iter().for_each(|line| push(text, sign, line));
    }
}

fn push(text: &mut String, sign: char, line: &str) {
    let _ = writeln!(text, "{sign} {line}");
}

/// The lines of `here` that `there` does not have, each as often as it has it too seldom.
fn without<'a>(here: &'a [String], there: &[String]) -> Vec<&'a str> {
    let mut left: Vec<&String> = there.iter().collect();
    let is_missing = |line: &&String| match left.iter().position(|other| other == line) {
        Some(index) => {
            left.remove(index);
            false
        }
        None => true,
    };
    here.iter().filter(is_missing).map(String::as_str).collect()
}

/// A set in words.
struct Lines {
    faces: Vec<String>,
    /// Places and other facts.
    under: Vec<String>,
}

impl Lines {
    fn of(catalogue: &Catalogue, set: &HiddenSet) -> Self {
        let faces = set.faces.iter().map(|&(face, number)| self::face(catalogue, face, number)).collect();
        let place = |&(group, count)| render::change(catalogue, &Change::Group(group, count));
        let facts = set.facts.iter().map(|fact| render::say(catalogue, fact.code, &fact.refs));
        Self { faces, under: set.places.iter().map(place).chain(facts).collect() }
    }
}

fn face(catalogue: &Catalogue, face: Ref, number: Option<i32>) -> String {
    let name = catalogue.name_of(face);
    number.map_or_else(|| name.clone(), |number| format!("{name} {number}"))
}

fn seats(catalogue: &Catalogue, set: &HiddenSet) -> String {
    let owner = set.owner.map_or_else(|| "anybody's".to_owned(), |seat| catalogue.name_of(Ref::Seat(seat)));
    let by = set.by.map_or_else(|| "everybody".to_owned(), |seat| catalogue.name_of(Ref::Seat(seat)));
    format!("{owner}, to {by}")
}

/// A set by the seats that it is about, its first face and the number of the others.
fn title(catalogue: &Catalogue, set: &HiddenSet) -> String {
    let seats = seats(catalogue, set);
    match set.faces.as_slice() {
        [] => format!("{seats}: no face"),
        [(first, number)] => format!("{seats}: {}", face(catalogue, *first, *number)),
        [(first, number), others @ ..] => {
            format!("{seats}: {} and {} more", face(catalogue, *first, *number), others.len())
        }
    }
}
