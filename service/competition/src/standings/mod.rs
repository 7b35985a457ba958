//! Standings: points, tie-breaks, scores with their intervals, ratings, and who did how against whom ([`Standings`]).
//!
//! Invariants: they follow from settings, entrants and results alone; a match that is void counts for nothing; entrants whom the settings
//! leave tied have the same rank.

mod counted;
pub(crate) mod points;
mod ranking;
pub(crate) mod rated;
pub(crate) mod rating_course;
mod series;
mod tie_breaks;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::competition::{Entrant, EntrantStatus};
use crate::encounter::{Encounter, EncounterResult, EntrantId};
use crate::estimate::Estimate;
use crate::format::Format;
use crate::pair_score::MatchOutcome;
use crate::rating::PoolRating;
use crate::settings::{CompetitionSettings, Points, TieBreak, WithdrawalRule};

use counted::CountedResults;
use rated::Observations;
use series::SeriesTable;

/// A number that entrants are told apart by, in quarters of a point: written `12`, `12.25`, `12.5`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TieBreakValue(u64);

impl TieBreakValue {
    /// Returns the number of quarters.
    #[must_use]
    pub const fn quarters(self) -> u64 {
        self.0
    }
}

impl fmt::Display for TieBreakValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.0 / 4, ["", ".25", ".5", ".75"][(self.0 % 4) as usize])
    }
}

/// Numbers of matches, by their outcome for one entrant. Void matches are in none of them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct MatchTally {
    /// Won, by a forfeit of the other as well.
    pub wins: u32,
    /// Drawn.
    pub draws: u32,
    /// Lost, by one's own forfeit as well.
    pub losses: u32,
    /// Forfeited by oneself: a part of the lost; in a series those that have the least score for it.
    pub forfeits: u32,
}

/// An entrant in the standings.
#[derive(Clone, PartialEq, Debug)]
pub struct StandingRow {
    /// The rank, from 1, which those share who are tied: 1, 2, 2, 4. [`None`] for who was disqualified, whose results were annulled, or who left
    /// before the start.
    pub rank: Option<u32>,
    /// The entrant.
    pub entrant: EntrantId,
    /// Its name.
    pub name: String,
    /// The part that it still has.
    pub status: EntrantStatus,
    /// Its points, by the rules of the settings; none in a series.
    pub points: Points,
    /// Its matches that are over.
    pub tally: MatchTally,
    /// The number of its byes.
    pub byes: u32,
    /// The tie-breaks of the settings, in their order; [`None`] where one does not apply, such as a direct encounter among those who
    /// have not met, or who are not tied.
    pub tie_breaks: Vec<(TieBreak, Option<TieBreakValue>)>,
    /// The mean score of a match from 0 to 1, over mirrored pairs if matches are mirrored; in a series that of a seed, in the game's own
    /// scores. With its interval; [`None`] without an observation.
    pub score: Option<Estimate>,
    /// The rating by the system of the settings; [`None`] without one, and before the first result.
    pub rating: Option<PoolRating>,
}

/// The matches of one entrant against another.
#[derive(Clone, PartialEq, Debug)]
pub struct CrossCell {
    /// The points that the entrant got in them.
    pub points: Points,
    /// The outcomes of those that are over.
    pub tally: MatchTally,
    /// The mean difference of both in a match, from -1 to 1, over mirrored pairs if matches are mirrored; in a series that of their scores on each
    /// seed that both have played. With its interval; [`None`] without an observation.
    pub difference: Option<Estimate>,
}

/// The standings of a competition.
#[derive(Clone, PartialEq, Debug)]
pub struct Standings {
    /// The entrants: those with a rank by it, then the others; the better seed first where they share it.
    pub rows: Vec<StandingRow>,
    /// The cross table: by entrant and other, all two who have met (in a series: who have played a seed in common).
    pub cross_table: BTreeMap<(EntrantId, EntrantId), CrossCell>,
}

