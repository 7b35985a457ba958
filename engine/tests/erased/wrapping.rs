//! Lines of records: however long what stands in them, they are wrapped, and read back as they were.

use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::record::{Dice, LINE_WIDTH, NAME_BYTES_MAX, Origin, Record};
use proptest::prelude::*;

use super::{game, setup};

/// The record of a match that has not begun, with a note in its position and the name of its first seat.
fn record(note: &str, name: &str) -> Record {
    let game = game();
    let position = serde_json::json!({ "scores": [4, 7], "note": note });
    let table = game.open_position(setup(&*game, "pair", 1), position, ChanceSource::Manual);
    let players = vec![name.to_owned(), String::new()];
    let origin = Origin { players, dice: Dice::Entered, ..Origin::local(&ChanceSource::Manual) };
    Record::of(&*table.expect("a position of the toy"), &origin).expect("a match from its start")
}

proptest! {
    /// Whatever stands in a string, its line survives wrapping, and trimming at line ends.
    #[test]
    fn wrapped_lines_are_read_back(text in r"([ \\]|.|.{60}){0,60}") {
        let end = (0..=text.len().min(NAME_BYTES_MAX)).rev().find(|&end| text.is_char_boundary(end));
        let name = &text[..end.expect("0 is one")];
        let wrapped = record(&text, name).to_text();
        prop_assert!(wrapped.lines().all(|line| line.len() <= LINE_WIDTH && line.trim_end() == line));
        let read = Record::parse(&wrapped).expect("its own text");
        prop_assert_eq!(&read.header().players[0].name, name);
        prop_assert_eq!(read.header().position.as_ref().expect("described")["note"].as_str(), Some(&*text));
        prop_assert_eq!(read.to_text(), wrapped);
    }
}

#[test]
fn lines_are_broken_where_a_blank_is() {
    let text = record("", &["word"; 30].join(" ")).to_text();
    let lines: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("seat north")).take(2).collect();
    assert_eq!(lines.iter().map(|line| line.len()).collect::<Vec<_>>(), [96, 67]);
    assert!(lines[1].starts_with("  word"), "{text}");
}
