//! `edgehill load`: how a server bears players and spectators, measured from outside.
//!
//! *Closed loop*: each match makes its next call when its last one is answered, so that a slow server is asked less. *Open loop*
//! (`--rate`): calls come at a rate of their own, as those of people do, and each is measured from the moment at which it was due, so
//! that whatever waits behind a slow answer counts as slow, too.

mod figures;
mod player;
mod processor;
mod report;
mod spectator;
mod storm_client;
mod table;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::value_parser;
use edgehill_client::{Client, GameCatalog};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

use super::link::Link;
use crate::args::Args;
use crate::error::Error;
use crate::match_file::{Readers, replace};
use figures::{Figures, Kind, Watching};
use player::{Due, Player};
use processor::Processor;
use report::Report;
use spectator::Spectator;
use storm_client::ClientSource;
use table::Table;

/// Calls that are due and wait for a match that is free; those beyond are counted, and not made.
const DUE_MAX: usize = 65_536;

/// Calls of the echo that are under way at once.
const ECHO_CALLS: u32 = 64;

/// Have many matches played and watched on a server, and measure its answers
#[derive(Debug, clap::Args)]
pub(crate) struct Load {
    /// Id of the game that is played
    #[arg(long, default_value = "english-civil-war-iia", value_name = "ID")]
    game: String,
    /// Matches that are played at once, each with one call under way
    #[arg(long, default_value_t = 64, value_name = "N", value_parser = value_parser!(u32).range(1..=65_536))]
    matches: u32,
    /// Calls a second, whether or not those before are answered; without it a match makes its next call when its last one is
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=1_000_000))]
    rate: Option<u32>,
    /// Seconds that are measured
    #[arg(long, default_value_t = 30, value_name = "N", value_parser = value_parser!(u32).range(1..=86_400))]
    seconds: u32,
    /// Seconds before these, which are not
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = value_parser!(u32).range(..=3_600))]
    warm_up: u32,
    /// Connections over which all calls and streams are spread; with --reconnect-every each match and each spectator has one of its own
    #[arg(long, default_value_t = 4, value_name = "N", value_parser = value_parser!(u16).range(1..=1_024))]
    pub(super) connections: u16,
    /// Spectators, each with a stream
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = value_parser!(u32).range(..=65_536))]
    watchers: u32,
    /// Matches that the spectators are spread over evenly, the first of all; without it all
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=65_536))]
    watched: Option<u32>,
    /// Spectators among them that read one message a second
    #[arg(long, default_value_t = 0, value_name = "N")]
    slow: u32,
    /// Drop the connections of all matches and spectators at once, every so many seconds: all go on over new ones, where they were
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=3_600))]
    reconnect_every: Option<u32>,
    /// Give a match up after so many actions, and begin another
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    actions_per_match: Option<u32>,
    /// Process id of the server, if it is on this machine: its processor time is told apart from one's own
    #[arg(long, value_name = "PID")]
    server_pid: Option<i32>,
    /// Seed of the choices, and of the moments at which calls are due
    #[arg(long, default_value_t = 1642, value_name = "N")]
    seed: u64,
    /// Write a page with all figures
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Print the figures as JSON
    #[arg(long)]
    json: bool,
}

/// The load while it lasts.
struct Running {
    figures: Figures,
    /// Ended when it is dropped.
    tasks: JoinSet<()>,
    clients: Arc<ClientSource>,
}

pub(super) async fn run(verb: &Load, args: &Args, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    let (game, _) = link.game(&verb.game).await?;
    let processor = Processor::of(verb.server_pid)?;
    let echo_before = echo(&link.client).await?;
    let mut running = verb.begin(args, link, &game)?;
    let table = Table::begin(&running.figures, processor, verb.warm_up);
    let from = Instant::now();
    table.follow(verb.storm(&running, from, verb.warm_up), from).await;
    running.figures.measure();
    let (before, measured) = (processor.now()?, Instant::now());
    table.follow(verb.storm(&running, measured, verb.seconds), from).await;
    let (seconds, after) = (measured.elapsed().as_secs_f64(), processor.now()?);
    let figures = running.figures.take();
    table.end();
    running.tasks.shutdown().await;
    let echo_after = echo(&link.client).await?;
    let report = Report {
        game: &verb.game,
        matches: verb.matches,
        rate: verb.rate,
        watchers: verb.watchers,
        seconds,
        echoes: [echo_before, echo_after],
        processor: after.since(&before),
        figures,
    };
    if let Some(path) = &verb.report {
        replace(path, report.page().as_bytes(), Readers::Usual)?;
    }
    let text = if verb.json { report.json() } else { report.text() };
    out.write_all(text.as_bytes()).map_err(Error::Output)?;
    if report.is_sound() { Ok(()) } else { Err(Error::Failed) }
}

