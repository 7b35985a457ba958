//! The terms settled when a match was made, as everybody sees it.

use edgehill_engine::record::RulesPin;
use edgehill_proto::v1;

use super::field::timestamp;
use super::{clock, spectator_delay};
use crate::matches::{Course, EntropyMode, MatchHeader, SeedTerms};

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
    }
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
