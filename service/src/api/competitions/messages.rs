//! Competitions as messages.

use std::collections::BTreeMap;

use edgehill_competition::{
    CompetitionEvent, CompetitionPhase, CrossCell, Encounter, EncounterId, EncounterResult, EntrantId,
    EntrantStatus, Estimate, ForfeitReason, MatchSlot, MatchTally, PlayedMatch, Round, StandingRow, Verdict,
};
use edgehill_convert::competition as settings_convert;
use edgehill_proto::v1;

use super::super::field::timestamp;
use crate::competitions::{CompetitionOverview, EntrantParty, HostedCompetition, LoggedEvent};

/// A competition, for a caller who may look after it or not.
pub(super) fn competition(overview: &CompetitionOverview, is_mine: bool) -> v1::Competition {
    v1::Competition {
        id: overview.id.to_string(),
        settings: Some(settings_convert::message(&overview.settings)),
        phase: phase(overview.phase).into(),
        create_time: Some(timestamp(overview.created_ms)),
        start_time: overview.started_ms.map(timestamp),
        end_time: overview.ended_ms.map(timestamp),
        entrant_count: count(overview.entrants),
        round: overview.round.into(),
        last_event: overview.last_event,
        cancel_reason: overview.cancelled_for.clone(),
        trouble: overview.trouble.clone(),
        is_mine,
    }
}

pub(super) const fn phase(phase: CompetitionPhase) -> v1::CompetitionPhase {
    match phase {
        CompetitionPhase::Enrolling => v1::CompetitionPhase::Enrolling,
        CompetitionPhase::Running => v1::CompetitionPhase::Running,
        CompetitionPhase::Finished => v1::CompetitionPhase::Finished,
        CompetitionPhase::Cancelled => v1::CompetitionPhase::Cancelled,
    }
}

const fn status(status: EntrantStatus) -> v1::EntrantStatus {
    match status {
        EntrantStatus::Active => v1::EntrantStatus::Active,
        EntrantStatus::Withdrawn => v1::EntrantStatus::Withdrawn,
        EntrantStatus::Disqualified => v1::EntrantStatus::Disqualified,
    }
}

/// An entrant; the account is told if `is_known` says so.
pub(super) fn entrant(
    hosted: &HostedCompetition,
    id: EntrantId,
    is_known: impl Fn(&EntrantParty) -> bool,
) -> Option<v1::Entrant> {
    let entrant = hosted.competition().entrant(id)?;
    let party = hosted.party(id);
    let account = party.filter(|party| is_known(party)).and_then(EntrantParty::account);
    let seed = hosted.competition().seeding().iter().position(|of| *of == id);
    Some(v1::Entrant {
        number: id.number().into(),
        name: entrant.name.clone(),
        rating: entrant.rating,
        status: status(entrant.status).into(),
        evidence: entrant.evidence.clone(),
        house_bot: match party {
            Some(EntrantParty::HouseBot(name)) => name.clone(),
            _ => String::new(),
        },
        account_id: account
            .map(|account| String::from_utf8_lossy(account.as_bytes()).into_owned())
            .unwrap_or_default(),
        seed: seed.map_or(0, |place| count(place + 1)),
    })
}

/// The first encounters that are wanted, by round and number; at most so many.
pub(super) fn encounters(
    hosted: &HostedCompetition,
    is_wanted: impl Fn(&EncounterId) -> bool,
    most: usize,
) -> Vec<v1::Encounter> {
    let competition = hosted.competition();
    let mut played: BTreeMap<EncounterId, Vec<(MatchSlot, &PlayedMatch)>> = BTreeMap::new();
    for (slot, of) in competition.matches() {
        played.entry(slot.encounter).or_default().push((slot, of));
    }
    let results = competition.results();
    let all = results.iter().enumerate().flat_map(|(round, encounters)| {
        encounters
            .iter()
            .enumerate()
            .filter_map(move |(index, result)| Some((EncounterId::at(Round::at(round)?, index)?, result)))
    });
    let wanted = all.filter(|(id, _)| is_wanted(id)).take(most);
    wanted.map(|(id, result)| encounter(id, result, played.get(&id).map_or(&[], Vec::as_slice))).collect()
}

fn encounter(
    id: EncounterId,
    result: &EncounterResult,
    played: &[(MatchSlot, &PlayedMatch)],
) -> v1::Encounter {
    let one = |(index, of): (usize, &Option<Verdict>)| {
        // The last attempt counts, unless it is to be played again.
        let begun = played.iter().rfind(|(slot, _)| slot.index() == index);
        let current = begun.filter(|(_, played)| !played.replayed);
        let seats = result.encounter.seats(index);
        v1::CompetitionMatch {
            slot: current.map_or_else(|| format!("{id}.{}", index + 1), |(slot, _)| slot.to_string()),
            match_id: current.map(|(_, played)| played.match_id.clone()).unwrap_or_default(),
            seats: seats.iter().map(|seat| seat.number().into()).collect(),
            verdict: of.map(|of| verdict(of, current.map_or("", |(_, played)| &played.evidence))),
        }
    };
    v1::Encounter {
        round: id.round.number().into(),
        number: id.number.get().into(),
        entrants: result.encounter.entrants().map(|entrant| entrant.number().into()).collect(),
        is_bye: matches!(result.encounter, Encounter::Bye(_)),
        matches: result.verdicts.iter().enumerate().map(one).collect(),
        is_over: result.is_over,
    }
}

