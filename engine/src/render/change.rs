//! Changes of a view, one a line.

use super::words::{self, Naming};
use super::{arrow, board, calls, known, turn_state};
use crate::catalogue::Catalogue;
use crate::reference::Ref;
use crate::view::Change;

/// Writes what each change sets, one a line.
#[must_use]
pub fn changes(catalogue: &Catalogue, changes: &[Change]) -> String {
    changes.iter().map(|one| change(catalogue, one) + "\n").collect()
}

/// Writes what a change sets, on one line but for known-among sets.
#[must_use]
pub fn change(catalogue: &Catalogue, change: &Change) -> String {
    match change {
        Change::Piece(id, piece) => {
            format!("{} at {}", board::piece(catalogue, Naming::Names, *id, piece), catalogue.place(piece.at))
        }
        Change::PieceGone(id) => format!("{} is not seen any more", catalogue.name_of(Ref::Piece(*id))),
        Change::Group(group, count) => {
            format!(
                "{} at {}",
                board::group(catalogue, Naming::Names, group, *count),
                catalogue.place(group.at)
            )
        }
        Change::Pile(id, pile) => {
            format!("{}: {}", catalogue.name_of(Ref::Pile(*id)), board::cards(catalogue, pile))
        }
        Change::Marker(marker, Some(number)) => {
            format!(
                "{} at {}",
                board::marker(catalogue, Naming::Names, marker.kind, *number),
                catalogue.place(marker.at)
            )
        }
        Change::Marker(marker, None) => {
            format!("no {} at {}", catalogue.name_of(Ref::Marker(marker.kind)), catalogue.place(marker.at))
        }
        Change::Arrow(key, Some(value)) => {
            format!("arrow {}{}", arrow::name(catalogue, key), arrow::result(catalogue, value))
        }
        Change::Arrow(key, None) => format!("no arrow {}", arrow::name(catalogue, key)),
        Change::ArrowsCleared => "no arrows".to_owned(),
        Change::Known(sets) => {
            let mut text = String::new();
            match known::section(catalogue, sets, Naming::Names) {
                Some(section) => section.write(0, &mut text),
                None => text.push_str("nothing known among hidden things"),
            }
            text.trim_end().to_owned()
        }
        Change::Draft { keep, add } => {
            let add: Vec<String> = add.iter().map(|&action| catalogue.actions.notation(action)).collect();
            let add = if add.is_empty() { String::new() } else { format!(", then {}", add.join("; ")) };
            format!("draft: the first {keep} stay{add}")
        }
        Change::Calls(now) => {
            let mut lines = calls::lines(catalogue, now);
            lines.push(format!("can be taken back: {}", now.undoable));
            format!("calls: {}", lines.join("; "))
        }
        Change::TurnState(now) => {
            let prompt = words::phrase(catalogue, &now.prompt);
            format!("turn: {}; {prompt}", turn_state::node(catalogue, &now.node))
        }
    }
}
