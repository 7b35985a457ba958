//! The course of a world, line by line ([`Trace`]): its hash is the same for the same seed.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Everything that is noted of a world, hashed; printed as well where `EDGEHILL_TRACE` is set.
pub(crate) struct Trace {
    hasher: Mutex<(blake3::Hasher, u64)>,
    is_shown: bool,
}

impl Trace {
    pub(crate) fn new() -> Self {
        Self { hasher: Mutex::default(), is_shown: std::env::var_os("EDGEHILL_TRACE").is_some() }
    }

    /// Notes what happens at this moment of the world.
    pub(crate) fn note(&self, at: Duration, what: fmt::Arguments<'_>) {
        let line = format!("{:>9.3} {what}\n", at.as_secs_f64());
        if self.is_shown {
            print!("{line}");
        }
        let mut hashed = self.hashed();
        hashed.0.update(line.as_bytes());
        hashed.1 += 1;
    }

    /// The hash of all lines, and how many there are.
    pub(crate) fn hash(&self) -> (String, u64) {
        let hashed = self.hashed();
        (hashed.0.finalize().to_hex()[..16].to_owned(), hashed.1)
    }

    fn hashed(&self) -> MutexGuard<'_, (blake3::Hasher, u64)> {
        self.hasher.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
