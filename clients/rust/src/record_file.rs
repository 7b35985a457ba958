//! Files with a match in them: records (`.edg`) and local match files, told apart by their first words.

use std::fs;
use std::path::Path;

use edgehill_engine::record::{Origin, Record, replay};
use edgehill_engine::registry::{AnyTable, Registry};

use crate::error::Error;
use crate::match_file::{self, MatchFile, Readers};

/// The beginning of the text of every record.
const FIRST_WORDS: &str = "edgehill record ";

/// A file with a match in it.
pub(crate) enum Kept {
    /// A record; its digest may be wrong.
    Record(Box<Record>),
    /// A match that may go on.
    Match(MatchFile),
}

/// True if a text is a record or a match file, going by how it begins.
pub(crate) fn is_one(text: &str) -> bool {
    text.starts_with(FIRST_WORDS) || text.trim_start().starts_with('{')
}

/// Reads a file of either sort.
pub(crate) fn open(path: &Path, registry: &Registry) -> Result<Kept, Error> {
    let bytes = fs::read(path).map_err(|error| Error::Read { path: path.to_owned(), error })?;
    if !bytes.starts_with(FIRST_WORDS.as_bytes()) {
        return MatchFile::open(path, registry).map(Kept::Match);
    }
    let not_a_record = |why: String| Error::NotARecord { path: path.to_owned(), why };
    let text = String::from_utf8(bytes).map_err(|error| not_a_record(error.to_string()))?;
    let record = Record::parse_damaged(&text).map_err(|error| not_a_record(error.to_string()))?;
    Ok(Kept::Record(Box::new(record)))
}

/// The match of a record, played again to its end.
pub(crate) fn replayed(record: &Record, registry: &Registry) -> Result<Box<dyn AnyTable>, Error> {
    let game = registry.game(&record.header().game)?;
    replay(game.as_ref(), record).map_err(|error| Error::Refused(error.to_string()))
}

/// The record of a match at one's own table.
pub(crate) fn of(table: &dyn AnyTable, players: Vec<String>) -> Result<Record, Error> {
    let origin = Origin { players, ..Origin::local(table.chance_source()) };
    Record::of(table, &origin).map_err(|error| Error::Fault(error.to_string()))
}

/// Writes the record of a match at one's own table.
pub(crate) fn write(table: &dyn AnyTable, players: Vec<String>, path: &Path) -> Result<(), Error> {
    match_file::replace(path, of(table, players)?.to_text().as_bytes(), Readers::Usual)
}
