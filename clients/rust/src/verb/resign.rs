//! `edgehill resign`: a seat gives up.

use std::io::Write;
use std::path::PathBuf;

use edgehill_engine::registry::Registry;
use edgehill_engine::render;

use super::status;
use crate::error::Error;
use crate::match_file::MatchFile;
use crate::people;

/// Give up.
#[derive(Debug, clap::Args)]
pub(crate) struct Resign {
    /// The match file
    pub(super) file: PathBuf,
    /// The seat's id
    pub(super) seat: String,
}

impl Resign {
    pub(crate) fn run(&self, registry: &Registry, out: &mut dyn Write) -> Result<(), Error> {
        let mut file = MatchFile::open(&self.file, registry)?;
        let seat = people::seat(file.table.catalogue(), file.table.seats(), &self.seat)?;
        file.table
            .resign(seat)
            .map_err(|refusal| Error::Refused(render::refusal(file.table.catalogue(), &refusal)))?;
        file.save()?;
        status::write(file.table.as_ref(), out)
    }
}
