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

/// The result of an arrow in words.
pub(super) fn result(catalogue: &Catalogue, arrow: &Arrow) -> String {
    match arrow.result {
        Some(code) => format!(" = {}", words::say(catalogue, arrow_code(catalogue, code), &arrow.refs)),
        None if arrow.refs.is_empty() => String::new(),
        None => format!(" [{}]", words::names(catalogue, &arrow.refs)),
    }
}

/// The code of the template of an arrow's result: `arrow.CODE`, since an arrow says less than the event of the same code, or the
/// code itself where the catalogue has no such template.
pub(crate) fn arrow_code<'a>(catalogue: &'a Catalogue, code: &'a str) -> &'a str {
    let of_arrow = catalogue.phrases.get_key_value(format!("arrow.{code}").as_str());
    of_arrow.map_or(code, |(key, _)| key)
}
