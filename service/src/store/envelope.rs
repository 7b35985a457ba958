//! The form of an append at rest: [`Envelope`], versioned, hashed, and chained to the append before it.
//!
//! Invariant: bytes that were cut short or changed in any bit don't decode, and the hash covers the match's name, the
//! revision and the hash of the append before, so that a whole envelope in a wrong place does not pass either.

use edgehill_engine::codec::{DecodeError, Reader, Writer};
use edgehill_engine::seat::{Seat, SeatSet};
use smallvec::SmallVec;

use super::entry::{Append, BodyHash, Request, StoredStatus, Summary};
use super::limits::{OBSERVERS_MAX, REPLACED_REQUESTS_MAX, REQUESTS_MAX};
use super::names::{AccountId, MatchId, Party, RequestId};
use super::purpose::Purpose;

/// The version of an append that comes after the one of the revision before.
const VERSION: u8 = 1;
/// The version of an append that takes the place of others: it says the revision of the one before, too.
const VERSION_REPLACING: u8 = 2;
const HASH_BYTES: usize = 32;

/// BLAKE3 of an envelope.
pub(super) type Hash = [u8; HASH_BYTES];

/// The append before: nothing (zeros) before a creation.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Link {
    pub(super) revision: u64,
    pub(super) position: u64,
    pub(super) hash: Hash,
}

/// One append at rest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Envelope {
    pub(super) id: MatchId,
    pub(super) revision: u64,
    pub(super) previous: Link,
    /// Bytes of the match's envelopes before this one.
    pub(super) bytes_before: u64,
    pub(super) summary: Summary,
    pub(super) body: Body,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Body {
    Create { game: String, scenario: String, header: Vec<u8>, requests: Vec<(AccountId, Request)> },
    Append { entry: Vec<u8>, requests: Vec<(Party, Request)> },
}

/// An append that is about to be written.
pub(super) struct Writing<'a> {
    pub(super) append: &'a Append,
    pub(super) previous: Link,
    pub(super) bytes_before: u64,
}

impl Writing<'_> {
    /// The bytes of the envelope, which end with their hash, and the hash.
    pub(super) fn encode(&self) -> (Vec<u8>, Hash) {
        let Self { append, previous, bytes_before } = self;
        let mut to = Writer::with_capacity(size_of(append));
        write_head(&mut to, append.id, append.expected + 1, *previous, *bytes_before, &append.summary);
        write_append(&mut to, &append.entry, append.all_requests());
        with_hash(to)
    }
}

/// Returns the number of bytes of an append's envelope.
pub(super) fn size_of(append: &Append) -> usize {
    let requests = append.all_requests().map(|(_, asked)| request_size(asked)).sum::<usize>();
    let lengths = 8 * append.summary.lengths.len();
    // One that replaces nothing is refused before it comes here.
    let replaces = if append.replaces.is_some() { 8 } else { 0 };
    HEAD_BYTES + replaces + lengths + append.entry.len() + requests + HASH_BYTES
}

/// Number of bytes of the parts of an append that are always there.
const HEAD_BYTES: usize = 84;

/// Returns the number of bytes that a request takes.
pub(super) fn request_size(request: &Request) -> usize {
    41 + request.id.as_bytes().len() + request.outcome.len()
}

fn write_head(
    to: &mut Writer,
    id: MatchId,
    revision: u64,
    previous: Link,
    bytes_before: u64,
    summary: &Summary,
) {
    let replaces = replaces(revision, previous);
    to.u8(if replaces { VERSION_REPLACING } else { VERSION });
    to.array(id.as_bytes());
    to.u64(revision);
    to.u64(previous.position);
    to.array(&previous.hash);
    if replaces {
        to.u64(previous.revision);
    }
    to.u64(bytes_before);
    write_summary(to, summary);
}

/// Returns whether an append of this revision takes the place of others.
const fn replaces(revision: u64, previous: Link) -> bool {
    revision.saturating_sub(1) != previous.revision
}

