//! A competition as JSON: one document, or a line for each match.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{name, phase_word, status_word};
use crate::competition::{Competition, PlayedMatch};
use crate::encounter::{EncounterResult, EntrantId, MatchSlot};
use crate::estimate::Estimate;
use crate::rating::PoolRating;
use crate::settings::{CompetitionSettings, GameTerms, Points};
use crate::standings::rating_course::RatingCourse;
use crate::standings::{CrossCell, MatchTally, StandingRow, TieBreakValue};

/// The version of the documents: fields are added, and never change their meaning, while it stays.
const VERSION: u32 = 1;

/// Returns the competition as one document: settings, standings, cross table, and the encounters of each round with their verdicts. Numbers
/// without an end on one side are null there.
#[must_use]
pub fn document(competition: &Competition) -> String {
    let standings = competition.standings();
    let entrant = |entrant: EntrantId| entrant.to_string();
    let round = |results: &Vec<EncounterResult>| {
        results.iter().map(|result| Encounter::of(result, &entrant)).collect::<Vec<_>>()
    };
    let document = Document {
        version: VERSION,
        settings: competition.settings(),
        phase: phase_word(competition.phase()),
        cancelled_for: competition.cancelled_for(),
        seeding: competition.seeding().iter().copied().map(entrant).collect(),
        standings: standings.rows.iter().map(Row::of).collect(),
        cross_table: standings.cross_table.iter().map(Cell::of).collect(),
        rounds: competition.results().iter().map(round).collect(),
    };
    serde_json::to_string_pretty(&document).expect("keys are texts, and numbers are numbers or null")
}

/// Returns every match that was begun as JSON lines, in order: its place, its id, its terms, the entrants by their seats with the ratings that
/// they had before the round, the verdict with its evidence, and whether it was replayed.
#[must_use]
pub fn match_lines(competition: &Competition) -> String {
    let mut lines = String::new();
    let results = competition.results();
    let mut ratings = RatingCourse::of(competition.settings(), competition.entrants(), &results);
    for (slot, played) in competition.matches() {
        let line = MatchLine::of(competition, slot, played, &mut ratings);
        lines.push_str(&serde_json::to_string(&line).expect("keys are texts"));
        lines.push('\n');
    }
    lines
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    settings: &'a CompetitionSettings,
    phase: &'static str,
    cancelled_for: Option<&'a str>,
    seeding: Vec<String>,
    standings: Vec<Row<'a>>,
    cross_table: Vec<Cell>,
    rounds: Vec<Vec<Encounter>>,
}

#[derive(Serialize)]
struct Interval {
    value: f64,
    low: f64,
    high: f64,
}

impl Interval {
    const fn of(Estimate { value, low, high }: Estimate) -> Self {
        Self { value, low, high }
    }
}

#[derive(Serialize)]
struct Rating {
    #[serde(flatten)]
    interval: Interval,
    deviation: f64,
    results: u32,
    provisional: bool,
}

impl Rating {
    const fn of(rating: PoolRating) -> Self {
        let PoolRating { rating, deviation, results, provisional } = rating;
        Self { interval: Interval::of(rating), deviation, results, provisional }
    }
}

#[derive(Serialize)]
struct Tally {
    wins: u32,
    draws: u32,
    losses: u32,
    forfeits: u32,
}

impl Tally {
    const fn of(MatchTally { wins, draws, losses, forfeits }: MatchTally) -> Self {
        Self { wins, draws, losses, forfeits }
    }
}

#[derive(Serialize)]
struct Row<'a> {
    rank: Option<u32>,
    entrant: String,
    name: &'a str,
    status: &'static str,
    points: f64,
    #[serde(flatten)]
    tally: Tally,
    byes: u32,
    tie_breaks: BTreeMap<String, Option<f64>>,
    score: Option<Interval>,
    rating: Option<Rating>,
}

impl<'a> Row<'a> {
    fn of(row: &'a StandingRow) -> Self {
        let value = |value: TieBreakValue| value.quarters() as f64 / 4.0;
        let tie_breaks = row.tie_breaks.iter().map(|(of, number)| (of.to_string(), number.map(value)));
        Self {
            rank: row.rank,
            entrant: row.entrant.to_string(),
            name: &row.name,
            status: status_word(row.status),
            points: number(row.points),
            tally: Tally::of(row.tally),
            byes: row.byes,
            tie_breaks: tie_breaks.collect(),
            score: row.score.map(Interval::of),
            rating: row.rating.map(Rating::of),
        }
    }
}

#[derive(Serialize)]
struct Cell {
    entrant: String,
    opponent: String,
    points: f64,
    #[serde(flatten)]
    tally: Tally,
    difference: Option<Interval>,
}

impl Cell {
    fn of(((entrant, opponent), cell): (&(EntrantId, EntrantId), &CrossCell)) -> Self {
        Self {
            entrant: entrant.to_string(),
            opponent: opponent.to_string(),
            points: number(cell.points),
            tally: Tally::of(cell.tally),
            difference: cell.difference.map(Interval::of),
        }
    }
}

#[derive(Serialize)]
struct Encounter {
    kind: &'static str,
    entrants: Vec<String>,
    is_over: bool,
    verdicts: Vec<Option<String>>,
}

impl Encounter {
    fn of(result: &EncounterResult, entrant: &impl Fn(EntrantId) -> String) -> Self {
        let kind = match result.encounter {
            crate::Encounter::Pair { .. } => "pair",
            crate::Encounter::Bye(_) => "bye",
            crate::Encounter::Solo(_) => "solo",
        };
        let verdicts = result.verdicts.iter().map(|verdict| verdict.map(|verdict| verdict.to_string()));
        Self {
            kind,
            entrants: result.encounter.entrants().map(entrant).collect(),
            is_over: result.is_over,
            verdicts: verdicts.collect(),
        }
    }
}

#[derive(Serialize)]
struct MatchLine<'a> {
    version: u32,
    r#match: String,
    match_id: &'a str,
    terms: &'a GameTerms,
    seats: Vec<SeatOf<'a>>,
    verdict: Option<String>,
    evidence: &'a str,
    replayed: bool,
}

#[derive(Serialize)]
struct SeatOf<'a> {
    entrant: String,
    name: &'a str,
    rating: Option<Rating>,
}

impl<'a> MatchLine<'a> {
    fn of(
        competition: &'a Competition,
        slot: MatchSlot,
        played: &'a PlayedMatch,
        ratings: &mut RatingCourse<'_>,
    ) -> Self {
        let encounter = competition.encounter_of(slot);
        let seats = encounter.map(|encounter| encounter.seats(slot.index())).unwrap_or_default();
        let seat = |entrant: EntrantId| SeatOf {
            entrant: entrant.to_string(),
            name: name(competition, entrant),
            rating: ratings.before(slot.encounter.round, entrant).map(Rating::of),
        };
        Self {
            version: VERSION,
            r#match: slot.to_string(),
            match_id: &played.match_id,
            terms: &competition.settings().terms,
            seats: seats.into_iter().map(seat).collect(),
            verdict: played.verdict.map(|verdict| verdict.to_string()),
            evidence: &played.evidence,
            replayed: played.replayed,
        }
    }
}

/// Points as a number: halves are exact in it.
fn number(points: Points) -> f64 {
    f64::from(points.halves()) / 2.0
}
