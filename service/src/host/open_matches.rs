//! The number of matches that are not over, by those with whom they count ([`OpenMatches`]).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use edgehill_proto::v1::LimitName;

use super::error::Error;
use crate::identity::HOUSE_ID;
use crate::limits::Limits;
use crate::matches::MatchHeader;

/// Matches that are not over, by account or address. Copies count together.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenMatches(Arc<Mutex<Tally>>);

#[derive(Debug, Default)]
struct Tally {
    by_caller: HashMap<Vec<u8>, Counts>,
    /// Of all creators together, those of house bots alone; the server's own are not among them.
    of_bots: u64,
}

/// The matches of one account or address.
#[derive(Debug, Default)]
struct Counts {
    all: u64,
    /// Those in which house bots have all seats.
    of_bots: u64,
    /// Those that have seats for people, and have not begun.
    waiting: u64,
}

/// The count that a match belongs to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Counted {
    counted_as: Vec<u8>,
    of_bots: bool,
    waits: bool,
}

impl Counted {
    /// A match of these terms that has not begun.
    pub(super) fn of(header: &MatchHeader) -> Self {
        Self::new(&header.counted_as, header.is_of_bots())
    }

    /// The same once it has begun.
    pub(super) fn begun(self) -> Self {
        Self { waits: false, ..self }
    }

    /// A match of those who count so ([`MatchHeader::counted_as`]), which has not begun; `of_bots`: house bots have all seats.
    pub(super) fn new(counted_as: &[u8], of_bots: bool) -> Self {
        // The server's own matches are as many as it has games.
        let of_house = counted_as == HOUSE_ID.as_bytes();
        Self { counted_as: counted_as.to_vec(), of_bots: of_bots && !of_house, waits: !of_bots }
    }
}

/// A match that is about to be made: it counts already, and does not if this is dropped before it was made.
#[derive(Debug)]
pub(super) struct Reserved {
    matches: OpenMatches,
    counted: Option<Counted>,
}

impl OpenMatches {
    /// One more, which was there before.
    pub(super) fn more(&self, counted: &Counted) {
        self.tally().more(counted);
    }

    /// So many more, if their creators may have all of them.
    ///
    /// # Errors
    /// [`Error::TooManyMatches`], and then none counts.
    pub(super) fn reserve(&self, counted: Vec<Counted>, limits: &Limits) -> Result<Vec<Reserved>, Error> {
        let mut tally = self.tally();
        for (index, one) in counted.iter().enumerate() {
            if let Err(full) = tally.check(one, limits) {
                counted[..index].iter().for_each(|one| tally.less(one));
                return Err(full);
            }
            tally.more(one);
        }
        drop(tally);
        let reserved = |counted| Reserved { matches: self.clone(), counted: Some(counted) };
        Ok(counted.into_iter().map(reserved).collect())
    }

    /// One waits no more: it has begun.
    pub(super) fn begin(&self, counted: &Counted) {
        let mut tally = self.tally();
        tally.less(counted);
        tally.more(&counted.clone().begun());
    }

    /// One less: it is over.
    pub(super) fn less(&self, counted: &Counted) {
        self.tally().less(counted);
    }

    fn tally(&self) -> MutexGuard<'_, Tally> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tally {
    /// Checks that there may be one more.
    fn check(&self, counted: &Counted, limits: &Limits) -> Result<(), Error> {
        let of_creator = self.by_caller.get(&counted.counted_as);
        let (all, of_bots, waiting) =
            of_creator.map_or((0, 0, 0), |counts| (counts.all, counts.of_bots, counts.waiting));
        let full = |limit: LimitName, count: u64| (count >= limits.value(limit)).then_some(limit);
        let of_bots = counted.of_bots.then(|| {
            full(LimitName::BotMatches, of_bots).or_else(|| full(LimitName::ServerBotMatches, self.of_bots))
        });
        let waiting = counted.waits.then(|| full(LimitName::WaitingMatches, waiting));
        let full = full(LimitName::OpenMatches, all);
        match full.or_else(|| of_bots.flatten()).or_else(|| waiting.flatten()) {
            Some(limit) => Err(Error::TooManyMatches { limit, max: limits.value(limit) }),
            None => Ok(()),
        }
    }

    fn more(&mut self, counted: &Counted) {
        let counts = self.by_caller.entry(counted.counted_as.clone()).or_default();
        counts.all += 1;
        counts.of_bots += u64::from(counted.of_bots);
        counts.waiting += u64::from(counted.waits);
        self.of_bots += u64::from(counted.of_bots);
    }

    fn less(&mut self, counted: &Counted) {
        let Some(counts) = self.by_caller.get_mut(&counted.counted_as) else { return };
        counts.all = counts.all.saturating_sub(1);
        counts.waiting = counts.waiting.saturating_sub(u64::from(counted.waits));
        if counted.of_bots {
            counts.of_bots = counts.of_bots.saturating_sub(1);
            self.of_bots = self.of_bots.saturating_sub(1);
        }
        if counts.all == 0 {
            self.by_caller.remove(&counted.counted_as);
        }
    }
}

impl Reserved {
    /// The match was made.
    pub(super) fn keep(mut self) {
        self.counted = None;
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        if let Some(counted) = self.counted.take() {
            self.matches.less(&counted);
        }
    }
}
