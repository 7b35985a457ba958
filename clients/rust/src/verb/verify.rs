//! `edgehill verify`: every action by the rules, every outcome by the seed, every digest.

use std::io::Write;
use std::path::{Path, PathBuf};

use edgehill_engine::game::Node;
use edgehill_engine::record::{Record, verify};
use edgehill_engine::registry::Registry;

use super::status;
use crate::error::Error;
use crate::match_file::MatchFile;
use crate::record_file::{self, Kept};

/// Check records and match files.
#[derive(Debug, clap::Args)]
pub(crate) struct Verify {
    /// Records (.edg) or match files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

impl Verify {
    pub(crate) fn run(&self, registry: &Registry, out: &mut dyn Write) -> Result<(), Error> {
        let mut failed = false;
        for path in &self.files {
            let clean = match record_file::open(path, registry) {
                Ok(Kept::Record(record)) => check_record(path, &record, registry, out)?,
                Ok(Kept::Match(file)) => check_match(path, &file, registry, out)?,
                Err(Error::NotARecord { why, .. }) => {
                    writeln!(out, "{}: {why}", path.display())?;
                    false
                }
                Err(other) => return Err(other),
            };
            failed |= !clean;
        }
        if failed { Err(Error::Failed) } else { Ok(()) }
    }
}

fn check_record(
    path: &Path,
    record: &Record,
    registry: &Registry,
    out: &mut dyn Write,
) -> Result<bool, Error> {
    let game = registry.game(&record.header().game)?;
    let report = verify(game.as_ref(), record);
    for line in report.to_string().lines() {
        writeln!(out, "{}: {line}", path.display())?;
    }
    Ok(report.is_clean())
}

/// A match file is as good as the record that it would give; and a script has to be used up when the match is over.
fn check_match(
    path: &Path,
    file: &MatchFile,
    registry: &Registry,
    out: &mut dyn Write,
) -> Result<bool, Error> {
    let record = record_file::of(file.table.as_ref(), Vec::new())?;
    let clean = check_record(path, &record, registry, out)?;
    status::write(file.table.as_ref(), out)?;
    Ok(clean && (file.chance_source.left_over() == 0 || file.table.node() != Node::Over))
}
