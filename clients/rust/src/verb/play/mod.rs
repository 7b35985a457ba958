//! `edgehill play`: a person in the terminal, against house bots, or a script that does what a person would.

pub(crate) mod command;
mod session;

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use edgehill_engine::registry::{AnyGame, AnyTable, Registry};
use edgehill_engine::seat::{Seat, SeatSet};

use super::new::StartArgs;
use crate::chance_source::{ChanceSourceArgs, StoredChanceSource, derive};
use crate::error::Error;
use crate::people;
use crate::players::Player;
use crate::terminal::screen::Screen;
use crate::terminal::wrap::{self, Wrapped};
use session::Session;

/// Play against a house bot in the terminal.
#[derive(Debug, clap::Args)]
pub(crate) struct Play {
    /// The game's id
    #[arg(required_unless_present = "match_file")]
    pub(super) game: Option<String>,
    /// Your seat's id; the first where nothing is said
    #[arg(long, value_name = "SEAT")]
    pub(super) seat: Option<String>,
    /// The house bot at the other seats; the game's strongest where nothing is said
    #[arg(long, value_name = "NAME")]
    pub(super) bot: Option<String>,
    /// Number that the bots' choices follow from
    #[arg(long, value_name = "N", default_value_t = 1)]
    bot_seed: u64,
    #[command(flatten)]
    pub(super) start: StartArgs,
    #[command(flatten)]
    pub(super) chance_source: ChanceSourceArgs,
    /// A match on a server that goes on, by the file with one's seats
    #[arg(long = "match", value_name = "FILE", conflicts_with_all = ["game", "bot", "others"])]
    pub(super) match_file: Option<PathBuf>,
    /// Leave the other seats on a server open to anyone
    #[arg(long, conflicts_with = "bot")]
    pub(super) others: bool,
    /// Your name for others on a server
    #[arg(long, value_name = "NAME")]
    pub(super) player: Option<String>,
    /// File for the seat's token on a server; without it a new match is lost when you leave it
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// Keep the record of the match in this file when it is over
    #[arg(long, value_name = "FILE")]
    pub(super) record: Option<PathBuf>,
    /// Width of lines; the terminal's where nothing is said, and lines as they come where there is no terminal
    #[arg(long, value_name = "N")]
    pub(super) columns: Option<usize>,
}

impl Play {
    pub(crate) fn run(&self, registry: &Registry, out: &mut dyn Write) -> Result<(), Error> {
        let on_server =
            self.match_file.is_some() || self.others || self.player.is_some() || self.out.is_some();
        let Some(game) = self.game.as_ref().filter(|_| !on_server) else {
            let why = "--match, --others, --player and --out go with --server: say which";
            return Err(Error::Usage(why.to_owned()));
        };
        let game = registry.game(game)?;
        let stored = StoredChanceSource::of(&self.chance_source)?;
        let chance_source = stored
            .chance_source()
            .ok_or_else(|| Error::Fault("a seed that can't be read back".to_owned()))?;
        let table = self.start.open(game.as_ref(), chance_source)?;
        let seat = match &self.seat {
            Some(text) => people::seat(table.catalogue(), table.seats(), text)?,
            None => Seat::new(0),
        };
        let bots = self.bots(game.as_ref(), table.as_ref(), seat)?;
        let input = io::stdin();
        let echo = !input.is_terminal();
        let columns = wrap::columns(self.columns);
        let out: &mut dyn Write = &mut Wrapped::new(out, columns);
        let mut session = Session::new(table, seat, bots, (input.lock(), echo), Screen::new(columns));
        session.run(out)?;
        match &self.record {
            Some(path) => session.record(path, out),
            None => Ok(()),
        }
    }

    fn bots(&self, game: &dyn AnyGame, table: &dyn AnyTable, own: Seat) -> Result<Vec<Player>, Error> {
        let strongest = || game.bots().last().map(|bot| bot.name.to_owned());
        let name = self.bot.clone().or_else(strongest).unwrap_or_default();
        let others = SeatSet::first(table.seats()).without(own);
        others
            .iter()
            .map(|seat| {
                let seed = derive("edgehill/play-bot/1", &[self.bot_seed, seat.index() as u64]);
                Player::new(game, &name, seat, seed)
            })
            .collect()
    }
}
