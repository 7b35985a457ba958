//! `edgehill league run`: competitions of programs on one's own machine, each on a server of its own.
//!
//! The server is the same that others host competitions on, with a store in the folder of the run: clocks, verdicts and standings are its own,
//! and a run that was cut short goes on when it is started again. What stands here starts the server, makes the accounts and the
//! competition, and has each bot played by the runner of bots ([`crate::bot_process`]).

mod overview;
mod own_server;
mod plan_file;
mod run_state;
mod sdk_bot;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use edgehill_client::v1::{
    AccountRole, Competition, CompetitionEvent, CompetitionExport, CompetitionPhase, Entrant, ErrorReason,
    StandingRow,
};
use edgehill_client::{Client, Enrolment, Error as ClientError, NewKey, Options};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;

use crate::bot_process::config::{BotConfig, LogConfig, ProcessLimits};
use crate::bot_process::runner::{self, RunnerConfig};
use crate::bot_process::seats_folder::SeatsFolder;
use crate::bot_process::{SeatReport, Stop};
use crate::error::Error;
use crate::match_file::{Readers, replace};
use crate::match_lines;
use crate::verb::remote::league::words;
use crate::verb::remote::run_bot::stop_at_signals;
use own_server::OwnServer;
use plan_file::{BotPlan, Plan, Player};
use run_state::RunState;

/// The files that a run leaves in its folder, with their forms.
const EXPORTS: [(&str, CompetitionExport); 6] = [
    ("index.html", CompetitionExport::Html),
    ("competition.json", CompetitionExport::Json),
    ("standings.csv", CompetitionExport::StandingsCsv),
    ("cross-table.csv", CompetitionExport::CrossTableCsv),
    ("matches.csv", CompetitionExport::MatchesCsv),
    ("matches.jsonl", CompetitionExport::MatchLines),
];

/// How a run has ended, if nothing failed.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Ended {
    /// The competition is over.
    Over,
    /// Somebody stopped the run.
    Interrupted,
}

/// Runs the competitions of plans one after the other, or goes on with them, and writes what came of each into its folder; of several, also a
/// page of all.
///
/// # Errors
/// If a plan is not accepted, which is before anything is started; if a server or a program can't be started, or a competition does not come to
/// its end.
pub(crate) fn run(
    plans: &[PathBuf],
    folder: Option<&Path>,
    server: Option<&Path>,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let plans = plans.iter().map(|path| Plan::read(path)).collect::<Result<Vec<_>, _>>()?;
    let folders = folders(&plans, folder)?;
    let mut played = Vec::with_capacity(plans.len());
    for (plan, own) in plans.into_iter().zip(folders) {
        played.push(run_one(plan, own, server, out)?);
    }
    match (folder, &played[..]) {
        (Some(folder), [_, _, ..]) => overview::write(folder, &played, out),
        _ => Ok(()),
    }
}

/// The folder of each plan's run.
fn folders(plans: &[Plan], folder: Option<&Path>) -> Result<Vec<PathBuf>, Error> {
    let mut folders: Vec<PathBuf> = Vec::with_capacity(plans.len());
    for plan in plans {
        let own = match folder {
            Some(folder) if plans.len() > 1 => folder.join(plan.path.file_stem().unwrap_or_default()),
            Some(folder) => folder.to_owned(),
            None => plan.path.with_extension("league"),
        };
        if folders.contains(&own) {
            let why =
                format!("two plans have one folder, {}: give their files different names", own.display());
            return Err(Error::Usage(why));
        }
        folders.push(own);
    }
    Ok(folders)
}

fn run_one(
    plan: Plan,
    folder: PathBuf,
    server: Option<&Path>,
    out: &mut dyn Write,
) -> Result<PlayedCompetition, Error> {
    fs::create_dir_all(&folder).map_err(|error| Error::Write { path: folder.clone(), error })?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::Fault(format!("no runtime: {error}")))?;
    runtime.block_on(async {
        let own = OwnServer::start(&folder, server).await?;
        let league = League { plan, folder, url: own.url().to_owned(), chief: own.chief().to_owned() };
        let done = league.play(out).await;
        own.stop().await?;
        done
    })
}

