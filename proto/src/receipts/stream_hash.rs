//! The running hash over the events of one observer ([`StreamHash`]).

use std::fmt;

use prost::Message;
use sha2::{Digest, Sha256};

use super::{hex, observer, words};
use crate::v1::{Event, Observer};

/// SHA-256 over what was published to one observer of a match, event by event.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct StreamHash([u8; 32]);

impl StreamHash {
    /// Before the first event.
    #[must_use]
    pub fn start(match_id: &str, of: &Observer) -> Self {
        let text = format!("edgehill/stream/1\nmatch {match_id}\nobserver {}\n", observer(of));
        Self(Sha256::digest(text).into())
    }

    /// After one more event, in the bytes in which it was published: without number, words and hash.
    #[must_use]
    pub fn after_bytes(self, event: &[u8]) -> Self {
        Self(Sha256::new().chain_update(self.0).chain_update(event).finalize().into())
    }

    /// After one more event, as a client was sent it. One that has taken the place of others says which hash they came to.
    #[must_use]
    pub fn after(self, event: &Event) -> Self {
        match <[u8; 32]>::try_from(&event.stream_hash[..]) {
            Ok(said) => Self(said),
            Err(_) => self.after_bytes(&words::without(event).encode_to_vec()),
        }
    }

    /// The 32 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl From<[u8; 32]> for StreamHash {
    fn from(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl fmt::Display for StreamHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl fmt::Debug for StreamHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StreamHash({self})")
    }
}
