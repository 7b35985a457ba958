//! The seeks that are open, and which of them fit each other ([`Pool`]).
//!
//! Invariant: no two open seeks of the same terms fit each other but for those that are being paired. So whoever comes is the only one
//! that a pairing can begin with.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use edgehill_engine::seat::Seat;
use edgehill_proto::v1::LimitName;
use tokio::sync::oneshot;

use super::super::create::MatchPlan;
use super::super::error::Error;
use super::super::open_matches::Reserved;
use super::{PairedSeat, counted_with};
use crate::identity::CallerKey;
use crate::limits::Limits;
use crate::matches::Ask;
use crate::store::{BodyHash, RequestId};

/// The way to whoever waits for the outcome of a seek.
pub(super) type Said = oneshot::Sender<Result<PairedSeat, Error>>;

/// A seek that is open.
pub(super) struct OpenSeek {
    /// The name under which it is kept once it was paired.
    pub(super) name: RequestId,
    pub(super) ask: Ask,
    /// The one who seeks: nobody is paired with themselves.
    pub(super) party: Vec<u8>,
    /// All that seeks have in common which fit each other.
    pub(super) terms: Vec<u8>,
    pub(super) plan: MatchPlan,
    pub(super) seat: Option<Seat>,
    pub(super) counted_as: CallerKey,
    pub(super) said: Said,
    /// The place of the match that may come of it among those of its caller.
    pub(super) reserved: Vec<Reserved>,
}

/// The place of a seek in the order in which they came.
pub(super) type Rank = u64;

/// The number of seeks that are open.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct SeekCount {
    /// Those with the same terms.
    pub same_terms: usize,
    /// Those of the same game.
    pub same_game: usize,
}

/// The outcome of a look for a seek that a stream can take over.
pub(super) enum TakenOver {
    /// There is none of this name.
    Nothing(Said),
    /// It is the stream's now, under the number of this opening.
    Opening(u64),
    /// The request asked for something else.
    Other,
}

struct Placed {
    seek: OpenSeek,
    /// The number of the stream that has it.
    opening: u64,
    /// True once its match is being made: nobody takes it back then.
    is_paired: bool,
}

/// All open seeks.
#[derive(Default)]
pub(super) struct Pool {
    seeks: BTreeMap<Rank, Placed>,
    by_name: HashMap<RequestId, Rank>,
    by_terms: HashMap<Vec<u8>, BTreeSet<Rank>>,
    by_caller: HashMap<String, u64>,
    by_game: HashMap<&'static str, usize>,
    /// The number of the next seek, or of the next stream that takes one over.
    next: u64,
}

impl OpenSeek {
    fn fits(&self, other: &Self) -> bool {
        self.terms == other.terms
            && self.party != other.party
            && (self.seat.is_none() || self.seat != other.seat)
    }

    fn game(&self) -> &'static str {
        self.plan.game.catalogue().id
    }
}

impl Pool {
    /// Gives the seek of this name to another stream. It keeps its place, and whoever had it hears that it is theirs no more.
    pub(super) fn take_over(&mut self, name: &RequestId, body: BodyHash, said: Said) -> TakenOver {
        let placed = self.by_name.get(name).and_then(|rank| self.seeks.get_mut(rank));
        let Some(placed) = placed else { return TakenOver::Nothing(said) };
        if placed.seek.ask.body != body {
            return TakenOver::Other;
        }
        placed.seek.said = said;
        placed.opening = self.next;
        self.next += 1;
        TakenOver::Opening(placed.opening)
    }

