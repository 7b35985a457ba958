//! Settings of competitions as messages, and messages as settings.

use std::collections::BTreeMap;
use std::num::{NonZeroU8, NonZeroU16};

use edgehill_competition::rating::RatingSystem;
use edgehill_competition::{
    AllowedCalls, ClockSettings, CompetitionSettings, Decider, EncounterLength, EncounterTerms, ForfeitRule,
    Format, GameTerms, IllegalActionCost, LadderOrder, LevelWinner, PointBasis, PointRules, Points, Policy,
    Publication, TieBreak, TimeoutCost, WithdrawalRule,
};
use edgehill_proto::prost_types::Duration;
use edgehill_proto::v1::{self, competition_format};
use thiserror::Error;

/// A field of settings that is not accepted.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{field}: {fault}")]
pub struct SettingsFault {
    /// Its path in the settings.
    pub field: String,
    /// The fault, and what would be accepted.
    pub fault: String,
}

fn fault(field: &str, fault: impl Into<String>) -> SettingsFault {
    SettingsFault { field: field.to_owned(), fault: fault.into() }
}

/// Settings as a message.
#[must_use]
pub fn message(settings: &CompetitionSettings) -> v1::CompetitionSettings {
    let CompetitionSettings { name, terms, format, encounter, points, tie_breaks, ratings, policy } =
        settings;
    let option = |(id, value): (&String, &String)| v1::OptionValue { id: id.clone(), value: value.clone() };
    v1::CompetitionSettings {
        name: name.clone(),
        game: terms.game.clone(),
        scenario: terms.scenario.clone(),
        options: terms.options.iter().map(option).collect(),
        clock: terms.clock.map(|clock| clock_message(clock, policy.timeouts)),
        format: Some(format_message(*format)),
        encounter: Some(encounter_message(*encounter)),
        points: Some(points_message(*points)),
        tie_breaks: tie_breaks.iter().map(|&tie_break| tie_break_message(tie_break).into()).collect(),
        rating_system: rating_message(*ratings).into(),
        policy: Some(policy_message(policy)),
    }
}

/// A tie-break as a message.
#[must_use]
pub const fn tie_break_message(tie_break: TieBreak) -> v1::TieBreak {
    match tie_break {
        TieBreak::DirectEncounter => v1::TieBreak::DirectEncounter,
        TieBreak::Buchholz => v1::TieBreak::Buchholz,
        TieBreak::BuchholzCut1 => v1::TieBreak::BuchholzCutOne,
        TieBreak::SonnebornBerger => v1::TieBreak::SonnebornBerger,
        TieBreak::Wins => v1::TieBreak::Wins,
        TieBreak::Seeding => v1::TieBreak::Seeding,
    }
}

fn span(ms: u64) -> Duration {
    // Times of clocks are at most ten years.
    Duration { seconds: (ms / 1_000).cast_signed(), nanos: (ms % 1_000) as i32 * 1_000_000 }
}

fn clock_message(clock: ClockSettings, timeouts: TimeoutCost) -> v1::ClockConfig {
    let ClockSettings { bank_ms, increment_ms, delay_ms, limit_ms, window_ms } = clock;
    let some = |ms: u64| (ms > 0).then(|| span(ms));
    let (at_end, strikes) = match timeouts {
        TimeoutCost::DefaultAction => (v1::TimeoutRule::DefaultAction, 0),
        TimeoutCost::ForfeitAfter(NonZeroU16::MIN) => (v1::TimeoutRule::Forfeit, 0),
        TimeoutCost::ForfeitAfter(times) => (v1::TimeoutRule::DefaultAction, times.get().into()),
    };
    v1::ClockConfig {
        bank: bank_ms.map(span),
        increment: some(increment_ms),
        delay: some(delay_ms),
        decision_limit: limit_ms.map(span),
        window_limit: window_ms.map(span),
        at_end: at_end.into(),
        strikes,
    }
}

