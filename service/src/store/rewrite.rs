//! A log written anew ([`Rewrite`]): other bytes in the place of those of each entry, so that what stood there is kept nowhere.

use super::entry::StoredStatus;
use super::error::Error;
use super::limits::{ENTRY_BYTES_MAX, HEADER_BYTES_MAX, OVERVIEW_BYTES_MAX, REWRITE_BYTES_MAX};
use super::names::{AccountId, MatchId};

/// The log of a match that is over, written anew entry for entry: revisions, requests and summaries stay as they are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rewrite {
    /// The match.
    pub id: MatchId,
    /// The revision at which the match must stand, and goes on to stand.
    pub expected: u64,
    /// Its header.
    pub header: Vec<u8>,
    /// The entry of each append with its revision, in order: all that the log has.
    pub entries: Vec<(u64, Vec<u8>)>,
    /// All that lists show of it besides.
    pub overview: Vec<u8>,
    /// An account, and the one that takes its place if the match was made by its request.
    pub creator: Option<(AccountId, AccountId)>,
}

impl Rewrite {
    /// An entry may be longer than one that is appended, since it may have been as long as can be before.
    pub(super) fn check(&self) -> Result<(), Error> {
        Error::bound("a header", self.header.len(), HEADER_BYTES_MAX + REWRITE_BYTES_MAX)?;
        Error::bound("an overview", self.overview.len(), OVERVIEW_BYTES_MAX + REWRITE_BYTES_MAX)?;
        let entries = self.entries.iter();
        entries
            .map(|(_, entry)| entry.len())
            .try_for_each(|bytes| Error::bound("an entry", bytes, ENTRY_BYTES_MAX + REWRITE_BYTES_MAX))
    }

    /// Bytes that it takes while it waits.
    pub(super) fn weight(&self) -> usize {
        let entries = self.entries.iter().map(|(_, entry)| entry.len() + 64).sum::<usize>();
        self.header.len() + self.overview.len() + entries + 1024
    }
}

/// Refuses to write the log of a match anew that goes on.
pub(super) fn check_over(status: StoredStatus) -> Result<(), Error> {
    match status {
        StoredStatus::Over | StoredStatus::Abandoned => Ok(()),
        StoredStatus::Open | StoredStatus::Running => {
            Err(Error::Invalid { what: "a match whose log is written anew has to be over" })
        }
    }
}
