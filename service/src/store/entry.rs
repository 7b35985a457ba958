//! The values that go into a match's log and come back: [`Create`], [`Append`], [`Appended`], [`MatchLog`].

use edgehill_engine::seat::SeatSet;

use super::envelope;
use super::error::Error;
use super::limits::{
    ENTRY_BYTES_MAX, HEADER_BYTES_MAX, OBSERVERS_MAX, OUTCOME_BYTES_MAX, OVERVIEW_BYTES_MAX,
    REPLACED_REQUESTS_MAX, REQUESTS_MAX, SECRETS_MAX, TEXT_BYTES_MAX,
};
use super::names::{AccountId, At, MatchId, Party, RequestId, SecretId};
use super::purpose::Purpose;
use super::seals::{ENTRY_SEAL_BYTES, REQUEST_SEAL_BYTES};
use super::secret::SealedSecret;

/// The progress of a match, for lists.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum StoredStatus {
    /// Seats are open.
    Open,
    /// Being played.
    Running,
    /// Played to an end, by whatever rule or agreement.
    Over,
    /// Ended without a result.
    Abandoned,
}

impl StoredStatus {
    pub(super) const ALL: [Self; 4] = [Self::Open, Self::Running, Self::Over, Self::Abandoned];

    pub(crate) const fn number(self) -> u8 {
        self as u8
    }

    pub(crate) fn of(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }
}

/// The summary of a match for lists, as of one append.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// The progress of the match.
    pub status: StoredStatus,
    /// The seats that somebody can still take.
    pub open_seats: SeatSet,
    /// The length of each observer's own sequence of events: the seats in order, then the spectators.
    pub lengths: Vec<u64>,
}

impl Summary {
    /// Becomes `other`, in the room that it has.
    pub(super) fn become_as(&mut self, other: &Self) {
        (self.status, self.open_seats) = (other.status, other.open_seats);
        self.lengths.clone_from(&other.lengths);
    }

    pub(crate) fn seat_bits(&self) -> u8 {
        self.open_seats.iter().fold(0, |bits, seat| bits | 1 << seat.index())
    }

    fn check(&self) -> Result<(), Error> {
        Error::bound("a summary", self.lengths.len(), OBSERVERS_MAX)
    }
}

/// BLAKE3 of what a request asked for, in the caller's own canonical bytes.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BodyHash(pub [u8; 32]);

impl BodyHash {
    /// The hash of a request's canonical bytes.
    #[must_use]
    pub fn of(body: &[u8]) -> Self {
        static PURPOSE: Purpose = Purpose::new("edgehill store request body v1");
        Self(PURPOSE.hash(body))
    }
}

/// A request and what came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// Its name within its scope.
    pub id: RequestId,
    /// The hash of what it asked for.
    pub body: BodyHash,
    /// The answer that is given whenever it comes again.
    pub outcome: Vec<u8>,
}

/// A new match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Create {
    /// Its name.
    pub id: MatchId,
    /// The game's id.
    pub game: String,
    /// The scenario's id.
    pub scenario: String,
    /// The seed group that it belongs to.
    pub group: Option<String>,
    /// Everything else that is settled at the start; the caller's own versioned bytes.
    pub header: Vec<u8>,
    /// Its summary for lists.
    pub summary: Summary,
    /// All that lists show of it besides; the caller's own versioned bytes.
    pub overview: Vec<u8>,
    /// The requests that it answers, by the account that asked: several where callers were brought together.
    pub requests: Vec<(AccountId, Request)>,
    /// Secrets that become durable with it; one that is kept already has to be the same.
    pub secrets: Vec<(SecretId, SealedSecret)>,
}

/// An occurrence in a match: one entry of its log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Append {
    /// The match.
    pub id: MatchId,
    /// The revision at which the match must stand.
    pub expected: u64,
    /// The occurrence; the caller's own versioned bytes.
    pub entry: Vec<u8>,
    /// The requests that it answers.
    pub requests: Vec<(Party, Request)>,
    /// The match's summary for lists from here on.
    pub summary: Summary,
    /// All that lists show of it besides, from here on; `None`: what they did before. It is no part of the log.
    pub overview: Option<Vec<u8>>,
    /// The appends whose place it takes; `None`: it comes after all.
    pub replaces: Option<Replaced>,
}

/// The last appends of a log, which leave it when another takes their place: both or neither becomes durable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replaced {
    /// The revision of the append before them, which stays.
    pub after: u64,
    /// Those of their requests that are answered as before. The others are forgotten.
    pub requests: Vec<(Party, Request)>,
}

/// The end of a create or an append.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Appended {
    /// It is in the log, durably.
    Written(At),
    /// A request of it was answered before, and nothing was written now.
    Repeated(Stored),
}

/// A request that was answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stored {
    /// The match that it was about.
    pub id: MatchId,
    /// The append that it was answered with.
    pub at: At,
    /// The request, with its outcome.
    pub request: Request,
}

impl Stored {
    /// The outcome, if it was the same request.
    ///
    /// # Errors
    /// [`Error::RequestReused`] if it asked for something else.
    pub fn outcome_for(&self, body: &BodyHash) -> Result<&[u8], Error> {
        if self.request.body == *body { Ok(&self.request.outcome) } else { Err(Error::RequestReused) }
    }
}

