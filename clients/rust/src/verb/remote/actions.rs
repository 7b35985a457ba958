//! `edgehill apply`, `undo` and `resign` of a match on a server.

use std::io::Write;

use edgehill_client::v1::{ResponseOptions, SeatUpdate, UndoSpan};
use edgehill_client::{Batch, ViewOptions};
use edgehill_convert::values::{self, Beside};
use edgehill_engine::seat::Seat;

use super::link::{Link, Table};
use super::{refusal, status};
use crate::error::Error;
use crate::verb::apply::Apply;
use crate::verb::resign::Resign;
use crate::verb::undo::Undo;

/// The parts that are sent along with an answer.
const RESPONSE_OPTIONS: ResponseOptions =
    ResponseOptions { include_view: true, legal: 0, include_events: true, include_text: false };

pub(super) async fn apply(verb: &Apply, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    let (table, seat) = open(link, &verb.file, &verb.seat).await?;
    let mut batch = Batch::line(verb.line.join(" ")).response_options(RESPONSE_OPTIONS);
    if verb.until_reveal {
        batch = batch.until_reveal();
    }
    let answer = table.played(seat)?.apply(batch).await;
    let update = answer.map_err(|error| refusal::said(&table.catalogue, error))?;
    if verb.until_reveal {
        let taken = update.apply_result.as_ref().map_or(0, |result| result.actions);
        writeln!(out, "Actions taken: {taken}")?;
    }
    status::write_events(&table.catalogue, &update.events, out)?;
    if update.events.last().is_some_and(|last| last.seq != update.seq) {
        writeln!(out, "- ... and more: `edgehill events` has all of them")?;
    }
    write_update(&table, &update, out)
}

pub(super) async fn undo(verb: &Undo, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    let (table, seat) = open(link, &verb.file, &verb.seat).await?;
    let played = table.played(seat)?;
    let draft = played.view(ViewOptions::default()).await?.view.unwrap_or_default().draft;
    let keep_draft_actions = verb.keep.map(|keep| u32::try_from(keep).unwrap_or(u32::MAX));
    let span = UndoSpan { keep_draft_actions, ..UndoSpan::default() };
    let answer = played.undo(span, RESPONSE_OPTIONS).await;
    let update = answer.map_err(|error| refusal::said(&table.catalogue, error))?;
    let undone = update.apply_result.as_ref().map_or(0, |result| result.actions);
    let kept = draft.len().saturating_sub(undone as usize);
    let back = values::action_ids(&draft[kept..])?;
    let back: Vec<String> = back.into_iter().map(|action| table.catalogue.actions.notation(action)).collect();
    writeln!(out, "Taken back: {}", back.join("; "))?;
    write_update(&table, &update, out)
}

pub(super) async fn resign(verb: &Resign, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    let (table, seat) = open(link, &verb.file, &verb.seat).await?;
    let update = table.played(seat)?.resign(RESPONSE_OPTIONS).await;
    let update = update.map_err(|error| refusal::said(&table.catalogue, error))?;
    write_update(&table, &update, out)
}

async fn open(link: &Link, file: &std::path::Path, seat: &str) -> Result<(Table, Seat), Error> {
    let table = link.table(file).await?;
    let seat = table.seat(seat)?;
    Ok((table, seat))
}

fn write_update(table: &Table, update: &SeatUpdate, out: &mut dyn Write) -> Result<(), Error> {
    let view = update.view.as_ref().map(|view| values::view(view, Beside::default())).transpose()?;
    status::write(table, view.as_ref().map(|view| &view.turn_state.node), out)
}
