//! `edgehill bot`: a bot of this program at a seat of a match on a server.

use std::io::Write;
use std::path::PathBuf;

use edgehill_client::bot::{BotReport, RandomBot, run_bot};
use edgehill_client::v1::{ErrorReason, MatchStatus, SeedOrigin};
use edgehill_client::{JoinRequest, ViewOptions, entropy};
use edgehill_convert::values;
use edgehill_engine::render;

use super::link::{Link, Table};
use super::refusal;
use crate::error::Error;

/// The bots that run in this program.
const BOTS: [&str; 1] = ["random"];

/// Let a bot play a seat of a match on a server until it is over.
#[derive(Debug, clap::Args)]
pub(crate) struct Bot {
    /// A match's id, or a file with seats of it
    #[arg(long = "match", value_name = "MATCH")]
    file: PathBuf,
    /// The seat's id: one of the file's, or an open one that the bot takes; the first where nothing is said
    #[arg(long, value_name = "SEAT")]
    seat: Option<String>,
    /// The seat's token, in place of a file
    #[arg(long, value_name = "TEXT", env = "EDGEHILL_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// Number that the bot's choices follow from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The bot: `random`
    name: String,
}

pub(super) async fn run(verb: &Bot, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    if !is_ours(&verb.name) {
        return Err(Error::Bot { given: verb.name.clone(), known: BOTS.join(", ") });
    }
    let table = link.table(&verb.file).await?;
    let (seat, token) = seat(verb, &table).await?;
    let bot = RandomBot::new(&table.game, seat, verb.seed);
    let report = run_bot(&table.client, token, bot).await?;
    writeln!(out, "{}: {} actions", verb.name, report.actions)?;
    match &report.result {
        Some(result) => {
            writeln!(out, "Over: {}", render::result(&table.catalogue, &values::result(result)?))?
        }
        None => writeln!(out, "The match is not played any more: {}", status(&report))?,
    }
    Ok(())
}

/// True if a bot of this name runs in this program; others are house bots, which run on the server.
pub(super) fn is_ours(name: &str) -> bool {
    BOTS.contains(&name)
}

fn status(report: &BotReport) -> String {
    match report.status {
        MatchStatus::Aborted => "its creator took it back".to_owned(),
        MatchStatus::Expired => "its seats were not taken in time".to_owned(),
        MatchStatus::Quarantined => "an operator has to look".to_owned(),
        MatchStatus::Unplayable => "the server does not have its rules".to_owned(),
        other => other.as_str_name().to_owned(),
    }
}

/// The seat that is meant, and its token.
async fn seat(verb: &Bot, table: &Table) -> Result<(u32, String), Error> {
    let named = verb.seat.as_deref().map(|text| table.seat(text)).transpose()?;
    if let (Some(token), Some(seat)) = (&verb.token, named) {
        return Ok((seat.index() as u32, token.clone()));
    }
    if let Some(token) = &verb.token {
        // The seat is the token's; the number is only what sets the bot's choices apart from another seat's.
        let played = table.client.seat(&table.config.match_id, token);
        let view = played.view(ViewOptions::default()).await;
        let seat = match view {
            Ok(answer) => {
                answer.view.and_then(|view| view.observer).and_then(|observer| observer.seat).unwrap_or(0)
            }
            Err(error) if refusal::is(&error, ErrorReason::MatchNotStarted) => 0,
            Err(error) => return Err(error.into()),
        };
        return Ok((seat, token.clone()));
    }
    if let Some(seat) = named.or_else(|| table.own().first().copied())
        && table.own().contains(&seat)
    {
        return Ok((seat.index() as u32, table.played(seat)?.token().to_owned()));
    }
    let mut join = JoinRequest::of(&table.config.match_id).player(&verb.name);
    if let Some(seat) = named {
        join = join.seat(seat.index() as u32);
    }
    if table.config.dice.as_ref().is_none_or(|dice| dice.origin() != SeedOrigin::Chosen) {
        join = join.entropy(entropy::fresh().map_err(Error::Entropy)?);
    }
    let joined = table.client.matches().join(join).await;
    let joined = joined.map_err(|error| refusal::said(&table.catalogue, error))?;
    Ok((joined.response.seat, joined.response.seat_token))
}
