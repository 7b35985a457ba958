//! The order of entrants ([`rank`]).

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::counted::CountedResults;
use super::series::SeriesTable;
use super::tie_breaks::Ledger;
use super::{TieBreakValue, by_points};
use crate::competition::{Entrant, EntrantStatus};
use crate::encounter::{EncounterResult, EntrantId};
use crate::format::{Format, PairingInput, positions, reached};
use crate::settings::{CompetitionSettings, Points, TieBreak};

/// The input of a ranking.
pub(super) struct Field<'a> {
    pub(super) settings: &'a CompetitionSettings,
    pub(super) entrants: &'a [Entrant],
    pub(super) seeding: &'a [EntrantId],
    /// All rounds.
    pub(super) rounds: &'a [Vec<EncounterResult>],
    /// The encounters that count.
    pub(super) results: &'a CountedResults<'a>,
    pub(super) points: &'a BTreeMap<EntrantId, Points>,
    pub(super) series: Option<&'a SeriesTable>,
    /// The entrants whose encounters don't count.
    pub(super) annulled: &'a BTreeSet<EntrantId>,
}

/// An entrant with the rank, if it has one.
pub(super) struct Ranked {
    pub(super) entrant: EntrantId,
    pub(super) rank: Option<u32>,
    pub(super) tie_breaks: Vec<(TieBreak, Option<TieBreakValue>)>,
}

/// All entrants: those with a rank by it, and by their seeds where they share it, then the others.
pub(super) fn rank(field: &Field<'_>) -> Vec<Ranked> {
    let has_rank = |entrant: &EntrantId| {
        field.entrants[entrant.index()].status != EntrantStatus::Disqualified
            && !field.annulled.contains(entrant)
    };
    let (ranked, mut others): (Vec<_>, Vec<_>) = field.seeding.iter().copied().partition(has_rank);
    let unseeded = field.entrants.iter().map(|entrant| entrant.id);
    others.extend(unseeded.filter(|entrant| !field.seeding.contains(entrant)));
    let mut groups = groups(field, ranked);
    let mut values: BTreeMap<(EntrantId, TieBreak), TieBreakValue> = BTreeMap::new();
    let ledger = Ledger::new(field.settings, field.seeding, field.results, field.points);
    for &tie_break in &field.settings.tie_breaks {
        groups =
            groups.into_iter().flat_map(|tied| break_tie(&ledger, tie_break, tied, &mut values)).collect();
    }
    let tie_breaks = |entrant: EntrantId| {
        let each = field.settings.tie_breaks.iter();
        each.map(|&tie_break| (tie_break, values.get(&(entrant, tie_break)).copied())).collect()
    };
    let mut rows = Vec::new();
    for tied in groups {
        let rank = u32::try_from(rows.len() + 1).ok();
        rows.extend(tied.into_iter().map(|entrant| Ranked {
            entrant,
            rank,
            tie_breaks: tie_breaks(entrant),
        }));
    }
    rows.extend(others.into_iter().map(|entrant| Ranked {
        entrant,
        rank: None,
        tie_breaks: tie_breaks(entrant),
    }));
    rows
}

/// Groups of entrants that are tied by what the format ranks by, the best first; each group in the order of their seeds.
fn groups(field: &Field<'_>, ranked: Vec<EntrantId>) -> Vec<Vec<EntrantId>> {
    match field.settings.format {
        format if by_points(format) => {
            by_key(ranked, |entrant| Reverse(field.points.get(&entrant).copied().unwrap_or_default()))
        }
        Format::Knockout { decider, .. } => {
            let present = field.entrants.iter().filter(|entrant| entrant.status == EntrantStatus::Active);
            let active = present.map(|entrant| entrant.id).collect();
            let (settings, seeding, rounds) = (field.settings, field.seeding, field.rounds);
            let reached = reached(decider, &PairingInput { settings, seeding, active: &active, rounds });
            by_key(ranked, |entrant| Reverse(reached.get(&entrant).copied()))
        }
        Format::Ladder { order, .. } => {
            let ladder = positions(order, field.seeding, field.rounds, field.settings);
            by_key(ranked, |entrant| ladder.iter().position(|&one| one == entrant))
        }
        Format::Series { .. } => {
            let mean = |entrant| field.series.and_then(|series| series.mean(entrant)).map(|mean| mean.value);
            by_key(ranked, |entrant| Reverse(mean(entrant).map(Mean)))
        }
        Format::RoundRobin { .. } | Format::Swiss { .. } | Format::Gauntlet { .. } => {
            unreachable!("these are ranked by points")
        }
    }
}

/// A mean of scores, which is a number.
#[derive(PartialEq)]
struct Mean(f64);

impl Eq for Mean {}

impl PartialOrd for Mean {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Mean {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// Groups of equal keys, the least first.
fn by_key<K: Ord>(entrants: Vec<EntrantId>, key: impl Fn(EntrantId) -> K) -> Vec<Vec<EntrantId>> {
    let mut groups: BTreeMap<K, Vec<EntrantId>> = BTreeMap::new();
    for entrant in entrants {
        groups.entry(key(entrant)).or_default().push(entrant);
    }
    groups.into_values().collect()
}

/// The groups that a tie-break leaves tied, of a group that was.
fn break_tie(
    ledger: &Ledger<'_>,
    tie_break: TieBreak,
    tied: Vec<EntrantId>,
    values: &mut BTreeMap<(EntrantId, TieBreak), TieBreakValue>,
) -> Vec<Vec<EntrantId>> {
    // An entrant that is alone has no direct encounter to look at; the other numbers are worth knowing.
    if tie_break == TieBreak::DirectEncounter && tied.len() == 1 {
        return vec![tied];
    }
    let Some(each) = ledger.values(tie_break, &tied) else { return vec![tied] };
    let each: BTreeMap<EntrantId, u64> = tied.iter().copied().zip(each).collect();
    values.extend(each.iter().map(|(&entrant, &value)| ((entrant, tie_break), TieBreakValue(value))));
    match tie_break {
        // The first seed is the best.
        TieBreak::Seeding => by_key(tied, |entrant| each[&entrant]),
        _ => by_key(tied, |entrant| Reverse(each[&entrant])),
    }
}
