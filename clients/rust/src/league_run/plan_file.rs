//! The plan of a run: the settings of a competition, and its bots ([`Plan`]).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use edgehill_competition::{CompetitionSettings, TimeoutCost};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::error::Error;

/// The plan of a run.
pub(super) struct Plan {
    /// Its file.
    pub(super) path: PathBuf,
    pub(super) settings: CompetitionSettings,
    pub(super) bots: Vec<BotPlan>,
}

/// A bot of a plan.
pub(super) struct BotPlan {
    /// Its name in the competition.
    pub(super) name: String,
    pub(super) player: Player,
    pub(super) rating: Option<i32>,
    pub(super) memory_mib: Option<u32>,
    pub(super) cpu_seconds: Option<u64>,
    ready_seconds: u64,
    answer_seconds: u64,
    /// Times that it may be started again, in one match or, for a client, at all.
    pub(super) restarts: u32,
    /// The most KiB of each log.
    pub(super) log_kib: u32,
    /// The most matches at the same time.
    pub(super) at_once: usize,
}

/// The one who plays.
pub(super) enum Player {
    /// A house bot of this name.
    House(String),
    /// A program that speaks the line protocol.
    Program(Program),
    /// A program that connects to the server by itself.
    Client(Program),
}

/// A program with its arguments.
pub(super) struct Program {
    /// At least the program itself.
    pub(super) command: Vec<String>,
    pub(super) env: BTreeMap<String, String>,
    pub(super) folder: PathBuf,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanForm {
    competition: CompetitionSettings,
    bots: Vec<BotForm>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BotForm {
    name: String,
    /// The program and its arguments; it speaks the line protocol.
    #[serde(default)]
    command: Vec<String>,
    /// The same of one that connects to the server by itself.
    #[serde(default)]
    client: Vec<String>,
    #[serde(default)]
    house_bot: String,
    #[serde(default)]
    env: BTreeMap<String, String>,
    /// The folder that it runs in, seen from that of the plan.
    folder: Option<PathBuf>,
    rating: Option<i32>,
    memory_mib: Option<u32>,
    cpu_seconds: Option<u64>,
    #[serde(default = "ready_seconds")]
    ready_seconds: u64,
    #[serde(default = "answer_seconds")]
    answer_seconds: u64,
    #[serde(default = "restarts")]
    restarts: u32,
    #[serde(default = "log_kib")]
    log_kib: u32,
    #[serde(default = "at_once")]
    at_once: usize,
}

const fn ready_seconds() -> u64 {
    30
}

const fn answer_seconds() -> u64 {
    60
}

const fn restarts() -> u32 {
    3
}

const fn log_kib() -> u32 {
    1_024
}

const fn at_once() -> usize {
    1
}

impl Plan {
    /// Reads a plan.
    ///
    /// # Errors
    /// If the file can't be read, or something in it is not accepted.
    pub(super) fn read(path: &Path) -> Result<Self, Error> {
        let text = fs::read_to_string(path).map_err(|error| Error::Read { path: path.to_owned(), error })?;
        let wrong = |what: String| Error::Usage(format!("{}: {what}", path.display()));
        let form: PlanForm = toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        let settings = form.competition;
        settings.check().map_err(|error| wrong(format!("competition.{error}")))?;
        if settings.terms.clock.is_none() && settings.policy.timeouts != TimeoutCost::DefaultAction {
            return Err(wrong(
                "competition.policy.timeouts needs clocks in competition.terms.clock".to_owned(),
            ));
        }
        let home = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut bots: Vec<BotPlan> = Vec::with_capacity(form.bots.len());
        for (index, bot) in form.bots.into_iter().enumerate() {
            let bot = bot.read(home).map_err(|what| wrong(format!("bots[{index}]: {what}")))?;
            if bots.iter().any(|other| other.name == bot.name) {
                return Err(wrong(format!("bots[{index}]: the name {:?} is another bot's", bot.name)));
            }
            bots.push(bot);
        }
        if bots.is_empty() {
            return Err(wrong("expected at least one entry [[bots]]".to_owned()));
        }
        Ok(Self { path: path.to_owned(), settings, bots })
    }
}

impl BotForm {
    fn read(self, home: &Path) -> Result<BotPlan, String> {
        let folder = self.folder.map_or_else(|| home.to_owned(), |folder| home.join(folder));
        let program = |command| Program { command, env: self.env, folder };
        let player = match (!self.command.is_empty(), !self.client.is_empty(), !self.house_bot.is_empty()) {
            (true, false, false) => Player::Program(program(self.command)),
            (false, true, false) => Player::Client(program(self.client)),
            (false, false, true) => Player::House(self.house_bot),
            _ => return Err("expected one of `command`, `client` and `house_bot`".to_owned()),
        };
        if self.at_once == 0 {
            return Err("at_once is 0; accepted: from 1 on".to_owned());
        }
        Ok(BotPlan {
            name: self.name,
            player,
            rating: self.rating,
            memory_mib: self.memory_mib,
            cpu_seconds: self.cpu_seconds,
            ready_seconds: self.ready_seconds,
            answer_seconds: self.answer_seconds,
            restarts: self.restarts,
            log_kib: self.log_kib,
            at_once: self.at_once,
        })
    }
}

impl BotPlan {
    pub(super) const fn ready_time(&self) -> Duration {
        Duration::from_secs(self.ready_seconds)
    }

    pub(super) const fn answer_time(&self) -> Duration {
        Duration::from_secs(self.answer_seconds)
    }

    /// The seed that the seeds of its processes follow from: the same plan gives the same ones.
    pub(super) fn seed(&self, index: usize) -> [u8; 32] {
        let mut hasher = Sha256::new();
        hasher.update("edgehill/league-seed/1");
        hasher.update((index as u64).to_le_bytes());
        hasher.update(&self.name);
        hasher.finalize().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The plans among the TOML of a page.
    fn plans_of(page: &str) -> Vec<Plan> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("mine.toml");
        let blocks = page.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
        let read = |block: &str| {
            fs::write(&path, block).expect("the folder takes it");
            Plan::read(&path).unwrap_or_else(|error| panic!("{error}\n{block}"))
        };
        blocks.filter(|block| block.starts_with("[competition]")).map(read).collect()
    }

    #[test]
    fn the_plans_of_the_pages_are_read() {
        for (page, bots) in [
            (include_str!("../../../../docs/competitions.md"), 4),
            (include_str!("../../../../docs/quickstarts.md"), 2),
        ] {
            let [plan] = &plans_of(page)[..] else { panic!("a plan") };
            assert_eq!(plan.bots.len(), bots);
        }
    }
}
