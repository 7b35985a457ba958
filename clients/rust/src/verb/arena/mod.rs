//! `edgehill arena`: series of bots against each other.
//!
//! The unit is a round: as many games as there are seats, with the same dice, in which each bot sits at each seat once. In
//! games of two seats that is a pair with sides swapped.

mod bar;
mod local;
mod pair_report;
mod plan;
mod report;
mod sprt;

use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::registry::Registry;
use edgehill_engine::setup::Setup;
use serde_json::json;

use super::new::StartArgs;
use super::remote::series_bot::Pace;
use crate::error::Error;
use crate::record_file;
use local::Series;
use sprt::SprtArgs;

pub(in crate::verb) use bar::bar;
pub(in crate::verb) use plan::Plan;
pub(in crate::verb) use report::{Report, Score};

/// Let bots play series against each other.
#[derive(Debug, clap::Args)]
pub(crate) struct Arena {
    /// Play in this process, with the house bots of this build; without it, on the server of --server
    #[arg(long)]
    pub(super) local: bool,
    /// The game's id
    #[arg(long, value_name = "ID")]
    pub(super) game: String,
    /// Names of bots, one for each seat, separated by commas; a game for one takes the first
    #[arg(long, value_name = "A,B", value_delimiter = ',', required = true)]
    pub(super) bots: Vec<String>,
    /// Number of games; rounded up to whole rounds. With --sprt, the most that is played
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) games: u32,
    /// Number of games under way at once on a server; in this process every core plays one
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(super) at_once: u16,
    /// On a server, what this program's bots do with what they see
    #[arg(long, value_name = "PACE", value_enum, default_value_t = Pace::Blind)]
    pub(super) pace: Pace,
    /// Number that dice and bots follow from
    #[arg(long, value_name = "N")]
    pub(super) seed: u64,
    /// Write one record a game into this folder
    #[arg(long, value_name = "DIR")]
    pub(super) records: Option<PathBuf>,
    /// Print the report as one JSON object
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) test: SprtArgs,
    #[command(flatten)]
    pub(super) start: StartArgs,
}

impl Arena {
    pub(crate) fn run(&self, registry: &Registry, out: &mut dyn Write) -> Result<(), Error> {
        if !self.local {
            let why = "say where to play: --local in this process, or --server URL on a server";
            return Err(Error::Usage(why.to_owned()));
        }
        let game = registry.game(&self.game)?;
        let setup = self.start.setup(game.catalogue())?;
        let plan = self.plan(game.catalogue().seats_of(&setup))?;
        let mut report = self.report(&plan, game.catalogue(), &setup)?;
        let series = Series::new(game.as_ref(), &self.start, setup, &plan)?;
        let games = self.prepare(&plan, out)?;
        let bar = bar(games);
        series.play_all(games, |played| {
            if let Some(dir) = &self.records {
                let path = dir.join(plan.file_name(&self.game, played.number));
                record_file::write(played.table.as_ref(), plan.names(played.number), &path)?;
            }
            report.add(&played.score)?;
            bar.inc(1);
            Ok(if report.is_decided() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        bar.finish_and_clear();
        self.write(&report, game.catalogue(), out)
    }

    /// The series of the bots that are named, for a scenario with this many seats.
    pub(super) fn plan(&self, seats: usize) -> Result<Plan, Error> {
        if self.bots.len() != seats && seats != 1 {
            let why = format!("this scenario has {seats} seats: name {seats} bots, separated by commas");
            return Err(Error::Usage(why));
        }
        Ok(Plan::new(self.bots[..seats].to_vec(), self.seed))
    }

    /// An empty report of the series.
    pub(super) fn report(&self, plan: &Plan, catalogue: &Catalogue, setup: &Setup) -> Result<Report, Error> {
        let scenario = catalogue.scenarios.get(setup.scenario());
        let returns = scenario.map(|scenario| scenario.returns_min..=scenario.returns_max);
        // A server's catalogue may say anything.
        let returns = returns.filter(|range| !range.is_empty()).unwrap_or(i32::MIN..=i32::MAX);
        Ok(Report::new(plan.bots(), returns, self.test.test(plan.seats())?))
    }

    /// Writes the report of the games that were played.
    pub(super) fn write(
        &self,
        report: &Report,
        catalogue: &Catalogue,
        out: &mut dyn Write,
    ) -> Result<(), Error> {
        if self.json {
            let mut told = report.json();
            told["game"] = json!(self.game);
            told["seed"] = json!(self.seed);
            return Ok(writeln!(out, "{told}")?);
        }
        writeln!(out, "{}: {} games, seed {}", catalogue.title, report.games(), self.seed)?;
        report.write(out)
    }

    /// Makes the folder for the records; how many games are played, and a word if they are not those that were asked for.
    pub(super) fn prepare(&self, plan: &Plan, out: &mut dyn Write) -> Result<u32, Error> {
        if let Some(dir) = &self.records {
            fs::create_dir_all(dir).map_err(|error| Error::Write { path: dir.clone(), error })?;
        }
        let games = plan.whole(self.games);
        if games != self.games && !self.json {
            writeln!(out, "{games} games in place of {}: rounds are played whole", self.games)?;
        }
        Ok(games)
    }
}
