//! `edgehill arena`: series of house bots against each other.
//!
//! The unit is a round: as many games as there are seats, with the same dice, in which each bot sits at each seat once. In
//! games of two seats that is a pair with sides swapped.

mod report;
mod round;

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use edgehill_engine::registry::{AnyGame, Registry};

use super::new::StartArgs;
use crate::error::Error;
use crate::record_file;
use report::Report;
use round::Series;

/// Let house bots play series against each other.
#[derive(Debug, clap::Args)]
pub(crate) struct Arena {
    /// Play in this process, without a server: the only way in this build
    #[arg(long, required = true)]
    local: bool,
    /// The game's id
    #[arg(long, value_name = "ID")]
    game: String,
    /// Names of house bots, one for each seat, separated by commas; a game for one takes the first
    #[arg(long, value_name = "A,B", value_delimiter = ',', required = true)]
    bots: Vec<String>,
    /// How many games; rounded up to whole rounds
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// What dice and bots follow from
    #[arg(long, value_name = "N")]
    seed: u64,
    /// Write one record a game into this folder
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,
    #[command(flatten)]
    start: StartArgs,
}

impl Arena {
    pub(crate) fn run(&self, registry: &Registry, out: &mut dyn Write) -> Result<(), Error> {
        let game = registry.game(&self.game)?;
        let series = self.series(game.as_ref())?;
        if let Some(dir) = &self.records {
            fs::create_dir_all(dir).map_err(|error| Error::Write { path: dir.clone(), error })?;
        }
        let games = self.games.div_ceil(series.seats() as u32) * series.seats() as u32;
        if games != self.games {
            writeln!(out, "{games} games in place of {}: rounds are played whole", self.games)?;
        }
        let mut report = Report::new(series.bots());
        for number in 0..games {
            let played = series.play(number)?;
            if let Some(dir) = &self.records {
                let name = format!("{}-{}-{:05}.edg", self.game, self.seed, number + 1);
                record_file::write(played.table.as_ref(), series.names(&played), &dir.join(name))?;
            }
            report.add(&played);
        }
        writeln!(out, "{}: {games} games, seed {}", game.catalogue().title, self.seed)?;
        report.write(out)
    }

    fn series<'a>(&'a self, game: &'a dyn AnyGame) -> Result<Series<'a>, Error> {
        let setup = self.start.setup(game)?;
        let seats = game.catalogue().seats_of(&setup);
        if self.bots.len() != seats && seats != 1 {
            let why = format!("this scenario has {seats} seats: name {seats} bots, separated by commas");
            return Err(Error::Usage(why));
        }
        Series::new(game, &self.start, setup, &self.bots[..seats], self.seed)
    }
}