fn format_message(format: Format) -> v1::CompetitionFormat {
    use competition_format::Format as Message;
    let format = match format {
        Format::RoundRobin { cycles } => Message::RoundRobin(v1::RoundRobinFormat { cycles: cycles.into() }),
        Format::Swiss { rounds } => Message::Swiss(v1::SwissFormat { rounds: rounds.into() }),
        Format::Knockout { decider: Decider { replays, then }, third_place } => {
            Message::Knockout(v1::KnockoutFormat {
                replays: replays.into(),
                lower_seed_advances: then == LevelWinner::LowerSeed,
                third_place,
            })
        }
        Format::Ladder { rounds, order } => Message::Ladder(v1::LadderFormat {
            rounds: rounds.into(),
            by_rating: order == LadderOrder::Rating,
        }),
        Format::Gauntlet { challengers, cycles } => {
            Message::Gauntlet(v1::GauntletFormat { challengers: challengers.into(), cycles: cycles.into() })
        }
        Format::Series { seeds, least, most } => {
            Message::Series(v1::SeriesFormat { seeds: seeds.into(), least, most })
        }
    };
    v1::CompetitionFormat { format: Some(format) }
}

fn encounter_message(encounter: EncounterTerms) -> v1::EncounterTerms {
    v1::EncounterTerms {
        matches: encounter.length.most().get().into(),
        best_of: matches!(encounter.length, EncounterLength::BestOf(_)),
        mirrored: encounter.mirrored,
    }
}

fn points_message(points: PointRules) -> v1::PointRules {
    v1::PointRules {
        of_encounters: points.basis == PointBasis::Encounters,
        win_halves: points.win.halves(),
        draw_halves: points.draw.halves(),
        loss_halves: points.loss.halves(),
        forfeit_halves: points.forfeit.halves(),
        bye_halves: points.bye.halves(),
    }
}

const fn rating_message(ratings: Option<RatingSystem>) -> v1::RatingSystem {
    match ratings {
        None => v1::RatingSystem::Unspecified,
        Some(RatingSystem::WengLin) => v1::RatingSystem::WengLin,
        Some(RatingSystem::Glicko2) => v1::RatingSystem::Glicko2,
    }
}

fn policy_message(policy: &Policy) -> v1::CompetitionPolicy {
    let AllowedCalls { legal_lists, explanations, undo, house_bots, .. } = policy.calls;
    let withheld = [
        (legal_lists, v1::WithheldCall::LegalActions),
        (explanations, v1::WithheldCall::Explanations),
        (undo, v1::WithheldCall::Undo),
    ];
    let delay = (policy.spectator_delay_s, policy.spectator_delay_events);
    v1::CompetitionPolicy {
        withheld_calls: withheld
            .into_iter()
            .filter(|(is_allowed, _)| !is_allowed)
            .map(|(_, call)| call.into())
            .collect(),
        house_bots,
        illegal_actions_max: match policy.illegal_actions {
            IllegalActionCost::Refusal => 0,
            IllegalActionCost::ForfeitAfter(times) => times.get().into(),
        },
        forfeits_unplayed: policy.forfeits == ForfeitRule::Unplayed,
        withdrawals_annulled: policy.withdrawals == WithdrawalRule::ResultsAnnulled,
        absence_limit: Some(span(u64::from(policy.absence_s) * 1_000)),
        spectator_delay: (delay != (0, 0)).then(|| v1::SpectatorDelay {
            events: policy.spectator_delay_events,
            hold_back: (policy.spectator_delay_s > 0)
                .then(|| span(u64::from(policy.spectator_delay_s) * 1_000)),
        }),
        publication: match policy.publication {
            Publication::AfterEachRound => v1::Publication::AfterEachRound,
            Publication::AtTheEnd => v1::Publication::AtTheEnd,
            Publication::Never => v1::Publication::Never,
        }
        .into(),
    }
}

