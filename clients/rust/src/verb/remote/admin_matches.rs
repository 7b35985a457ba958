//! `edgehill admin matches`, `stop`, `expire` and `export`: the matches of a server, for those who look after it.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use clap::{Subcommand, ValueEnum};
use edgehill_client::MatchFilter;
use edgehill_client::prost_types::Timestamp;
use edgehill_client::v1::{Match, MatchStatus};

use super::link::Link;
use super::{matches, refusal, status};
use crate::clock_text;
use crate::error::Error;
use crate::match_file::{Readers, replace};

/// The work on matches.
#[derive(Debug, Subcommand)]
pub(super) enum MatchesWhat {
    /// List matches, newest first, with the time at which each was made
    Matches {
        /// Of this game only
        #[arg(long, value_name = "ID")]
        game: Option<String>,
        /// Of this status only; may be said several times
        #[arg(long, value_name = "STATUS")]
        status: Vec<StatusName>,
        /// Only those that were made so long ago, such as 12h or 30d
        #[arg(long, value_name = "TIME", value_parser = clock_text::time)]
        older: Option<Duration>,
    },
    /// Stop a match: take it back before it has begun; from then on void it, for which the key has to be a referee's, too
    Stop {
        /// The match's id
        match_id: String,
        /// The reason, for everybody to see; needed once the match has begun
        #[arg(long)]
        reason: Option<String>,
    },
    /// Take back all matches that have waited for their seats, or for entropy, for so long
    Expire {
        /// Only those that were made so long ago, such as 12h or 30d
        #[arg(long, value_name = "TIME", value_parser = clock_text::time)]
        older: Duration,
        /// Of this game only
        #[arg(long, value_name = "ID")]
        game: Option<String>,
        /// Say which they are, and take none back
        #[arg(long)]
        dry_run: bool,
    },
    /// Write the records of all matches that are finished into a folder; those that are there already are left alone
    Export {
        /// The folder: a file GAME-ID.edg for each match
        #[arg(value_name = "DIR")]
        folder: PathBuf,
        /// Of this game only
        #[arg(long, value_name = "ID")]
        game: Option<String>,
    },
}

/// A status by its name.
#[derive(Copy, Clone, Debug, ValueEnum)]
pub(super) enum StatusName {
    /// Seats are to be filled
    Waiting,
    /// Entropy is to be revealed
    Revealing,
    /// It is played
    Running,
    /// It is finished
    Finished,
    /// The server lacks its rules or its content
    Unplayable,
    /// The server has stopped it
    Quarantined,
    /// It was taken back
    Aborted,
    /// Its seats were not taken in time
    Expired,
}

impl From<StatusName> for MatchStatus {
    fn from(name: StatusName) -> Self {
        match name {
            StatusName::Waiting => Self::Waiting,
            StatusName::Revealing => Self::Revealing,
            StatusName::Running => Self::Running,
            StatusName::Finished => Self::Finished,
            StatusName::Unplayable => Self::Unplayable,
            StatusName::Quarantined => Self::Quarantined,
            StatusName::Aborted => Self::Aborted,
            StatusName::Expired => Self::Expired,
        }
    }
}

pub(super) async fn run(what: &MatchesWhat, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    match what {
        MatchesWhat::Matches { game, status, older } => {
            let statuses = status.iter().map(|&name| name.into()).collect();
            let mut pages = link.client.matches().list(filter(game, statuses));
            while let Some(one) = pages.next().await? {
                if is_older(&one, *older)? {
                    writeln!(out, "{}  {}", made(&one), matches::line(one))?;
                }
            }
            Ok(())
        }
        MatchesWhat::Stop { match_id, reason } => stop(match_id, reason.as_deref(), link, out).await,
        MatchesWhat::Expire { older, game, dry_run } => {
            expire(
                filter(game, vec![MatchStatus::Waiting, MatchStatus::Revealing]),
                *older,
                *dry_run,
                link,
                out,
            )
            .await
        }
        MatchesWhat::Export { folder, game } => {
            export(filter(game, vec![MatchStatus::Finished]), folder, link, out).await
        }
    }
}

