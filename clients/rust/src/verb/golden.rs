//! `edgehill golden`: a known playout in words, as its observers saw it.

use std::io::Write;

use edgehill_engine::laws::{golden, golden_bots};
use edgehill_engine::registry::Registry;
use edgehill_engine::render;

use crate::error::Error;
use crate::people;

use super::new::setup_of;

/// Print a playout of house bots in words: what a golden of the engine's tests has, or a hash of.
#[derive(Debug, clap::Args)]
pub(crate) struct Golden {
    /// The game's id
    game: String,
    /// The scenario's id
    scenario: String,
    /// The house bot at all seats
    #[arg(long, value_name = "BOT", default_value = "random")]
    by: String,
    /// The seed of dice and bots
    #[arg(long, value_name = "N", default_value_t = 1642)]
    seed: u64,
    /// An option of the game, as id=value; may come several times
    #[arg(long = "option", value_name = "ID=VALUE")]
    options: Vec<String>,
    /// Observer: a seat's id, or `spectator`; everybody in turn where nothing is said
    #[arg(long, value_name = "SEAT")]
    observer: Option<String>,
}

impl Golden {
    pub(crate) fn run(&self, registry: &Registry, out: &mut dyn Write) -> Result<(), Error> {
        let game = registry.game(&self.game)?.as_ref();
        let catalogue = game.catalogue();
        let setup = setup_of(catalogue, Some(&self.scenario), &self.options)?;
        let seats = catalogue.seats_of(&setup);
        let only = match &self.observer {
            Some(who) => Some(people::observer(catalogue, seats, who)?),
            None => None,
        };
        let Some(mut bots) = golden_bots(game, &self.by, self.seed) else {
            let known: Vec<&str> = game.bots().iter().map(|bot| bot.name).collect();
            return Err(Error::Bot { given: self.by.clone(), known: known.join(", ") });
        };
        let played = golden(game, &setup, self.seed, &mut bots);
        for golden in played.map_err(|breach| Error::Fault(breach.detail))? {
            if only.is_none() {
                writeln!(out, "Published to {}", render::observer(catalogue, golden.observer))?;
            }
            if only.is_none_or(|only| only == golden.observer) {
                write!(out, "{}", golden.text())?;
            }
        }
        Ok(())
    }
}
