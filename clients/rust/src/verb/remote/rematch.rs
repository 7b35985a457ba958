//! `edgehill rematch`: a finished match once more, with the sides swapped.

use std::io::Write;
use std::path::PathBuf;

use edgehill_convert::values;
use edgehill_engine::render;
use edgehill_engine::seat::Observer;

use super::link::Link;
use super::{join, refusal};
use crate::error::Error;
use crate::seating::{self, Wanted};

/// Play a finished match again, with the sides swapped.
#[derive(Debug, clap::Args)]
pub(crate) struct Rematch {
    /// The file with one's seats of the match that is finished
    file: PathBuf,
    /// Your name for others
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// File for the tokens of the new match's seats
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(super) async fn run(verb: &Rematch, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    let table = link.table(&verb.file).await?;
    let mut own = None;
    for seat in table.own() {
        let again = table.played(seat)?.rematch().await;
        let again = again.map_err(|error| refusal::said(&table.catalogue, error))?;
        let mut file = join::seats_file(link, &verb.out, &again.config)?;
        if !file.seats().iter().any(|own| own.seat == again.seat) {
            let wanted = Wanted {
                seat: Some(again.seat),
                invitation: Some(again.invitation.clone()),
                player: verb.player.clone(),
                goes_on: false,
                ..Wanted::default()
            };
            let taken = seating::take(&link.client, &again.config, wanted, &mut file).await;
            taken.map_err(|error| match error {
                Error::Client(error) => refusal::said(&table.catalogue, *error),
                other => other,
            })?;
        }
        seating::reveal(&link.client, &file).await?;
        let seat = values::seat(again.seat)?;
        let name = render::observer(&table.catalogue, Observer::Seat(seat));
        writeln!(out, "You play {name}: {}", file.path().display())?;
        own = Some(seat);
    }
    match own {
        Some(seat) => join::write_status(link, &verb.out, seat, out).await,
        None => Err(Error::Usage(format!("{} has no seat of the match", verb.file.display()))),
    }
}
