//! The log of a match that is over, as one entry: its *archive*.
//!
//! Most of a played match's log repeats itself from entry to entry, and each append has a hash, a seal and the names of its requests
//! around it. So when nobody is likely to ask for it any more, one append takes the place of all but the header, and holds them
//! whole, compressed. Whoever reads the log unpacks it first, and finds the appends as they were: with their revisions, their
//! requests and their summaries.
//!
//! Beside them it keeps the match's record, which nobody can make without its rules: without names and secrets, which are added when it
//! is asked for ([`ClosedMatch::record`](super::ClosedMatch::record)), so that they can be erased, and withheld as long as they have to be.

use std::borrow::Cow;

use edgehill_engine::seat::{Seat, SeatSet};
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

use super::stored::StoredError;
use crate::store::limits::{ENTRY_BYTES_MAX, LOG_BYTES_MAX};
use crate::store::{
    Append, At, BodyHash, MatchLog, Party, Replaced, Request, RequestId, StoredRecord, StoredStatus, Summary,
};

/// The version of an entry that is an archive; other entries have other versions ([`super::stored`]).
const VERSION: u8 = 4;

/// The version of one with a record behind the appends.
const WITH_RECORD: u8 = 10;

/// zstd's level: a played match is compressed in about a millisecond.
const LEVEL: i32 = 3;

/// The fewest appends that are worth an archive.
const APPENDS_MIN: usize = 2;

/// The most bytes of entries that are archived: more would keep a thread for longer than a call may wait.
const PLAIN_BYTES_MAX: usize = 16 * 1024 * 1024;

/// An append of the log as it was.
#[derive(Serialize, Deserialize)]
struct Archived<'a> {
    revision: u64,
    #[serde(borrow)]
    entry: Cow<'a, serde_bytes::Bytes>,
    requests: Vec<ArchivedRequest>,
    status: u8,
    open_seats: u8,
    lengths: Vec<u64>,
}

/// A request that it answered.
#[derive(Serialize, Deserialize)]
struct ArchivedRequest {
    /// `None`: the host's.
    seat: Option<u8>,
    id: ByteBuf,
    body: [u8; 32],
    outcome: ByteBuf,
}

/// The append that takes the place of all appends of the log of a match that is over, with its record, if there is one
/// ([`LiveMatch::record_to_keep`](super::LiveMatch::record_to_keep)); `None` if there is nothing to gain, or the archive would be too
/// large for an entry.
#[must_use]
pub fn archiving(log: &MatchLog, record: Option<String>) -> Option<Append> {
    let last = log.records.last()?;
    let record = record.or_else(|| kept_record(&log.records).ok().flatten());
    // One that went on behind its archive has all of it in one again.
    let records = unpacked(&log.records).ok()?;
    let plain: usize = records.iter().map(|record| record.entry.len()).sum();
    let over = matches!(last.summary.status, StoredStatus::Over | StoredStatus::Abandoned);
    if !over || log.records.len() < APPENDS_MIN || plain > PLAIN_BYTES_MAX {
        return None;
    }
    let mut entry = packed(&records, record.as_deref());
    if entry.len() > ENTRY_BYTES_MAX {
        entry = packed(&records, None);
    }
    (entry.len() <= ENTRY_BYTES_MAX).then(|| Append {
        id: log.header.id,
        expected: log.revision,
        entry,
        requests: Vec::new(),
        summary: last.summary.clone(),
        overview: None,
        // The match itself answers them again: a store that is asked has them no more.
        replaces: Some(Replaced { after: 0, requests: Vec::new() }),
    })
}

/// The entry that holds these appends, and a record behind them.
fn packed(records: &[StoredRecord], record: Option<&str>) -> Vec<u8> {
    let archived: Vec<Archived<'_>> = records.iter().map(Archived::of).collect();
    let mut fields = postcard::to_allocvec(&archived).expect("all that is stored knows its lengths");
    fields.extend_from_slice(record.unwrap_or_default().as_bytes());
    let packed = zstd::bulk::compress(&fields, LEVEL).expect("what is in memory can be compressed");
    let length = (fields.len() as u64).to_le_bytes();
    let version = if record.is_some() { WITH_RECORD } else { VERSION };
    [&[version][..], &length, &packed].concat()
}

/// The entry of an append after `edit` has given other bytes for it or, of an archive, for the entries in it; `None` if it gave none.
///
/// # Errors
/// If an archive can't be read, and those of `edit`.
pub(super) fn edited(
    record: &StoredRecord,
    mut edit: impl FnMut(&[u8]) -> Result<Option<Vec<u8>>, StoredError>,
) -> Result<Option<Vec<u8>>, StoredError> {
    if !is_archive(record) {
        return edit(&record.entry);
    }
    let (mut records, mut is_edited) = (Vec::new(), false);
    let kept = unpack(record, &mut records)?;
    for archived in &mut records {
        if let Some(entry) = edit(&archived.entry)? {
            (archived.entry, is_edited) = (entry, true);
        }
    }
    Ok(is_edited.then(|| packed(&records, kept.as_deref())))
}

