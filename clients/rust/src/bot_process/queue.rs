//! The order in which a runner plays seats ([`SeatQueue`]).

use std::collections::{BTreeMap, BTreeSet};

use edgehill_client::v1::MatchConfig;

use super::runner::RunnerConfig;
use super::seat::SeatToPlay;

/// A seat of a match: matches in the order in which they were made.
pub(super) type SeatKey = (String, u32);

/// The seats that wait to be played, and those that are or were.
#[derive(Debug)]
pub(super) struct SeatQueue {
    games_max: Option<usize>,
    at_once: usize,
    waiting: BTreeMap<SeatKey, SeatToPlay>,
    /// Seats that are played now, with what they begin together with.
    begun: BTreeMap<SeatKey, Unit>,
    /// Seats that are or were played: none is begun twice.
    known: BTreeSet<SeatKey>,
    /// Number of seats that were played to their end.
    played: usize,
}

/// Matches that begin together: none of them goes on without the others.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Unit {
    /// One match, by its id.
    Match(String),
    /// A seed group, by its commitment: its id is its creator's secret.
    Group(Vec<u8>),
}

impl Unit {
    fn of(config: &MatchConfig) -> Self {
        match &config.dice {
            Some(dice) if dice.group.is_some() => Self::Group(dice.commitment.clone()),
            _ => Self::Match(config.match_id.clone()),
        }
    }
}

impl SeatQueue {
    pub(super) const fn new(config: &RunnerConfig) -> Self {
        Self {
            games_max: config.games_max,
            at_once: config.at_once,
            waiting: BTreeMap::new(),
            begun: BTreeMap::new(),
            known: BTreeSet::new(),
            played: 0,
        }
    }

    /// True if a seat is or was played.
    pub(super) fn knows(&self, key: &SeatKey) -> bool {
        self.known.contains(key)
    }

    /// Takes the seats of a match out that wait.
    pub(super) fn forget(&mut self, match_id: &str) {
        self.waiting.retain(|(id, _), _| id != match_id);
    }

    /// Has a seat wait that the queue does not know.
    pub(super) fn add(&mut self, to_play: SeatToPlay) {
        let key = (to_play.config.match_id.clone(), to_play.seat);
        if !self.knows(&key) {
            self.waiting.insert(key, to_play);
        }
    }

    /// The seat that is to be begun now, as begun: one that belongs together with others that are, or the oldest, if there may be one more.
    pub(super) fn begin(&mut self) -> Option<SeatToPlay> {
        let units: BTreeSet<&Unit> = self.begun.values().collect();
        let belongs = self.waiting.iter().find(|(_, to_play)| units.contains(&Unit::of(&to_play.config)));
        let key = match belongs {
            Some((key, _)) => key.clone(),
            None => {
                let is_enough = self.games_max.is_some_and(|most| self.played + self.begun.len() >= most);
                let (key, _) = self.waiting.first_key_value()?;
                (units.len() < self.at_once && !is_enough).then(|| key.clone())?
            }
        };
        let to_play = self.waiting.remove(&key)?;
        self.known.insert(key.clone());
        self.begun.insert(key, Unit::of(&to_play.config));
        Some(to_play)
    }

    /// Notes the end of a seat that was begun. `counts`: as one that was played.
    pub(super) fn end(&mut self, key: &SeatKey, counts: bool) {
        self.begun.remove(key);
        self.played += usize::from(counts);
    }

    /// True if no seat is played now.
    pub(super) fn is_idle(&self) -> bool {
        self.begun.is_empty()
    }

    /// True if no seat is played now, and none waits.
    pub(super) fn is_empty(&self) -> bool {
        self.is_idle() && self.waiting.is_empty()
    }

    /// True if no seat was ever begun.
    pub(super) fn is_unused(&self) -> bool {
        self.known.is_empty()
    }

    /// True if as many seats as there were to be are played.
    pub(super) fn has_played_enough(&self) -> bool {
        self.games_max.is_some_and(|most| self.played >= most)
    }
}

#[cfg(test)]
mod tests {
    use edgehill_client::v1::{DiceConfig, SeedGroup};

    use super::*;

    fn queue(games_max: Option<usize>, at_once: usize) -> SeatQueue {
        SeatQueue::new(&RunnerConfig { only: None, games_max, at_once })
    }

    /// A seat of a match, in a seed group if a number names it.
    fn seat(match_id: &str, seat: u32, group: Option<u8>) -> SeatToPlay {
        let dice = group.map(|number| DiceConfig {
            commitment: vec![number; 32],
            group: Some(SeedGroup::default()),
            ..DiceConfig::default()
        });
        let config = MatchConfig { match_id: match_id.to_owned(), dice, ..MatchConfig::default() };
        SeatToPlay { config, seat, seats: 2, is_free: true, goes_on: false }
    }

    fn begun(queue: &mut SeatQueue) -> Vec<SeatKey> {
        std::iter::from_fn(|| queue.begin()).map(|seat| (seat.config.match_id, seat.seat)).collect()
    }

    fn keys<const N: usize>(keys: [(&str, u32); N]) -> Vec<SeatKey> {
        keys.map(|(id, seat)| (id.to_owned(), seat)).to_vec()
    }

    #[test]
    fn the_oldest_is_first_and_no_more_than_may_be() {
        let mut queue = queue(None, 2);
        ["c", "a", "b"].into_iter().for_each(|id| queue.add(seat(id, 0, None)));
        assert_eq!(begun(&mut queue), keys([("a", 0), ("b", 0)]));
        queue.end(&("a".to_owned(), 0), true);
        queue.add(seat("a", 0, None));
        assert_eq!(begun(&mut queue), keys([("c", 0)]), "none is begun twice");
        queue.add(seat("d", 0, None));
        queue.forget("d");
        ["b", "c"].into_iter().for_each(|id| queue.end(&(id.to_owned(), 0), true));
        assert!(queue.is_empty() && !queue.is_unused() && !queue.has_played_enough());
    }

    #[test]
    fn that_which_begins_together_is_one() {
        let mut queue = queue(None, 1);
        [seat("a", 0, Some(1)), seat("b", 0, None), seat("c", 1, Some(1)), seat("d", 0, Some(2))]
            .into_iter()
            .for_each(|one| queue.add(one));
        assert_eq!(begun(&mut queue), keys([("a", 0), ("c", 1)]));
        queue.add(seat("e", 0, Some(1)));
        assert_eq!(begun(&mut queue), keys([("e", 0)]), "it was made later");
        [("a", 0), ("c", 1), ("e", 0)]
            .into_iter()
            .for_each(|(id, seat)| queue.end(&(id.to_owned(), seat), true));
        queue.add(seat("b", 1, None));
        assert_eq!(begun(&mut queue), keys([("b", 0), ("b", 1)]), "both seats are the account's");
    }

    #[test]
    fn no_more_are_begun_than_are_to_be_played() {
        let mut queue = queue(Some(2), 8);
        ["a", "b", "c", "d"].into_iter().for_each(|id| queue.add(seat(id, 0, None)));
        assert_eq!(begun(&mut queue), keys([("a", 0), ("b", 0)]));
        queue.end(&("a".to_owned(), 0), false);
        assert_eq!(begun(&mut queue), keys([("c", 0)]), "`a` could not be taken");
        ["b", "c"].into_iter().for_each(|id| queue.end(&(id.to_owned(), 0), true));
        assert!(queue.has_played_enough() && queue.is_idle() && begun(&mut queue).is_empty());
    }
}
