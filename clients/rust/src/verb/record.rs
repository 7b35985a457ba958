//! `edgehill record`: a match file as a record that others can read and check.

use std::io::Write;
use std::path::PathBuf;

use edgehill_engine::game::Node;
use edgehill_engine::registry::Registry;

use crate::error::Error;
use crate::match_file::MatchFile;
use crate::record_file;

/// Write the record of a match.
#[derive(Debug, clap::Args)]
pub(crate) struct Record {
    /// The match file
    pub(super) file: PathBuf,
    /// The record; conventionally its name ends in .edg
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,
    /// Names of the players in seat order, separated by commas
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub(super) players: Vec<String>,
}

impl Record {
    pub(crate) fn run(&self, registry: &Registry, out: &mut dyn Write) -> Result<(), Error> {
        let file = MatchFile::open(&self.file, registry)?;
        record_file::write(file.table.as_ref(), self.players.clone(), &self.out)?;
        writeln!(out, "{}", self.out.display())?;
        if file.table.node() != Node::Over {
            writeln!(
                out,
                "The match is not over: the record shows every seat's secrets so far, drafts left out."
            )?;
        }
        Ok(())
    }
}
