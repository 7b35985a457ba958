//! The chain of a match's appends: from its head back to its creation ([`Head`], [`Descent`]), and from its creation on, as far as it
//! is whole ([`Ascent`]).
//!
//! Invariant: what a descent hands out is the match's own log without a gap, in reverse, or there is a [`StoreFault`].

use super::entry::{StoredHeader, StoredRecord, Summary};
use super::envelope::{Body, Envelope, Hash, Link};
use super::names::{At, MatchId, Position};
use super::purpose::Purpose;
use super::quarantine::StoreFault;

/// The place at which a match stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Head {
    pub(super) id: MatchId,
    pub(super) game: String,
    pub(super) scenario: String,
    /// The seed group that it belongs to.
    pub(super) group: Option<String>,
    /// The position of its creation.
    pub(super) created: Position,
    pub(super) at: At,
    /// The hash of its last envelope.
    pub(super) hash: Hash,
    pub(super) summary: Summary,
    /// The hash of its overview, which is kept beside it.
    pub(super) overview: Hash,
}

/// The hash of an overview.
pub(super) fn overview_hash(overview: &[u8]) -> Hash {
    static PURPOSE: Purpose = Purpose::new("edgehill store overview v1");
    PURPOSE.hash(overview)
}

impl Head {
    /// The checksum of a match's row: over all of its fields.
    pub(super) fn checksum(&self) -> Hash {
        static PURPOSE: Purpose = Purpose::new("edgehill store row v2");
        let mut hasher = PURPOSE.hasher();
        hasher.update(self.id.as_bytes());
        // No group has the empty id.
        for text in [&*self.game, &*self.scenario, self.group.as_deref().unwrap_or_default()] {
            hasher.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
        }
        for number in [self.created.0, self.at.revision, self.at.position.0] {
            hasher.update(&number.to_le_bytes());
        }
        hasher.update(&self.hash).update(&[self.summary.status.number(), self.summary.seat_bits()]);
        for length in &self.summary.lengths {
            hasher.update(&length.to_le_bytes());
        }
        hasher.update(&self.overview);
        hasher.finalize().into()
    }
}

/// Walks from a match's head to its creation and checks every link.
#[derive(Clone, Debug)]
pub(super) struct Descent<'a> {
    head: &'a Head,
    /// The append that comes next; `None` beyond the creation.
    next: Option<Link>,
}

impl<'a> Descent<'a> {
    pub(super) fn new(head: &'a Head) -> Self {
        let At { revision, position } = head.at;
        Self { head, next: Some(Link { revision, position: position.0, hash: head.hash }) }
    }

    /// Returns the place of the next append; `None` beyond the creation.
    pub(super) fn next(&self) -> Option<At> {
        self.next.map(|link| At { revision: link.revision, position: Position(link.position) })
    }

    /// Returns the link to the next append; `None` beyond the creation.
    pub(super) const fn link(&self) -> Option<Link> {
        self.next
    }

    /// Takes what stands there.
    pub(super) fn take(&mut self, bytes: Option<&[u8]>) -> Result<Envelope, StoreFault> {
        let link = self.next.ok_or(StoreFault::RowDamaged { what: "no append is left".into() })?;
        let (revision, position) = (link.revision, Position(link.position));
        let bytes = bytes.ok_or(StoreFault::Missing { revision, position })?;
        let (envelope, hash) =
            Envelope::decode(bytes).map_err(|what| StoreFault::Damaged { revision, position, what })?;
        let here = envelope.id == self.head.id && envelope.revision == revision && hash == link.hash;
        let is_creation = matches!(envelope.body, Body::Create { .. });
        let rooted = !is_creation || (envelope.previous == Link::default() && position == self.head.created);
        let before = envelope.previous;
        let backwards = is_creation || (before.position < link.position && before.revision < revision);
        if !here || is_creation != (revision == 0) || !rooted || !backwards {
            return Err(StoreFault::Displaced { revision, position });
        }
        if revision == self.head.at.revision && envelope.summary != self.head.summary {
            return Err(StoreFault::RowDamaged { what: "its summary is not that of its last append".into() });
        }
        self.next = (!is_creation).then_some(before);
        Ok(envelope)
    }
}

/// A match's log built up from its creation: each append that it takes follows the one before.
#[derive(Copy, Clone, Default, Debug)]
pub(super) struct Ascent {
    last: Option<Link>,
}

impl Ascent {
    /// The link to the last append that it took; `None` before the creation.
    pub(super) const fn link(&self) -> Option<Link> {
        self.last
    }

    /// Takes an append, if it is the next one of the log; returns whether it is.
    pub(super) fn take(&mut self, position: Position, envelope: &Envelope, hash: Hash) -> bool {
        let follows = match (self.last, &envelope.body) {
            (None, Body::Create { .. }) => envelope.previous == Link::default() && envelope.revision == 0,
            (Some(last), Body::Append { .. }) => {
                envelope.previous == last && envelope.revision > last.revision
            }
            _ => false,
        };
        if follows {
            self.last = Some(Link { revision: envelope.revision, position: position.0, hash });
        }
        follows
    }
}

