//! `edgehill join`: a seat of a match that someone else has made.

use std::io::Write;
use std::path::{Path, PathBuf};

use edgehill_client::v1::MatchConfig;
use edgehill_convert::values;
use edgehill_engine::render;
use edgehill_engine::seat::{Observer, Seat};

use super::link::Link;
use super::{refusal, status};
use crate::error::Error;
use crate::seating::{self, Wanted};
use crate::seats_file::SeatsFile;

/// Take a seat of a match on a server.
#[derive(Debug, clap::Args)]
pub(crate) struct Join {
    /// The match's id
    #[arg(value_name = "MATCH")]
    match_id: String,
    /// The seat's id; the invitation's or the first open one where nothing is said
    #[arg(long, value_name = "SEAT")]
    seat: Option<String>,
    /// The seat's invitation
    #[arg(long, value_name = "TEXT")]
    invitation: Option<String>,
    /// Your name for others
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// File for the seat's token; a file with seats of the same match gets it added
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(super) async fn run(verb: &Join, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    let table = link.by_id(&verb.match_id, None).await?;
    let mut file = seats_file(link, &verb.out, &table.config)?;
    let wanted = Wanted {
        seat: verb.seat.as_deref().map(|text| table.seat(text)).transpose()?.map(|seat| seat.index() as u32),
        invitation: verb.invitation.clone(),
        player: verb.player.clone(),
        goes_on: table.has_begun(),
        ..Wanted::default()
    };
    let taken = seating::take(&link.client, &table.config, wanted, &mut file).await;
    let seat = taken.map_err(|error| match error {
        Error::Client(error) => refusal::said(&table.catalogue, *error),
        other => other,
    })?;
    seating::reveal(&link.client, &file).await?;
    let name = render::observer(&table.catalogue, Observer::Seat(values::seat(seat)?));
    writeln!(out, "You play {name}: {}", file.path().display())?;
    write_status(link, &verb.out, values::seat(seat)?, out).await
}

/// Says how a match stands for a seat that was just taken, whose token is in a file.
pub(super) async fn write_status(
    link: &Link,
    path: &Path,
    seat: Seat,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let table = link.table(path).await?;
    let view = if table.has_begun() { Some(table.view(Observer::Seat(seat)).await?) } else { None };
    status::write(&table, view.as_ref().map(|view| &view.turn_state.node), out)
}

/// The file for one's seats of a match: the one that is there, if it is of the same match, or a new one.
pub(super) fn seats_file(link: &Link, path: &Path, config: &MatchConfig) -> Result<SeatsFile, Error> {
    let url = link.client.url();
    if !path.exists() {
        let commitment = config.dice.as_ref().map_or(&[][..], |dice| &dice.commitment);
        return Ok(SeatsFile::new(path, url, &config.match_id, &config.game, commitment));
    }
    let file = SeatsFile::open(path)?;
    if file.match_id() != config.match_id || file.server() != url {
        return Err(Error::Exists { path: path.to_owned() });
    }
    Ok(file)
}