fn verdict(verdict: Verdict, evidence: &str) -> v1::Verdict {
    let (kind, reason, score) = match verdict {
        Verdict::Win(_) => (v1::VerdictKind::Win, None, 0),
        Verdict::Loss(_) => (v1::VerdictKind::Loss, None, 0),
        Verdict::Draw => (v1::VerdictKind::Draw, None, 0),
        Verdict::Forfeit { reason, .. } => (v1::VerdictKind::Forfeit, Some(reason), 0),
        Verdict::BothForfeit(reason) => (v1::VerdictKind::BothForfeit, Some(reason), 0),
        Verdict::Score { score, .. } => (v1::VerdictKind::Score, None, score),
        Verdict::Void => (v1::VerdictKind::Void, None, 0),
    };
    let reason = match reason {
        None => v1::ForfeitReason::Unspecified,
        Some(ForfeitReason::Time) => v1::ForfeitReason::Time,
        Some(ForfeitReason::IllegalActions) => v1::ForfeitReason::IllegalActions,
        Some(ForfeitReason::Absence) => v1::ForfeitReason::Absence,
    };
    v1::Verdict {
        kind: kind.into(),
        entrant: verdict.about().map_or(0, |entrant| entrant.number().into()),
        reason: reason.into(),
        score,
        evidence: evidence.to_owned(),
    }
}

pub(super) fn standing_row(row: &StandingRow) -> v1::StandingRow {
    v1::StandingRow {
        rank: row.rank.unwrap_or(0),
        entrant: row.entrant.number().into(),
        name: row.name.clone(),
        status: status(row.status).into(),
        point_halves: row.points.halves(),
        tally: Some(tally(row.tally)),
        byes: row.byes,
        tie_breaks: row
            .tie_breaks
            .iter()
            .map(|(of, value)| v1::TieBreakValue {
                tie_break: settings_convert::tie_break_message(*of).into(),
                quarters: value.map(edgehill_competition::TieBreakValue::quarters),
            })
            .collect(),
        score: row.score.map(estimate),
        rating: row.rating.map(|rating| estimate(rating.rating)),
        is_provisional: row.rating.is_some_and(|rating| rating.provisional),
    }
}

pub(super) fn cross_cell(other: EntrantId, cell: &CrossCell) -> v1::CrossCell {
    v1::CrossCell {
        entrant: other.number().into(),
        point_halves: cell.points.halves(),
        tally: Some(tally(cell.tally)),
        difference: cell.difference.map(estimate),
    }
}

const fn tally(tally: MatchTally) -> v1::MatchTally {
    let MatchTally { wins, draws, losses, forfeits } = tally;
    v1::MatchTally { wins, draws, losses, forfeits }
}

/// An estimate in millionths. A value without an end is as large as can be.
fn estimate(estimate: Estimate) -> v1::Estimate {
    let micros = |value: f64| (value * 1e6).round() as i64;
    let end = |value: f64| value.is_finite().then(|| micros(value));
    v1::Estimate {
        micros: micros(estimate.value),
        low_micros: end(estimate.low),
        high_micros: end(estimate.high),
    }
}

/// An event of the log.
pub(super) fn event(logged: &LoggedEvent) -> v1::CompetitionEvent {
    use v1::CompetitionEventKind as Kind;
    let of = |kind: Kind| v1::CompetitionEvent {
        number: logged.number,
        event_time: Some(timestamp(logged.at_ms)),
        kind: kind.into(),
        ..v1::CompetitionEvent::default()
    };
    let about = |entrant: &EntrantId| u32::from(entrant.number());
    match &logged.event {
        CompetitionEvent::Created(_) => of(Kind::Created),
        CompetitionEvent::Enrolled { entrant, name, .. } => {
            v1::CompetitionEvent { entrant: about(entrant), name: name.clone(), ..of(Kind::Enrolled) }
        }
        CompetitionEvent::Withdrawn { entrant } => {
            v1::CompetitionEvent { entrant: about(entrant), ..of(Kind::Withdrawn) }
        }
        CompetitionEvent::Disqualified { entrant, evidence } => v1::CompetitionEvent {
            entrant: about(entrant),
            evidence: evidence.clone(),
            ..of(Kind::Disqualified)
        },
        CompetitionEvent::Started => of(Kind::Started),
        CompetitionEvent::RoundPaired { round, .. } => {
            v1::CompetitionEvent { round: round.number().into(), ..of(Kind::RoundPaired) }
        }
        CompetitionEvent::MatchBegun { slot, match_id } => v1::CompetitionEvent {
            slot: slot.to_string(),
            match_id: match_id.clone(),
            ..of(Kind::MatchBegun)
        },
        CompetitionEvent::MatchEnded { slot, verdict: of_match, evidence } => v1::CompetitionEvent {
            slot: slot.to_string(),
            verdict: Some(verdict(*of_match, evidence)),
            ..of(Kind::MatchEnded)
        },
        CompetitionEvent::MatchVoided { slot, replay, evidence } => v1::CompetitionEvent {
            slot: slot.to_string(),
            is_replayed: *replay,
            evidence: evidence.clone(),
            ..of(Kind::MatchVoided)
        },
        CompetitionEvent::Cancelled { reason } => {
            v1::CompetitionEvent { evidence: reason.clone(), ..of(Kind::Cancelled) }
        }
        CompetitionEvent::Finished => of(Kind::Finished),
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