impl Standings {
    /// The standings that follow from these results, encounters that are not over as far as they are.
    ///
    /// # Panics
    /// If an encounter is between others than the seeded, or a score is outside of the range of the settings.
    #[must_use]
    pub fn of(
        settings: &CompetitionSettings,
        entrants: &[Entrant],
        seeding: &[EntrantId],
        rounds: &[Vec<EncounterResult>],
    ) -> Self {
        let annulled = annulled(settings, entrants);
        let counting = counted::without(rounds, &annulled);
        let results = CountedResults::of(&counting);
        let series = SeriesTable::of(settings.format, &counting);
        let points = points::of(settings, &counting);
        let pool = settings.ratings.map(|system| rated::pool(system, &counting, settings));
        let ranked = ranking::rank(&ranking::Field {
            settings,
            entrants,
            seeding,
            rounds,
            results: &results,
            points: &points,
            series: series.as_ref(),
            annulled: &annulled,
        });
        let row = |ranked: ranking::Ranked| {
            let entrant = &entrants[ranked.entrant.index()];
            let own = || results.of_entrant(entrant.id);
            StandingRow {
                rank: ranked.rank,
                entrant: entrant.id,
                name: entrant.name.clone(),
                status: entrant.status,
                points: points.get(&entrant.id).copied().unwrap_or_default(),
                tally: tally(own(), entrant.id),
                byes: own().filter(|result| matches!(result.encounter, Encounter::Bye(_))).count() as u32,
                tie_breaks: ranked.tie_breaks,
                score: match &series {
                    Some(series) => series.mean(entrant.id),
                    None => score(settings, own(), entrant.id),
                },
                rating: pool.as_ref().and_then(|pool| pool.rating(&entrant.id.to_string())),
            }
        };
        let rows = ranked.into_iter().map(row).collect();
        let cross_table = match &series {
            Some(series) => series.cross_table(),
            None => cross_table(settings, &results),
        };
        Self { rows, cross_table }
    }

    /// Returns the row of an entrant.
    #[must_use]
    pub fn row(&self, entrant: EntrantId) -> Option<&StandingRow> {
        self.rows.iter().find(|row| row.entrant == entrant)
    }

    /// Returns the mean difference between two, as [`CrossCell::difference`] is.
    #[must_use]
    pub fn difference(&self, one: EntrantId, other: EntrantId) -> Option<Estimate> {
        self.cross_table.get(&(one, other))?.difference
    }
}

/// The entrants whose encounters don't count, since they have left.
fn annulled(settings: &CompetitionSettings, entrants: &[Entrant]) -> BTreeSet<EntrantId> {
    let annuls = settings.policy.withdrawals == WithdrawalRule::ResultsAnnulled;
    let left = entrants.iter().filter(|entrant| annuls && entrant.status != EntrantStatus::Active);
    left.map(|entrant| entrant.id).collect()
}

fn tally<'a>(results: impl Iterator<Item = &'a EncounterResult>, entrant: EntrantId) -> MatchTally {
    let mut tally = MatchTally::default();
    for result in results {
        for verdict in result.counting() {
            match verdict.outcome_for(entrant, result.encounter) {
                Some(MatchOutcome::Win) => tally.wins += 1,
                Some(MatchOutcome::Draw) => tally.draws += 1,
                Some(MatchOutcome::Loss) => tally.losses += 1,
                None => {}
            }
            tally.forfeits += u32::from(verdict.is_forfeit_of(entrant));
        }
    }
    tally
}

fn score<'a>(
    settings: &CompetitionSettings,
    results: impl Iterator<Item = &'a EncounterResult>,
    entrant: EntrantId,
) -> Option<Estimate> {
    let mut observations = Observations::new(settings);
    results.for_each(|result| observations.add(result, entrant, settings.policy.forfeits));
    observations.score()
}

fn cross_table(
    settings: &CompetitionSettings,
    results: &CountedResults<'_>,
) -> BTreeMap<(EntrantId, EntrantId), CrossCell> {
    let cell = |(key, results): ((EntrantId, EntrantId), Vec<&EncounterResult>)| {
        let (entrant, _) = key;
        let points = results.iter().map(|result| points::in_encounter(settings, result, entrant)).sum();
        // A point more for one is a point less for the other: the difference is twice what the score is above a half.
        let difference =
            score(settings, results.iter().copied(), entrant).map(|score| score.map(|mean| 2.0 * mean - 1.0));
        (key, CrossCell { points, tally: tally(results.iter().copied(), entrant), difference })
    };
    results.by_pair().into_iter().map(cell).collect()
}

/// Returns whether a format is ranked by points.
const fn by_points(format: Format) -> bool {
    matches!(format, Format::RoundRobin { .. } | Format::Swiss { .. } | Format::Gauntlet { .. })
}
