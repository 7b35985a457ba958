//! Ratings by the model of Weng and Lin ([`Ratings`]).

use std::collections::BTreeMap;

use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin};

use super::{RatedResult, outcome_of};

/// By name, the ratings after some results.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct Ratings(BTreeMap<String, WengLinRating>);

impl Ratings {
    pub(super) fn add(&mut self, result: &RatedResult<'_>) {
        let (first, second) = (self.or_newcomer(result.first), self.or_newcomer(result.second));
        let outcome = outcome_of(result.outcome);
        let (first, second) = weng_lin(&first, &second, &outcome, &WengLinConfig::new());
        self.0.insert(result.first.to_owned(), first);
        self.0.insert(result.second.to_owned(), second);
    }

    /// Returns the rating and its deviation.
    pub(super) fn rating(&self, name: &str) -> (f64, f64) {
        let rating = self.or_newcomer(name);
        (rating.rating, rating.uncertainty)
    }

    fn or_newcomer(&self, name: &str) -> WengLinRating {
        self.0.get(name).copied().unwrap_or_default()
    }
}
