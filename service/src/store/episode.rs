//! A time in which writes fail: [`Episode`]. It begins with a batch that fails, and ends when as much as that batch has was
//! written; the log has one line for its beginning and one for its end.

use std::path::Path;
use std::time::Duration;

use super::error::Error;
use super::health::StoreHealth;

/// A time in which writes fail.
#[derive(Debug)]
pub(super) struct Episode {
    way_out: WayOut,
    /// The last fault, in words.
    why: String,
    /// Bytes of the largest batch that failed.
    bytes: usize,
    begun: Duration,
    failed_batches: u64,
    refused_operations: u64,
}

/// The way in which an episode can end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum WayOut {
    /// A write: what failed was rolled back, and the next may succeed.
    Write,
    /// The file is opened anew, not before this time: only then it is known that the disk has nothing of what failed.
    Reopen(Duration),
    /// None, while this process has the file open.
    Never(Error),
}

impl WayOut {
    /// The way out after `error`, where the file may be opened anew from `reopen_at` on.
    pub(super) fn after(error: &Error, reopen_at: Duration) -> Self {
        match error {
            Error::Failed { .. } | Error::OutcomeUnknown { .. } => Self::Reopen(reopen_at),
            Error::Locked { .. }
            | Error::Corrupt { .. }
            | Error::NotAStore { .. }
            | Error::SchemaTooNew { .. }
            | Error::SchemaTooOld { .. } => Self::Never(error.clone()),
            _ => Self::Write,
        }
    }
}

impl Episode {
    /// Begins with a batch of so many bytes that failed with `error`, for the reason `disk` if the system below tells one.
    pub(super) fn begin(
        store: &Path,
        error: &Error,
        disk: Option<String>,
        way_out: WayOut,
        bytes: usize,
        begun: Duration,
    ) -> Self {
        let reason = error.reason();
        tracing::error!(reason, %error, disk, store = %store.display(), "the store can't write");
        Self { way_out, why: words(error), bytes, begun, failed_batches: 1, refused_operations: 0 }
    }

    /// Goes on with another batch, or another try, that failed.
    pub(super) fn go_on(&mut self, error: &Error, way_out: WayOut, bytes: usize) {
        if matches!(way_out, WayOut::Never(_)) {
            tracing::error!(reason = error.reason(), %error, "the store can't be opened anew");
        }
        self.way_out = way_out;
        self.why = words(error);
        self.bytes = self.bytes.max(bytes);
        self.failed_batches += u64::from(bytes > 0);
    }

    /// Counts operations that were refused without a try, or that failed.
    pub(super) fn refuse(&mut self, operations: usize) {
        self.refused_operations += operations as u64;
    }

    pub(super) const fn way_out(&self) -> &WayOut {
        &self.way_out
    }

    /// Bytes that have to be written for it to end.
    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Ends: writes succeed again.
    pub(super) fn end(self, now: Duration) {
        let Self { failed_batches, refused_operations, begun, .. } = self;
        let seconds = now.saturating_sub(begun).as_secs_f64();
        tracing::warn!(failed_batches, refused_operations, seconds, "the store writes again");
    }

    /// The refusal of an operation that is not tried.
    pub(super) fn refusal(&self) -> Option<Error> {
        match &self.way_out {
            WayOut::Write => None,
            WayOut::Reopen(_) => Some(Error::Failed { why: self.why.clone() }),
            WayOut::Never(error) => Some(error.clone()),
        }
    }

    /// The store's health while it lasts.
    pub(super) const fn health(&self) -> StoreHealth {
        match self.way_out {
            WayOut::Write | WayOut::Reopen(_) => StoreHealth::Failing,
            WayOut::Never(_) => StoreHealth::Lost,
        }
    }
}

/// The fault below an error, in words.
fn words(error: &Error) -> String {
    match error {
        Error::Unavailable { why } | Error::OutcomeUnknown { why } | Error::Failed { why } => why.clone(),
        other => other.to_string(),
    }
}