/// A competition that was played to its end.
struct PlayedCompetition {
    /// The folder of its run.
    folder: PathBuf,
    competition: Competition,
    standings: Vec<StandingRow>,
}

/// A competition that is run.
struct League {
    plan: Plan,
    folder: PathBuf,
    url: String,
    /// The key of an operator.
    chief: String,
}

impl League {
    fn client(&self, key: &str) -> Result<Client, Error> {
        Ok(Client::with(Options::new(&self.url).key(key)?)?)
    }

    async fn play(&self, out: &mut dyn Write) -> Result<PlayedCompetition, Error> {
        let mut state = RunState::open(&self.folder)?;
        let umpire = self.client(&self.key(&mut state, "umpire", AccountRole::Referee).await?)?;
        let id = self.competition(&mut state, &umpire).await?;
        let mut bots = Vec::new();
        for (index, plan) in self.plan.bots.iter().enumerate() {
            if let Player::Program(_) | Player::Client(_) = &plan.player {
                let key = self.key(&mut state, &account(index), AccountRole::Player).await?;
                bots.push((index, plan, key));
            }
        }
        let calls = umpire.competitions();
        if calls.get(&id).await?.competition.unwrap_or_default().phase() == CompetitionPhase::Enrolling {
            self.enrol(&umpire, &id).await?;
            calls.start(&id).await?;
        }
        writeln!(out, "{id}  in {}", self.folder.display())?;
        let (order, stop) = Stop::new();
        let interrupted = stop_at_signals()?;
        let players = bots.iter().map(|(index, plan, key)| self.player(*index, plan, key, stop.clone()));
        let mut players: FuturesUnordered<_> = players.collect();
        let ended = tokio::select! {
            done = follow(&umpire, &id, out) => done.map(|()| Ended::Over),
            failed = first_failure(&mut players) => Err(failed),
            () = ordered(interrupted) => Ok(Ended::Interrupted),
        };
        // Programs that play on have nothing to play any more; none is left behind.
        let _ = order.send(true);
        while players.next().await.is_some() {}
        if ended? == Ended::Interrupted {
            writeln!(out, "stopped: the same command goes on with it")?;
            return Err(Error::Failed);
        }
        for (name, form) in EXPORTS {
            let mut text = calls.export(&id, form).await?;
            if form == CompetitionExport::MatchLines {
                text = match_lines::with_records(&umpire, &text).await?;
            }
            replace(&self.folder.join(name), text.as_bytes(), Readers::Usual)?;
        }
        let standings = calls.standings(&id, 0).await?.rows;
        words::write_standings(&standings, out)?;
        writeln!(out, "{}", self.folder.join("index.html").display())?;
        let competition = calls.get(&id).await?.competition.unwrap_or_default();
        Ok(PlayedCompetition { folder: self.folder.clone(), competition, standings })
    }

    /// The key of an account, made if the run has none.
    async fn key(&self, state: &mut RunState, id: &str, role: AccountRole) -> Result<String, Error> {
        if let Some(key) = state.key(id) {
            return Ok(key.to_owned());
        }
        let chief = self.client(&self.chief)?;
        match chief.admin().create_account(id, &[role]).await {
            Ok(_) => {}
            // A run before this one was cut short behind it.
            Err(error) if is(&error, ErrorReason::AccountExists) => {}
            Err(error) => return Err(error.into()),
        }
        let key = chief.admin().create_key(id, NewKey::default()).await?.key;
        state.keep_key(id, &key)?;
        Ok(key)
    }

    /// The competition, made if the run has none.
    async fn competition(&self, state: &mut RunState, umpire: &Client) -> Result<String, Error> {
        if let Some(id) = state.competition() {
            return Ok(id.to_owned());
        }
        let settings = edgehill_convert::competition::message(&self.plan.settings);
        let id = umpire.competitions().create(settings).await?.id;
        state.keep_competition(&id)?;
        Ok(id)
    }

