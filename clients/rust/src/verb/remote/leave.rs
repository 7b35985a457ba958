//! `edgehill leave` and `edgehill abort`: seats and matches that are given back before the match has begun.

use std::io::Write;
use std::path::PathBuf;

use edgehill_engine::render;
use edgehill_engine::seat::Observer;

use super::link::Link;
use super::{refusal, status};
use crate::error::Error;
use crate::seats_file::SeatsFile;

/// Give seats back before the match has begun.
#[derive(Debug, clap::Args)]
pub(crate) struct Leave {
    /// The file with one's seats
    file: PathBuf,
    /// The seat's id; all of one's seats where nothing is said
    seat: Option<String>,
}

/// Take back a match that one has made, before it has begun.
#[derive(Debug, clap::Args)]
pub(crate) struct Abort {
    /// The file that `new` wrote; with the key of the account that made the match, its id
    #[arg(value_name = "MATCH")]
    file: PathBuf,
}

pub(super) async fn leave(verb: &Leave, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    let mut table = link.table(&verb.file).await?;
    let seats = match &verb.seat {
        Some(text) => vec![table.seat(text)?],
        None => table.own(),
    };
    if seats.is_empty() {
        return Err(Error::Usage(format!("{} has no seat of the match", verb.file.display())));
    }
    for seat in seats {
        let left = table.played(seat)?.leave().await;
        let left = left.map_err(|error| refusal::said(&table.catalogue, error))?;
        table.state = left.state.unwrap_or_default();
        if let Some(file) = &mut table.file {
            file.remove(seat.index() as u32);
            file.save()?;
        }
        writeln!(out, "Left: {}", render::observer(&table.catalogue, Observer::Seat(seat)))?;
    }
    status::write_state(&table.catalogue, &table.state, out)
}

pub(super) async fn abort(verb: &Abort, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    let table = link.table(&verb.file).await?;
    let creator_token = table.file.as_ref().and_then(SeatsFile::creator_token);
    let aborted = link.client.matches().abort(&table.config.match_id, creator_token).await;
    let aborted = aborted.map_err(|error| refusal::said(&table.catalogue, error))?;
    status::write_state(&table.catalogue, &aborted.state.unwrap_or_default(), out)
}
