//! `edgehill matches`: what is played on a server.

use std::io::Write;

use edgehill_client::Filter;
use edgehill_client::v1::{MatchEntry, MatchStatus};

use super::link::Link;
use crate::error::Error;

/// List the matches of a server, newest first.
#[derive(Debug, clap::Args)]
pub(crate) struct Matches {
    /// Of this game only
    #[arg(long, value_name = "ID")]
    game: Option<String>,
    /// Only those with a seat that anybody can take
    #[arg(long)]
    open: bool,
    /// Only those that are played now
    #[arg(long, conflicts_with = "over")]
    running: bool,
    /// Only those that are over
    #[arg(long)]
    over: bool,
    /// At most so many
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: usize,
}

pub(super) async fn run(verb: &Matches, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    let mut statuses = Vec::new();
    statuses.extend(verb.running.then_some(MatchStatus::Running));
    statuses.extend(verb.over.then_some(MatchStatus::Finished));
    let filter = Filter { game: verb.game.clone(), statuses, open_seats: verb.open, ..Filter::default() };
    let mut pages = link.client.matches().list(filter);
    for _ in 0..verb.limit {
        let Some(entry) = pages.next().await? else { break };
        writeln!(out, "{}", line(&entry))?;
    }
    Ok(())
}

/// Id, game, status, and who sits where.
fn line(entry: &MatchEntry) -> String {
    let (terms, state) = (entry.terms.clone().unwrap_or_default(), entry.state.clone().unwrap_or_default());
    let seats: Vec<&str> = state
        .seats
        .iter()
        .map(|seat| match (seat.joined, seat.player.as_str()) {
            (false, _) => "free",
            (true, "") => "somebody",
            (true, name) => name,
        })
        .collect();
    let status = state.status().as_str_name().trim_start_matches("MATCH_STATUS_").to_lowercase();
    format!("{}  {}  {status}: {}", terms.match_id, terms.game, seats.join(", "))
}
