//! `edgehill legal`: the legal actions.

use std::io::Write;
use std::path::PathBuf;

use edgehill_engine::registry::Registry;
use edgehill_engine::render;
use edgehill_engine::seat::{Observer, SeatSet};

use super::status;
use crate::error::Error;
use crate::match_file::MatchFile;
use crate::people;

/// List the legal actions.
#[derive(Debug, clap::Args)]
pub(crate) struct Legal {
    /// The match file
    pub(super) file: PathBuf,
    /// A seat's id; every seat that is to act where nothing is said
    #[arg(long = "as", value_name = "SEAT")]
    pub(super) who: Option<String>,
}

impl Legal {
    pub(crate) fn run(&self, registry: &Registry, out: &mut dyn Write) -> Result<(), Error> {
        let file = MatchFile::open(&self.file, registry)?;
        let table = file.table.as_ref();
        let catalogue = table.catalogue();
        let seats = match &self.who {
            Some(text) => SeatSet::EMPTY.with(people::seat(catalogue, table.seats(), text)?),
            None => SeatSet::first(table.seats()),
        };
        let mut listed = false;
        for seat in seats.iter() {
            let actions = table.legal(seat);
            if !actions.is_empty() {
                writeln!(out, "{}", render::observer(catalogue, Observer::Seat(seat)))?;
                write!(out, "{}", render::menu(catalogue, &actions))?;
                listed = true;
            }
        }
        if !listed {
            writeln!(out, "No legal actions: not to act now.")?;
            status::write(table, out)?;
        }
        Ok(())
    }
}