/// The terms that are settled at a match's start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredHeader {
    /// Its name.
    pub id: MatchId,
    /// The place of its creation in the store.
    pub at: At,
    /// The game's id.
    pub game: String,
    /// The scenario's id.
    pub scenario: String,
    /// As it was given.
    pub bytes: Vec<u8>,
    /// The requests that created it.
    pub requests: Vec<(AccountId, Request)>,
    /// Its summary for lists at first.
    pub summary: Summary,
}

/// One append as it is in the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredRecord {
    /// The place at which it stands.
    pub at: At,
    /// As it was given.
    pub entry: Vec<u8>,
    /// The requests that it answered.
    pub requests: Vec<(Party, Request)>,
    /// The match's summary for lists from here on.
    pub summary: Summary,
}

/// A match's log, checked: from a revision to its end. It has no secrets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchLog {
    /// The header that it began with.
    pub header: StoredHeader,
    /// The revision at which the match stands.
    pub revision: u64,
    /// The appends from the revision that was asked for, in order; revision 0 is the header. Revisions grow, and where
    /// appends were replaced some are not there.
    pub records: Vec<StoredRecord>,
    /// Bytes that the header takes in the log.
    pub header_bytes: u64,
}

impl Create {
    pub(super) fn check(&self) -> Result<(), Error> {
        let group = self.group.as_deref().unwrap_or_default();
        for (what, text) in
            [("a game's id", &*self.game), ("a scenario's id", &*self.scenario), ("a group's id", group)]
        {
            Error::bound(what, text.len(), TEXT_BYTES_MAX)?;
            if text.contains('\0') {
                // No database has texts with it.
                return Err(Error::Invalid {
                    what: "an id of a game, a scenario or a group holds no character 0",
                });
            }
        }
        Error::bound("a header", self.header.len(), HEADER_BYTES_MAX)?;
        Error::bound("an overview", self.overview.len(), OVERVIEW_BYTES_MAX)?;
        Error::bound("the secrets of a match", self.secrets.len(), SECRETS_MAX)?;
        for (index, (id, _)) in self.secrets.iter().enumerate() {
            if self.secrets[..index].iter().any(|(other, _)| other == id) {
                return Err(Error::Invalid { what: "a match brings a secret once" });
            }
        }
        Error::bound("the requests of a creation", self.requests.len(), REQUESTS_MAX)?;
        for (index, (account, request)) in self.requests.iter().enumerate() {
            request.check()?;
            if self.requests[..index].iter().any(|(a, r)| a == account && r.id == request.id) {
                return Err(Error::Invalid { what: "a creation answers a request once" });
            }
        }
        self.summary.check()
    }

    /// Bytes that it takes while it waits.
    pub(super) fn weight(&self) -> usize {
        self.header.len()
            + self.overview.len()
            + self.requests.iter().map(|(_, request)| request.outcome.len()).sum::<usize>()
            + 1024
    }
}

impl Append {
    pub(super) fn check(&self) -> Result<(), Error> {
        Error::bound("an entry", self.entry.len(), ENTRY_BYTES_MAX)?;
        let overview = self.overview.as_ref().map_or(0, Vec::len);
        Error::bound("an overview", overview, OVERVIEW_BYTES_MAX)?;
        Error::bound("the requests of an append", self.requests.len(), REQUESTS_MAX)?;
        if let Some(Replaced { after, requests }) = &self.replaces {
            if *after >= self.expected {
                return Err(Error::Invalid { what: "an append replaces at least one" });
            }
            Error::bound("the requests of replaced appends", requests.len(), REPLACED_REQUESTS_MAX)?;
            requests.iter().try_for_each(|(_, request)| request.check())?;
        }
        for (index, (party, request)) in self.requests.iter().enumerate() {
            request.check()?;
            if self.requests[..index].iter().any(|(p, r)| p == party && r.id == request.id) {
                return Err(Error::Invalid { what: "an append answers a request once" });
            }
        }
        self.summary.check()
    }

    /// Bytes that it takes while it waits.
    pub(super) fn weight(&self) -> usize {
        self.entry.len()
            + self.overview.as_ref().map_or(0, Vec::len)
            + self.requests.iter().map(|(_, request)| request.outcome.len()).sum::<usize>()
            + self.replaced_requests().iter().map(|(_, request)| 128 + request.outcome.len()).sum::<usize>()
            + 1024
    }

    /// Bytes that it takes in its match's log, sealed.
    #[must_use]
    pub fn log_bytes(&self) -> u64 {
        let requests = self.all_requests().len() * REQUEST_SEAL_BYTES;
        (envelope::size_of(self) + ENTRY_SEAL_BYTES + requests) as u64
    }

    /// The requests that it answers, its own and those of the appends that it replaces.
    pub(super) fn all_requests(&self) -> impl ExactSizeIterator<Item = &(Party, Request)> + Clone {
        let (own, replaced) = (&self.requests, self.replaced_requests());
        (0..own.len() + replaced.len())
            .map(|index| own.get(index).unwrap_or_else(|| &replaced[index - own.len()]))
    }

    fn replaced_requests(&self) -> &[(Party, Request)] {
        self.replaces.as_ref().map_or(&[], |replaced| &replaced.requests)
    }
}

impl Request {
    /// Bytes that it takes in the log of its match, sealed, with the party that asked.
    #[must_use]
    pub fn log_bytes(&self) -> u64 {
        (envelope::request_size(self) + REQUEST_SEAL_BYTES) as u64
    }

    fn check(&self) -> Result<(), Error> {
        Error::bound("a request's outcome", self.outcome.len(), OUTCOME_BYTES_MAX)
    }
}
