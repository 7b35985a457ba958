//! `edgehill undo`: actions of a draft, taken back.

use std::io::Write;
use std::path::PathBuf;

use edgehill_engine::registry::Registry;
use edgehill_engine::render;

use super::status;
use crate::error::Error;
use crate::match_file::MatchFile;
use crate::people;

/// Take back actions of a seat that are not final yet.
#[derive(Debug, clap::Args)]
pub(crate) struct Undo {
    /// The match file
    pub(super) file: PathBuf,
    /// The seat's id
    pub(super) seat: String,
    /// Number of actions of the draft that stay; all but the last where nothing is said
    #[arg(long, value_name = "N")]
    pub(super) keep: Option<usize>,
}

impl Undo {
    pub(crate) fn run(&self, registry: &Registry, out: &mut dyn Write) -> Result<(), Error> {
        let mut file = MatchFile::open(&self.file, registry)?;
        let seat = people::seat(file.table.catalogue(), file.table.seats(), &self.seat)?;
        let draft = file.table.draft(seat).to_vec();
        let keep = self.keep.unwrap_or(draft.len().saturating_sub(1));
        file.table
            .undo(seat, keep)
            .map_err(|refusal| Error::Refused(render::refusal(file.table.catalogue(), &refusal)))?;
        file.save()?;
        let table = file.table.as_ref();
        let back: Vec<String> =
            draft[keep..].iter().map(|&action| table.catalogue().actions.notation(action)).collect();
        writeln!(out, "Taken back: {}", back.join("; "))?;
        status::write(table, out)
    }
}
