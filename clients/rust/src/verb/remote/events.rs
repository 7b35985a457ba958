//! `edgehill events` of a match on a server, and `edgehill watch`.

use std::io::Write;
use std::path::PathBuf;

use edgehill_client::MatchWatch;
use edgehill_client::v1::{self, Event};
use edgehill_convert::values;
use edgehill_engine::record::{Record, events_text};
use edgehill_engine::registry::Registry;
use edgehill_engine::render;
use edgehill_engine::seat::Observer;

use super::link::{Link, Table};
use super::status;
use crate::error::Error;
use crate::verb::events::Events;

/// Follow a match on a server until it is over.
#[derive(Debug, clap::Args)]
pub(crate) struct Watch {
    /// A match's id, or a file with seats of it
    #[arg(value_name = "MATCH")]
    file: PathBuf,
    /// Observer: a seat that one has, or `spectator`
    #[arg(long = "as", value_name = "WHO", default_value = "spectator")]
    who: String,
    /// All events from the beginning, in place of from now on
    #[arg(long)]
    all: bool,
    /// Print what each event changes in the view, too
    #[arg(long)]
    changes: bool,
}

pub(super) async fn watch(verb: &Watch, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    let table = link.table(&verb.file).await?;
    let observer = table.observer(&verb.who)?;
    let mut stream = stream(&table, observer)?;
    if verb.all {
        stream = stream.after(0);
    }
    while let Some(update) = stream.next().await? {
        let over = update.state.as_ref().is_some_and(|state| state.result.is_some());
        if let Some(state) = update.state.as_ref().filter(|_| !over) {
            status::write_state(&table.catalogue, state, out)?;
        }
        if let Some(view) = &update.view {
            let view = values::view(view, values::Beside::default())?;
            write!(out, "{}", render::brief(&table.catalogue, &view))?;
        } else {
            for event in &update.events {
                write_event(&table, event, verb.changes, out)?;
            }
        }
        // A match that is over says so after its last events.
        if let Some(state) = update.state.as_ref().filter(|_| over) {
            status::write_state(&table.catalogue, state, out)?;
        }
        out.flush()?;
    }
    Ok(())
}

pub(super) async fn events(
    verb: &Events,
    link: &Link,
    registry: impl FnOnce() -> Result<Registry, Error>,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let table = link.table(&verb.file).await?;
    if verb.exact {
        // By the rules of this build, as for any record: that is what `diff-rules` compares.
        let text = super::record::text(&table).await?;
        let record = Record::parse_damaged(&text).map_err(|error| Error::Fault(error.to_string()))?;
        let registry = registry()?;
        let game = registry.game(&record.header().game)?;
        return Ok(write!(out, "{}", events_text(&record, game.as_ref()))?);
    }
    let observers = match &verb.who {
        Some(who) => vec![table.observer(who)?],
        None => {
            let own = table.own().into_iter().map(Observer::Seat);
            own.chain(std::iter::once(Observer::Spectator)).collect()
        }
    };
    for observer in observers {
        writeln!(out, "Published to {}", render::observer(&table.catalogue, observer))?;
        for event in &history(&table, observer).await? {
            write_event(&table, event, verb.changes, out)?;
        }
    }
    Ok(())
}

/// All events that were published to an observer so far.
pub(super) async fn history(table: &Table, observer: Observer) -> Result<Vec<Event>, Error> {
    let last = match observer {
        Observer::Seat(seat) => table.played(seat)?.get().await?.seq,
        Observer::Spectator => table.client.matches().get(&table.config.match_id).await?.seq,
    };
    between(table, observer, 0, last).await
}

/// The events that were published to an observer after number `after`, up to number `last`.
pub(super) async fn between(
    table: &Table,
    observer: Observer,
    after: u64,
    last: u64,
) -> Result<Vec<Event>, Error> {
    let mut stream = stream(table, observer)?.after(after);
    let mut published: Vec<Event> = Vec::new();
    while published.last().map_or(after, |event| event.seq) < last {
        match stream.next().await? {
            Some(update) => published.extend(update.events),
            None => break,
        }
    }
    published.retain(|event| event.seq <= last);
    Ok(published)
}

fn stream(table: &Table, observer: Observer) -> Result<MatchWatch, Error> {
    Ok(match observer {
        Observer::Seat(seat) => table.played(seat)?.watch(),
        Observer::Spectator => {
            table.client.matches().watch(&table.config.match_id).observer(v1::Observer { seat: None })
        }
    })
}

fn write_event(table: &Table, event: &Event, changes: bool, out: &mut dyn Write) -> Result<(), Error> {
    let seen = values::event(event)?;
    // As a local match counts them: from 0.
    writeln!(out, "{:>5}  {}", event.seq.saturating_sub(1), render::event(&table.catalogue, &seen))?;
    if changes {
        for line in render::changes(&table.catalogue, &seen.form.changes).lines() {
            writeln!(out, "         {line}")?;
        }
    }
    Ok(())
}
