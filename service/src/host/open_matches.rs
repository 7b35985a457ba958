//! The number of matches that are not over, by those with whom they count ([`OpenMatches`]).

use std::collections::HashMap;
use std::ops::Neg;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use edgehill_proto::v1::LimitName;

use super::error::Error;
use crate::identity::HOUSE_ID;
use crate::limits::Limits;
use crate::matches::MatchHeader;
use crate::store::{MatchId, Shard, ShardSet};

/// Matches that are not over, by account or address. Copies count together.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenMatches(Arc<Mutex<Tally>>);

#[derive(Debug, Default)]
struct Tally {
    /// All of them, those among them that are about to be made.
    by_caller: Tallied,
    /// Those that were made, of the shards that are here.
    by_shard: HashMap<Shard, Tallied>,
    /// Of all creators together, those of house bots alone; the server's own are not among them.
    of_bots: i64,
}

/// Counts by account or address, none of which is of nothing.
type Tallied = HashMap<Vec<u8>, Counts>;

/// The matches of one account or address. Of one shard they may be less than nothing for a moment: a match may end before it is noted
/// that it was made.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
struct Counts {
    all: i64,
    /// Those in which house bots have all seats.
    of_bots: i64,
    /// Those that have seats for people, and have not begun.
    waiting: i64,
}

impl Counts {
    fn add(&mut self, more: Self) {
        self.all += more.all;
        self.of_bots += more.of_bots;
        self.waiting += more.waiting;
    }
}

impl Neg for Counts {
    type Output = Self;

    fn neg(self) -> Self {
        Self { all: -self.all, of_bots: -self.of_bots, waiting: -self.waiting }
    }
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

    fn one(&self) -> Counts {
        Counts { all: 1, of_bots: i64::from(self.of_bots), waiting: i64::from(self.waits) }
    }
}

/// A match that is about to be made: it counts already, and does not if this is dropped before it was made.
#[derive(Debug)]
pub(super) struct Reserved {
    matches: OpenMatches,
    counted: Option<Counted>,
}

impl OpenMatches {
    /// Counts the matches of shards that are here from now on.
    pub(super) fn take(&self, shards: &ShardSet, found: &[(MatchId, Counted)]) {
        let mut tally = self.tally();
        for shard in shards.iter() {
            tally.by_shard.entry(shard).or_default();
        }
        for (id, counted) in found {
            tally.change(&counted.counted_as, counted.one());
            tally.change_made(*id, &counted.counted_as, counted.one());
        }
    }

    /// Counts the matches of these shards no more.
    pub(super) fn let_go(&self, shards: &ShardSet) {
        let mut tally = self.tally();
        for shard in shards.iter() {
            for (counted_as, counts) in tally.by_shard.remove(&shard).unwrap_or_default() {
                tally.change(&counted_as, -counts);
            }
        }
    }

    /// So many more, if their creators may have all of them.
    ///
    /// # Errors
    /// [`Error::TooManyMatches`], and then none counts.
    pub(super) fn reserve(&self, counted: Vec<Counted>, limits: &Limits) -> Result<Vec<Reserved>, Error> {
        let mut tally = self.tally();
        for (index, one) in counted.iter().enumerate() {
            if let Err(full) = tally.check(one, limits) {
                counted[..index].iter().for_each(|one| tally.change(&one.counted_as, -one.one()));
                return Err(full);
            }
            tally.change(&one.counted_as, one.one());
        }
        drop(tally);
        let reserved = |counted| Reserved { matches: self.clone(), counted: Some(counted) };
        Ok(counted.into_iter().map(reserved).collect())
    }

    /// A match waits no more: it has begun.
    pub(super) fn begin(&self, id: MatchId, counted: &Counted) {
        let mut change = counted.clone().begun().one();
        change.add(-counted.one());
        self.tally().change_all(id, &counted.counted_as, change);
    }

    /// A match is over.
    pub(super) fn end(&self, id: MatchId, counted: &Counted) {
        self.tally().change_all(id, &counted.counted_as, -counted.one());
    }

    fn tally(&self) -> MutexGuard<'_, Tally> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tally {
    /// Checks that there may be one more.
    fn check(&self, counted: &Counted, limits: &Limits) -> Result<(), Error> {
        let Counts { all, of_bots, waiting } =
            self.by_caller.get(&counted.counted_as).copied().unwrap_or_default();
        let full = |limit: LimitName, count: i64| {
            (u64::try_from(count).unwrap_or(0) >= limits.value(limit)).then_some(limit)
        };
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

    fn change(&mut self, counted_as: &[u8], change: Counts) {
        self.of_bots += change.of_bots;
        tally_up(&mut self.by_caller, counted_as, change);
    }

    /// Of a match that was made; returns whether its shard is here.
    fn change_made(&mut self, id: MatchId, counted_as: &[u8], change: Counts) -> bool {
        let of_shard = self.by_shard.get_mut(&Shard::of(id));
        of_shard.map(|of_shard| tally_up(of_shard, counted_as, change)).is_some()
    }

    /// Of a match that was made, if its shard is here: otherwise it has gone with that.
    fn change_all(&mut self, id: MatchId, counted_as: &[u8], change: Counts) {
        if self.change_made(id, counted_as, change) {
            self.change(counted_as, change);
        }
    }
}

fn tally_up(tallied: &mut Tallied, counted_as: &[u8], change: Counts) {
    let counts = tallied.entry(counted_as.to_vec()).or_default();
    counts.add(change);
    if *counts == Counts::default() {
        tallied.remove(counted_as);
    }
}

impl Reserved {
    /// The match was made: this one.
    pub(super) fn keep(mut self, id: MatchId) {
        let Some(counted) = self.counted.take() else { return };
        let mut tally = self.matches.tally();
        if !tally.change_made(id, &counted.counted_as, counted.one()) {
            // It has gone with its shard.
            tally.change(&counted.counted_as, -counted.one());
        }
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        if let Some(counted) = self.counted.take() {
            self.matches.tally().change(&counted.counted_as, -counted.one());
        }
    }
}