/// The settings of a message. What fits what in them is for [`CompetitionSettings::check`].
///
/// # Errors
/// The first field that can't be read.
pub fn settings(message: &v1::CompetitionSettings) -> Result<CompetitionSettings, SettingsFault> {
    let mut options = BTreeMap::new();
    for (index, option) in message.options.iter().enumerate() {
        if options.insert(option.id.clone(), option.value.clone()).is_some() {
            return Err(fault(
                &format!("options[{index}].id"),
                "it is there already: each option comes once",
            ));
        }
    }
    let (clock, timeouts) = match &message.clock {
        None => (None, TimeoutCost::DefaultAction),
        Some(clock) => (Some(clock_settings(clock)?), timeout_cost(clock)?),
    };
    let Some(format) = message.format.as_ref().and_then(|format| format.format.as_ref()) else {
        return Err(fault("format", "expected one of its fields, found none"));
    };
    let encounter = encounter_terms(message.encounter.unwrap_or_default())?;
    let points = message.points.as_ref().map_or(PointRules::classic(PointBasis::Matches), point_rules);
    let tie_breaks = message.tie_breaks.iter().enumerate().map(|(index, &number)| {
        let unknown = || fault(&format!("tie_breaks[{index}]"), "expected a tie-break that has a name");
        v1::TieBreak::try_from(number).ok().and_then(tie_break_of).ok_or_else(unknown)
    });
    Ok(CompetitionSettings {
        name: message.name.clone(),
        terms: GameTerms { game: message.game.clone(), scenario: message.scenario.clone(), options, clock },
        format: format_of(format)?,
        encounter,
        points,
        tie_breaks: tie_breaks.collect::<Result<_, _>>()?,
        ratings: match v1::RatingSystem::try_from(message.rating_system) {
            Ok(v1::RatingSystem::Unspecified) => None,
            Ok(v1::RatingSystem::WengLin) => Some(RatingSystem::WengLin),
            Ok(v1::RatingSystem::Glicko2) => Some(RatingSystem::Glicko2),
            Err(_) => return Err(fault("rating_system", "expected a system that has a name, or none")),
        },
        policy: Policy { timeouts, ..policy_of(message.policy.as_ref())? },
    })
}

/// Milliseconds of a span.
fn ms(field: &str, given: &Duration) -> Result<u64, SettingsFault> {
    let whole = given.nanos % 1_000_000 == 0 && given.nanos >= 0;
    let seconds = u64::try_from(given.seconds).ok().filter(|_| whole);
    let ms =
        seconds.and_then(|seconds| seconds.checked_mul(1_000)?.checked_add((given.nanos / 1_000_000) as u64));
    ms.filter(|&ms| ms > 0).ok_or_else(|| fault(field, "expected a time in whole milliseconds, from 1 on"))
}

fn clock_settings(clock: &v1::ClockConfig) -> Result<ClockSettings, SettingsFault> {
    let time =
        |field: &str, given: &Option<Duration>| given.as_ref().map(|given| ms(field, given)).transpose();
    Ok(ClockSettings {
        bank_ms: time("clock.bank", &clock.bank)?,
        increment_ms: time("clock.increment", &clock.increment)?.unwrap_or(0),
        delay_ms: time("clock.delay", &clock.delay)?.unwrap_or(0),
        limit_ms: time("clock.decision_limit", &clock.decision_limit)?,
        window_ms: time("clock.window_limit", &clock.window_limit)?,
    })
}

fn timeout_cost(clock: &v1::ClockConfig) -> Result<TimeoutCost, SettingsFault> {
    let times = u16::try_from(clock.strikes)
        .map_err(|_| fault("clock.strikes", format!("expected at most 1000, found {}", clock.strikes)))?;
    match (clock.at_end(), NonZeroU16::new(times)) {
        (v1::TimeoutRule::Forfeit, None) => Ok(TimeoutCost::ForfeitAfter(NonZeroU16::MIN)),
        (v1::TimeoutRule::Forfeit, Some(_)) => {
            Err(fault("clock.strikes", "with TIMEOUT_RULE_FORFEIT the first time is the last"))
        }
        (_, None) => Ok(TimeoutCost::DefaultAction),
        (_, Some(times)) => Ok(TimeoutCost::ForfeitAfter(times)),
    }
}

fn format_of(format: &competition_format::Format) -> Result<Format, SettingsFault> {
    use competition_format::Format as Message;
    let byte = |field: &str, given: u32| {
        u8::try_from(given).map_err(|_| fault(field, format!("expected at most 255, found {given}")))
    };
    let word = |field: &str, given: u32| {
        u16::try_from(given).map_err(|_| fault(field, format!("expected at most 65535, found {given}")))
    };
    Ok(match format {
        Message::RoundRobin(of) => {
            Format::RoundRobin { cycles: byte("format.round_robin.cycles", of.cycles)? }
        }
        Message::Swiss(of) => Format::Swiss { rounds: word("format.swiss.rounds", of.rounds)? },
        Message::Knockout(of) => Format::Knockout {
            decider: Decider {
                replays: byte("format.knockout.replays", of.replays)?,
                then: if of.lower_seed_advances { LevelWinner::LowerSeed } else { LevelWinner::BetterSeed },
            },
            third_place: of.third_place,
        },
        Message::Ladder(of) => Format::Ladder {
            rounds: word("format.ladder.rounds", of.rounds)?,
            order: if of.by_rating { LadderOrder::Rating } else { LadderOrder::Swap },
        },
        Message::Gauntlet(of) => Format::Gauntlet {
            challengers: word("format.gauntlet.challengers", of.challengers)?,
            cycles: byte("format.gauntlet.cycles", of.cycles)?,
        },
        Message::Series(of) => {
            Format::Series { seeds: word("format.series.seeds", of.seeds)?, least: of.least, most: of.most }
        }
    })
}

