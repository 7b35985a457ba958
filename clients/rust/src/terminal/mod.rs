//! A player's terminal: the words and drawings of a match for one who plays line by line, here or on a server.
//!
//! Invariant: everything is made of a catalogue and of what an observer sees, so that a match in a file and one on a
//! server read alike, and a new game needs no words of its own here.

pub(crate) mod about;
pub(crate) mod changes;
pub(crate) mod ending;
pub(crate) mod line;
pub(crate) mod map;
pub(crate) mod menu;
pub(crate) mod score;
pub(crate) mod screen;
pub(crate) mod wrap;

use edgehill_engine::catalogue::{Catalogue, MarkerPriority};
use edgehill_engine::reference::{Location, Ref};
use edgehill_engine::view::View;

/// The id of a marker that says at which box of its track something stands.
const BOX: &str = "box";

/// The markers at a place, kinds with numbers, in order.
fn markers_at(view: Option<&View>, at: Location) -> Vec<(u16, i32)> {
    let markers = view.into_iter().flat_map(|view| &view.board.markers);
    markers.filter(|(marker, _)| marker.at == at).map(|(marker, &number)| (marker.kind, number)).collect()
}

/// A marker's id and number, as the board in short has them: the number by its name where it has one.
fn marker_brief(catalogue: &Catalogue, kind: u16, number: i32) -> String {
    let value = catalogue.markers.get(usize::from(kind)).map(|it| it.entry.value(number));
    format!("{} {}", catalogue.id_of(Ref::Marker(kind)), value.unwrap_or_else(|| number.to_string()))
}

/// A marker's name and number, by the number's name where it has one.
fn marker_words(catalogue: &Catalogue, kind: u16, number: i32) -> String {
    let value = catalogue.markers.get(usize::from(kind)).map(|it| it.entry.value(number));
    format!("{} {}", catalogue.name_of(Ref::Marker(kind)), value.unwrap_or_else(|| number.to_string()))
}

/// True of a marker whose number is a box of the track: one that is made for positions, or bears the track's id.
fn is_position(catalogue: &Catalogue, track: u16, kind: u16) -> bool {
    let (Some(marker), Some(track)) =
        (catalogue.markers.get(usize::from(kind)), catalogue.tracks.get(usize::from(track)))
    else {
        return false;
    };
    let id = &marker.entry.id;
    marker.priority == MarkerPriority::Position || *id == track.entry.id || id == BOX
}
