//! The rate at which a caller's messages in a stream are taken ([`MessageRate`]).

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::wire::Refused;

/// Counts the messages of one caller, in all their streams and together with their calls. It comes with the request that
/// opens a stream; without one, messages are not counted.
#[derive(Clone)]
pub struct MessageRate(Arc<dyn Fn(usize) -> Result<(), Duration> + Send + Sync>);

impl MessageRate {
    /// Asks `check` for each message, with its bytes, which says how long the caller has to wait if they send too many.
    #[must_use]
    pub fn new(check: impl Fn(usize) -> Result<(), Duration> + Send + Sync + 'static) -> Self {
        Self(Arc::new(check))
    }

    /// Counts a message of so many bytes.
    ///
    /// # Errors
    /// RATE_LIMITED, with the time to wait.
    pub(super) fn admit(&self, bytes: usize) -> Result<(), Refused> {
        (self.0)(bytes).map_err(Refused::rate_limited)
    }
}

impl fmt::Debug for MessageRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MessageRate")
    }
}
