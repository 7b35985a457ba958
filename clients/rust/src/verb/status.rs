//! The status of a match, in a few lines, for the holder of its file.

use std::io::Write;

use edgehill_engine::chance_source::{self, ChanceSource};
use edgehill_engine::game::Node;
use edgehill_engine::registry::AnyTable;
use edgehill_engine::render;
use edgehill_engine::seat::{Observer, SeatSet};

use crate::error::Error;
use crate::people;

/// Writes the seats that are to act, the dice that are due, the result, and the words of a script that are left over.
pub(crate) fn write(table: &dyn AnyTable, out: &mut dyn Write) -> Result<(), Error> {
    let catalogue = table.catalogue();
    match table.node() {
        Node::Decision(seat) => {
            writeln!(out, "To act: {}", people::ids(catalogue, SeatSet::EMPTY.with(seat)))?
        }
        Node::Sealed(_) => {
            let seats = SeatSet::first(table.seats()).iter();
            let to_act: SeatSet = seats.filter(|&seat| !table.legal(seat).is_empty()).collect();
            writeln!(out, "To act, in secret: {}", people::ids(catalogue, to_act))?;
        }
        Node::Chance => {
            if let Some(due) = table.chance() {
                let asked = chance_source::describe(&due.chance, catalogue);
                writeln!(
                    out,
                    "Due: {asked} (dice {}/{}); `edgehill enter` takes it",
                    due.chance_ref.stream, due.chance_ref.n
                )?;
            }
            if let Some(error) = table.chance_source_error() {
                writeln!(out, "The source of this match's outcomes has none for it: {error}")?;
            }
        }
        Node::Over => {
            if let Some(result) = table.result() {
                writeln!(out, "Over: {}", render::result(catalogue, &result))?;
            }
        }
    }
    write_script(table, out)
}

/// Writes the words of a script that are left over.
pub(crate) fn write_script(table: &dyn AnyTable, out: &mut dyn Write) -> Result<(), Error> {
    let ChanceSource::Scripted(words) = table.chance_source() else { return Ok(()) };
    let over = table.node() == Node::Over;
    if words.is_empty() {
        writeln!(out, "Script: used up")?;
    } else {
        let left: Vec<&str> = words.iter().map(String::as_str).collect();
        let warning = if over { ", although the match is over" } else { "" };
        writeln!(out, "Script: left over: {}{warning}", left.join(","))?;
    }
    Ok(())
}

/// Writes the events published to `observer` since the match was opened in this call.
pub(crate) fn write_published(
    table: &dyn AnyTable,
    observer: Observer,
    from: usize,
    out: &mut dyn Write,
) -> Result<usize, Error> {
    let published = table.published(observer, from);
    for seen in published.iter().filter(|seen| seen.code != "prompt") {
        writeln!(out, "- {}", render::event(table.catalogue(), seen))?;
    }
    Ok(from + published.len())
}
