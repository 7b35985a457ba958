//! How those who lead came to do so, round by round ([`Course`]).

use crate::competition::Competition;
use crate::encounter::EntrantId;
use crate::format::Format;
use crate::standings::{StandingRow, Standings};

/// The most rounds at which standings are looked at: of more, so many that lie evenly.
const ROUNDS_MAX: usize = 40;

/// The standings after rounds, by what entrants are ranked by.
pub(super) struct Course {
    /// The measure, in a word or two.
    pub(super) measure: &'static str,
    /// True where less is better.
    pub(super) is_place: bool,
    /// The rounds that were looked at, ascending; the last one is among them.
    pub(super) rounds: Vec<usize>,
    /// By entrant, in the order of the standings: the value after each of those rounds, where there is one.
    pub(super) lines: Vec<(EntrantId, String, Vec<Option<f64>>)>,
}

impl Course {
    /// The course of a competition so far. [`None`] before its second round, and of a knockout, in which a round is how far one has come.
    pub(super) fn of(competition: &Competition, standings: &Standings) -> Option<Self> {
        let (measure, is_place, value): (_, _, fn(&StandingRow) -> Option<f64>) =
            match competition.settings().format {
                Format::Knockout { .. } => return None,
                Format::Ladder { .. } => ("Place", true, |row| row.rank.map(f64::from)),
                Format::Series { .. } => ("Mean score", false, |row| row.score.map(|score| score.value)),
                Format::RoundRobin { .. } | Format::Swiss { .. } | Format::Gauntlet { .. } => {
                    ("Points", false, |row| Some(f64::from(row.points.halves()) / 2.0))
                }
            };
        let results = competition.results();
        if results.len() < 2 {
            return None;
        }
        let count = results.len().min(ROUNDS_MAX);
        let rounds: Vec<_> = (1..=count).map(|index| index * results.len() / count).collect();
        let after = |&rounds: &usize| {
            let (settings, entrants) = (competition.settings(), competition.entrants());
            Standings::of(settings, entrants, competition.seeding(), &results[..rounds])
        };
        let course: Vec<_> = rounds.iter().map(after).collect();
        let line = |row: &StandingRow| {
            let values = course.iter().map(|standings| value(standings.row(row.entrant)?));
            (row.entrant, row.name.clone(), values.collect())
        };
        Some(Self { measure, is_place, rounds, lines: standings.rows.iter().map(line).collect() })
    }
}
