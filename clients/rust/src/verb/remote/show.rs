//! `edgehill show` and `edgehill legal` of a match on a server.

use std::io::Write;

use edgehill_client::v1::LegalDetail;
use edgehill_convert::values;
use edgehill_engine::render;
use edgehill_engine::seat::Observer;

use super::link::{Link, Table};
use super::status;
use crate::error::Error;
use crate::verb::legal::Legal;
use crate::verb::show::Show;

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
    status::write(&table, Some(&view.turn_state.node), out)
}

pub(super) async fn legal(verb: &Legal, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    let table = link.table(&verb.file).await?;
    let seats = match &verb.who {
        Some(text) => vec![table.seat(text)?],
        None => table.own(),
    };
    if seats.is_empty() {
        let why = "legal actions are for the seats that one has: give the file with their tokens";
        return Err(Error::Usage(why.to_owned()));
    }
    if !table.has_begun() {
        return status::write(&table, None, out);
    }
    let mut listed = false;
    for seat in seats {
        let answer = table.played(seat)?.legal_actions(LegalDetail::Ids).await?;
        let actions = values::action_ids(&answer.legal_actions.unwrap_or_default().ids)?;
        if !actions.is_empty() {
            writeln!(out, "{}", render::observer(&table.catalogue, Observer::Seat(seat)))?;
            write!(out, "{}", render::menu(&table.catalogue, &actions))?;
            listed = true;
        }
    }
    if listed { Ok(()) } else { not_to_act(&table, out).await }
}

async fn not_to_act(table: &Table, out: &mut dyn Write) -> Result<(), Error> {
    writeln!(out, "No legal actions: not to act now.")?;
    let view = table.view(Observer::Spectator).await?;
    status::write(table, Some(&view.turn_state.node), out)
}