    /// Takes a seek in. Returns the number of its opening and, if a pairing begins with it, all whom that brings together, those who have
    /// sought for longest first: nobody takes their seek back from now on.
    ///
    /// # Errors
    /// [`Error::TooManySeeks`].
    pub(super) fn enter(
        &mut self,
        seek: OpenSeek,
        limits: &Limits,
    ) -> Result<(u64, Option<Vec<Rank>>), Error> {
        let caller = counted_with(&seek.counted_as);
        let own = self.by_caller.get(&caller).copied().unwrap_or_default();
        for (limit, count) in [(LimitName::Seeks, own), (LimitName::ServerSeeks, self.seeks.len() as u64)] {
            let max = limits.value(limit);
            if count >= max {
                return Err(Error::TooManySeeks { limit, max });
            }
        }
        let rank = self.next;
        self.next += 1;
        *self.by_caller.entry(caller).or_default() += 1;
        *self.by_game.entry(seek.game()).or_default() += 1;
        self.by_name.insert(seek.name.clone(), rank);
        self.by_terms.entry(seek.terms.clone()).or_default().insert(rank);
        self.seeks.insert(rank, Placed { seek, opening: rank, is_paired: false });
        let partners = self.partners(rank);
        for rank in partners.iter().flatten() {
            if let Some(placed) = self.seeks.get_mut(rank) {
                placed.is_paired = true;
            }
        }
        Ok((rank, partners))
    }

    /// The seeks that fill a match with this one: the oldest that fit it and each other. For two seats it finds some whenever there are
    /// some.
    fn partners(&self, newest: Rank) -> Option<Vec<Rank>> {
        let seek = &self.seeks.get(&newest)?.seek;
        let mut found = vec![(newest, seek)];
        for rank in self.by_terms.get(&seek.terms)? {
            if found.len() == seek.plan.seats.len() {
                break;
            }
            let placed = self.seeks.get(rank)?;
            // It does not fit itself.
            if !placed.is_paired && found.iter().all(|(_, one)| one.fits(&placed.seek)) {
                found.push((*rank, &placed.seek));
            }
        }
        if found.len() < seek.plan.seats.len() {
            return None;
        }
        let mut ranks: Vec<Rank> = found.into_iter().map(|(rank, _)| rank).collect();
        ranks.sort_unstable();
        Some(ranks)
    }

    /// The seeks of a pairing, as long as it is under way.
    pub(super) fn paired(&self, ranks: &[Rank]) -> impl Iterator<Item = &OpenSeek> {
        ranks.iter().filter_map(|rank| self.seeks.get(rank)).map(|placed| &placed.seek)
    }

    /// Takes the seeks of a pairing out, whose match is made or can't be.
    pub(super) fn take_out(&mut self, ranks: &[Rank]) -> Vec<OpenSeek> {
        ranks.iter().filter_map(|&rank| self.remove(rank)).collect()
    }

    /// Takes a seek back that the stream of this opening has. `false`: another one has it, or it was or is being paired.
    pub(super) fn leave(&mut self, name: &RequestId, opening: u64) -> bool {
        let Some(&rank) = self.by_name.get(name) else { return false };
        let placed = self.seeks.get(&rank);
        placed.is_some_and(|placed| placed.opening == opening && !placed.is_paired)
            && self.remove(rank).is_some()
    }

    /// The number of seeks that are like the one of this name, itself among them.
    pub(super) fn count(&self, name: &RequestId) -> SeekCount {
        let placed = self.by_name.get(name).and_then(|rank| self.seeks.get(rank));
        placed.map_or(SeekCount::default(), |Placed { seek, .. }| SeekCount {
            same_terms: self.by_terms.get(&seek.terms).map_or(0, BTreeSet::len),
            same_game: self.by_game.get(seek.game()).copied().unwrap_or_default(),
        })
    }

    fn remove(&mut self, rank: Rank) -> Option<OpenSeek> {
        let Placed { seek, .. } = self.seeks.remove(&rank)?;
        self.by_name.remove(&seek.name);
        if let Some(ranks) = self.by_terms.get_mut(&seek.terms) {
            ranks.remove(&rank);
            if ranks.is_empty() {
                self.by_terms.remove(&seek.terms);
            }
        }
        let caller = counted_with(&seek.counted_as);
        if let Some(count) = self.by_caller.get_mut(&caller) {
            *count -= 1;
            if *count == 0 {
                self.by_caller.remove(&caller);
            }
        }
        if let Some(count) = self.by_game.get_mut(seek.game()) {
            *count -= 1;
            if *count == 0 {
                self.by_game.remove(seek.game());
            }
        }
        Some(seek)
    }
}
