//! The drafts at the end of a match's log ([`DraftSpan`]), which can be compacted into one entry.

use edgehill_engine::seat::Seat;

use super::published_events::Mark;
use crate::store::RequestId;

/// Bytes of drafts, since they were compacted last, after which those that were superseded are compacted.
pub(super) const COMPACT_AFTER_BYTES: u64 = 128 * 1024;

/// The last entries of a log, as far as each of them is about a draft and nothing in them is final.
#[derive(Clone, Debug)]
pub(super) struct DraftSpan {
    /// The revision before them.
    pub(super) after: u64,
    /// The events published by then; `None`: the match had not begun.
    pub(super) mark: Option<Mark>,
    /// Bytes of the log by then.
    pub(super) bytes_before: u64,
    /// Bytes of the log when they were compacted last, or by then.
    compacted: u64,
    /// True if actions of a draft were taken back since.
    superseded: bool,
    /// The requests that they answer, in order.
    pub(super) requests: Vec<(Seat, RequestId)>,
}

impl DraftSpan {
    /// No drafts yet after `revision`.
    pub(super) const fn after(revision: u64, mark: Option<Mark>, bytes: u64) -> Self {
        Self {
            after: revision,
            mark,
            bytes_before: bytes,
            compacted: bytes,
            superseded: false,
            requests: Vec::new(),
        }
    }

    /// An entry more. `supersedes`: it takes back what is in those before.
    pub(super) const fn note(&mut self, supersedes: bool) {
        self.superseded |= supersedes;
    }

    /// They were compacted: the log has so many bytes now.
    pub(super) fn note_compacted(&mut self, bytes: u64) {
        (self.compacted, self.superseded) = (bytes, false);
    }

    /// Returns whether there is enough in a log of so many bytes that was superseded.
    pub(super) const fn is_worth_compacting(&self, bytes: u64) -> bool {
        self.superseded && bytes >= self.compacted.saturating_add(COMPACT_AFTER_BYTES)
    }
}
