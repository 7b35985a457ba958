//! Settings that fit each other ([`check`]).

use super::{
    CompetitionSettings, EncounterLength, IllegalActionCost, PointBasis, Policy, TieBreak, TimeoutCost,
    WithdrawalRule,
};
use crate::format::Format;

/// The most characters of a competition's name.
const NAME_CHARS_MAX: usize = 100;
/// The most bytes of each text of the terms, and of each option.
const TERM_BYTES_MAX: usize = 200;
/// The most options.
const OPTIONS_MAX: usize = 100;
/// The most rounds that are settled by number, seeds of a series with them.
const ROUNDS_MAX: u16 = 10_000;
/// The most cycles of a round robin or a gauntlet.
const CYCLES_MAX: u8 = 20;
/// The most halves of points that a match or an encounter gives.
const HALVES_MAX: u32 = 200;
/// The longest delay of spectators, in seconds: a day.
const SPECTATOR_DELAY_S_MAX: u32 = 86_400;
/// The most events by which spectators are late.
const SPECTATOR_DELAY_EVENTS_MAX: u32 = 10_000;
/// The longest time to wait for an entrant, in seconds: a week.
const ABSENCE_S_MAX: u32 = 7 * 86_400;
/// The most illegal actions, and the most timeouts, after which a match is forfeited.
const FORFEIT_AFTER_MAX: u16 = 1_000;

/// A setting that is not accepted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{field} is {given}; accepted: {accepted}")]
pub struct SettingsError {
    /// The path of the setting.
    pub field: &'static str,
    /// The value that was given, or what is the matter with it.
    pub given: String,
    /// The values that would be accepted.
    pub accepted: String,
}

fn refuse(field: &'static str, given: impl ToString, accepted: impl ToString) -> Result<(), SettingsError> {
    Err(SettingsError { field, given: given.to_string(), accepted: accepted.to_string() })
}

fn within(
    field: &'static str,
    given: impl Into<u64>,
    low: u64,
    high: impl Into<u64>,
) -> Result<(), SettingsError> {
    let (given, high) = (given.into(), high.into());
    if (low..=high).contains(&given) {
        return Ok(());
    }
    refuse(field, given, format!("{low} to {high}"))
}

fn text(field: &'static str, given: &str) -> Result<(), SettingsError> {
    if given.len() > TERM_BYTES_MAX {
        return refuse(
            field,
            format!("{} bytes long", given.len()),
            format!("at most {TERM_BYTES_MAX} bytes"),
        );
    }
    if given.chars().any(char::is_control) {
        return refuse(field, "a text with control characters", "a text without any");
    }
    Ok(())
}

pub(super) fn check(settings: &CompetitionSettings) -> Result<(), SettingsError> {
    check_texts(settings)?;
    check_format(settings.format)?;
    check_encounter(settings)?;
    check_points(settings)?;
    check_tie_breaks(settings)?;
    let policy = &settings.policy;
    check_policy(policy)?;
    let everybody_meets = matches!(settings.format, Format::RoundRobin { .. } | Format::Gauntlet { .. });
    if policy.withdrawals == WithdrawalRule::ResultsAnnulled && !everybody_meets {
        return refuse(
            "policy.withdrawals",
            "results_annulled in a format whose pairings follow from results",
            "results_stand, or a round robin or a gauntlet",
        );
    }
    Ok(())
}

fn check_policy(policy: &Policy) -> Result<(), SettingsError> {
    within("policy.spectator_delay_s", policy.spectator_delay_s, 0, SPECTATOR_DELAY_S_MAX)?;
    within("policy.spectator_delay_events", policy.spectator_delay_events, 0, SPECTATOR_DELAY_EVENTS_MAX)?;
    within("policy.absence_s", policy.absence_s, 1, ABSENCE_S_MAX)?;
    if let IllegalActionCost::ForfeitAfter(times) = policy.illegal_actions {
        within("policy.illegal_actions", times.get(), 1, FORFEIT_AFTER_MAX)?;
    }
    match policy.timeouts {
        TimeoutCost::ForfeitAfter(times) => within("policy.timeouts", times.get(), 1, FORFEIT_AFTER_MAX),
        TimeoutCost::DefaultAction => Ok(()),
    }
}