fn encounter_terms(of: v1::EncounterTerms) -> Result<EncounterTerms, SettingsFault> {
    let least = if of.mirrored { 2 } else { 1 };
    let given = if of.matches == 0 { least } else { of.matches };
    let matches = u8::try_from(given).ok().and_then(NonZeroU8::new);
    let matches =
        matches.ok_or_else(|| fault("encounter.matches", format!("expected 1 to 255, found {given}")))?;
    let length = if of.best_of { EncounterLength::BestOf(matches) } else { EncounterLength::All(matches) };
    Ok(EncounterTerms { length, mirrored: of.mirrored })
}

fn point_rules(of: &v1::PointRules) -> PointRules {
    PointRules {
        basis: if of.of_encounters { PointBasis::Encounters } else { PointBasis::Matches },
        win: Points::of_halves(of.win_halves),
        draw: Points::of_halves(of.draw_halves),
        loss: Points::of_halves(of.loss_halves),
        forfeit: Points::of_halves(of.forfeit_halves),
        bye: Points::of_halves(of.bye_halves),
    }
}

const fn tie_break_of(of: v1::TieBreak) -> Option<TieBreak> {
    Some(match of {
        v1::TieBreak::Unspecified => return None,
        v1::TieBreak::DirectEncounter => TieBreak::DirectEncounter,
        v1::TieBreak::Buchholz => TieBreak::Buchholz,
        v1::TieBreak::BuchholzCutOne => TieBreak::BuchholzCut1,
        v1::TieBreak::SonnebornBerger => TieBreak::SonnebornBerger,
        v1::TieBreak::Wins => TieBreak::Wins,
        v1::TieBreak::Seeding => TieBreak::Seeding,
    })
}

