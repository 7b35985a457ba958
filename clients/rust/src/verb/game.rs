//! `edgehill game`: one game's catalogue.

use std::io::Write;

use edgehill_engine::registry::Registry;

use super::games;
use crate::error::Error;

/// Print one game's catalogue in words, as `games ID` does.
#[derive(Debug, clap::Args)]
pub(crate) struct Game {
    /// The game's id
    pub(super) id: String,
}

impl Game {
    pub(crate) fn run(&self, registry: &Registry, out: &mut dyn Write) -> Result<(), Error> {
        games::print_catalogue(&self.id, registry, out)
    }
}
