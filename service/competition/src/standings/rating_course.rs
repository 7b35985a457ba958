//! Ratings as they were when matches were played ([`RatingCourse`]).

use super::{annulled, counted, rated};
use crate::competition::Entrant;
use crate::encounter::{EncounterResult, EntrantId, Round};
use crate::rating::{PoolRating, RatingPool};
use crate::settings::CompetitionSettings;

/// The ratings before each round, which are asked for in order.
pub(crate) struct RatingCourse<'a> {
    settings: &'a CompetitionSettings,
    /// The results that count, by round.
    rounds: Vec<Vec<EncounterResult>>,
    /// The pool, if the settings have ratings, and how many rounds are in it.
    pool: Option<RatingPool>,
    rated: usize,
}

impl<'a> RatingCourse<'a> {
    /// The course of these results, from the first round on.
    pub(crate) fn of(
        settings: &'a CompetitionSettings,
        entrants: &[Entrant],
        rounds: &[Vec<EncounterResult>],
    ) -> Self {
        let rounds = counted::without(rounds, &annulled(settings, entrants));
        Self { settings, rounds, pool: settings.ratings.map(RatingPool::new), rated: 0 }
    }

    /// Returns the rating that an entrant had before a round; [`None`] before its first result that counts, and without a system.
    ///
    /// # Panics
    /// If a later round was asked for before.
    pub(crate) fn before(&mut self, round: Round, entrant: EntrantId) -> Option<PoolRating> {
        assert!(self.rated <= round.index(), "ratings are asked for in the order of rounds");
        let pool = self.pool.as_mut()?;
        while self.rated < round.index() {
            rated::add_round(pool, self.rated as u32 + 1, &self.rounds[self.rated], self.settings);
            self.rated += 1;
        }
        pool.rating(&entrant.to_string())
    }
}
