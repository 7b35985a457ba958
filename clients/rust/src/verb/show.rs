//! `edgehill show`: a match as somebody sees it.

use std::io::Write;
use std::path::PathBuf;

use edgehill_engine::registry::Registry;
use edgehill_engine::render;
use edgehill_engine::seat::Observer;

use super::status;
use crate::error::Error;
use crate::people;
use crate::record_file::{self, Kept};

/// Show a match as a seat or a spectator sees it.
#[derive(Debug, clap::Args)]
pub(crate) struct Show {
    /// A match file, or a record (.edg): how it stands at its end; with --server a match's id, or a file with seats of it
    pub(super) file: PathBuf,
    /// Observer: a seat's id, or `spectator`
    #[arg(long = "as", value_name = "WHO", default_value = "spectator")]
    pub(super) who: String,
    /// One line a space, without rules
    #[arg(long)]
    pub(super) brief: bool,
}

impl Show {
    pub(crate) fn run(&self, registry: &Registry, out: &mut dyn Write) -> Result<(), Error> {
        let table = match record_file::open(&self.file, registry)? {
            Kept::Match(file) => file.table,
            Kept::Record(record) => record_file::replayed(&record, registry)?,
        };
        let table = table.as_ref();
        let catalogue = table.catalogue();
        let observer = people::observer(catalogue, table.seats(), &self.who)?;
        let view = table.view(observer);
        let draw = if self.brief { render::brief } else { render::view };
        write!(out, "{}", draw(catalogue, &view))?;
        if let Observer::Seat(seat) = observer
            && !view.draft.is_empty()
        {
            writeln!(
                out,
                "`edgehill undo` takes back actions of {}",
                render::observer(catalogue, Observer::Seat(seat))
            )?;
        }
        status::write(table, out)
    }
}