fn write_append<'a>(
    to: &mut Writer,
    entry: &[u8],
    requests: impl ExactSizeIterator<Item = &'a (Party, Request)> + Clone,
) {
    to.u8(1);
    to.bytes(entry);
    let requests: SmallVec<[&(Party, Request); 4]> = requests.collect();
    to.list(&requests, |to, (party, request)| {
        to.u8(party_number(*party));
        write_request(to, request);
    });
}

fn with_hash(to: Writer) -> (Vec<u8>, Hash) {
    let mut bytes = to.finish();
    let hash = hash_of(&bytes);
    bytes.extend_from_slice(&hash);
    (bytes, hash)
}

impl Envelope {
    /// The bytes, which end with their hash, and the hash.
    pub(super) fn encode(&self) -> (Vec<u8>, Hash) {
        let mut to = Writer::new();
        write_head(&mut to, self.id, self.revision, self.previous, self.bytes_before, &self.summary);
        match &self.body {
            Body::Create { game, scenario, header, requests } => {
                to.u8(0);
                to.bytes(game.as_bytes());
                to.bytes(scenario.as_bytes());
                to.bytes(header);
                // At most 16. None and one are written as they were when there were no more.
                to.u8(requests.len() as u8);
                for (account, request) in requests {
                    to.bytes(account.as_bytes());
                    write_request(&mut to, request);
                }
            }
            Body::Append { entry, requests } => write_append(&mut to, entry, requests.iter()),
        }
        with_hash(to)
    }

    /// Reads the bytes back, with their hash.
    pub(super) fn decode(bytes: &[u8]) -> Result<(Self, Hash), String> {
        let (body, hash) = bytes.split_last_chunk::<HASH_BYTES>().ok_or("it is cut short")?;
        if hash_of(body) != *hash {
            return Err("its hash does not fit".to_owned());
        }
        let mut from = Reader::new(body);
        let envelope = read(&mut from).map_err(|error| error.to_string())?;
        from.finish().map_err(|error| error.to_string())?;
        Ok((envelope, *hash))
    }
}

/// Returns the one byte that stands for a party.
pub(super) const fn party_number(party: Party) -> u8 {
    match party {
        Party::Seat(seat) => seat.index() as u8,
        Party::Host => u8::MAX,
    }
}

fn hash_of(body: &[u8]) -> Hash {
    static PURPOSE: Purpose = Purpose::new("edgehill store envelope v1");
    PURPOSE.hash(body)
}

fn write_summary(to: &mut Writer, summary: &Summary) {
    to.u8(summary.status.number());
    to.u8(summary.seat_bits());
    to.list(&summary.lengths, |to, &length| to.u64(length));
}

fn write_request(to: &mut Writer, request: &Request) {
    to.bytes(request.id.as_bytes());
    to.array(&request.body.0);
    to.bytes(&request.outcome);
}

fn read(from: &mut Reader<'_>) -> Result<Envelope, DecodeError> {
    let unknown = from.error("an envelope of version 1 or 2");
    let version = from.u8()?;
    if version != VERSION && version != VERSION_REPLACING {
        return Err(unknown);
    }
    let id = MatchId::from_bytes(array(from)?);
    let revision = from.u64()?;
    let (position, hash) = (from.u64()?, array(from)?);
    let revision_before = if version == VERSION { revision.saturating_sub(1) } else { from.u64()? };
    let previous = Link { revision: revision_before, position, hash };
    let bytes_before = from.u64()?;
    let summary = read_summary(from)?;
    let body = if from.bool()? {
        let entry = from.bytes()?.to_vec();
        let requests = from.list(REQUESTS_MAX + REPLACED_REQUESTS_MAX, |from| {
            Ok((read_party(from)?, read_request(from)?))
        })?;
        Body::Append { entry, requests }
    } else {
        Body::Create {
            game: text(from)?,
            scenario: text(from)?,
            header: from.bytes()?.to_vec(),
            requests: read_creation_requests(from)?,
        }
    };
    Ok(Envelope { id, revision, previous, bytes_before, summary, body })
}

