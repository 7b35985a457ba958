//! A look at a whole store that changes nothing: [`fsck`].

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::Connection;

use super::super::chain::{Ascent, Head};
use super::super::envelope::{Body, Envelope, Hash, Link};
use super::super::error::Error;
use super::super::names::{AccountId, MatchId, Position, RequestId};
use super::super::quarantine::{Quarantine, StoreFault};
use super::super::rows::Rows;
use super::failure::failure;
use super::schema;
use super::tables::{COLUMNS, MATCHES, Tables, read_head};

/// The most complaints of SQLite that a report repeats.
const COMPLAINTS_MAX: usize = 100;

/// The findings of [`fsck`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FsckReport {
    /// The file's schema.
    pub schema: i64,
    /// SQLite's complaints about the file itself; empty if all is well.
    pub complaints: Vec<String>,
    /// Every match of which the file has a row or an append, by name.
    pub matches: Vec<ReportedMatch>,
    /// Appends of no match's log: unreadable, or not where a log has its next one.
    pub strays: u64,
}

/// A match, as [`fsck`] found it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportedMatch {
    /// Its name.
    pub id: MatchId,
    /// The game's id, as its creation says.
    pub game: String,
    /// The revision at which its row says that it stands; `None` if the row is damaged or missing.
    pub revision: Option<u64>,
    /// The last revision up to which its log is whole; `None` if not even the creation is.
    pub whole_to: Option<u64>,
    /// The fault of it, if there is one.
    pub fault: Option<StoreFault>,
    /// The reason that it was closed to play, if it was.
    pub quarantine: Option<Quarantine>,
}

impl FsckReport {
    /// Returns whether nothing is wrong with the file.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.complaints.is_empty()
            && self.strays == 0
            && self.matches.iter().all(|found| found.fault.is_none())
    }
}

/// Reads all of the store at `path`, which may be in use. It writes neither to the file nor to its write-ahead log.
///
/// # Errors
/// [`Error::NotAStore`], [`Error::SchemaTooNew`], [`Error::Open`], and [`Error::Corrupt`] where the file is damaged so far
/// that it can't be read at all.
pub fn fsck(path: impl AsRef<Path>) -> Result<FsckReport, Error> {
    let path = path.as_ref();
    schema::check_is_there(path)?;
    let connection = schema::open_to_read(path)?;
    let sql = |error: rusqlite::Error| failure(path, &error).0;
    let transaction = connection.unchecked_transaction().map_err(sql)?;
    let schema = schema::version(&transaction).map_err(sql)?;
    let complaints = complaints(&transaction).map_err(sql)?;
    let (logs, strays) = logs(&transaction).map_err(sql)?;
    let mut heads = heads(&transaction).map_err(sql)?;
    let rows = Tables::new(&transaction, path, 0);
    let mut matches = Vec::new();
    for (id, log) in logs {
        let head = heads.remove(&id);
        matches.push(reported(&rows, id, Some(&log), head)?);
    }
    for (id, head) in heads {
        matches.push(reported(&rows, id, None, Some(head))?);
    }
    matches.sort_by_key(|found| found.id);
    Ok(FsckReport { schema, complaints, matches, strays })
}

/// A match's log as far as it is whole.
#[derive(Debug)]
struct Log {
    game: String,
    requests: Vec<(AccountId, RequestId)>,
    ascent: Ascent,
}

fn complaints(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare(&format!("PRAGMA integrity_check({COMPLAINTS_MAX})"))?;
    let found = statement.query_map([], |row| row.get::<_, String>(0))?;
    let found: Vec<String> = found.collect::<rusqlite::Result<_>>()?;
    Ok(found.into_iter().filter(|line| line != "ok").collect())
}

/// Every match's log, built up from its creation, and the number of appends that belong to none.
fn logs(connection: &Connection) -> rusqlite::Result<(BTreeMap<MatchId, Log>, u64)> {
    let mut logs: BTreeMap<MatchId, Log> = BTreeMap::new();
    let mut strays = 0;
    let mut statement = connection.prepare("SELECT position, envelope FROM appends ORDER BY position")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let position = Position(row.get::<_, i64>(0)?.cast_unsigned());
        let decoded = row.get_ref(1)?.as_blob().ok().and_then(|bytes| Envelope::decode(bytes).ok());
        if !decoded.is_some_and(|(envelope, hash)| extend(&mut logs, position, envelope, hash)) {
            strays += 1;
        }
    }
    Ok((logs, strays))
}

/// Adds an append to its match's log, if it is the next one there.
fn extend(logs: &mut BTreeMap<MatchId, Log>, position: Position, envelope: Envelope, hash: Hash) -> bool {
    if let Some(log) = logs.get_mut(&envelope.id) {
        return log.ascent.take(position, &envelope, hash);
    }
    let mut ascent = Ascent::default();
    let is_first = ascent.take(position, &envelope, hash);
    if let Body::Create { game, requests, .. } = envelope.body
        && is_first
    {
        let requests = requests.into_iter().map(|(account, request)| (account, request.id)).collect();
        logs.insert(envelope.id, Log { game, requests, ascent });
    }
    is_first
}

fn heads(connection: &Connection) -> rusqlite::Result<BTreeMap<MatchId, Result<Head, StoreFault>>> {
    let mut statement = connection.prepare(&format!("SELECT {COLUMNS}, overview FROM {MATCHES}"))?;
    let heads = statement.query_map([], |row| {
        let head = read_head(row)?.map(|(head, _)| head);
        Ok((MatchId::from_bytes(row.get(0)?), head))
    })?;
    heads.collect()
}

fn reported(
    rows: &Tables<'_>,
    id: MatchId,
    log: Option<&Log>,
    head: Option<Result<Head, StoreFault>>,
) -> Result<ReportedMatch, Error> {
    let revision = head.as_ref().and_then(|head| head.as_ref().ok()).map(|head| head.at.revision);
    let fault = match (head, log) {
        (None, _) => Some(StoreFault::RowDamaged { what: "there is none".into() }),
        (Some(Err(fault)), _) => Some(fault),
        (Some(Ok(head)), None) => Some(StoreFault::Missing { revision: 0, position: head.created }),
        (Some(Ok(head)), Some(log)) => difference(&head, log),
    };
    let mut noted = true;
    for (account, request) in log.iter().flat_map(|log| &log.requests) {
        noted &= rows.created_by(account, request)? == Some(id);
    }
    let unnoted = || StoreFault::RowDamaged { what: "a request that created it leads elsewhere".into() };
    Ok(ReportedMatch {
        id,
        game: log.map(|log| log.game.clone()).unwrap_or_default(),
        revision,
        whole_to: log.and_then(|log| log.ascent.link()).map(|last| last.revision),
        fault: fault.or_else(|| (!noted).then(unnoted)),
        quarantine: rows.quarantine(id)?,
    })
}

/// Returns the difference between a match's row and its log.
fn difference(head: &Head, log: &Log) -> Option<StoreFault> {
    let Link { revision, position, hash } = log.ascent.link()?;
    if (head.at.revision, head.at.position.0, head.hash) == (revision, position, hash) {
        return None;
    }
    if revision < head.at.revision {
        // The position of the next one is not known, but that it is not beyond the head.
        return Some(StoreFault::Missing { revision: revision + 1, position: head.at.position });
    }
    Some(StoreFault::RowDamaged { what: format!("its log stands at position {position}") })
}