fn filter(game: &Option<String>, statuses: Vec<MatchStatus>) -> MatchFilter {
    MatchFilter { game: game.clone(), statuses, ..MatchFilter::default() }
}

fn made_at(of: &Match) -> Option<Timestamp> {
    of.config.as_ref().and_then(|config| config.create_time)
}

/// The time at which a match was made; of one that can't be read nobody knows it.
fn made(of: &Match) -> String {
    made_at(of).as_ref().map_or_else(|| "?".to_owned(), clock_text::moment)
}

/// Returns whether a match was made so long ago; `None`: at any time.
fn is_older(of: &Match, than: Option<Duration>) -> Result<bool, Error> {
    let Some(than) = than else { return Ok(true) };
    let before = SystemTime::now().checked_sub(than);
    let before = before.ok_or_else(|| Error::Usage(format!("there is no date {than:?} ago")))?;
    let at = made_at(of).and_then(|at| SystemTime::try_from(at).ok());
    Ok(at.is_some_and(|at| at <= before))
}

async fn stop(match_id: &str, reason: Option<&str>, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    let table = link.by_id(match_id, None).await?;
    let stopped = match (table.state.status(), reason) {
        (MatchStatus::Waiting | MatchStatus::Revealing, _) => {
            link.client.matches().abort(match_id, None).await
        }
        (_, Some(reason)) => link.client.referee().void(match_id, reason).await,
        (_, None) => {
            let why = "the match has begun: it is voided, with a reason for everybody to see (--reason TEXT)";
            return Err(Error::Usage(why.to_owned()));
        }
    };
    let stopped = stopped.map_err(|error| refusal::said(&table.catalogue, error))?;
    status::write_state(&table.catalogue, &stopped.state.unwrap_or_default(), out)
}

/// Takes back what has waited for too long. What begins or ends meanwhile stays as it is.
async fn expire(
    filter: MatchFilter,
    older: Duration,
    dry_run: bool,
    link: &Link,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let mut pages = link.client.matches().list(filter);
    let (mut taken_back, mut left) = (0, 0);
    while let Some(one) = pages.next().await? {
        if !is_older(&one, Some(older))? {
            continue;
        }
        let id = one.config.as_ref().map(|config| config.match_id.clone()).unwrap_or_default();
        writeln!(out, "{}  {}", made(&one), matches::line(one))?;
        if dry_run {
            left += 1;
            continue;
        }
        match link.client.matches().abort(&id, None).await {
            Ok(_) => taken_back += 1,
            // It is the match's own state that is against it; any other refusal would be the same for the next one.
            Err(error) if error.refusal().is_some_and(is_of_the_match) => {
                writeln!(out, "  {error}")?;
                left += 1;
            }
            Err(error) => return Err(error.into()),
        }
    }
    writeln!(out, "Taken back: {taken_back}; left: {left}")?;
    Ok(())
}

fn is_of_the_match(refusal: &edgehill_client::ServerRefusal) -> bool {
    refusal.code() == edgehill_client::tonic::Code::FailedPrecondition
}

async fn export(filter: MatchFilter, folder: &Path, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    std::fs::create_dir_all(folder).map_err(|error| Error::Write { path: folder.to_owned(), error })?;
    let mut pages = link.client.matches().list(filter);
    let (mut written, mut there, mut refused) = (0, 0, 0);
    while let Some(one) = pages.next().await? {
        let config = one.config.unwrap_or_default();
        let path = folder.join(format!("{}-{}.edg", config.game, config.match_id));
        if path.exists() {
            there += 1;
            continue;
        }
        match link.client.matches().record(&config.match_id).await {
            // One of a seed group that goes on has its seed later: it is not complete, and asked for again.
            Ok(record) if !record.complete => refused += 1,
            Ok(record) => {
                replace(&path, record.text.as_bytes(), Readers::Usual)?;
                written += 1;
            }
            Err(error) if error.refusal().is_some_and(is_of_the_match) => {
                writeln!(out, "{}: {error}", config.match_id)?;
                refused += 1;
            }
            Err(error) => return Err(error.into()),
        }
    }
    writeln!(out, "Written: {written}; there already: {there}; not to be had: {refused}")?;
    Ok(())
}
