//! `edgehill run-bot`: a program as a bot, at the seats that are kept for one's account.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};

use super::link::Link;
use crate::bot_process::config::{BotConfig, LogConfig, ProcessLimits};
use crate::bot_process::runner::{self, RunnerConfig};
use crate::bot_process::seats_folder::SeatsFolder;
use crate::bot_process::{SeatReport, Stop};
use crate::chance_source;
use crate::clock_text;
use crate::error::Error;

/// Let a program play the seats of matches on a server that are kept for one's account.
#[derive(Debug, clap::Args)]
pub(crate) struct RunBot {
    /// Play this match alone
    #[arg(long = "match", value_name = "ID")]
    match_id: Option<String>,
    /// End after so many matches; without it, at Ctrl-C
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// Play so many matches at the same time, each with a process of its own
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    at_once: u16,
    /// The bot's name for others; that of the command where nothing is said
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// A folder that keeps the tokens of its seats, so that another run goes on with them
    #[arg(long, value_name = "DIR")]
    seats: Option<PathBuf>,
    /// A folder for logs: the bot's standard error and its `log` lines, a file for each match
    #[arg(long, value_name = "DIR")]
    log: Option<PathBuf>,
    /// The most KiB of each log
    #[arg(long, value_name = "N", default_value_t = 1_024)]
    log_kib: u32,
    /// The most MiB of memory of a bot's processes in one match (Linux)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    memory_mib: Option<u32>,
    /// The most seconds of processor time of each process (Linux)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    cpu_seconds: Option<u32>,
    /// The time from the bot's start until it is ready
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = clock_text::time)]
    ready_time: Duration,
    /// The time for an answer, after which the bot is killed and started again
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = clock_text::time)]
    answer_time: Duration,
    /// The times that the bot may be started again in one match
    #[arg(long, value_name = "N", default_value_t = 3)]
    restarts: u32,
    /// Resign a match in which it may not be started again, instead of leaving the seat to the clock
    #[arg(long)]
    resign_when_broken: bool,
    /// A variable of the bot's environment; may be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    env: Vec<String>,
    /// The folder that the bot runs in
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// 64 hexadecimal digits, or a number, that the seeds of the bot's processes follow from
    #[arg(long, value_name = "SEED")]
    seed: Option<String>,
    /// Write each outcome as a line of JSON
    #[arg(long)]
    json: bool,
    /// The program, and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

pub(super) async fn run(verb: &RunBot, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    let stop = stop_at_signals()?;
    let config = RunnerConfig {
        only: verb.match_id.clone(),
        games_max: verb.games.map(|games| games as usize),
        at_once: usize::from(verb.at_once),
    };
    let seats = SeatsFolder::open(verb.seats.as_deref())?;
    let mut report = |report: &SeatReport| {
        if verb.json {
            writeln!(out, "{}", report.to_json())?;
        } else {
            writeln!(out, "{report}")?;
        }
        out.flush().map_err(Error::Output)
    };
    let broken = runner::run(&link.client, bot(verb)?, seats, config, stop, &mut report).await?;
    if broken == 0 { Ok(()) } else { Err(Error::BrokenBot { matches: broken }) }
}

/// The bot that the arguments name.
fn bot(verb: &RunBot) -> Result<BotConfig, Error> {
    let [command, args @ ..] = verb.command.as_slice() else {
        return Err(Error::Usage("the program of the bot goes after `--`".to_owned()));
    };
    let name = Path::new(command).file_name().unwrap_or(command).to_string_lossy().into_owned();
    let seed = match &verb.seed {
        Some(text) => *chance_source::seed(text)?.as_bytes(),
        None => {
            let mut seed = [0; 32];
            getrandom::fill(&mut seed).map_err(Error::Entropy)?;
            seed
        }
    };
    Ok(BotConfig {
        name: verb.name.clone().unwrap_or(name),
        command: command.clone(),
        args: args.to_vec(),
        env: verb.env.iter().map(|text| variable(text)).collect::<Result<_, _>>()?,
        folder: verb.folder.clone(),
        limits: ProcessLimits {
            memory_bytes: verb.memory_mib.map(|mib| u64::from(mib) << 20),
            cpu_seconds: verb.cpu_seconds.map(u64::from),
        },
        ready_time: verb.ready_time,
        answer_time: verb.answer_time,
        restarts_max: verb.restarts,
        resigns_when_broken: verb.resign_when_broken,
        log: LogConfig { folder: verb.log.clone(), bytes_max: u64::from(verb.log_kib) << 10 },
        seed,
    })
}

fn variable(text: &str) -> Result<(OsString, OsString), Error> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.into(), value.into())),
        _ => Err(Error::Usage(format!("--env: expected NAME=VALUE, found `{text}`"))),
    }
}

/// An order to stop that Ctrl-C gives, a supervisor that ends the runner, or a terminal that is closed.
///
/// # Errors
/// If the operating system tells of no signals.
pub(crate) fn stop_at_signals() -> Result<Stop, Error> {
    let listen = |kind| signal(kind).map_err(|error| Error::Fault(format!("no signals: {error}")));
    let mut interrupt = listen(SignalKind::interrupt())?;
    let mut terminate = listen(SignalKind::terminate())?;
    let mut hangup = listen(SignalKind::hangup())?;
    let (order, stop) = Stop::new();
    tokio::spawn(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
        // A runner that has ended needs no order.
        let _ = order.send(true);
    });
    Ok(stop)
}
