//! `edgehill seek`: somebody to play with, whom the server finds.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use edgehill_client::{SeekRequest, SeekUpdate};
use edgehill_convert::values;
use edgehill_engine::render;
use edgehill_engine::seat::Observer;

use super::link::Link;
use super::{join, refusal};
use crate::clock_text;
use crate::error::Error;
use crate::people;
use crate::seating::{self, Wanted};
use crate::verb::new::setup_of;

/// Seek somebody on a server who wants to play the same.
#[derive(Debug, clap::Args)]
pub(crate) struct Seek {
    /// The game's id
    game: String,
    /// The scenario's id; the game's first where nothing is said
    #[arg(long, value_name = "ID")]
    scenario: Option<String>,
    /// An option of the game, as id=value; may come several times
    #[arg(long = "option", value_name = "ID=VALUE")]
    options: Vec<String>,
    /// The seat to play; any where nothing is said
    #[arg(long, value_name = "SEAT")]
    side: Option<String>,
    /// Clocks, such as bank=10m,increment=5s or limit=3d, as for `new`
    #[arg(long, value_name = "CLOCK")]
    clock: Option<String>,
    /// Only where seats bind themselves to their entropy before any of it is known
    #[arg(long)]
    commit_reveal: bool,
    /// The longest time to seek, such as 90s or 10m; as long as the server allows where nothing is said
    #[arg(long, value_name = "TIME", value_parser = clock_text::time)]
    wait: Option<Duration>,
    /// Your name for others
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// File for the seat's token
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(super) async fn run(verb: &Seek, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    if verb.out.exists() {
        return Err(Error::Exists { path: verb.out.clone() });
    }
    let (_, catalogue) = link.game(&verb.game).await?;
    let setup = setup_of(&catalogue, verb.scenario.as_deref(), &verb.options)?;
    let mut request = SeekRequest::of(&verb.game).scenario(catalogue.scenarios[setup.scenario()].id);
    for (id, value) in setup.written(&catalogue) {
        request = request.option(id, value);
    }
    if let Some(text) = &verb.side {
        let seat = people::seat(&catalogue, catalogue.seats_of(&setup), text)?;
        request = request.seat(seat.index() as u32);
    }
    if let Some(text) = &verb.clock {
        request = request.clock(clock_text::read(text)?);
    }
    if verb.commit_reveal {
        request = request.commit_reveal();
    }
    if let Some(wait) = verb.wait {
        request = request.wait(wait);
    }
    let mut seek = link.client.matches().seek(request);
    let mut told = None;
    let paired = loop {
        match seek.next().await.map_err(|error| refusal::said(&catalogue, error))? {
            SeekUpdate::Paired(paired) => break *paired,
            // The others that want the same seat, or are one's own.
            SeekUpdate::Seeking(count) if told != Some(count) => {
                writeln!(
                    out,
                    "Seeking: {} with the same terms, {} of the game, you among them",
                    count.same_terms, count.same_game
                )?;
                out.flush()?;
                told = Some(count);
            }
            SeekUpdate::Seeking(_) => {}
        }
    };
    writeln!(out, "Match: {}", paired.config.match_id)?;
    let mut file = join::seats_file(link, &verb.out, &paired.config)?;
    let wanted = Wanted {
        seat: Some(paired.seat),
        invitation: Some(paired.invitation.clone()),
        player: verb.player.clone(),
        goes_on: false,
        ..Wanted::default()
    };
    let taken = seating::take(&link.client, &paired.config, wanted, &mut file).await;
    let seat = taken.map_err(|error| match error {
        Error::Client(error) => refusal::said(&catalogue, *error),
        other => other,
    })?;
    seating::reveal(&link.client, &file).await?;
    let seat = values::seat(seat)?;
    let name = render::observer(&catalogue, Observer::Seat(seat));
    writeln!(out, "You play {name}: {}", file.path().display())?;
    join::write_status(link, &verb.out, seat, out).await
}