fn read_summary(from: &mut Reader<'_>) -> Result<Summary, DecodeError> {
    let error = from.error("a status");
    let status = StoredStatus::of(from.u8()?).ok_or(error)?;
    let open_seats = seats_of(from.u8()?);
    let lengths = from.list(OBSERVERS_MAX, Reader::u64)?;
    Ok(Summary { status, open_seats, lengths })
}

/// The seats of these bits.
pub(super) fn seats_of(bits: u8) -> SeatSet {
    SeatSet::first(Seat::MAX).iter().filter(|seat| bits & 1 << seat.index() != 0).collect()
}

fn read_party(from: &mut Reader<'_>) -> Result<Party, DecodeError> {
    let error = from.error("a party");
    match from.u8()? {
        u8::MAX => Ok(Party::Host),
        index if usize::from(index) < Seat::MAX => Ok(Party::Seat(Seat::new(index))),
        _ => Err(error),
    }
}

fn read_creation_requests(from: &mut Reader<'_>) -> Result<Vec<(AccountId, Request)>, DecodeError> {
    let too_many = from.error("at most 16 requests");
    let count = usize::from(from.u8()?);
    if count > REQUESTS_MAX {
        return Err(too_many);
    }
    let mut requests = Vec::with_capacity(count);
    for _ in 0..count {
        let error = from.error("an account");
        let account = AccountId::new(from.bytes()?).map_err(|_| error)?;
        requests.push((account, read_request(from)?));
    }
    Ok(requests)
}

fn read_request(from: &mut Reader<'_>) -> Result<Request, DecodeError> {
    let error = from.error("a request id");
    let id = RequestId::new(from.bytes()?).map_err(|_| error)?;
    Ok(Request { id, body: BodyHash(array(from)?), outcome: from.bytes()?.to_vec() })
}

fn text(from: &mut Reader<'_>) -> Result<String, DecodeError> {
    let error = from.error("a text");
    String::from_utf8(from.bytes()?.to_vec()).map_err(|_| error)
}

