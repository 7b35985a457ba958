//! `edgehill inbox`: the matches of one's account, as they come to concern it.

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use edgehill_client::prost_types::Duration;
use edgehill_client::v1::{MatchState, MatchStatus, WatchedMatch, WatchedSeat};
use edgehill_engine::catalogue::Catalogue;

use super::link::Link;
use super::status;
use crate::clock_text;
use crate::error::Error;
use crate::match_file::{self, Readers};

/// Follow the matches of one's account on a server: invitations, turns, offers, results.
#[derive(Debug, clap::Args)]
pub(crate) struct Inbox {
    /// Show how things stand now, and end
    #[arg(long)]
    once: bool,
    /// A file that keeps how far one has read: results since then are shown, too
    #[arg(long, value_name = "FILE")]
    cursor: Option<PathBuf>,
}

pub(super) async fn run(verb: &Inbox, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    let mut watch = link.client.matches().watch_account();
    if let Some(cursor) = verb.cursor.as_deref().map(read).transpose()?.flatten() {
        watch = watch.after(cursor);
    }
    let mut catalogues = HashMap::new();
    loop {
        let response = watch.next().await?;
        if let Some(shown) = &response.r#match {
            write(shown, link, &mut catalogues, out).await?;
        }
        if response.results_missing {
            writeln!(out, "Older results are missing here: `edgehill matches --finished` has them")?;
        }
        out.flush()?;
        if let Some(file) = &verb.cursor {
            keep(file, &response.cursor)?;
        }
        if response.caught_up && verb.once {
            return Ok(());
        }
    }
}

/// One match: a line with its seats, and below it how it stands.
async fn write(
    shown: &WatchedMatch,
    link: &Link,
    catalogues: &mut HashMap<String, Catalogue>,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let of = shown.r#match.clone().unwrap_or_default();
    let (config, state) = (of.config.unwrap_or_default(), of.state.unwrap_or_default());
    if !catalogues.contains_key(&config.game) {
        let (_, catalogue) = link.game(&config.game).await?;
        catalogues.insert(config.game.clone(), catalogue);
    }
    let Some(catalogue) = catalogues.get(&config.game) else { return Ok(()) };
    let mut parts: Vec<String> = shown.seats.iter().map(|seat| seat_words(catalogue, seat)).collect();
    if parts.is_empty() {
        let part = if shown.is_creator { "you made it" } else { "it is none of yours any more" };
        parts.push(part.to_owned());
    }
    parts.extend(offers(catalogue, &state));
    writeln!(out, "{}  {}: {}", config.match_id, config.game, parts.join("; "))?;
    write!(out, "  ")?;
    status::write_state(catalogue, &state, out)
}

fn seat_words(catalogue: &Catalogue, seat: &WatchedSeat) -> String {
    let name = name(catalogue, seat.seat);
    match (seat.is_invited, seat.to_act, &seat.time_left) {
        (true, ..) => format!("{name} is kept for you"),
        (false, true, None) => format!("{name}, to act"),
        (false, true, Some(time)) => {
            // Nobody reads parts of a second, and the time goes on.
            let left = Duration { nanos: 0, ..time.left.unwrap_or_default() };
            let left = clock_text::words(&left);
            format!("{name}, to act within {left}")
        }
        (false, false, _) => name,
    }
}

fn offers(catalogue: &Catalogue, state: &MatchState) -> Vec<String> {
    if state.status() != MatchStatus::Running {
        return Vec::new();
    }
    let draws = state.draw_offers.iter().map(|&seat| format!("{} offers a draw", name(catalogue, seat)));
    let adjournments = state.adjournment_offers.iter();
    let adjournments = adjournments.map(|offer| format!("{} offers to adjourn", name(catalogue, offer.seat)));
    draws.chain(adjournments).collect()
}

fn name(catalogue: &Catalogue, seat: u32) -> String {
    let known = usize::try_from(seat).ok().and_then(|index| catalogue.seats.get(index));
    known.map_or_else(|| format!("seat {seat}"), |seat| seat.name.to_owned())
}

/// The cursor in a file; `None` if there is no file yet.
fn read(file: &Path) -> Result<Option<String>, Error> {
    match fs::read_to_string(file) {
        Ok(text) => Ok(Some(text.trim().to_owned())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::Usage(format!("--cursor {}: {error}", file.display()))),
    }
}

/// Keeps a cursor in a file, whole or not at all.
fn keep(file: &Path, cursor: &str) -> Result<(), Error> {
    match_file::replace(file, format!("{cursor}\n").as_bytes(), Readers::Usual)
}
