//! Lengths of time as messages have them.

use std::time::Duration;

use edgehill_proto::prost_types;

use crate::error::Error;

/// A length of time for a message.
///
/// # Errors
/// [`Error::Protocol`] for one that no message has.
pub(crate) fn span(time: Duration) -> Result<prost_types::Duration, Error> {
    prost_types::Duration::try_from(time)
        .map_err(|_| Error::Protocol("a time that no message has".to_owned()))
}
