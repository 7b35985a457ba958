//! Tie-breaks ([`Ledger`]), in quarters of points, so that they are whole.

use std::collections::BTreeMap;

use super::counted::CountedResults;
use super::points;
use super::rated::is_played;
use crate::encounter::{Encounter, EncounterResult, EntrantId};
use crate::settings::{CompetitionSettings, Points, TieBreak};

/// The books that tie-breaks are computed from.
pub(super) struct Ledger<'a> {
    settings: &'a CompetitionSettings,
    seeding: &'a [EntrantId],
    /// The encounters that count.
    results: &'a CountedResults<'a>,
    points: &'a BTreeMap<EntrantId, Points>,
}

impl<'a> Ledger<'a> {
    pub(super) const fn new(
        settings: &'a CompetitionSettings,
        seeding: &'a [EntrantId],
        results: &'a CountedResults<'a>,
        points: &'a BTreeMap<EntrantId, Points>,
    ) -> Self {
        Self { settings, seeding, results, points }
    }

    /// The values of a tie-break for entrants who are tied so far, in quarters of what it counts; [`None`] where it does not apply.
    pub(super) fn values(&self, tie_break: TieBreak, tied: &[EntrantId]) -> Option<Vec<u64>> {
        if tie_break == TieBreak::DirectEncounter && !self.all_have_met(tied) {
            return None;
        }
        let value = |&entrant: &EntrantId| match tie_break {
            TieBreak::DirectEncounter => self.direct(entrant, tied),
            TieBreak::Buchholz => self.opponents(entrant).iter().sum(),
            TieBreak::BuchholzCut1 => {
                let opponents = self.opponents(entrant);
                opponents.iter().sum::<u64>() - opponents.iter().min().copied().unwrap_or_default()
            }
            TieBreak::SonnebornBerger => self.sonneborn_berger(entrant),
            TieBreak::Wins => 4 * self.wins(entrant),
            TieBreak::Seeding => {
                4 * self.seeding.iter().position(|&seed| seed == entrant).map_or(0, |place| place as u64 + 1)
            }
        };
        Some(tied.iter().map(value).collect())
    }

    fn points(&self, entrant: EntrantId) -> u64 {
        u64::from(self.points.get(&entrant).copied().unwrap_or_default().halves())
    }

    /// The encounters of an entrant, each with the opponent if it was played, and not a bye or forfeited as one.
    fn encounters(
        &self,
        entrant: EntrantId,
    ) -> impl Iterator<Item = (&'a EncounterResult, Option<EntrantId>)> {
        let forfeits = self.settings.policy.forfeits;
        let of = self.results.of_entrant(entrant);
        let counting = of
            .filter(|result| matches!(result.encounter, Encounter::Bye(_)) || result.counting().count() > 0);
        counting.map(move |result| {
            let played = result.counting().any(|verdict| is_played(verdict, forfeits));
            (result, result.encounter.opponent_of(entrant).filter(|_| played))
        })
    }

    fn all_have_met(&self, tied: &[EntrantId]) -> bool {
        tied.iter().enumerate().all(|(index, &one)| {
            tied[index + 1..].iter().all(|&other| self.encounters(one).any(|(_, met)| met == Some(other)))
        })
    }

    fn direct(&self, entrant: EntrantId, tied: &[EntrantId]) -> u64 {
        let among = self.encounters(entrant).filter(|(_, met)| met.is_some_and(|met| tied.contains(&met)));
        among.map(|(result, _)| 2 * self.in_encounter(result, entrant)).sum()
    }

    fn in_encounter(&self, result: &EncounterResult, entrant: EntrantId) -> u64 {
        u64::from(points::in_encounter(self.settings, result, entrant).halves())
    }

    /// The points of each opponent, in quarters. A bye, or a forfeit that was not played, is an opponent with one's own points; but
    /// only where a bye gives points.
    fn opponents(&self, entrant: EntrantId) -> Vec<u64> {
        let gives_points = points::bye(self.settings) > Points::ZERO;
        let each = self.encounters(entrant).filter_map(|(result, met)| match met {
            Some(opponent) => Some(2 * self.points(opponent)),
            None if gives_points || !matches!(result.encounter, Encounter::Bye(_)) => {
                Some(2 * self.points(entrant))
            }
            None => None,
        });
        each.collect()
    }

    fn sonneborn_berger(&self, entrant: EntrantId) -> u64 {
        let forfeits = self.settings.policy.forfeits;
        let each = self.encounters(entrant).map(|(result, met)| match met {
            Some(opponent) => {
                let played = result.counting().filter(|&verdict| is_played(verdict, forfeits));
                let outcomes = played.filter_map(|verdict| verdict.outcome_for(entrant, result.encounter));
                outcomes.map(|outcome| u64::from(outcome.half_points())).sum::<u64>() * self.points(opponent)
            }
            // As against an opponent with one's own points.
            None => self.unplayed_half_points(result, entrant) * self.points(entrant),
        });
        each.sum()
    }

    /// Half-points without a match: of a bye that gives points a win for each match that it stands for; of forfeits what they came to.
    fn unplayed_half_points(&self, result: &EncounterResult, entrant: EntrantId) -> u64 {
        match result.encounter {
            Encounter::Bye(_) if points::bye(self.settings) > Points::ZERO => {
                2 * u64::from(points::bye_matches(self.settings))
            }
            Encounter::Bye(_) | Encounter::Solo(_) => 0,
            Encounter::Pair { .. } => u64::from(result.half_points(entrant)),
        }
    }

    fn wins(&self, entrant: EntrantId) -> u64 {
        let forfeits = self.settings.policy.forfeits;
        let matches = self.results.of_entrant(entrant).flat_map(|result| {
            let played = result.counting().filter(|&verdict| is_played(verdict, forfeits));
            played.filter_map(|verdict| verdict.outcome_for(entrant, result.encounter))
        });
        matches.filter(|&outcome| outcome == crate::MatchOutcome::Win).count() as u64
    }
}
