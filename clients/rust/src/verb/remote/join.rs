//! `edgehill join`: a seat of a match that someone else has made.

use std::io::Write;
use std::path::PathBuf;

use edgehill_convert::values;
use edgehill_engine::render;
use edgehill_engine::seat::Observer;

use super::link::Link;
use super::seating::{self, Wanted};
use super::{refusal, status};
use crate::error::Error;
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
    let dice = table.config.dice.clone().unwrap_or_default();
    let mut file = if verb.out.exists() {
        let file = SeatsFile::open(&verb.out)?;
        if file.match_id() != table.config.match_id || file.server() != link.client.url() {
            return Err(Error::Exists { path: verb.out.clone() });
        }
        file
    } else {
        let (url, game) = (link.client.url(), &table.config.game);
        SeatsFile::new(&verb.out, url, &table.config.match_id, game, &dice.commitment)
    };
    let wanted = Wanted {
        seat: verb.seat.as_deref().map(|text| table.seat(text)).transpose()?.map(|seat| seat.index() as u32),
        invitation: verb.invitation.clone(),
        player: verb.player.clone(),
    };
    let taken = seating::take(&link.client, &table.config, wanted, &mut file).await;
    let seat = taken.map_err(|error| match error {
        Error::Client(error) => refusal::said(&table.catalogue, *error),
        other => other,
    })?;
    seating::reveal(link, &file).await?;
    let name = render::observer(&table.catalogue, Observer::Seat(values::seat(seat)?));
    writeln!(out, "You play {name}: {}", file.path().display())?;
    let table = link.table(&verb.out).await?;
    let view =
        if table.has_begun() { Some(table.view(Observer::Seat(values::seat(seat)?)).await?) } else { None };
    status::write(&table, view.as_ref().map(|view| &view.turn_state.node), out)
}
