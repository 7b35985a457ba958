//! Figures of competitions for those who look after a server ([`VerdictCounts`]).

use std::sync::atomic::{AtomicU64, Ordering};

use edgehill_competition::{CompetitionEvent, Verdict};

/// The kinds by which verdicts are counted.
const KINDS: [&str; 5] = ["decided", "draw", "forfeit", "score", "void"];

/// Numbers of the verdicts that were written since the server started, by kind.
#[derive(Debug, Default)]
pub(super) struct VerdictCounts([AtomicU64; KINDS.len()]);

impl VerdictCounts {
    /// Counts the verdict of an event, if it has one.
    pub(super) fn count(&self, event: &CompetitionEvent) {
        if let Some(kind) = kind(event) {
            self.0[kind].fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Returns each kind with its number.
    pub(super) fn counts(&self) -> [(&'static str, u64); KINDS.len()] {
        std::array::from_fn(|kind| (KINDS[kind], self.0[kind].load(Ordering::Relaxed)))
    }
}

/// The place among the kinds of the verdict that an event gives to a match.
const fn kind(event: &CompetitionEvent) -> Option<usize> {
    match event {
        CompetitionEvent::MatchEnded { verdict, .. } => Some(match verdict {
            Verdict::Win(_) | Verdict::Loss(_) => 0,
            Verdict::Draw => 1,
            Verdict::Forfeit { .. } | Verdict::BothForfeit(_) => 2,
            Verdict::Score { .. } => 3,
            Verdict::Void => 4,
        }),
        CompetitionEvent::MatchVoided { .. } => Some(4),
        _ => None,
    }
}
