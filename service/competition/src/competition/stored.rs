//! The bytes that events are stored as: a version, then the fields in postcard's wire format.

use super::CompetitionEvent;

/// The version that this build writes.
const VERSION: u8 = 1;

/// The reason that stored bytes are no event.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EventError {
    /// Written by another build.
    #[error("the event is stored in version {0}; this build reads version {VERSION}")]
    Version(u8),
    /// Not what it should be.
    #[error("the event can't be read: {0}")]
    Malformed(String),
}

impl CompetitionEvent {
    /// The bytes to store: alike for events that are alike, and different for others.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_extend(self, vec![VERSION]).expect("all that is stored knows its lengths")
    }

    /// Reads stored bytes.
    ///
    /// # Errors
    /// If they are of another version, or not those that [`CompetitionEvent::to_bytes`] gives for any event.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, EventError> {
        match bytes.split_first() {
            Some((&VERSION, fields)) => {
                let event: Self =
                    postcard::from_bytes(fields).map_err(|error| EventError::Malformed(error.to_string()))?;
                // Postcard reads numbers that are longer than they need to be, and what stands behind the fields.
                if event.to_bytes() != bytes {
                    return Err(EventError::Malformed("the bytes are not canonical".to_owned()));
                }
                Ok(event)
            }
            Some((&version, _)) => Err(EventError::Version(version)),
            None => Err(EventError::Malformed("there are no bytes".to_owned())),
        }
    }
}
