//! The number of streams that each caller has open ([`OpenStreams`]).

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

use edgehill_engine::seat::Seat;
use edgehill_proto::v1::LimitName;

use crate::identity::{Caller, subscriber};
use crate::store::{AccountId, MatchId};
use crate::wire::Refused;

/// Streams that are open, by caller.
#[derive(Clone, Debug)]
pub(super) struct OpenStreams {
    max: usize,
    open: Arc<Mutex<HashMap<CountedAs, usize>>>,
}

/// A stream that is open, until this is dropped.
#[derive(Debug)]
pub(super) struct OpenStream {
    streams: OpenStreams,
    caller: CountedAs,
}

/// The callers whose streams are counted together. A caller who shows neither key nor token counts with those
/// who call from the same place, so that they keep nobody else from playing.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum CountedAs {
    Account(AccountId),
    Seat(MatchId, Seat),
    Address(Option<IpAddr>),
}

impl OpenStreams {
    pub(super) fn new(max: usize) -> Self {
        Self { max, open: Arc::default() }
    }

    /// Opens a stream of a caller, whose token has been looked up, and who calls from `address`.
    ///
    /// # Errors
    /// LIMIT_REACHED.
    pub(super) fn open(&self, caller: &Caller, address: Option<SocketAddr>) -> Result<OpenStream, Refused> {
        let caller = match caller {
            Caller::Anonymous => CountedAs::Address(address.map(|address| subscriber(address.ip()))),
            Caller::Account { id, .. } => CountedAs::Account(id.clone()),
            Caller::Seat(token) => CountedAs::Seat(token.match_id(), token.seat()),
        };
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(caller.clone()).or_default();
        if *count >= self.max {
            return Err(Refused::limit_reached(LimitName::Streams, self.max as u64));
        }
        *count += 1;
        drop(open);
        Ok(OpenStream { streams: self.clone(), caller })
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let mut open = self.streams.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.caller) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.caller);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caller_without_a_token_takes_streams_from_their_own_place_only() {
        let streams = OpenStreams::new(1);
        let from = |text: &str| Some(text.parse().unwrap());
        let _first = streams.open(&Caller::Anonymous, from("192.0.2.1:1000")).unwrap();
        assert!(streams.open(&Caller::Anonymous, from("192.0.2.1:2000")).is_err());
        let second = streams.open(&Caller::Anonymous, from("192.0.2.2:1000")).unwrap();
        drop(second);
        assert!(streams.open(&Caller::Anonymous, from("192.0.2.2:3000")).is_ok());
        assert_eq!(streams.open.lock().unwrap().len(), 1, "callers who have gone are kept");
    }
}
