//! Known-among sets: faces, and the places that they are spread over.

use super::board;
use super::outline::Outline;
use super::words::{self, Naming};
use crate::catalogue::Catalogue;
use crate::view::HiddenSet;

/// All sets, in the view's order.
pub(super) fn section(catalogue: &Catalogue, known: &[HiddenSet], naming: Naming) -> Option<Outline> {
    let set =
        |known: &HiddenSet| Outline::new(title(catalogue, naming, known), under(catalogue, naming, known));
    Outline::unless_empty("Known among hidden things", known.iter().map(set).collect())
}

fn title(catalogue: &Catalogue, naming: Naming, known: &HiddenSet) -> String {
    let by = known.by.map_or_else(|| "everybody".to_owned(), |seat| words::seat(catalogue, seat));
    let faces: Vec<String> = known
        .faces
        .iter()
        .map(|&(face, number)| {
            let name = naming.of(catalogue, face);
            number.map_or_else(|| name.clone(), |number| format!("{name} {number}"))
        })
        .collect();
    let faces = if faces.is_empty() { "no face".to_owned() } else { faces.join(", ") };
    let owner = known.owner.map_or_else(|| "anybody's".to_owned(), |seat| words::seat(catalogue, seat));
    format!("{owner}, known to {by}: {faces}")
}

fn under(catalogue: &Catalogue, naming: Naming, known: &HiddenSet) -> Vec<Outline> {
    let place = |(group, count): &(crate::view::PieceGroup, u16)| {
        let members = board::group(catalogue, naming, group, *count);
        Outline::leaf(format!("among {members} at {}", naming.of(catalogue, group.at.into())))
    };
    let fact = |fact| Outline::leaf(words::phrase(catalogue, fact));
    known.places.iter().map(place).chain(known.facts.iter().map(fact)).collect()
}
