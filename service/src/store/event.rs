//! Events of competitions as the store keeps them ([`KeptEvent`]): a log for each competition.

use std::fmt;
use std::str::FromStr;

use uuid::Uuid;

use super::error::Error;
use super::limits::{EVENT_BYTES_MAX, EVENTS_KEPT_MAX};

/// The name of a competition.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CompetitionId(Uuid);

impl CompetitionId {
    /// The name that these bytes lead to (UUID, version 8): the same ones to the same.
    #[must_use]
    pub fn derived(bytes: [u8; 16]) -> Self {
        Self(uuid::Builder::from_custom_bytes(bytes).into_uuid())
    }

    /// The name of these 16 bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(Uuid::from_bytes(bytes))
    }

    /// The 16 bytes; they sort as the names do.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 16] {
        self.0.as_bytes()
    }
}

impl fmt::Display for CompetitionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for CompetitionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for CompetitionId {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Uuid::try_parse(text).map(Self).map_err(|_| Error::Invalid { what: "a competition's name is a UUID" })
    }
}

/// An event of a competition, in the service's own form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptEvent {
    /// The competition.
    pub competition: CompetitionId,
    /// Its number there, from 1 on without a gap.
    pub number: u64,
    /// The event.
    pub bytes: Vec<u8>,
}

/// Checks events that are to be kept together: of one competition, and in order.
pub(super) fn check(events: &[KeptEvent]) -> Result<(), Error> {
    Error::bound("events of a competition", events.len(), EVENTS_KEPT_MAX)?;
    for event in events {
        Error::bound("an event of a competition", event.bytes.len(), EVENT_BYTES_MAX)?;
    }
    let follows = |pair: &[KeptEvent]| {
        pair[0].competition == pair[1].competition && pair[0].number.checked_add(1) == Some(pair[1].number)
    };
    match !events.is_empty() && events.windows(2).all(follows) {
        true => Ok(()),
        false => Err(Error::Invalid { what: "events are kept in their order, and of one competition" }),
    }
}
