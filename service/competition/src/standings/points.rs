//! Points by the rules of a competition ([`of`]).

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::encounter::{Encounter, EncounterResult, EntrantId, Verdict};
use crate::format::Format;
use crate::pair_score::MatchOutcome;
use crate::settings::{CompetitionSettings, EncounterLength, PointBasis, Points};

/// The points of each entrant after these rounds; whoever has none may be missing.
pub(crate) fn of(
    settings: &CompetitionSettings,
    rounds: &[Vec<EncounterResult>],
) -> BTreeMap<EntrantId, Points> {
    let mut points = BTreeMap::new();
    for result in rounds.iter().flatten() {
        for entrant in result.encounter.entrants() {
            *points.entry(entrant).or_default() += in_encounter(settings, result, entrant);
        }
    }
    points
}

/// The points of an entrant in an encounter of theirs, as far as it is played.
pub(crate) fn in_encounter(
    settings: &CompetitionSettings,
    result: &EncounterResult,
    entrant: EntrantId,
) -> Points {
    match result.encounter {
        Encounter::Bye(_) => bye(settings),
        Encounter::Solo(_) => Points::ZERO,
        Encounter::Pair { .. } => match settings.points.basis {
            PointBasis::Matches => {
                result.counting().map(|verdict| in_match(settings, verdict, result, entrant)).sum()
            }
            PointBasis::Encounters => whole(settings, result, entrant),
        },
    }
}

fn in_match(
    settings: &CompetitionSettings,
    verdict: Verdict,
    result: &EncounterResult,
    entrant: EntrantId,
) -> Points {
    let rules = settings.points;
    match verdict.outcome_for(entrant, result.encounter) {
        _ if verdict.is_forfeit_of(entrant) => rules.forfeit,
        Some(MatchOutcome::Win) => rules.win,
        Some(MatchOutcome::Draw) => rules.draw,
        Some(MatchOutcome::Loss) => rules.loss,
        None => Points::ZERO,
    }
}

/// The points of an encounter that count for all of its matches together: when it is over, and if not all of them are void.
fn whole(settings: &CompetitionSettings, result: &EncounterResult, entrant: EntrantId) -> Points {
    let rules = settings.points;
    let Some(opponent) = result.encounter.opponent_of(entrant).filter(|_| result.is_over) else {
        return Points::ZERO;
    };
    let mut counting = result.counting().peekable();
    if counting.peek().is_none() {
        return Points::ZERO;
    }
    match result.half_points(entrant).cmp(&result.half_points(opponent)) {
        Ordering::Greater => rules.win,
        Ordering::Less => rules.loss,
        // Nobody has drawn where both have forfeited all.
        Ordering::Equal if counting.all(|verdict| matches!(verdict, Verdict::BothForfeit(_))) => {
            rules.forfeit
        }
        Ordering::Equal => rules.draw,
    }
}

/// The points of a bye: in a Swiss those of the rules, for each match that it stands for.
pub(super) fn bye(settings: &CompetitionSettings) -> Points {
    if matches!(settings.format, Format::Swiss { .. }) {
        settings.points.bye.times(bye_matches(settings))
    } else {
        Points::ZERO
    }
}

/// The number of matches that a bye stands for.
pub(super) const fn bye_matches(settings: &CompetitionSettings) -> u32 {
    match (settings.points.basis, settings.encounter.length) {
        (PointBasis::Matches, EncounterLength::All(matches)) => matches.get() as u32,
        (PointBasis::Encounters, _) | (PointBasis::Matches, EncounterLength::BestOf(_)) => 1,
    }
}
