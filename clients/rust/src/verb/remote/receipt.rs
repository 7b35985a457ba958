//! `edgehill receipt`: what a server has shown of a match, with its signed word for it.

use std::io::Write;
use std::path::PathBuf;

use edgehill_client::Transcript;
use edgehill_client::v1::Observer as Who;
use edgehill_convert::{messages, transcript};
use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::reference::Ref;
use edgehill_engine::seat::Observer;

use super::link::{Link, Table};
use super::{events, refusal};
use crate::error::Error;
use crate::transcript_file;

/// Keep what a server has shown of a match, with its signed word for it.
#[derive(Debug, clap::Args)]
pub(crate) struct Receipt {
    /// A match's id, or a file with seats of it
    #[arg(value_name = "MATCH")]
    file: PathBuf,
    /// Observer: a seat that one has, or `spectator`
    #[arg(long = "as", value_name = "WHO", default_value = "spectator")]
    who: String,
    /// The transcript, which is gone on with if it is there; without it, GAME-ID-WHO.edt
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) async fn run(verb: &Receipt, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    let table = link.table(&verb.file).await?;
    let observer = table.observer(&verb.who)?;
    let config = &table.config;
    let named = || {
        let who = name(&table.catalogue, observer);
        PathBuf::from(format!("{}-{}-{who}.edt", config.game, config.match_id))
    };
    let path = verb.out.clone().unwrap_or_else(named);
    let who = messages::observer::of(observer);
    let mut kept = match path.exists() {
        true => transcript_file::open(&path)?,
        false => Transcript::new(config.match_id.clone(), who),
    };
    if kept.match_id() != config.match_id || kept.observer() != who {
        let why = format!("{} is of another match or observer: name another file", path.display());
        return Err(Error::Usage(why));
    }
    go_on(&mut kept, &table, observer, who).await?;
    transcript_file::write(&kept, &path)?;
    writeln!(out, "{}", path.display())?;
    let report = transcript::check(&kept, &link.signing_keys().await?);
    writeln!(out, "{report}")?;
    if report.is_consistent() { Ok(()) } else { Err(Error::Failed) }
}

/// Adds what was shown since, and a receipt for it.
async fn go_on(kept: &mut Transcript, table: &Table, observer: Observer, who: Who) -> Result<(), Error> {
    let receipt = match observer {
        Observer::Seat(seat) => table.played(seat)?.receipt().await,
        Observer::Spectator => table.client.matches().receipt(&table.config.match_id, who).await,
    };
    let receipt = receipt.map_err(|error| refusal::said(&table.catalogue, error))?;
    let garbled = |error: edgehill_client::TranscriptError| Error::Refused(error.to_string());
    for event in events::between(table, observer, kept.seq(), receipt.seq).await? {
        kept.push(&event).map_err(garbled)?;
    }
    kept.push_receipt(receipt).map_err(garbled)
}

fn name(catalogue: &Catalogue, observer: Observer) -> String {
    match observer {
        Observer::Seat(seat) => catalogue.id_of(Ref::Seat(seat)),
        Observer::Spectator => "spectator".to_owned(),
    }
}
