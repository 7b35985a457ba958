//! The sealed parts of a store, sealed anew with other keys: [`Resealing`].

use super::entry::Request;
use super::envelope::{Body, Envelope};
use super::error::Error;
use super::event::KeptEvent;
use super::names::{MatchId, SecretId};
use super::seals::{NO_MATCH, Part, StoreKeys};
use super::secret::SealedSecret;
use crate::entropy::EntropySource;

/// The keys that a store is sealed with, and those that it is to be sealed with. What stands for names stays: both have the same key
/// for that.
pub(super) struct Resealing<'a> {
    pub(super) from: &'a StoreKeys,
    pub(super) to: &'a StoreKeys,
    pub(super) entropy: &'a dyn EntropySource,
}

impl Resealing<'_> {
    /// Seals what stands in an envelope anew. Its length stays.
    ///
    /// # Errors
    /// [`Error::SecretUnreadable`] if it was sealed with another key.
    pub(super) fn envelope(&self, envelope: &mut Envelope) -> Result<(), Error> {
        let id = envelope.id;
        match &mut envelope.body {
            Body::Create { header, requests, .. } => {
                *header = self.part(id, Part::Header, header)?;
                requests.iter_mut().try_for_each(|(_, request)| self.request(id, request))
            }
            Body::Append { entry, requests } => {
                *entry = self.part(id, Part::Entry(envelope.revision), entry)?;
                requests.iter_mut().try_for_each(|(_, request)| self.request(id, request))
            }
        }
    }

    fn request(&self, id: MatchId, request: &mut Request) -> Result<(), Error> {
        request.outcome = self.part(id, Part::Outcome, &request.outcome)?;
        Ok(())
    }

    /// The overview of a match; one that can't be read, which lists do without, stays as it is.
    pub(super) fn overview(&self, id: MatchId, sealed: Vec<u8>) -> Vec<u8> {
        self.part(id, Part::Overview, &sealed).unwrap_or(sealed)
    }

    /// An act of administration.
    ///
    /// # Errors
    /// [`Error::SecretUnreadable`] if it was sealed with another key.
    pub(super) fn act(&self, number: u64, sealed: &[u8]) -> Result<Vec<u8>, Error> {
        self.part(NO_MATCH, Part::Act(number), sealed)
    }

    /// An event of a competition.
    ///
    /// # Errors
    /// [`Error::SecretUnreadable`] if it was sealed with another key.
    pub(super) fn event(&self, event: &mut KeptEvent) -> Result<(), Error> {
        event.bytes = self.from.seals.open_event(event)?;
        self.to.seals.seal_events(std::slice::from_mut(event));
        Ok(())
    }

    /// A secret; `None` for one that can't be read.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if there is no randomness.
    pub(super) fn secret(&self, id: &SecretId, sealed: &SealedSecret) -> Result<Option<SealedSecret>, Error> {
        let Ok(plain) = self.from.secrets.open(id, sealed) else { return Ok(None) };
        let sealed = self.to.secrets.seal(id, &plain, self.entropy);
        sealed.map(Some).map_err(|error| Error::Unavailable { why: error.to_string() })
    }

    fn part(&self, id: MatchId, part: Part, sealed: &[u8]) -> Result<Vec<u8>, Error> {
        let plain = self.from.seals.open(id, part, sealed)?;
        Ok(self.to.seals.seal(id, part, &plain))
    }
}
