//! `edgehill show` and `edgehill legal` of a match on a server.

use std::io::Write;

use edgehill_client::v1::LegalDetail;
use edgehill_engine::render;
use edgehill_engine::seat::Observer;

use super::link::{Link, Table};
use super::status;
use crate::error::Error;
use crate::verb::legal::Legal;
use crate::verb::show::Show;
use crate::wire;

pub(super) async fn show(verb: &Show, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    let table = link.table(&verb.file).await?;
    let observer = table.observer(&verb.who)?;
    if !table.has_begun() {
        return status::write(&table, None, out);
    }
    let view = table.view(observer).await?;
    let draw = if verb.brief { render::brief } else { render::view };
    write!(out, "{}", draw(&table.catalogue, &view))?;
    if let Observer::Seat(_) = observer
        && !view.draft.is_empty()
    {
        let name = render::observer(&table.catalogue, observer);
        writeln!(out, "`edgehill undo` takes back actions of {name}")?;
    }
    status::write(&table, Some(&view.head.node), out)
}

pub(super) async fn legal(verb: &Legal, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    let table = link.table(&verb.file).await?;
    let seats = match &verb.who {
        Some(text) => vec![table.seat(text)?],
        None => table.own(),
    };
    if seats.is_empty() {
        let why = "only the seats that one has are told what they may do: give the file with their tokens";
        return Err(Error::Usage(why.to_owned()));
    }
    if !table.has_begun() {
        return status::write(&table, None, out);
    }
    let mut listed = false;
    for seat in seats {
        let legal = table.played(seat)?.legal(LegalDetail::Ids).await?.legal.unwrap_or_default();
        let actions = wire::action_ids(&legal.ids)?;
        if !actions.is_empty() {
            writeln!(out, "{}", render::observer(&table.catalogue, Observer::Seat(seat)))?;
            write!(out, "{}", render::menu(&table.catalogue, &actions))?;
            listed = true;
        }
    }
    if listed { Ok(()) } else { nothing_owed(&table, out).await }
}

async fn nothing_owed(table: &Table, out: &mut dyn Write) -> Result<(), Error> {
    writeln!(out, "No actions: nothing is owed.")?;
    let view = table.view(Observer::Spectator).await?;
    status::write(table, Some(&view.head.node), out)
}