fn check_texts(settings: &CompetitionSettings) -> Result<(), SettingsError> {
    within("name", settings.name.chars().count() as u64, 1, NAME_CHARS_MAX as u64)?;
    text("name", &settings.name.chars().filter(|c| c.is_control()).collect::<String>())?;
    let terms = &settings.terms;
    if terms.game.is_empty() {
        return refuse("terms.game", "empty", "the id of a game");
    }
    text("terms.game", &terms.game)?;
    text("terms.scenario", &terms.scenario)?;
    terms.clock.map_or(Ok(()), |clock| clock.check())?;
    within("the number of terms.options", terms.options.len() as u64, 0, OPTIONS_MAX as u64)?;
    for (id, value) in &terms.options {
        text("terms.options", id)?;
        text("terms.options", value)?;
    }
    Ok(())
}

fn check_format(format: Format) -> Result<(), SettingsError> {
    match format {
        Format::RoundRobin { cycles } => within("format.cycles", cycles, 1, CYCLES_MAX),
        Format::Swiss { rounds } | Format::Ladder { rounds, .. } => {
            within("format.rounds", rounds, 1, ROUNDS_MAX)
        }
        Format::Knockout { .. } => Ok(()),
        Format::Gauntlet { challengers, cycles } => {
            within("format.challengers", challengers, 1, u16::MAX)?;
            within("format.cycles", cycles, 1, CYCLES_MAX)
        }
        Format::Series { seeds, least, most } => {
            within("format.seeds", seeds, 1, ROUNDS_MAX)?;
            // Differences of scores have to be whole numbers of 32 bits as well.
            match most.checked_sub(least) {
                Some(width) if width > 0 => Ok(()),
                _ => refuse(
                    "format.least and format.most",
                    format!("{least} and {most}"),
                    "a range of scores with least below most, and 2^31 - 1 apart at most",
                ),
            }
        }
    }
}

fn check_encounter(settings: &CompetitionSettings) -> Result<(), SettingsError> {
    let terms = settings.encounter;
    let matches = terms.length.most().get();
    if matches!(settings.format, Format::Series { .. }) {
        if terms.mirrored {
            return refuse("encounter.mirrored", "true", "false, since entrants of a series play alone");
        }
        if matches > 1 {
            return refuse("encounter.length", matches, "1, since entrants of a series play each seed once");
        }
    }
    if terms.mirrored && matches % 2 == 1 {
        return refuse("encounter.length", matches, "an even number, since matches are mirrored two by two");
    }
    Ok(())
}

fn check_points(settings: &CompetitionSettings) -> Result<(), SettingsError> {
    let points = settings.points;
    for (field, given) in [
        ("points.win", points.win),
        ("points.draw", points.draw),
        ("points.loss", points.loss),
        ("points.forfeit", points.forfeit),
        ("points.bye", points.bye),
    ] {
        if given.halves() > HALVES_MAX {
            return refuse(field, given, format!("0 to {}", HALVES_MAX / 2));
        }
    }
    let falls = points.win >= points.draw && points.draw >= points.loss && points.loss >= points.forfeit;
    if !falls || points.win == points.loss {
        return refuse(
            "points",
            format!(
                "{} for a win, {} for a draw, {} for a loss, {} for a forfeit",
                points.win, points.draw, points.loss, points.forfeit
            ),
            "more for a win than for a loss, a draw between them, and no more for a forfeit than for a loss",
        );
    }
    // A shorter encounter would give fewer points to who has won it faster.
    let is_best_of = matches!(settings.encounter.length, EncounterLength::BestOf(n) if n.get() > 1);
    let by_points = !matches!(settings.format, Format::Knockout { .. } | Format::Ladder { .. });
    if is_best_of && by_points && points.basis == PointBasis::Matches {
        return refuse(
            "points.basis",
            "matches, with encounters that end when they are decided",
            "encounters, or all matches of an encounter",
        );
    }
    Ok(())
}

fn check_tie_breaks(settings: &CompetitionSettings) -> Result<(), SettingsError> {
    let tie_breaks = &settings.tie_breaks;
    for (index, tie_break) in tie_breaks.iter().enumerate() {
        if tie_breaks[..index].contains(tie_break) {
            return refuse("tie_breaks", format!("{tie_break} twice"), "each tie-break once");
        }
        let ranked_by_points = matches!(
            settings.format,
            Format::RoundRobin { .. } | Format::Swiss { .. } | Format::Gauntlet { .. }
        );
        if !ranked_by_points && *tie_break != TieBreak::Seeding {
            return refuse(
                "tie_breaks",
                format!("{tie_break} in a format that is not ranked by points"),
                "none, or seeding",
            );
        }
    }
    Ok(())
}
