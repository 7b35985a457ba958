//! Ratings by Glicko-2 ([`Ratings`]): the results of a period count together, against the ratings at its beginning.

use std::collections::BTreeMap;

use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};

use super::{RatedResult, outcome_of};
use crate::pair_score::MatchOutcome;

/// One unit of the scale on which deviation and volatility are added, in points of a rating.
const SCALE: f64 = 173.7178;

/// The ratings at the beginning of a period, with the results that it has had.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct Ratings {
    period: u32,
    /// By name, all who have had a result.
    entrants: BTreeMap<String, Entrant>,
}

#[derive(Clone, PartialEq, Default, Debug)]
struct Entrant {
    /// At the beginning of the period.
    rating: Glicko2Rating,
    /// In the period, with the ratings of the opponents at its beginning.
    results: Vec<(Glicko2Rating, Outcomes)>,
}

impl Ratings {
    pub(super) fn add(&mut self, result: &RatedResult<'_>) {
        if result.period > self.period {
            let paused = result.period - self.period - 1;
            self.entrants.values_mut().for_each(|entrant| entrant.end_period(paused));
            self.period = result.period;
        }
        let (first, second) = (self.at_beginning(result.first), self.at_beginning(result.second));
        self.note(result.first, second, result.outcome);
        self.note(result.second, first, result.outcome.for_the_other());
    }

    /// Returns the rating and its deviation, as if the period ended now.
    pub(super) fn rating(&self, name: &str) -> (f64, f64) {
        let rating = self.entrants.get(name).map_or_else(Glicko2Rating::new, Entrant::now);
        (rating.rating, rating.deviation)
    }

    fn at_beginning(&self, name: &str) -> Glicko2Rating {
        self.entrants.get(name).map_or_else(Glicko2Rating::new, |entrant| entrant.rating)
    }

    fn note(&mut self, name: &str, opponent: Glicko2Rating, outcome: MatchOutcome) {
        let entrant = self.entrants.entry(name.to_owned()).or_default();
        entrant.results.push((opponent, outcome_of(outcome)));
    }
}

impl Entrant {
    /// The rating with the results of the period so far; that of its beginning if there are none.
    fn now(&self) -> Glicko2Rating {
        if self.results.is_empty() {
            return self.rating;
        }
        glicko2_rating_period(&self.rating, &self.results, &Glicko2Config::new())
    }

    /// Ends the period, and as many without any result as are said.
    fn end_period(&mut self, paused: u32) {
        let idle = paused.saturating_add(u32::from(self.results.is_empty()));
        self.rating = self.now();
        self.results.clear();
        self.rating.deviation = deviation_after(&self.rating, idle);
    }
}

/// The deviation after so many periods without a result: its square grows by that of the volatility in each, up to a newcomer's.
fn deviation_after(rating: &Glicko2Rating, periods: u32) -> f64 {
    if periods == 0 {
        return rating.deviation;
    }
    let grown = (rating.deviation / SCALE).hypot(rating.volatility * f64::from(periods).sqrt()) * SCALE;
    grown.min(Glicko2Rating::new().deviation)
}
