//! How many streams each caller has open ([`OpenStreams`]).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use edgehill_proto::v1::LimitName;

use crate::identity::Caller;
use crate::wire::Refused;

/// Streams that are open, by caller.
#[derive(Clone, Debug)]
pub(super) struct OpenStreams {
    max: usize,
    open: Arc<Mutex<HashMap<Vec<u8>, usize>>>,
}

/// A stream that is open, until this is dropped.
#[derive(Debug)]
pub(super) struct OpenStream {
    streams: OpenStreams,
    caller: Vec<u8>,
}

impl OpenStreams {
    pub(super) fn new(max: usize) -> Self {
        Self { max, open: Arc::default() }
    }

    /// Opens a stream.
    ///
    /// # Errors
    /// LIMIT_REACHED.
    pub(super) fn open(&self, caller: &Caller) -> Result<OpenStream, Refused> {
        let caller = match caller {
            Caller::Anonymous => Vec::new(),
            Caller::Account { id, .. } => [b"a", id.as_bytes()].concat(),
            Caller::Seat(token) => {
                [&b"s"[..], token.match_id().as_bytes(), &[token.seat().index() as u8]].concat()
            }
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
