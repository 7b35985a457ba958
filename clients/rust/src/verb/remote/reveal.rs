//! `edgehill reveal`: entropy that one's seats have bound themselves to.

use std::io::Write;
use std::path::PathBuf;

use super::link::Link;
use super::status;
use crate::error::Error;
use crate::seating;
use crate::seats_file::SeatsFile;

/// Reveal the entropy of one's seats, once all others have joined.
#[derive(Debug, clap::Args)]
pub(crate) struct Reveal {
    /// The file with one's seats
    file: PathBuf,
}

pub(super) async fn run(verb: &Reveal, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    // Through the table, which sees to it that a token goes to its own server only.
    link.table(&verb.file).await?;
    let revealed = seating::reveal(&link.client, &SeatsFile::open(&verb.file)?).await?;
    if revealed == 0 {
        writeln!(out, "Nothing to reveal: the match does not wait for entropy.")?;
    }
    let table = link.table(&verb.file).await?;
    status::write(&table, None, out)
}
