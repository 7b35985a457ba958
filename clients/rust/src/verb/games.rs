//! `edgehill games`: the games that can be played.

use std::io::Write;

use edgehill_engine::registry::{AnyGame, Registry};
use edgehill_engine::render;

use crate::error::Error;

/// List the games, or print one's catalogue in words.
#[derive(Debug, clap::Args)]
pub(crate) struct Games {
    /// A game's id: prints all of its catalogue
    #[arg(conflicts_with = "ids")]
    pub(super) id: Option<String>,
    /// Ids only, one a line
    #[arg(long)]
    pub(super) ids: bool,
}

impl Games {
    pub(crate) fn run(&self, registry: &Registry, out: &mut dyn Write) -> Result<(), Error> {
        match &self.id {
            Some(id) => print_catalogue(id, registry, out)?,
            None if self.ids => {
                for id in registry.ids() {
                    writeln!(out, "{id}")?;
                }
            }
            None => {
                for game in registry.games() {
                    let catalogue = game.catalogue();
                    writeln!(out, "{}: {}", catalogue.id, catalogue.title)?;
                    writeln!(out, "  {}", catalogue.summary)?;
                }
            }
        }
        Ok(())
    }
}

/// One game's catalogue in words.
pub(super) fn print_catalogue(id: &str, registry: &Registry, out: &mut dyn Write) -> Result<(), Error> {
    let game = registry.game(id)?;
    write!(out, "{}", render::catalogue(game.catalogue()))?;
    write_bots(game.as_ref(), out)
}

fn write_bots(game: &dyn AnyGame, out: &mut dyn Write) -> Result<(), Error> {
    writeln!(out, "House bots")?;
    for bot in game.bots() {
        writeln!(out, "  {}: {}", bot.name, bot.about)?;
    }
    Ok(())
}
