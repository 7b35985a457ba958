//! The status of a match of a server, in a few lines.

use std::io::Write;

use edgehill_client::v1::{
    Event, MatchResult, MatchState, MatchStatus, RefereeActKind, SeatClock, Termination,
};
use edgehill_convert::values;
use edgehill_engine::catalogue::{Catalogue, SeatDef};
use edgehill_engine::render;
use edgehill_engine::seat::SeatSet;
use edgehill_engine::view::NodeView;

use super::link::Table;
use crate::clock_text;
use crate::error::Error;
use crate::people;

/// Writes the seats that are to act, or the result; of a match that has not begun, the seats that are waited for.
pub(super) fn write(table: &Table, node: Option<&NodeView>, out: &mut dyn Write) -> Result<(), Error> {
    match node {
        Some(node) if !is_ended_from_outside(&table.state) => {
            write_node(&table.catalogue, node, out)?;
            write_adjournment(&table.catalogue, &table.state, out)?;
        }
        _ => write_state(&table.catalogue, &table.state, out)?,
    }
    write_clocks(&table.catalogue, &table.state, out)?;
    write_referee_acts(&table.catalogue, &table.state, out)
}

/// Returns whether something has ended the match that its rules know nothing of. By them a seat that lost by its clock has resigned,
/// and one that is void goes on.
fn is_ended_from_outside(state: &MatchState) -> bool {
    let by = |result: &MatchResult| matches!(result.termination(), Termination::Time | Termination::Void);
    state.result.as_ref().is_some_and(by)
}

/// Writes the acts of referees, a line each.
pub(super) fn write_referee_acts(
    catalogue: &Catalogue,
    state: &MatchState,
    out: &mut dyn Write,
) -> Result<(), Error> {
    for act in &state.referee_acts {
        let seat =
            act.seat.and_then(|seat| catalogue.seats.get(seat as usize)).map_or("a seat", |seat| seat.name);
        let what = match act.kind() {
            RefereeActKind::TimeAdded => {
                let added = act.added.as_ref().map(clock_text::words).unwrap_or_default();
                format!("{seat} was given {added}")
            }
            RefereeActKind::PlayerReplaced if act.former_player.is_empty() => {
                format!("the player of {seat} was replaced")
            }
            RefereeActKind::PlayerReplaced => {
                format!("the player of {seat}, {}, was replaced", act.former_player)
            }
            RefereeActKind::MatchVoided => "the match was voided".to_owned(),
            RefereeActKind::ResultCorrected => {
                let returns = catalogue.seats.iter().zip(&act.returns);
                let returns: Vec<String> =
                    returns.map(|(seat, given)| format!("{} {given}", seat.name)).collect();
                format!("the result was corrected: {}", returns.join(", "))
            }
            RefereeActKind::MatchAdjourned => {
                let longest = act.adjourn_for.as_ref().map(clock_text::words).unwrap_or_default();
                format!("the match was adjourned for at most {longest}")
            }
            RefereeActKind::AdjournmentEnded => "the adjournment was ended".to_owned(),
            RefereeActKind::Unspecified => "an act that this build does not know".to_owned(),
        };
        let reason = if act.reason.is_empty() { String::new() } else { format!(" ({})", act.reason) };
        writeln!(out, "Referee: {what}{reason}")?;
    }
    Ok(())
}

/// Writes that the match is adjourned, until when and who has asked for it to go on, or who offers that; nothing otherwise.
pub(super) fn write_adjournment(
    catalogue: &Catalogue,
    state: &MatchState,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let name = |seat: u32| catalogue.seats.get(seat as usize).map_or("a seat", |seat| seat.name);
    if let Some(adjournment) = &state.adjournment {
        let by = if adjournment.by_referee { " by a referee" } else { "" };
        let until = adjournment.resume_time.as_ref().map(clock_text::moment).unwrap_or_default();
        writeln!(out, "Adjourned{by} until {until}: no clock runs, and nobody is to act")?;
        for &seat in &adjournment.resume_requests {
            writeln!(out, "{} asks for it to go on", name(seat))?;
        }
    }
    for offer in &state.adjournment_offers {
        let longest = offer.adjourn_for.as_ref().map(clock_text::words).unwrap_or_default();
        writeln!(out, "{} offers to adjourn the match for at most {longest}", name(offer.seat))?;
    }
    Ok(())
}

/// Writes the seats' clocks, a line for all; nothing in a match without.
pub(super) fn write_clocks(
    catalogue: &Catalogue,
    state: &MatchState,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let shown = |(seat, clock): (&SeatDef, &SeatClock)| {
        let bank = clock.bank.as_ref().map(|bank| format!("{} in the bank", clock_text::words(bank)));
        let strikes = (clock.strikes > 0).then(|| match clock.strikes {
            1 => "time ran out once".to_owned(),
            times => format!("time ran out {times} times"),
        });
        let told: Vec<String> = bank.into_iter().chain(strikes).collect();
        let told = if told.is_empty() { "in time".to_owned() } else { told.join(", ") };
        format!("{} {told}", seat.name)
    };
    let clocks: Vec<String> = catalogue.seats.iter().zip(&state.clocks).map(shown).collect();
    if !clocks.is_empty() {
        writeln!(out, "Clocks: {}", clocks.join("; "))?;
    }
    Ok(())
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
        MatchStatus::Running => {
            writeln!(out, "Running")?;
            write_adjournment(catalogue, state, out)?;
        }
        MatchStatus::Finished => match &state.result {
            Some(result) if result.termination() == Termination::Time => {
                // It is about the seat that lost.
                let lost = values::result(result)?.refs;
                let names: Vec<String> = lost.iter().map(|&seat| catalogue.name_of(seat)).collect();
                writeln!(out, "Over: the time of {} has run out", names.join(", "))?;
            }
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
