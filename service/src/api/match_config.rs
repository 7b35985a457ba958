//! The terms settled when a match was made, as everybody sees it.

use std::num::NonZeroU16;

use edgehill_competition::{EncounterId, MatchSlot, Round};
use edgehill_engine::record::RulesPin;
use edgehill_proto::v1;

use super::field::timestamp;
use super::{clock, spectator_delay};
use crate::matches::{CompetitionPlace, Course, EntropyMode, MatchHeader, SeedTerms, WithheldCalls};

/// A match's terms.
pub(super) fn of(course: &Course) -> v1::MatchConfig {
    let header = course.header();
    v1::MatchConfig {
        match_id: course.id().to_string(),
        game: header.game.clone(),
        rules: Some(rules(header.begun_under())),
        scenario: header.scenario.clone(),
        options: header
            .options
            .iter()
            .map(|(id, value)| v1::OptionValue { id: id.clone(), value: value.clone() })
            .collect(),
        options_hash: header.options_hash.to_vec(),
        from_position: header.position.is_some(),
        dice: Some(dice(header)),
        create_time: Some(timestamp(header.created_ms)),
        clock: header.clock.as_ref().map(clock::config),
        repinned: header.repinned.map(rules),
        spectator_delay: header.spectator_delay.map(spectator_delay::config),
        withheld_calls: withheld_calls(course.withheld()).map(Into::into).collect(),
        illegal_actions_max: header
            .conduct
            .and_then(|conduct| conduct.illegal_actions_max)
            .map_or(0, |max| max.get().into()),
        competition: course.place().map(|place| v1::CompetitionPlace {
            competition_id: place.competition().to_string(),
            slot: slot_of(&place).map(|slot| slot.to_string()).unwrap_or_default(),
            round: place.round.into(),
            is_closed: place.is_closed,
        }),
    }
}

/// The calls that seats may not make.
pub(super) fn withheld_calls(withheld: WithheldCalls) -> impl Iterator<Item = v1::WithheldCall> {
    let calls = [
        (withheld.legal_actions, v1::WithheldCall::LegalActions),
        (withheld.explanations, v1::WithheldCall::Explanations),
        (withheld.undo, v1::WithheldCall::Undo),
    ];
    calls.into_iter().filter(|(is_withheld, _)| *is_withheld).map(|(_, call)| call)
}

/// The place as it is written.
fn slot_of(place: &CompetitionPlace) -> Option<MatchSlot> {
    let number = NonZeroU16::new;
    let round = Round::new(place.round)?;
    let encounter = EncounterId { round, number: number(place.encounter)? };
    Some(MatchSlot { encounter, number: number(place.number)?, attempt: number(place.attempt)? })
}

fn rules(pin: RulesPin) -> v1::RulesVersion {
    v1::RulesVersion { number: pin.rules_version, content_hash: pin.content.as_bytes().to_vec() }
}

fn dice(header: &MatchHeader) -> v1::DiceConfig {
    let origin = match header.seed {
        SeedTerms::Server => v1::SeedOrigin::Server,
        SeedTerms::Chosen => v1::SeedOrigin::Chosen,
        SeedTerms::Group(_) => v1::SeedOrigin::Group,
    };
    let entropy_mode = match header.entropy_mode {
        EntropyMode::Open => v1::EntropyMode::Open,
        EntropyMode::CommitReveal => v1::EntropyMode::CommitReveal,
    };
    v1::DiceConfig {
        commitment: header.commitment.map(Vec::from).unwrap_or_default(),
        origin: origin.into(),
        entropy_mode: entropy_mode.into(),
        group: header.group().map(|group| v1::SeedGroup {
            // A secret until it is over (`DiceReveal`).
            group_id: String::new(),
            matches: group.matches,
            entrants: group.entrants,
            seat_entrants: group.seat_entrants.clone(),
        }),
    }
}
