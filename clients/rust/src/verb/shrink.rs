//! `edgehill shrink`: the shortest run that still breaks a law of the contract.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::laws::{Law, Laws, MatchCall, Run, RunDice};
use edgehill_engine::registry::{AnyGame, AnyTable, Registry};
use edgehill_engine::seat::{Seat, SeatSet};
use edgehill_engine::table::{ApplyMode, LogEntry};

use crate::error::Error;
use crate::match_file::{Readers, replace};
use crate::record_file::{self, Kept};

/// Number of seeds of the laws' own choices that are tried where none is known.
const SEEDS_TRIED: u64 = 16;

/// The line that stands before the run in a failure's report.
const RUN_FOLLOWS: &str = "--- run";

/// Find the shortest run that still breaks a law of the contract.
#[derive(Debug, clap::Args)]
pub(crate) struct Shrink {
    /// A run, the report of a failure, a record (.edg) or a match file
    file: PathBuf,
    /// The game's id, where the file does not say it
    #[arg(long, value_name = "ID")]
    game: Option<String>,
    /// The law; that of the report where nothing is said, else all of them
    #[arg(long, value_name = "NAME")]
    law: Option<String>,
    /// The seed of the laws' own choices; that of the report where nothing is said, else the first few are tried
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Write the run into this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Shrink {
    pub(crate) fn run(&self, registry: &Registry, out: &mut dyn Write) -> Result<(), Error> {
        let (game, run, report) = self.read(registry)?;
        let laws = match self.law.as_deref().or(report.law.as_deref()) {
            Some(name) => Laws::from(law(name)?),
            None => Laws::ALL,
        };
        // Some laws look at a run by choices of their own: where their seed is not known, several are tried.
        let (seeds, tried) = match self.seed.or(report.seed) {
            Some(seed) => (seed..=seed, format!("seed {seed}")),
            None => (0..=SEEDS_TRIED - 1, format!("seeds 0 to {}", SEEDS_TRIED - 1)),
        };
        let Some(failure) = seeds.into_iter().find_map(|seed| game.shrink(&run, seed, laws)) else {
            return Err(Error::Refused(format!(
                "no law is broken by these {} calls ({tried})",
                run.calls.len()
            )));
        };
        write!(out, "{}", failure.report(game.catalogue()))?;
        match &self.out {
            Some(path) => replace(path, failure.run.print(game.catalogue()).as_bytes(), Readers::Usual),
            None => Ok(()),
        }
    }

    fn read<'a>(&self, registry: &'a Registry) -> Result<(&'a dyn AnyGame, Run, ReportHead), Error> {
        let text =
            fs::read_to_string(&self.file).map_err(|error| Error::Read { path: self.file.clone(), error })?;
        if record_file::is_one(&text) {
            let table = match record_file::open(&self.file, registry)? {
                Kept::Match(file) => file.table,
                Kept::Record(record) => record_file::replayed(&record, registry)?,
            };
            if table.position().is_some() {
                let why = "a run starts from a scenario, and this match from a described position".to_owned();
                return Err(Error::NotARun { path: self.file.clone(), why });
            }
            let game = registry.game(table.catalogue().id)?;
            return Ok((game.as_ref(), run_of(table.as_ref()), ReportHead::default()));
        }
        let Some(id) = &self.game else {
            return Err(Error::Usage("a run does not say its game: name it with --game".to_owned()));
        };
        let game = registry.game(id)?;
        let run = parse(&self.file, game.catalogue(), &text)?;
        Ok((game.as_ref(), run, ReportHead::by(&text)))
    }
}

fn law(name: &str) -> Result<Law, Error> {
    Law::named(name).ok_or_else(|| {
        let names: Vec<&str> = Law::ALL.iter().map(|law| law.name()).collect();
        Error::Usage(format!("law `{name}`: there are {}", names.join(", ")))
    })
}

/// The run of a text: all of it, or what follows the mark in a report.
fn parse(path: &Path, catalogue: &Catalogue, text: &str) -> Result<Run, Error> {
    let before = text.lines().take_while(|line| line.trim() != RUN_FOLLOWS).count();
    let (skipped, run) = match text.split_once(RUN_FOLLOWS) {
        Some((_, run)) => (before, run),
        None => (0, text),
    };
    Run::parse(catalogue, run).map_err(|error| {
        let why = format!("line {}: {} expected", skipped + error.line, error.expected);
        Error::NotARun { path: path.to_owned(), why }
    })
}

/// The description of the failure in a report.
#[derive(Debug, Default, PartialEq, Eq)]
struct ReportHead {
    law: Option<String>,
    seed: Option<u64>,
}

impl ReportHead {
    /// Of a report's first line: ``law `undo` is broken after 12 calls (seed 3)``.
    fn by(text: &str) -> Self {
        let first = text.lines().find(|line| line.starts_with("law `")).unwrap_or_default();
        let between =
            |start: &str, end: char| first.split_once(start)?.1.split_once(end).map(|(part, _)| part);
        Self {
            law: between("law `", '`').map(str::to_owned),
            seed: between("(seed ", ')').and_then(|seed| seed.parse().ok()),
        }
    }
}

/// The calls that made a match what it is, its outcomes written down.
fn run_of(table: &dyn AnyTable) -> Run {
    let mut run = Run::new(table.setup().clone(), RunDice::Entered);
    let actions =
        |seat, actions: &[_]| MatchCall::Actions { seat, actions: actions.to_vec(), mode: ApplyMode::Atomic };
    for entry in table.log() {
        match entry {
            LogEntry::Commit { seat, actions: taken } => run.calls.push(actions(*seat, taken)),
            LogEntry::Chance { outcome, .. } => run.calls.push(MatchCall::Enter(outcome.clone())),
            LogEntry::Resigned(seat) => run.calls.push(MatchCall::Resign(*seat)),
            LogEntry::Agreed => {
                let seats = SeatSet::first(table.seats());
                run.calls.extend(seats.iter().skip(1).map(MatchCall::Offer));
                run.calls.push(MatchCall::Accept(Seat::new(0)));
            }
        }
    }
    let drafting = SeatSet::first(table.seats()).iter().filter(|&seat| !table.committed(seat));
    let drafts = drafting.filter(|&seat| !table.draft(seat).is_empty());
    run.calls.extend(drafts.map(|seat| actions(seat, table.draft(seat))));
    run
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_says_its_law_and_its_seed() {
        let text = "law `dead-end` is broken after 4 calls (seed 17), for north\nwhat was found\n--- run\n";
        assert_eq!(ReportHead::by(text), ReportHead { law: Some("dead-end".to_owned()), seed: Some(17) });
        assert_eq!(ReportHead::by("scenario duel\n"), ReportHead::default());
    }
}
