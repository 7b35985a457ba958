//! `edgehill matches`: the matches of a server.

use std::io::Write;

use edgehill_client::MatchFilter;
use edgehill_client::v1::{Match, MatchStatus};

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
    /// Only those with a seat that is kept for one's account, and that it can still take
    #[arg(long)]
    invited: bool,
    /// Only those that are played now
    #[arg(long, conflicts_with = "finished")]
    running: bool,
    /// Only those that are finished
    #[arg(long)]
    finished: bool,
    /// At most so many
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: usize,
}

pub(super) async fn run(verb: &Matches, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    let mut statuses = Vec::new();
    statuses.extend(verb.running.then_some(MatchStatus::Running));
    statuses.extend(verb.finished.then_some(MatchStatus::Finished));
    let filter = MatchFilter {
        game: verb.game.clone(),
        statuses,
        open_seats: verb.open,
        invited: verb.invited,
        ..MatchFilter::default()
    };
    let mut pages = link.client.matches().list(filter);
    for _ in 0..verb.limit {
        let Some(one) = pages.next().await? else { break };
        writeln!(out, "{}", line(one))?;
    }
    Ok(())
}

/// Id, game, status, and the players of the seats.
pub(super) fn line(of: Match) -> String {
    let (config, state) = (of.config.unwrap_or_default(), of.state.unwrap_or_default());
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
    format!("{}  {}  {status}: {}", config.match_id, config.game, seats.join(", "))
}
