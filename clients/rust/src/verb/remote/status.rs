//! The status of a match of a server, in a few lines.

use std::io::Write;

use edgehill_client::v1::{Event, MatchState, MatchStatus};
use edgehill_convert::values;
use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::render;
use edgehill_engine::seat::SeatSet;
use edgehill_engine::view::NodeView;

use super::link::Table;
use crate::error::Error;
use crate::people;

/// Writes the seats that are to act, or the result; of a match that has not begun, the seats that are waited for.
pub(super) fn write(table: &Table, node: Option<&NodeView>, out: &mut dyn Write) -> Result<(), Error> {
    match node {
        Some(node) => write_node(&table.catalogue, node, out),
        None => write_state(&table.catalogue, &table.state, out),
    }
}

/// Writes the seats that are to act, or the result.
pub(super) fn write_node(catalogue: &Catalogue, node: &NodeView, out: &mut dyn Write) -> Result<(), Error> {
    match node {
        NodeView::Decision(seat) => {
            writeln!(out, "To act: {}", people::ids(catalogue, SeatSet::EMPTY.with(*seat)))?
        }
        NodeView::Sealed { to_act, .. } => {
            writeln!(out, "To act, in secret: {}", people::ids(catalogue, *to_act))?
        }
        NodeView::Chance => writeln!(out, "Due: dice or a draw, which the server is about to resolve")?,
        NodeView::Over(result) => writeln!(out, "Over: {}", render::result(catalogue, result))?,
    }
    Ok(())
}

/// Writes how far the match is, as everybody may know.
pub(super) fn write_state(
    catalogue: &Catalogue,
    state: &MatchState,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let seat_ids = |wanted: &dyn Fn(usize) -> bool| {
        let seats = catalogue.seats.iter().take(state.seats.len()).enumerate();
        seats.filter(|(index, _)| wanted(*index)).map(|(_, seat)| seat.id).collect::<Vec<_>>().join(", ")
    };
    match state.status() {
        MatchStatus::Waiting => {
            let free = seat_ids(&|index| !state.seats[index].joined);
            if free.is_empty() {
                writeln!(out, "Waiting for the other matches of its group")?;
            } else {
                writeln!(out, "Waiting for players: {free}")?;
            }
        }
        MatchStatus::Revealing => writeln!(out, "Waiting for entropy to be revealed")?,
        MatchStatus::Running => writeln!(out, "Running")?,
        MatchStatus::Finished => match &state.result {
            Some(result) => {
                writeln!(out, "Over: {}", render::result(catalogue, &values::result(result)?))?;
            }
            None => writeln!(out, "Over")?,
        },
        MatchStatus::Unplayable => {
            writeln!(out, "Stopped: the server does not have the rules of this match")?;
        }
        MatchStatus::Quarantined => writeln!(out, "Stopped: an operator has to look")?,
        MatchStatus::Aborted => writeln!(out, "Aborted: its creator took it back before it began")?,
        MatchStatus::Expired => writeln!(out, "Expired: its seats were not taken in time")?,
        MatchStatus::Unspecified => writeln!(out, "The match has a status that this build does not know")?,
    }
    Ok(())
}

/// Writes events, a line each.
pub(super) fn write_events(
    catalogue: &Catalogue,
    events: &[Event],
    out: &mut dyn Write,
) -> Result<(), Error> {
    for event in events.iter().filter(|event| event.code != "prompt") {
        writeln!(out, "- {}", render::event(catalogue, &values::event(event)?))?;
    }
    Ok(())
}
