//! `edgehill record` of a match on a server, and `edgehill export`.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::link::{Link, Table};
use super::refusal;
use crate::error::Error;
use crate::match_file::{Readers, replace};
use crate::verb::record::Record;

/// Write the record of a match that is finished, from a server
#[derive(Debug, clap::Args)]
pub(crate) struct Export {
    /// A match's id, or a file with seats of it
    #[arg(value_name = "MATCH")]
    file: PathBuf,
    /// The record; without it, a file named after the match: GAME-ID.edg
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) async fn record(verb: &Record, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    if !verb.players.is_empty() {
        let why = "players say their names when they join";
        return Err(Error::NotOnServer { verb: "--players", why });
    }
    let table = link.table(&verb.file).await?;
    write(&table, &verb.out, out).await
}

pub(super) async fn export(verb: &Export, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    let table = link.table(&verb.file).await?;
    let named = || PathBuf::from(format!("{}-{}.edg", table.config.game, table.config.match_id));
    write(&table, &verb.out.clone().unwrap_or_else(named), out).await
}

/// The text of the record, once the match is finished; or for a referee's key, so far.
pub(super) async fn text(table: &Table) -> Result<String, Error> {
    let answer = table.client.matches().record(&table.config.match_id).await;
    Ok(answer.map_err(|error| refusal::said(&table.catalogue, error))?.text)
}

async fn write(table: &Table, path: &Path, out: &mut dyn Write) -> Result<(), Error> {
    let answer = table.client.matches().record(&table.config.match_id).await;
    let answer = answer.map_err(|error| refusal::said(&table.catalogue, error))?;
    replace(path, answer.text.as_bytes(), Readers::Usual)?;
    writeln!(out, "{}", path.display())?;
    if !answer.complete {
        writeln!(out, "The match is not finished, or its seed is not open yet: the record is not complete.")?;
    }
    Ok(())
}
