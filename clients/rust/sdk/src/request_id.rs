//! Request ids that are never used twice ([`RequestIds`]).

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of the prefix: 8 are enough that no two clients of one seat ever have the same.
const PREFIX_BYTES: usize = 8;

/// Makes request ids: a prefix from the operating system's randomness, and a count.
///
/// The prefix keeps ids apart across restarts, since a server keeps each accepted id for as long as its match.
pub struct RequestIds {
    prefix: String,
    next: AtomicU64,
}

impl RequestIds {
    /// Ids with a prefix of their own.
    ///
    /// # Errors
    /// If the operating system gives no randomness.
    pub fn new() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; PREFIX_BYTES];
        getrandom::fill(&mut bytes)?;
        Ok(Self { prefix: hex::encode(bytes), next: AtomicU64::new(1) })
    }

    /// The next id, at most 37 bytes.
    pub fn next(&self) -> String {
        format!("{}-{}", self.prefix, self.next.fetch_add(1, Ordering::Relaxed))
    }
}

impl fmt::Debug for RequestIds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RequestIds({}-)", self.prefix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_differ_within_a_client_and_between_clients() {
        let (one, other) = (RequestIds::new().unwrap(), RequestIds::new().unwrap());
        let ids = [one.next(), one.next(), other.next(), other.next()];
        let distinct: std::collections::BTreeSet<_> = ids.iter().collect();
        assert_eq!(distinct.len(), 4);
        assert!(ids.iter().all(|id| (1..=64).contains(&id.len())));
    }
}
