//! The part of what callers share that one account has ([`AccountQuota`]).

use serde::{Deserialize, Serialize};

use crate::limits::Limits;

/// The part that an account has of what callers share. What is `None` is as the server has it for everybody.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct AccountQuota {
    /// Matches that it has made and that are not over.
    pub open_matches: Option<u32>,
    /// Those of them in which house bots have all seats.
    pub bot_matches: Option<u32>,
    /// Streams at once.
    pub streams: Option<u32>,
    /// Calls under way at once, streams not counted.
    pub calls: Option<u32>,
    /// Calls a second over time, and as many at once; 0: as many as it likes.
    pub calls_per_second: Option<u32>,
    /// Bytes a second over time; 0: as many as it likes.
    pub bytes_per_second: Option<u32>,
}

impl AccountQuota {
    /// The limits of the server with what this account has of them.
    #[must_use]
    pub fn within(&self, limits: Limits) -> Limits {
        let own = |quota: Option<u32>, general: usize| quota.map_or(general, |count| count as usize);
        Limits {
            open_matches: own(self.open_matches, limits.open_matches),
            bot_matches: own(self.bot_matches, limits.bot_matches),
            streams: own(self.streams, limits.streams),
            ..limits
        }
    }
}
