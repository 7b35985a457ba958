//! `edgehill-server export`: records out of a store.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use super::wait_for;
use crate::command::args::Export;
use crate::command::failure::Failure;
use crate::command::say;
use crate::config::Config;
use crate::host::{MatchReader, ReadRecord};
use crate::server::open_to_read;
use crate::store::limits::PAGE_MATCHES_MAX;
use crate::store::{MatchId, Page, Store, StoreFilter, StoredStatus};

/// The number of records that were written, and what hindered others.
#[derive(Debug, Default)]
struct Outcome {
    written: usize,
    damaged: usize,
    failed: usize,
}

/// Writes the records of matches to a folder, whether or not a server has the store open.
///
/// # Errors
/// [`Failure::Damage`] if a match's log is not whole: its record has what stands before. [`Failure::Fault`] if a record can't be
/// written; the others are.
pub(crate) fn export(config: &Config, export: &Export) -> Result<(), Failure> {
    // A store without a name is told before anything is made.
    super::check_named(config)?;
    fs::create_dir_all(&export.to)
        .map_err(|why| Failure::Fault(format!("{}: {why}", export.to.display())))?;
    let outcome = wait_for(write_records(config, export))?;
    let Outcome { written, damaged, failed } = outcome;
    say(&format!("{written} records\n"))?;
    match (failed, damaged) {
        (0, 0) => Ok(()),
        (0, _) => Err(Failure::Damage(format!("{damaged} of them have what stands before the damage alone"))),
        _ => Err(Failure::Fault(format!("{failed} records are not written"))),
    }
}

async fn write_records(config: &Config, export: &Export) -> Result<Outcome, Failure> {
    let (store, reader) = open_to_read(config).await.map_err(Failure::fault)?;
    let matches = match &*export.matches {
        [] => finished(&*store).await?,
        named => named.to_vec(),
    };
    let mut outcome = Outcome::default();
    for id in matches {
        match record(&reader, id, &export.to).await {
            Ok(None) => outcome.written += 1,
            Ok(Some(fault)) => {
                outcome.written += 1;
                outcome.damaged += 1;
                warn(&format!("{id}: {fault}"));
            }
            Err(why) => {
                outcome.failed += 1;
                warn(&format!("{id}: {why}"));
            }
        }
    }
    store.close().await;
    Ok(outcome)
}

/// The matches that were played to an end.
async fn finished(store: &dyn Store) -> Result<Vec<MatchId>, Failure> {
    let filter = StoreFilter { status: Some(StoredStatus::Over), ..StoreFilter::default() };
    let (mut found, mut page) = (Vec::new(), Page { before: None, limit: PAGE_MATCHES_MAX });
    loop {
        let listing = store.list(filter.clone(), page).await?;
        found.extend(listing.matches.iter().map(|row| row.id));
        match listing.next {
            Some(next) => page.before = Some(next),
            None => return Ok(found),
        }
    }
}

/// Writes the record of a match; returns the fault of its log, if it is not whole.
async fn record(reader: &MatchReader, id: MatchId, to: &Path) -> Result<Option<String>, String> {
    let ReadRecord { record, fault } = reader.record(id).await.map_err(|error| error.to_string())?;
    let path = to.join(format!("{id}.edg"));
    write_whole(&path, &record.text).map_err(|why| format!("{}: {why}", path.display()))?;
    Ok(fault)
}

/// Writes a file whole, or leaves what was there.
fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let unfinished = path.with_extension("edg.part");
    let mut file = File::create(&unfinished)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&unfinished, path)
}

fn warn(words: &str) {
    let _ = writeln!(io::stderr(), "edgehill-server: {words}");
}