impl Load {
    /// Begins to play and to watch.
    fn begin(&self, args: &Args, link: &Link, game: &Arc<GameCatalog>) -> Result<Running, Error> {
        let (figures, mut tasks) = (Figures::default(), JoinSet::new());
        let clients =
            Arc::new(ClientSource::new(&link.client, args, self.reconnect_every.is_some(), &figures)?);
        let due = self.rate.map(|rate| due(&mut tasks, rate, self.seed, figures.clone()));
        let mut played = Vec::new();
        for number in 0..self.matches {
            let (tell, current) = watch::channel(String::new());
            let player = Player::new(
                (clients.client()?, Arc::clone(game)),
                ChaCha8Rng::seed_from_u64(self.seed ^ u64::from(number) << 32),
                self.actions_per_match,
                figures.clone(),
                tell,
            );
            tasks.spawn(player.play(due.clone()));
            played.push(current);
        }
        let watched = self.watched.map_or(self.matches, |watched| watched.min(self.matches));
        for spectator in 0..self.watchers {
            let watching =
                Watching { spectator, played: spectator % watched, is_slow: spectator < self.slow };
            let current = played[watching.played as usize].clone();
            let spectator = Spectator::new(clients.client()?, current, watching, figures.clone());
            tasks.spawn(spectator.watch());
        }
        Ok(Running { figures, tasks, clients })
    }

    /// Lets so many seconds pass, with the storms that fall into them.
    async fn storm(&self, running: &Running, from: Instant, seconds: u32) {
        let until = from + Duration::from_secs(seconds.into());
        if let Some(every) = self.reconnect_every.map(|every| Duration::from_secs(every.into())) {
            let mut next = from + every;
            while next < until {
                sleep_until(next).await;
                running.clients.storm();
                next += every;
            }
        }
        sleep_until(until).await;
    }
}

/// The moments at which calls are due, which come by chance at this rate: a Poisson process.
fn due(tasks: &mut JoinSet<()>, rate: u32, seed: u64, figures: Figures) -> Due {
    let (tell, due) = mpsc::channel(DUE_MAX);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    tasks.spawn(async move {
        let mut next = Instant::now();
        loop {
            // In (0, 1], so that its logarithm is finite.
            let share = (random.next_u64() >> 11) as f64 + 1.0;
            let pause = -(share / (1_u64 << 53) as f64).ln() / f64::from(rate);
            next += Duration::from_secs_f64(pause);
            sleep_until(next).await;
            match tell.try_send(next) {
                Ok(()) => {}
                Err(mpsc::error::TrySendError::Full(_)) => {
                    figures.refused(None, "not made: no match was free")
                }
                Err(mpsc::error::TrySendError::Closed(_)) => return,
            }
        }
    });
    Arc::new(tokio::sync::Mutex::new(due))
}

/// Calls a second that ask for nothing of a match: what this machine and the way to the server give of themselves.
async fn echo(client: &Client) -> Result<f64, Error> {
    const LASTS: Duration = Duration::from_secs(1);
    let (figures, from) = (Figures::default(), Instant::now());
    figures.measure();
    let mut tasks = JoinSet::new();
    for _ in 0..ECHO_CALLS {
        let (client, figures) = (client.clone(), figures.clone());
        tasks.spawn(async move {
            while from.elapsed() < LASTS {
                let asked = Instant::now();
                client.catalog().limits().await?;
                figures.answered(Kind::Echo, asked.elapsed());
            }
            Ok::<_, edgehill_client::Error>(())
        });
    }
    while let Some(ended) = tasks.join_next().await {
        ended.map_err(|error| Error::Fault(error.to_string()))??;
    }
    Ok(figures.take().count(Kind::Echo) as f64 / from.elapsed().as_secs_f64())
}