/// Returns whether an append is an archive.
#[must_use]
pub fn is_archive(record: &StoredRecord) -> bool {
    matches!(record.entry.first(), Some(&(VERSION | WITH_RECORD)))
}

/// The appends of a log as they were before any of them was archived.
///
/// # Errors
/// If an archive can't be read.
pub fn unpacked(records: &[StoredRecord]) -> Result<Cow<'_, [StoredRecord]>, StoredError> {
    if !records.iter().any(is_archive) {
        return Ok(Cow::Borrowed(records));
    }
    let mut all = Vec::new();
    for record in records {
        if is_archive(record) {
            unpack(record, &mut all)?;
        } else {
            all.push(record.clone());
        }
    }
    Ok(Cow::Owned(all))
}

/// The record that the last archive of a log keeps, if it has one.
///
/// # Errors
/// If an archive can't be read.
pub(super) fn kept_record(records: &[StoredRecord]) -> Result<Option<String>, StoredError> {
    let archive = records.iter().rev().find(|record| is_archive(record));
    archive.map_or(Ok(None), |archive| unpack(archive, &mut Vec::new()))
}

/// Adds the appends of an archive to `all`; the record that it keeps.
fn unpack(record: &StoredRecord, all: &mut Vec<StoredRecord>) -> Result<Option<String>, StoredError> {
    let malformed = |why: &dyn std::fmt::Display| StoredError::Malformed(format!("an archive: {why}"));
    let (length, packed) =
        record.entry[1..].split_first_chunk().ok_or_else(|| malformed(&"it is cut short"))?;
    let length = u64::from_le_bytes(*length);
    if length > LOG_BYTES_MAX {
        return Err(malformed(&"it is longer than a log"));
    }
    let fields = zstd::bulk::decompress(packed, length as usize).map_err(|error| malformed(&error))?;
    let (archived, kept): (Vec<Archived<'_>>, _) =
        postcard::take_from_bytes(&fields).map_err(|error| malformed(&error))?;
    for one in archived {
        all.push(one.restored(record.at).ok_or_else(|| malformed(&"an append that can't be"))?);
    }
    match record.entry.first() {
        Some(&WITH_RECORD) => {
            let text = str::from_utf8(kept).map_err(|error| malformed(&error))?;
            Ok(Some(text.to_owned()))
        }
        _ if !kept.is_empty() => Err(malformed(&"there is something behind its appends")),
        _ => Ok(None),
    }
}

impl<'a> Archived<'a> {
    fn of(record: &'a StoredRecord) -> Self {
        let request = |(party, request): &(Party, Request)| ArchivedRequest {
            seat: match party {
                Party::Seat(seat) => Some(seat.index() as u8),
                Party::Host => None,
            },
            id: ByteBuf::from(request.id.as_bytes()),
            body: request.body.0,
            outcome: ByteBuf::from(request.outcome.clone()),
        };
        Self {
            revision: record.at.revision,
            entry: Cow::Borrowed(serde_bytes::Bytes::new(&record.entry)),
            requests: record.requests.iter().map(request).collect(),
            status: record.summary.status.number(),
            open_seats: record.summary.seat_bits(),
            lengths: record.summary.lengths.clone(),
        }
    }

    /// The append as it was; it stands where its archive is.
    fn restored(self, at: At) -> Option<StoredRecord> {
        let requests =
            self.requests.into_iter().map(ArchivedRequest::restored).collect::<Option<Vec<_>>>()?;
        let seats = (0..Seat::MAX as u8).filter(|seat| self.open_seats >> seat & 1 != 0).map(Seat::new);
        let summary = Summary {
            status: StoredStatus::of(self.status)?,
            open_seats: seats.collect::<SeatSet>(),
            lengths: self.lengths,
        };
        let at = At { revision: self.revision, ..at };
        Some(StoredRecord { at, entry: self.entry.to_vec(), requests, summary })
    }
}

impl ArchivedRequest {
    fn restored(self) -> Option<(Party, Request)> {
        let party = match self.seat {
            Some(seat) if usize::from(seat) < Seat::MAX => Party::Seat(Seat::new(seat)),
            Some(_) => return None,
            None => Party::Host,
        };
        let id = RequestId::new(&self.id).ok()?;
        Some((party, Request { id, body: BodyHash(self.body), outcome: self.outcome.into_vec() }))
    }
}