    async fn enrol(&self, umpire: &Client, id: &str) -> Result<(), Error> {
        let known: Vec<Entrant> = umpire.competitions().get(id).await?.entrants;
        for (index, plan) in self.plan.bots.iter().enumerate() {
            if known.iter().any(|entrant| entrant.name == plan.name) {
                continue;
            }
            let (account_id, house_bot) = match &plan.player {
                Player::House(bot) => (String::new(), bot.clone()),
                Player::Program(_) | Player::Client(_) => (account(index), String::new()),
            };
            let enrolment = Enrolment { name: plan.name.clone(), rating: plan.rating, account_id, house_bot };
            umpire.competitions().enrol(id, enrolment).await?;
        }
        Ok(())
    }

    /// Plays as a bot until it is told to stop.
    async fn player(&self, index: usize, plan: &BotPlan, key: &str, stop: Stop) -> Result<(), Error> {
        let logs = self.folder.join("logs").join(account(index));
        match &plan.player {
            Player::House(_) => Ok(()),
            Player::Client(program) => sdk_bot::run(plan, program, (&self.url, key), &logs, stop).await,
            Player::Program(program) => {
                let client = self.client(key)?;
                let seats = SeatsFolder::open(Some(&self.folder.join("seats").join(account(index))))?;
                let seats = seats.of_moving_server();
                let config = RunnerConfig { only: None, games_max: None, at_once: plan.at_once };
                let bot = BotConfig {
                    name: plan.name.clone(),
                    command: program.command[0].clone().into(),
                    args: program.command[1..].iter().map(Into::into).collect(),
                    env: program.env.iter().map(|(name, value)| (name.into(), value.into())).collect(),
                    folder: Some(program.folder.clone()),
                    limits: ProcessLimits {
                        memory_bytes: plan.memory_mib.map(|mib| u64::from(mib) << 20),
                        cpu_seconds: plan.cpu_seconds,
                    },
                    ready_time: plan.ready_time(),
                    answer_time: plan.answer_time(),
                    restarts_max: plan.restarts,
                    resigns_when_broken: true,
                    log: LogConfig { folder: Some(logs), bytes_max: u64::from(plan.log_kib) << 10 },
                    seed: plan.seed(index),
                };
                let mut reports = run_state::Reports::open(&self.folder, &plan.name)?;
                let mut report = |report: &SeatReport| reports.write(report);
                runner::run(&client, bot, seats, config, stop, &mut report).await.map(drop)
            }
        }
    }
}

/// The account of a bot, by its place in the plan.
fn account(index: usize) -> String {
    format!("bot-{}", index + 1)
}

fn is(error: &ClientError, reason: ErrorReason) -> bool {
    error.refusal().is_some_and(|refusal| refusal.reason() == reason)
}

async fn ordered(mut stop: Stop) {
    stop.ordered().await;
}

/// Returns with the first player who can't go on; never, as long as all do.
async fn first_failure<P>(players: &mut FuturesUnordered<P>) -> Error
where
    P: Future<Output = Result<(), Error>>,
{
    while let Some(done) = players.next().await {
        if let Err(error) = done {
            return error;
        }
    }
    std::future::pending().await
}

/// Tells what happens, until the competition is over.
async fn follow(umpire: &Client, id: &str, out: &mut dyn Write) -> Result<(), Error> {
    let calls = umpire.competitions();
    let entrants = calls.get(id).await?.entrants;
    let mut watch = calls.watch(id);
    let mut trouble = String::new();
    while let Some(news) = watch.next().await? {
        for event in news.events.iter().filter(|event| is_news(event)) {
            words::write_event(event, &entrants, out)?;
        }
        let competition = news.competition.unwrap_or_default();
        if competition.trouble != trouble {
            trouble = competition.trouble;
            writeln!(out, "{trouble}")?;
        }
        out.flush()?;
    }
    Ok(())
}

/// Returns whether an event is told: who enrolled stands in the plan.
fn is_news(event: &CompetitionEvent) -> bool {
    use edgehill_client::v1::CompetitionEventKind as Kind;
    !matches!(event.kind(), Kind::Created | Kind::Enrolled)
}
