//! `edgehill enter`: outcomes of dice and draws that are due.

use std::io::Write;
use std::path::PathBuf;

use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::registry::{AnyTable, Registry};
use edgehill_engine::render;
use edgehill_engine::seat::Observer;

use super::status;
use crate::error::Error;
use crate::match_file::MatchFile;

/// Enter dice or draws that are due.
#[derive(Debug, clap::Args)]
pub(crate) struct Enter {
    /// The match file
    file: PathBuf,
    /// A number for each die, an id for each draw
    #[arg(required = true, num_args = 1.., value_name = "WORDS")]
    words: Vec<String>,
}

impl Enter {
    pub(crate) fn run(&self, registry: &Registry, out: &mut dyn Write) -> Result<(), Error> {
        let mut file = MatchFile::open(&self.file, registry)?;
        words(&mut file.table, &self.words.join(","))?;
        file.save()?;
        status::write_published(file.table.as_ref(), Observer::Spectator, 0, out)?;
        status::write(file.table.as_ref(), out)
    }
}

/// Enters the outcomes that these words stand for: all of them or none.
pub(crate) fn words(table: &mut Box<dyn AnyTable>, words: &str) -> Result<(), Error> {
    let mut script = ChanceSource::script(words);
    let mut after = table.clone_box();
    while script.left_over() > 0 {
        let Some(due) = after.chance() else {
            return Err(Error::Refused(format!(
                "no dice and no draw are due for {} of these words",
                script.left_over()
            )));
        };
        let outcome = script.draw(&due.chance, due.chance_ref, table.catalogue())?;
        let outcome = outcome.ok_or_else(|| Error::Fault("a script without an outcome".to_owned()))?;
        after
            .enter(&outcome)
            .map_err(|refusal| Error::Refused(render::refusal(table.catalogue(), &refusal)))?;
    }
    *table = after;
    Ok(())
}