fn policy_of(of: Option<&v1::CompetitionPolicy>) -> Result<Policy, SettingsFault> {
    let usual = Policy::default();
    let Some(of) = of else {
        return Ok(Policy { calls: AllowedCalls { house_bots: false, ..usual.calls }, ..usual });
    };
    let mut calls = AllowedCalls { house_bots: of.house_bots, ..AllowedCalls::default() };
    for (index, &number) in of.withheld_calls.iter().enumerate() {
        match v1::WithheldCall::try_from(number).unwrap_or(v1::WithheldCall::Unspecified) {
            v1::WithheldCall::LegalActions => calls.legal_lists = false,
            v1::WithheldCall::Explanations => calls.explanations = false,
            v1::WithheldCall::Undo => calls.undo = false,
            v1::WithheldCall::Unspecified => {
                let field = format!("policy.withheld_calls[{index}]");
                return Err(fault(&field, "expected a call that has a name"));
            }
        }
    }
    let illegal = of.illegal_actions_max;
    let illegal = u16::try_from(illegal).map_err(|_| {
        fault("policy.illegal_actions_max", format!("expected at most 1000, found {illegal}"))
    })?;
    let seconds = |field: &str, given: &Duration| {
        let whole = u32::try_from(ms(field, given)? / 1_000).ok().filter(|_| given.nanos == 0);
        whole.ok_or_else(|| fault(field, "expected a time in whole seconds"))
    };
    let delay = of.spectator_delay.as_ref();
    let hold_back = delay.and_then(|delay| delay.hold_back.as_ref());
    Ok(Policy {
        calls,
        illegal_actions: NonZeroU16::new(illegal)
            .map_or(IllegalActionCost::Refusal, IllegalActionCost::ForfeitAfter),
        forfeits: if of.forfeits_unplayed { ForfeitRule::Unplayed } else { ForfeitRule::Played },
        withdrawals: if of.withdrawals_annulled {
            WithdrawalRule::ResultsAnnulled
        } else {
            WithdrawalRule::ResultsStand
        },
        spectator_delay_s: match hold_back {
            Some(given) => seconds("policy.spectator_delay.hold_back", given)?,
            None => 0,
        },
        spectator_delay_events: delay.map_or(0, |delay| delay.events),
        absence_s: match &of.absence_limit {
            Some(given) => seconds("policy.absence_limit", given)?,
            None => usual.absence_s,
        },
        publication: match v1::Publication::try_from(of.publication) {
            Ok(v1::Publication::AfterEachRound) => Publication::AfterEachRound,
            Ok(v1::Publication::Unspecified | v1::Publication::AtTheEnd) => Publication::AtTheEnd,
            Ok(v1::Publication::Never) => Publication::Never,
            Err(_) => return Err(fault("policy.publication", "expected a moment that has a name, or none")),
        },
        ..usual
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings_of(format: Format) -> CompetitionSettings {
        CompetitionSettings {
            name: "Spring cup".to_owned(),
            terms: GameTerms { game: "skirmish".to_owned(), ..GameTerms::default() },
            format,
            encounter: EncounterTerms { length: EncounterLength::All(NonZeroU8::MIN), mirrored: false },
            points: PointRules::classic(PointBasis::Matches),
            tie_breaks: Vec::new(),
            ratings: None,
            policy: Policy::default(),
        }
    }

    #[test]
    fn settings_come_back_from_their_message() {
        let formats = [
            Format::RoundRobin { cycles: 2 },
            Format::Swiss { rounds: 7 },
            Format::Knockout {
                decider: Decider { replays: 1, then: LevelWinner::LowerSeed },
                third_place: true,
            },
            Format::Ladder { rounds: 3, order: LadderOrder::Rating },
            Format::Gauntlet { challengers: 1, cycles: 2 },
            Format::Series { seeds: 4, least: -5, most: 30 },
        ];
        let two = NonZeroU16::new(2).expect("it is not 0");
        for format in formats {
            let mut settings = settings_of(format);
            assert_eq!(super::settings(&message(&settings)).as_ref(), Ok(&settings));
            settings.terms.options.insert("fog".to_owned(), "on".to_owned());
            settings.terms.clock = Some("bank=10m,increment=5s,window=1s 5ms".parse().expect("a clock"));
            settings.encounter = EncounterTerms {
                length: EncounterLength::BestOf(NonZeroU8::new(4).expect("it is not 0")),
                mirrored: true,
            };
            settings.points =
                PointRules { win: Points::of_halves(6), ..PointRules::classic(PointBasis::Encounters) };
            settings.tie_breaks = TieBreak::ALL.to_vec();
            settings.ratings = Some(RatingSystem::Glicko2);
            for timeouts in [NonZeroU16::MIN, two].map(TimeoutCost::ForfeitAfter) {
                settings.policy = Policy {
                    calls: AllowedCalls { legal_lists: false, undo: false, ..AllowedCalls::default() },
                    illegal_actions: IllegalActionCost::ForfeitAfter(two),
                    timeouts,
                    forfeits: ForfeitRule::Unplayed,
                    withdrawals: WithdrawalRule::ResultsAnnulled,
                    spectator_delay_s: 60,
                    spectator_delay_events: 5,
                    absence_s: 30,
                    publication: Publication::Never,
                };
                assert_eq!(super::settings(&message(&settings)).as_ref(), Ok(&settings));
            }
        }
    }

    #[test]
    fn a_field_at_fault_is_named() {
        let good = message(&settings_of(Format::Swiss { rounds: 3 }));
        let with = |change: fn(&mut v1::CompetitionSettings)| {
            let mut message = good.clone();
            change(&mut message);
            settings(&message).expect_err("it is at fault").field
        };
        assert_eq!(with(|of| of.format = None), "format");
        assert_eq!(with(|of| of.tie_breaks = vec![1, 0]), "tie_breaks[1]");
        let clock = |of: &mut v1::CompetitionSettings, nanos, strikes| {
            let bank = Some(Duration { seconds: 1, nanos });
            of.clock = Some(v1::ClockConfig { bank, strikes, ..v1::ClockConfig::default() });
        };
        let mut message = good.clone();
        clock(&mut message, 1, 0);
        assert_eq!(settings(&message).expect_err("no whole milliseconds").field, "clock.bank");
        clock(&mut message, 0, 70_000);
        assert_eq!(settings(&message).expect_err("too many").field, "clock.strikes");
        assert_eq!(
            with(|of| of.encounter = Some(v1::EncounterTerms { matches: 256, ..Default::default() })),
            "encounter.matches"
        );
    }
}
