//! Results as ratings and statistics count them ([`observations`]): a mirrored pair once, a forfeit as the policy says.

use crate::encounter::{Encounter, EncounterResult, EntrantId, Verdict};
use crate::pair_counts::PairCounts;
use crate::pair_score::{MatchOutcome, PairScore};
use crate::rating::{RatedResult, RatingPool, RatingSystem};
use crate::sample::Sample;
use crate::settings::{CompetitionSettings, ForfeitRule};

/// Returns whether a verdict counts as played, for more than points.
pub(crate) fn is_played(verdict: Verdict, forfeits: ForfeitRule) -> bool {
    match verdict {
        Verdict::Void => false,
        Verdict::Forfeit { .. } | Verdict::BothForfeit(_) => forfeits == ForfeitRule::Played,
        Verdict::Win(_) | Verdict::Loss(_) | Verdict::Draw | Verdict::Score { .. } => true,
    }
}

/// The outcomes for an entrant of the matches of an encounter, by number, where they count as played. Where both have forfeited, neither has
/// been the weaker one.
fn outcomes(
    result: &EncounterResult,
    entrant: EntrantId,
    forfeits: ForfeitRule,
) -> impl Iterator<Item = Option<MatchOutcome>> {
    result.verdicts.iter().map(move |verdict| {
        let played = verdict.filter(|&verdict| is_played(verdict, forfeits))?;
        let both = matches!(played, Verdict::BothForfeit(_));
        if both { None } else { played.outcome_for(entrant, result.encounter) }
    })
}

/// The observations of one entrant: mirrored pairs if matches are mirrored, else matches.
pub(super) enum Observations {
    /// Pairs of which both matches count.
    Pairs(PairCounts),
    /// The half-points of each match.
    Matches(Sample),
}

impl Observations {
    pub(super) fn new(settings: &CompetitionSettings) -> Self {
        if settings.encounter.mirrored {
            Self::Pairs(PairCounts::EMPTY)
        } else {
            Self::Matches(Sample::new(0..=2))
        }
    }

    /// Adds the matches of an encounter that count.
    pub(super) fn add(&mut self, result: &EncounterResult, entrant: EntrantId, forfeits: ForfeitRule) {
        let outcomes: Vec<_> = outcomes(result, entrant, forfeits).collect();
        match self {
            Self::Pairs(counts) => {
                for pair in outcomes.chunks_exact(2) {
                    if let Some((first, second)) = pair[0].zip(pair[1]) {
                        counts.add(PairScore::of(first, second));
                    }
                }
            }
            Self::Matches(sample) => {
                for outcome in outcomes.into_iter().flatten() {
                    sample.add(i32::from(outcome.half_points())).expect("a competition has fewer matches");
                }
            }
        }
    }

    /// The mean score of a match, from 0 to 1, with its interval.
    pub(super) fn score(&self) -> Option<crate::Estimate> {
        match self {
            Self::Pairs(counts) => counts.score(),
            Self::Matches(sample) => sample.estimate().map(|score| score.map(|halves| halves / 2.0)),
        }
    }
}

/// The pool of these rounds, each of which is a rating period, by the ids of the entrants. A mirrored pair is one result.
pub(crate) fn pool(
    system: RatingSystem,
    rounds: &[Vec<EncounterResult>],
    settings: &CompetitionSettings,
) -> RatingPool {
    let mut pool = RatingPool::new(system);
    for (period, results) in (1..).zip(rounds) {
        add_round(&mut pool, period, results, settings);
    }
    pool
}

/// Adds the results of a round to a pool that has those before it.
pub(super) fn add_round(
    pool: &mut RatingPool,
    period: u32,
    results: &[EncounterResult],
    settings: &CompetitionSettings,
) {
    for result in results {
        let Encounter::Pair { first, second } = result.encounter else { continue };
        let (first_name, second_name) = (first.to_string(), second.to_string());
        let outcomes: Vec<_> = outcomes(result, first, settings.policy.forfeits).collect();
        for outcomes in outcomes.chunks(settings.encounter.block()) {
            let Some(outcome) = one_outcome(outcomes) else { continue };
            let rated = RatedResult { first: &first_name, second: &second_name, outcome, period };
            pool.add(&rated).expect("two meet, in the order of rounds");
        }
    }
}

/// The outcome of matches that are one result, if all of them count.
fn one_outcome(outcomes: &[Option<MatchOutcome>]) -> Option<MatchOutcome> {
    match *outcomes {
        [outcome] => outcome,
        [Some(first), Some(second)] => Some(PairScore::of(first, second).outcome()),
        _ => None,
    }
}
