//! The number of streams that each caller has open ([`OpenStreams`]).

use edgehill_proto::v1::LimitName;

use crate::identity::CallerKey;
use crate::shares::{Share, Shares};
use crate::wire::Refused;

/// Streams that are open, by caller. A seat's token makes nobody another caller: anybody can have as many as they like.
#[derive(Clone, Default, Debug)]
pub(super) struct OpenStreams(Shares<CallerKey>);

/// A stream that is open, until this is dropped.
pub(super) type OpenStream = Share<CallerKey>;

impl OpenStreams {
    /// Opens a stream of a caller, who may have `max`.
    ///
    /// # Errors
    /// LIMIT_REACHED.
    pub(super) fn open(&self, caller: CallerKey, max: usize) -> Result<OpenStream, Refused> {
        let refused = || Refused::limit_reached(LimitName::Streams, max as u64);
        self.0.take(caller, max).ok_or_else(refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caller_takes_streams_from_their_own_share_only() {
        let streams = OpenStreams::default();
        let from = |text: &str| CallerKey::at(text.parse().unwrap());
        let _first = streams.open(from("192.0.2.1"), 1).unwrap();
        assert!(streams.open(from("192.0.2.1"), 1).is_err());
        let second = streams.open(from("192.0.2.2"), 1).unwrap();
        drop(second);
        assert!(streams.open(from("192.0.2.2"), 1).is_ok());
    }
}