fn array<const N: usize>(from: &mut Reader<'_>) -> Result<[u8; N], DecodeError> {
    let mut bytes = [0; N];
    for byte in &mut bytes {
        *byte = from.u8()?;
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::super::entry::Replaced;
    use super::*;

    fn request(id: &str) -> Request {
        Request { id: RequestId::new(id).unwrap(), body: BodyHash([5; 32]), outcome: b"so".to_vec() }
    }

    fn summary() -> Summary {
        Summary {
            status: StoredStatus::Running,
            open_seats: SeatSet::EMPTY.with(Seat::new(1)),
            lengths: vec![3, 0, 9],
        }
    }

    fn creation() -> Envelope {
        Envelope {
            id: MatchId::from_bytes([7; 16]),
            revision: 0,
            previous: Link::default(),
            bytes_before: 0,
            summary: summary(),
            body: Body::Create {
                game: "ukc".into(),
                scenario: "full".into(),
                header: vec![1, 2, 3],
                requests: vec![(AccountId::new("me").unwrap(), request("r1"))],
            },
        }
    }

    /// A creation that answers so many requests.
    fn creation_for(count: usize) -> Envelope {
        let account = |number: usize| AccountId::new(format!("account {number}")).unwrap();
        let requests = (0..count).map(|number| (account(number), request("r1"))).collect();
        let mut envelope = creation();
        if let Body::Create { requests: of, .. } = &mut envelope.body {
            *of = requests;
        }
        envelope
    }

    fn append() -> Envelope {
        Envelope {
            revision: 4,
            previous: Link { revision: 3, position: 90, hash: [8; 32] },
            bytes_before: 1_000,
            body: Body::Append {
                entry: vec![4, 5],
                requests: vec![(Party::Seat(Seat::new(1)), request("r2")), (Party::Host, request("r2"))],
            },
            ..creation()
        }
    }

    /// An append in the place of those of the revisions 2 to 3.
    fn replacing() -> Envelope {
        Envelope { previous: Link { revision: 1, position: 70, hash: [8; 32] }, ..append() }
    }

    #[test]
    fn an_append_is_written_as_its_envelope_is() {
        let envelope = append();
        let Envelope { id, revision, previous, bytes_before, summary, body } = envelope.clone();
        let Body::Append { entry, requests } = body else { panic!("an append") };
        let append =
            Append { id, expected: revision - 1, entry, requests, summary, overview: None, replaces: None };
        let (bytes, hash) = Writing { append: &append, previous, bytes_before }.encode();
        // A store in memory keeps them as they are: no room may be left over.
        assert_eq!((bytes.capacity(), size_of(&append)), (bytes.len(), bytes.len()));
        assert_eq!((bytes, hash), envelope.encode());
    }

    #[test]
    fn an_append_that_takes_the_place_of_others_is_written_as_its_envelope_is() {
        let envelope = replacing();
        let Envelope { id, revision, previous, bytes_before, summary, body } = envelope.clone();
        let Body::Append { entry, mut requests } = body else { panic!("an append") };
        let replaces = Some(Replaced { after: previous.revision, requests: requests.split_off(1) });
        let append =
            Append { id, expected: revision - 1, entry, requests, summary, overview: None, replaces };
        let (bytes, hash) = Writing { append: &append, previous, bytes_before }.encode();
        assert_eq!((bytes.capacity(), size_of(&append)), (bytes.len(), bytes.len()));
        assert_eq!((bytes, hash), envelope.encode());
    }

    #[test]
    fn what_was_written_is_read_back() {
        for envelope in [creation(), creation_for(0), creation_for(REQUESTS_MAX), append(), replacing()] {
            let (bytes, hash) = envelope.encode();
            assert_eq!(Envelope::decode(&bytes), Ok((envelope, hash)));
        }
    }

    #[test]
    fn no_cut_and_no_changed_bit_passes() {
        for envelope in [creation(), creation_for(2), append(), replacing()] {
            let (bytes, _) = envelope.encode();
            for len in 0..bytes.len() {
                assert!(Envelope::decode(&bytes[..len]).is_err(), "cut at {len}");
            }
            for bit in 0..bytes.len() * 8 {
                let mut damaged = bytes.clone();
                damaged[bit / 8] ^= 1 << (bit % 8);
                assert!(Envelope::decode(&damaged).is_err(), "bit {bit}");
            }
        }
    }

    #[test]
    fn a_later_version_is_named_as_such() {
        let (mut bytes, _) = append().encode();
        bytes.truncate(bytes.len() - HASH_BYTES);
        bytes[0] = 3;
        let hash = hash_of(&bytes);
        bytes.extend_from_slice(&hash);
        assert!(Envelope::decode(&bytes).unwrap_err().contains("an envelope of version 1 or 2"));
    }

    #[test]
    fn a_creation_answers_at_most_so_many() {
        let (bytes, _) = creation_for(REQUESTS_MAX + 1).encode();
        assert!(Envelope::decode(&bytes).unwrap_err().contains("at most 16 requests"));
    }

    /// Stores out there have these bytes: a change of the format needs a new version and a reader for the old one.
    #[test]
    fn version_1_stays_as_it_is() {
        let hash = |envelope: Envelope| blake3::Hash::from(envelope.encode().1).to_hex().to_string();
        assert_eq!(hash(creation()), "9eb85eb74d15289dd205929dd1ac8fe4ff43c8ae2828904fcf4e5af0b9d727fd");
        assert_eq!(hash(append()), "0a062647ac52313c635efa25048544b69051a468cd83a9941ec8f623efe12dc0");
    }
}
