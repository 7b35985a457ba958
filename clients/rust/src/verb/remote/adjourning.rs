//! `edgehill adjourn` and `edgehill resume`: a match with clocks is put off, and goes on.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use super::link::{Link, Table};
use super::{refusal, status};
use crate::clock_text;
use crate::error::Error;

/// Offer to adjourn a match with clocks, or answer such an offer.
#[derive(Debug, clap::Args)]
pub(crate) struct Adjourn {
    /// The file with one's seats
    file: PathBuf,
    /// The seat's id
    seat: String,
    /// The longest time that it may last, such as 90m, 8h or 2d; needed where nobody offers it
    #[arg(value_name = "TIME", value_parser = clock_text::time)]
    longest: Option<Duration>,
    /// Decline what the others offer
    #[arg(long, conflicts_with = "longest")]
    decline: bool,
}

/// Ask for an adjourned match to go on.
#[derive(Debug, clap::Args)]
pub(crate) struct Resume {
    /// The file with one's seats
    file: PathBuf,
    /// The seat's id
    seat: String,
}

pub(super) async fn adjourn(verb: &Adjourn, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    let mut table = link.table(&verb.file).await?;
    let seat = table.seat(&verb.seat)?;
    let played = table.played(seat)?;
    let own = seat.index() as u32;
    let is_offered = table.state.adjournment_offers.iter().any(|offer| offer.seat != own);
    let answer = match verb.longest {
        _ if verb.decline => played.decline_adjournment().await,
        longest if is_offered => played.accept_adjournment(longest).await,
        Some(longest) => played.offer_adjournment(longest).await,
        None => {
            let why = "nobody offers to adjourn the match: give the longest time that it may last";
            return Err(Error::Usage(why.to_owned()));
        }
    };
    let found = answer.map_err(|error| refusal::said(&table.catalogue, error))?;
    table.state = found.state.unwrap_or_default();
    write(&table, out)
}

pub(super) async fn resume(verb: &Resume, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    let mut table = link.table(&verb.file).await?;
    let seat = table.seat(&verb.seat)?;
    let answer = table.played(seat)?.resume().await;
    let found = answer.map_err(|error| refusal::said(&table.catalogue, error))?;
    table.state = found.state.unwrap_or_default();
    write(&table, out)
}

fn write(table: &Table, out: &mut dyn Write) -> Result<(), Error> {
    status::write_state(&table.catalogue, &table.state, out)?;
    status::write_clocks(&table.catalogue, &table.state, out)
}
