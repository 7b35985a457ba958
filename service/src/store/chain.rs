//! The chain of a match's appends, from its head back to its creation: [`Head`], [`Descent`].
//!
//! Invariant: what a descent hands out is the match's own log without a gap, in reverse, or there is a [`Fault`].

use super::entry::{Header, Record, Summary};
use super::envelope::{Body, Envelope, Hash, Link};
use super::names::{At, MatchId, Position};
use super::quarantine::Fault;

/// Where a match stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Head {
    pub(super) id: MatchId,
    pub(super) game: String,
    pub(super) scenario: String,
    /// Where its creation stands.
    pub(super) created: Position,
    pub(super) at: At,
    /// The hash of its last envelope.
    pub(super) hash: Hash,
    pub(super) summary: Summary,
}

impl Head {
    /// The checksum of a match's row: over all of its fields.
    pub(super) fn checksum(&self) -> Hash {
        let mut hasher = blake3::Hasher::new_derive_key("edgehill store row v1");
        hasher.update(self.id.as_bytes());
        for text in [&self.game, &self.scenario] {
            hasher.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
        }
        for number in [self.created.0, self.at.revision, self.at.position.0] {
            hasher.update(&number.to_le_bytes());
        }
        hasher.update(&self.hash).update(&[self.summary.status.number(), self.summary.seat_bits()]);
        for length in &self.summary.lengths {
            hasher.update(&length.to_le_bytes());
        }
        hasher.finalize().into()
    }
}

/// Walks from a match's head to its creation and checks every link.
#[derive(Clone, Debug)]
pub(super) struct Descent<'a> {
    head: &'a Head,
    /// The append that comes next, with the revision that it must have; `None` beyond the creation.
    next: Option<(u64, Link)>,
}

impl<'a> Descent<'a> {
    pub(super) fn new(head: &'a Head) -> Self {
        let link = Link { position: head.at.position.0, hash: head.hash };
        Self { head, next: Some((head.at.revision, link)) }
    }

    /// Where the next append stands; `None` beyond the creation.
    pub(super) fn next(&self) -> Option<At> {
        self.next.map(|(revision, link)| At { revision, position: Position(link.position) })
    }

    /// Takes what stands there.
    pub(super) fn take(&mut self, bytes: Option<&[u8]>) -> Result<Envelope, Fault> {
        let (revision, link) = self.next.ok_or(Fault::RowDamaged { what: "no append is left".into() })?;
        let position = Position(link.position);
        let bytes = bytes.ok_or(Fault::Missing { revision, position })?;
        let (envelope, hash) =
            Envelope::decode(bytes).map_err(|what| Fault::Damaged { revision, position, what })?;
        let here = envelope.id == self.head.id && envelope.revision == revision && hash == link.hash;
        let is_creation = matches!(envelope.body, Body::Create { .. });
        let rooted = !is_creation || (envelope.previous == Link::default() && position == self.head.created);
        let backwards = is_creation || envelope.previous.position < link.position;
        if !here || is_creation != (revision == 0) || !rooted || !backwards {
            return Err(Fault::Displaced { revision, position });
        }
        if revision == self.head.at.revision && envelope.summary != self.head.summary {
            return Err(Fault::RowDamaged { what: "its summary is not that of its last append".into() });
        }
        self.next = revision.checked_sub(1).map(|before| (before, envelope.previous));
        Ok(envelope)
    }
}

impl Envelope {
    /// What it says as a creation.
    pub(super) fn into_header(self, position: Position) -> Option<Header> {
        let Body::Create { game, scenario, header: bytes, request } = self.body else { return None };
        let at = At { revision: 0, position };
        Some(Header { id: self.id, at, game, scenario, bytes, request, summary: self.summary })
    }

    /// What it says as an append.
    pub(super) fn into_record(self, position: Position) -> Option<Record> {
        let Body::Append { entry, requests } = self.body else { return None };
        let at = At { revision: self.revision, position };
        Some(Record { at, entry, requests, summary: self.summary })
    }
}