impl Envelope {
    /// Returns its content as a creation.
    pub(super) fn into_header(self, position: Position) -> Option<StoredHeader> {
        let Body::Create { game, scenario, header: bytes, requests } = self.body else { return None };
        let at = At { revision: 0, position };
        Some(StoredHeader { id: self.id, at, game, scenario, bytes, requests, summary: self.summary })
    }

    /// Returns its content as an append.
    pub(super) fn into_record(self, position: Position) -> Option<StoredRecord> {
        let Body::Append { entry, requests } = self.body else { return None };
        let at = At { revision: self.revision, position };
        Some(StoredRecord { at, entry, requests, summary: self.summary })
    }
}

#[cfg(test)]
mod tests {
    use edgehill_engine::seat::SeatSet;

    use super::super::entry::StoredStatus;
    use super::*;

    fn summary(length: u64) -> Summary {
        Summary { status: StoredStatus::Running, open_seats: SeatSet::EMPTY, lengths: vec![length] }
    }

    /// A log of `appends` appends, each at twice its revision plus 1, with its head.
    fn log(id: MatchId, appends: u64) -> (Vec<Vec<u8>>, Head) {
        let (game, scenario) = ("g".to_owned(), "s".to_owned());
        let mut body = Body::Create { game, scenario, header: Vec::new(), requests: Vec::new() };
        let (mut previous, mut log) = (Link::default(), Vec::new());
        for revision in 0..=appends {
            let envelope =
                Envelope { id, revision, previous, bytes_before: 0, summary: summary(revision), body };
            let (bytes, hash) = envelope.encode();
            log.push(bytes);
            previous = Link { revision, position: revision * 2 + 1, hash };
            body = Body::Append { entry: vec![1], requests: Vec::new() };
        }
        let at = At { revision: appends, position: Position(previous.position) };
        let (game, scenario) = ("g".to_owned(), "s".to_owned());
        let (created, hash, summary) = (Position(1), previous.hash, summary(appends));
        let (group, overview) = (None, overview_hash(b"o"));
        (log, Head { id, game, scenario, group, created, at, hash, summary, overview })
    }

    /// Returns how far down a descent from `head` comes, and what stops it.
    fn descend(log: &[Vec<u8>], head: &Head) -> (u64, Option<StoreFault>) {
        let (mut descent, mut links) = (Descent::new(head), 0);
        while let Some(at) = descent.next() {
            let index = usize::try_from((at.position.0 - 1) / 2).unwrap();
            match descent.take(log.get(index).map(Vec::as_slice)) {
                Ok(_) => links += 1,
                Err(fault) => return (links, Some(fault)),
            }
        }
        (links, None)
    }

    const ID: MatchId = MatchId::from_bytes([1; 16]);

    #[test]
    fn a_whole_log_is_walked_to_its_creation() {
        let (log, head) = log(ID, 5);
        assert_eq!(descend(&log, &head), (6, None));
    }

    #[test]
    fn a_head_that_does_not_fit_its_log_goes_nowhere() {
        let (log, head) = log(ID, 5);
        let displaced = |revision, position| StoreFault::Displaced { revision, position: Position(position) };
        let other = Head { id: MatchId::from_bytes([2; 16]), ..head.clone() };
        assert_eq!(descend(&log, &other), (0, Some(displaced(5, 11))));
        for revision in [0, 4, 6] {
            let wrong = Head { at: At { revision, ..head.at }, ..head.clone() };
            assert_eq!(descend(&log, &wrong), (0, Some(displaced(revision, 11))));
        }
        let elsewhere = Head { created: Position(3), ..head.clone() };
        assert_eq!(descend(&log, &elsewhere), (5, Some(displaced(0, 1))));
        let hashed = Head { hash: [9; 32], ..head.clone() };
        assert_eq!(descend(&log, &hashed), (0, Some(displaced(5, 11))));
        let summed = Head { summary: summary(9), ..head };
        assert_eq!(descend(&log, &summed).1.map(|fault| fault.reason()), Some("ROW_DAMAGED"));
    }

    /// Another whole append of the same match and revision, as a restored backup could have it that was played on.
    #[test]
    fn an_append_of_another_course_of_the_match_is_displaced() {
        let (mut own, head) = log(ID, 5);
        let (mut envelope, _) = Envelope::decode(&own[3]).unwrap();
        envelope.body = Body::Append { entry: vec![2], requests: Vec::new() };
        own[3] = envelope.encode().0;
        let fault = StoreFault::Displaced { revision: 3, position: Position(7) };
        assert_eq!(descend(&own, &head), (2, Some(fault)));
    }

    /// Links that the writer never makes: they would lead a walk in circles.
    #[test]
    fn a_link_that_leads_on_is_displaced() {
        let (mut own, mut head) = log(ID, 2);
        let (mut envelope, _) = Envelope::decode(&own[2]).unwrap();
        envelope.previous.position = 5;
        (own[2], head.hash) = envelope.encode();
        let fault = StoreFault::Displaced { revision: 2, position: Position(5) };
        assert_eq!(descend(&own, &head), (0, Some(fault)));
    }
}
