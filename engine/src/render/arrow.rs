//! Arrows: orders, attacks and retreats, with their results.

use super::outline::Outline;
use super::words;
use crate::catalogue::Catalogue;
use crate::view::{Arrow, ArrowKey, Board};

/// The arrows of a board, by key.
pub(super) fn section(catalogue: &Catalogue, board: &Board) -> Option<Outline> {
    let line = |(key, arrow): (&ArrowKey, &Arrow)| {
        Outline::leaf(format!("{}{}", name(catalogue, key), result(catalogue, arrow)))
    };
    Outline::unless_empty("Arrows", board.arrows.iter().map(line).collect())
}

/// An arrow's kind, ends, seat and ordinal.
pub(super) fn name(catalogue: &Catalogue, key: &ArrowKey) -> String {
    let kind = words::entry_name(&catalogue.arrows, key.kind, "arrow");
    let mut text = format!("{kind}: {}", catalogue.place(key.from));
    if key.to != key.from {
        text.push_str(&format!(" > {}", catalogue.place(key.to)));
    }
    let mut parts: Vec<String> = key.seat.map(|seat| words::seat(catalogue, seat)).into_iter().collect();
    parts.extend(key.of.map(|of| format!("of {}", catalogue.place(of))));
    if key.ordinal > 0 {
        parts.push(format!("number {}", u16::from(key.ordinal) + 1));
    }
    text.push_str(&words::parenthesis(&parts));
    text
}

/// An arrow's result code, its words where the catalogue has any, and what it is about.
pub(super) fn result(catalogue: &Catalogue, arrow: &Arrow) -> String {
    match arrow.result {
        Some(code) if words::template(catalogue, code).is_some() => {
            format!(" = {code}: {}", words::say(catalogue, code, &arrow.refs))
        }
        Some(code) => format!(" = {}", words::say(catalogue, code, &arrow.refs)),
        None if arrow.refs.is_empty() => String::new(),
        None => format!(" [{}]", words::names(catalogue, &arrow.refs)),
    }
}
