//! `edgehill new`: a match in a file, or on a server.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::registry::{AnyGame, AnyTable, Registry};
use edgehill_engine::setup::Setup;
use serde_json::Value;

use super::status;
use crate::chance_source::{ChanceSourceArgs, StoredChanceSource};
use crate::error::Error;
use crate::match_file::MatchFile;

/// Start a match in a file.
#[derive(Debug, clap::Args)]
pub(crate) struct New {
    /// The game's id
    #[arg(long, value_name = "ID")]
    pub(super) game: String,
    #[command(flatten)]
    pub(super) start: StartArgs,
    #[command(flatten)]
    pub(super) chance_source: ChanceSourceArgs,
    #[command(flatten)]
    pub(super) server: ServerArgs,
    /// The match file; it holds every seat's secrets
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,
    /// Replace the file if it is there
    #[arg(long)]
    pub(super) force: bool,
}

/// The arguments that go with --server only.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct ServerArgs {
    /// Player of a seat on a server, as SEAT=own, open, invited, account:ID or bot:NAME; own where nothing is said;
    /// may come several times
    #[arg(long = "seat", value_name = "SEAT=WHO")]
    pub(super) seats: Vec<String>,
    /// Your name for others on a server
    #[arg(long, value_name = "NAME")]
    pub(super) player: Option<String>,
    /// Seats on a server bind themselves to their entropy before any of it is known
    #[arg(long)]
    pub(super) commit_reveal: bool,
    /// Clocks on a server, such as bank=10m,increment=5s or limit=3d: parts are bank, increment, delay, limit (of a
    /// question), window, end (default or forfeit) and strikes
    #[arg(long, value_name = "CLOCK")]
    pub(super) clock: Option<String>,
    /// The delay with which spectators see the match on a server, such as events=20,time=10m: one of them or both
    #[arg(long, value_name = "DELAY")]
    pub(super) spectator_delay: Option<String>,
}

impl ServerArgs {
    /// True if something is asked for that a local match does not have.
    fn is_used(&self) -> bool {
        !self.seats.is_empty()
            || self.player.is_some()
            || self.commit_reveal
            || self.clock.is_some()
            || self.spectator_delay.is_some()
    }
}

/// The start of a match.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct StartArgs {
    /// The scenario's id; the game's first where nothing is said
    #[arg(long, value_name = "ID")]
    scenario: Option<String>,
    /// An option of the game, as id=value; may come several times
    #[arg(long = "option", value_name = "ID=VALUE")]
    options: Vec<String>,
    /// A described position in a .json or .toml file, in the game's own format
    #[arg(long, value_name = "FILE")]
    position: Option<PathBuf>,
}

impl New {
    pub(crate) fn run(&self, registry: &Registry, out: &mut dyn Write) -> Result<(), Error> {
        if self.out.exists() && !self.force {
            return Err(Error::Exists { path: self.out.clone() });
        }
        if self.server.is_used() {
            let why = "--seat, --player, --commit-reveal, --clock and --spectator-delay go with --server: a match in a \
                       file has no others";
            return Err(Error::Usage(why.to_owned()));
        }
        let game = registry.game(&self.game)?;
        let stored = StoredChanceSource::of(&self.chance_source)?;
        let chance_source = stored
            .chance_source()
            .ok_or_else(|| Error::Fault("a seed that can't be read back".to_owned()))?;
        let table = self.start.open(game.as_ref(), chance_source)?;
        let mut file = MatchFile::new(&self.out, stored, table);
        file.save()?;
        let table = file.table.as_ref();
        let scenario = &table.catalogue().scenarios[table.setup().scenario()];
        writeln!(out, "{}, {}: {}", table.catalogue().title, scenario.title, file.path().display())?;
        writeln!(out, "Dice: {}", file.chance_source.describe())?;
        status::write(table, out)
    }
}

impl StartArgs {
    /// Scenario and options, checked against the game.
    pub(crate) fn setup(&self, catalogue: &Catalogue) -> Result<Setup, Error> {
        setup_of(catalogue, self.scenario.as_deref(), &self.options)
    }

    /// The scenario's id, if one is named.
    pub(super) fn scenario(&self) -> Option<&str> {
        self.scenario.as_deref()
    }

    /// The described position, if one is given.
    pub(super) fn position(&self) -> Result<Option<Value>, Error> {
        self.position.as_deref().map(read_position).transpose()
    }

    /// Opens a match of these settings.
    pub(crate) fn open(
        &self,
        game: &dyn AnyGame,
        chance_source: ChanceSource,
    ) -> Result<Box<dyn AnyTable>, Error> {
        let setup = self.setup(game.catalogue())?;
        let Some(path) = &self.position else { return Ok(game.open(setup, chance_source)) };
        let position = read_position(path)?;
        game.open_position(setup, position, chance_source)
            .map_err(|error| Error::Position { path: path.clone(), error })
    }
}

/// Scenario and options, each option as id=value, checked against the game.
pub(super) fn setup_of(
    catalogue: &Catalogue,
    scenario: Option<&str>,
    options: &[String],
) -> Result<Setup, Error> {
    let mut values = BTreeMap::new();
    for text in options {
        let (id, value) = text.split_once('=').ok_or_else(|| Error::OptionForm(text.clone()))?;
        values.insert(id.to_owned(), value.to_owned());
    }
    Ok(Setup::new(catalogue, scenario, &values)?)
}

fn read_position(path: &Path) -> Result<Value, Error> {
    let bad = |why: String| Error::PositionForm { path: path.to_owned(), why };
    let text = fs::read_to_string(path).map_err(|error| Error::Read { path: path.to_owned(), error })?;
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("json") => serde_json::from_str(&text).map_err(|error| bad(error.to_string())),
        Some("toml") => toml::from_str(&text).map_err(|error| bad(error.to_string())),
        _ => Err(bad("its name ends neither in .json nor in .toml".to_owned())),
    }
}
