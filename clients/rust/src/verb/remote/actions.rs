//! `edgehill apply`, `undo` and `resign` of a match on a server.

use std::io::Write;

use edgehill_client::v1::{ResponseOptions, SeatUpdate};
use edgehill_client::{Actions, Look};
use edgehill_engine::seat::Seat;

use super::link::{Link, Table};
use super::{refusal, status};
use crate::error::Error;
use crate::verb::apply::Apply;
use crate::verb::resign::Resign;
use crate::verb::undo::Undo;
use crate::wire::{self, Beside};

/// The parts that are sent along with an answer.
const WANT: ResponseOptions = ResponseOptions { view: true, legal: 0, events: true, words: false };

pub(super) async fn apply(verb: &Apply, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    let (table, seat) = open(link, &verb.file, &verb.seat).await?;
    let mut actions = Actions::line(verb.line.join(" ")).want(WANT);
    if verb.until_reveal {
        actions = actions.until_reveal();
    }
    let answer = table.played(seat)?.apply(actions).await;
    let answer = answer.map_err(|error| refusal::said(&table.catalogue, error))?;
    if verb.until_reveal {
        writeln!(out, "Actions taken: {}", answer.applied)?;
    }
    let situation = answer.situation.unwrap_or_default();
    status::write_events(&table.catalogue, &situation.events, out)?;
    if situation.events.last().is_some_and(|last| last.seq != situation.seq) {
        writeln!(out, "- ... and more: `edgehill events` tells all")?;
    }
    write_situation(&table, situation, out)
}

pub(super) async fn undo(verb: &Undo, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    let (table, seat) = open(link, &verb.file, &verb.seat).await?;
    let played = table.played(seat)?;
    let draft = played.view(Look::default()).await?.view.unwrap_or_default().draft;
    let keep = verb.keep.map(|keep| u32::try_from(keep).unwrap_or(u32::MAX));
    let answer = played.undo(keep, WANT).await;
    let answer = answer.map_err(|error| refusal::said(&table.catalogue, error))?;
    let kept = draft.len().saturating_sub(answer.undone as usize);
    let back = wire::action_ids(&draft[kept..])?;
    let back: Vec<String> = back.into_iter().map(|action| table.catalogue.actions.notation(action)).collect();
    writeln!(out, "Taken back: {}", back.join("; "))?;
    write_situation(&table, answer.situation.unwrap_or_default(), out)
}

pub(super) async fn resign(verb: &Resign, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    let (table, seat) = open(link, &verb.file, &verb.seat).await?;
    let situation = table.played(seat)?.resign(WANT).await;
    let situation = situation.map_err(|error| refusal::said(&table.catalogue, error))?;
    write_situation(&table, situation, out)
}

async fn open(link: &Link, file: &std::path::Path, seat: &str) -> Result<(Table, Seat), Error> {
    let table = link.table(file).await?;
    let seat = table.seat(seat)?;
    Ok((table, seat))
}

fn write_situation(table: &Table, situation: SeatUpdate, out: &mut dyn Write) -> Result<(), Error> {
    let view = situation.view.as_ref().map(|view| wire::view(view, Beside::default())).transpose()?;
    status::write(table, view.as_ref().map(|view| &view.head.node), out)
}
