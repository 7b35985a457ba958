//! A look at a whole store that changes nothing, whatever it is kept in: [`look_through`].

use std::collections::BTreeMap;

use super::chain::{Ascent, Head};
use super::envelope::{Body, Envelope, Hash, Link};
use super::error::Failure;
use super::names::{AccountId, MatchId, Position, RequestId};
use super::quarantine::{Quarantine, StoreFault};
use super::rows::Rows;

/// The findings of a look through a store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FsckReport {
    /// The store's schema.
    pub schema: i64,
    /// SQLite's complaints about the file itself; empty if all is well, and of a database.
    pub complaints: Vec<String>,
    /// Every match of which the store has a row or an append, by name.
    pub matches: Vec<ReportedMatch>,
    /// Appends of no match's log: unreadable, or not where a log has its next one.
    pub strays: u64,
}

/// A match, as it was found.
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
    /// Returns whether nothing is wrong.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.complaints.is_empty()
            && self.strays == 0
            && self.matches.iter().all(|found| found.fault.is_none())
    }
}

/// Looks at every match, by name, and counts the appends of no match's log.
pub(super) fn look_through(rows: &dyn Rows) -> Result<(Vec<ReportedMatch>, u64), Failure> {
    let (mut logs, mut strays) = (BTreeMap::new(), 0);
    rows.all_envelopes(&mut |position, bytes| {
        let decoded = Envelope::decode(bytes).ok();
        if !decoded.is_some_and(|(envelope, hash)| extend(&mut logs, position, envelope, hash)) {
            strays += 1;
        }
    })?;
    let mut heads = BTreeMap::new();
    rows.all_heads(&mut |id, head| drop(heads.insert(id, head)))?;
    let mut matches = Vec::new();
    for (id, log) in logs {
        let head = heads.remove(&id);
        matches.push(reported(rows, id, Some(&log), head)?);
    }
    for (id, head) in heads {
        matches.push(reported(rows, id, None, Some(head))?);
    }
    matches.sort_by_key(|found| found.id);
    Ok((matches, strays))
}

/// A match's log as far as it is whole.
#[derive(Debug)]
struct Log {
    game: String,
    requests: Vec<(AccountId, RequestId)>,
    ascent: Ascent,
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

fn reported(
    rows: &dyn Rows,
    id: MatchId,
    log: Option<&Log>,
    head: Option<Result<Head, StoreFault>>,
) -> Result<ReportedMatch, Failure> {
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
