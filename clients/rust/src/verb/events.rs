//! `edgehill events`: the events of a match, as they were published to each observer.

use std::io::Write;
use std::path::PathBuf;

use edgehill_engine::record::events_text;
use edgehill_engine::registry::{AnyTable, Registry};
use edgehill_engine::render;
use edgehill_engine::seat::Observer;

use crate::error::Error;
use crate::people;
use crate::play_again::play_again;
use crate::record_file::{self, Kept};

/// Print the events of a match.
#[derive(Debug, clap::Args)]
pub(crate) struct Events {
    /// A record (.edg) or a match file; with --server a match's id, or a file with seats of it
    pub(super) file: PathBuf,
    /// Observer: a seat's id, or `spectator`; everybody in turn where nothing is said
    #[arg(long = "as", value_name = "WHO", conflicts_with = "exact")]
    pub(super) who: Option<String>,
    /// Print what each event changes in the view, too
    #[arg(long, conflicts_with = "exact")]
    pub(super) changes: bool,
    /// One line an event with all of its parts, by ids: what `diff-rules` compares
    #[arg(long)]
    pub(super) exact: bool,
}

impl Events {
    pub(crate) fn run(&self, registry: &Registry, out: &mut dyn Write) -> Result<(), Error> {
        let kept = record_file::open(&self.file, registry)?;
        if self.exact {
            let record = match kept {
                Kept::Record(record) => *record,
                Kept::Match(file) => record_file::of(file.table.as_ref(), Vec::new())?,
            };
            let game = registry.game(&record.header().game)?;
            return Ok(write!(out, "{}", events_text(&record, game.as_ref()))?);
        }
        let table = match kept {
            Kept::Match(file) => play_again(file.table.as_ref())?,
            Kept::Record(record) => record_file::replayed(&record, registry)?,
        };
        let observers = match &self.who {
            Some(who) => vec![people::observer(table.catalogue(), table.seats(), who)?],
            None => Observer::all(table.seats()).collect(),
        };
        for observer in observers {
            self.write(table.as_ref(), observer, out)?;
        }
        Ok(())
    }

    fn write(&self, table: &dyn AnyTable, observer: Observer, out: &mut dyn Write) -> Result<(), Error> {
        let catalogue = table.catalogue();
        writeln!(out, "Published to {}", render::observer(catalogue, observer))?;
        for (index, seen) in table.published(observer, 0).iter().enumerate() {
            writeln!(out, "{index:>5}  {}", render::event(catalogue, seen))?;
            if self.changes {
                for line in render::changes(catalogue, &seen.form.changes).lines() {
                    writeln!(out, "         {line}")?;
                }
            }
        }
        Ok(())
    }
}
