//! `edgehill apply`: actions for a seat.

use std::io::Write;
use std::path::PathBuf;

use edgehill_engine::registry::Registry;
use edgehill_engine::render;
use edgehill_engine::seat::Observer;
use edgehill_engine::table::ApplyMode;

use super::status;
use crate::error::Error;
use crate::match_file::MatchFile;
use crate::people;

/// Take actions for a seat.
#[derive(Debug, clap::Args)]
pub(crate) struct Apply {
    /// The match file
    pub(super) file: PathBuf,
    /// The seat's id
    pub(super) seat: String,
    /// Actions in the game's notation, separated by `;`
    #[arg(required = true, num_args = 1.., value_name = "LINE", allow_hyphen_values = true)]
    pub(super) line: Vec<String>,
    /// Stop where something is revealed, in place of refusing actions after it
    #[arg(long)]
    pub(super) until_reveal: bool,
}

impl Apply {
    pub(crate) fn run(&self, registry: &Registry, out: &mut dyn Write) -> Result<(), Error> {
        let mut file = MatchFile::open(&self.file, registry)?;
        let seat = people::seat(file.table.catalogue(), file.table.seats(), &self.seat)?;
        let mode = if self.until_reveal { ApplyMode::UntilReveal } else { ApplyMode::Atomic };
        let applied = file
            .table
            .apply_line(seat, &self.line.join(" "), mode)
            .map_err(|refusal| Error::Refused(render::refusal(file.table.catalogue(), &refusal)))?;
        file.save()?;
        let table = file.table.as_ref();
        if self.until_reveal {
            writeln!(out, "Actions taken: {}", applied.actions)?;
        }
        status::write_published(table, Observer::Seat(seat), 0, out)?;
        status::write(table, out)
    }
}
