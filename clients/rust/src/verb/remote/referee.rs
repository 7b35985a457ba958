//! `edgehill referee`: time, players, adjournments and results of matches, for those who see to it that they are played right.

use std::io::Write;
use std::time::Duration;

use clap::Subcommand;
use edgehill_client::Replacement;
use edgehill_client::v1::MatchState;

use super::link::{Link, Table};
use super::{refusal, status};
use crate::clock_text;
use crate::error::Error;

/// Act on a match of a server as its referee.
#[derive(Debug, clap::Args)]
pub(crate) struct Referee {
    #[command(subcommand)]
    what: What,
}

/// The thing to do.
#[derive(Debug, Subcommand)]
enum What {
    /// Add time to a seat's clock
    AddTime {
        /// The match's id
        #[arg(value_name = "MATCH")]
        match_id: String,
        /// The seat's id
        seat: String,
        /// The time, such as 90s, 10m or 2d
        #[arg(value_name = "TIME", value_parser = clock_text::time)]
        added: Duration,
        /// The reason, for everybody to see
        #[arg(long, default_value = "")]
        reason: String,
    },
    /// Take a seat from its player, and print the invitation for another one
    Replace {
        /// The match's id
        #[arg(value_name = "MATCH")]
        match_id: String,
        /// The seat's id
        seat: String,
        /// The account that alone may take the seat; there is no invitation then
        #[arg(long, value_name = "ID")]
        account: Option<String>,
        /// The new player's name for others, until they give one
        #[arg(long, value_name = "NAME", default_value = "")]
        player: String,
        /// The reason, for everybody to see
        #[arg(long, default_value = "")]
        reason: String,
    },
    /// Adjourn a match with clocks: they stop, and nobody is to act
    Adjourn {
        /// The match's id
        #[arg(value_name = "MATCH")]
        match_id: String,
        /// The longest time that it may last, such as 90m, 8h or 2d
        #[arg(value_name = "TIME", value_parser = clock_text::time)]
        longest: Duration,
        /// The reason, for everybody to see
        #[arg(long, default_value = "")]
        reason: String,
    },
    /// End the adjournment of a match, whoever has adjourned it
    EndAdjournment {
        /// The match's id
        #[arg(value_name = "MATCH")]
        match_id: String,
        /// The reason, for everybody to see
        #[arg(long, default_value = "")]
        reason: String,
    },
    /// End a match that is played, so that it does not count
    Void {
        /// The match's id
        #[arg(value_name = "MATCH")]
        match_id: String,
        /// The reason, for everybody to see
        #[arg(long)]
        reason: String,
    },
    /// Correct the result of a match that is finished
    Correct {
        /// The match's id
        #[arg(value_name = "MATCH")]
        match_id: String,
        /// The return of each seat, in seat order
        #[arg(required = true, allow_negative_numbers = true)]
        returns: Vec<i32>,
        /// The reason, for everybody to see
        #[arg(long)]
        reason: String,
    },
}

impl What {
    fn match_id(&self) -> &str {
        match self {
            Self::AddTime { match_id, .. }
            | Self::Replace { match_id, .. }
            | Self::Adjourn { match_id, .. }
            | Self::EndAdjournment { match_id, .. }
            | Self::Void { match_id, .. }
            | Self::Correct { match_id, .. } => match_id,
        }
    }
}

pub(super) async fn run(verb: &Referee, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    let calls = link.client.referee();
    let table = link.by_id(verb.what.match_id(), None).await?;
    let id = &table.config.match_id;
    let seat = |text: &str| table.seat(text).map(|seat| seat.index() as u32);
    let done = match &verb.what {
        What::AddTime { seat: text, added, reason, .. } => {
            calls.add_time(id, seat(text)?, *added, reason).await
        }
        What::Adjourn { longest, reason, .. } => calls.adjourn(id, *longest, reason).await,
        What::EndAdjournment { reason, .. } => calls.end_adjournment(id, reason).await,
        What::Void { reason, .. } => calls.void(id, reason).await,
        What::Correct { returns, reason, .. } => calls.correct_result(id, returns, reason).await,
        What::Replace { seat: text, account, player, reason, .. } => {
            let replacement = Replacement {
                seat: seat(text)?,
                account: account.clone(),
                player: player.clone(),
                reason: reason.clone(),
            };
            let replaced = calls.replace_player(id, replacement).await;
            let replaced = replaced.map_err(|error| refusal::said(&table.catalogue, error))?;
            // Alone on the first line, for scripts.
            if let Some(invitation) = &replaced.invitation {
                writeln!(out, "{invitation}")?;
            }
            Ok(replaced.r#match)
        }
    };
    let done = done.map_err(|error| refusal::said(&table.catalogue, error))?;
    write(&table, &done.state.unwrap_or_default(), out)
}

fn write(table: &Table, state: &MatchState, out: &mut dyn Write) -> Result<(), Error> {
    status::write_state(&table.catalogue, state, out)?;
    status::write_referee_acts(&table.catalogue, state, out)
}
