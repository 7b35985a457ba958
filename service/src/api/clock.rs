//! Clocks of matches, as they are asked for and shown.

use std::ops::RangeInclusive;
use std::time::Duration;

use edgehill_engine::seat::Seat;
use edgehill_proto::prost_types::Duration as Span;
use edgehill_proto::v1;

use super::field::timestamp;
use crate::host::Host;
use crate::matches::{
    ADJOURN_MS_MAX, ADJOURN_MS_MIN, ClockTerms, Course, QUESTION_MS_MIN, SeatClock, TimeoutRule,
};
use crate::wire::Refused;

/// The longest time that a clock may have: ten years.
const TIME_MS_MAX: u64 = 10 * 366 * 24 * 60 * 60 * 1_000;

/// Reads the field `clock`.
///
/// # Errors
/// INVALID_FIELD for what is no time, and for times that don't go together.
pub(super) fn read(given: &v1::ClockConfig) -> Result<ClockTerms, Refused> {
    let v1::ClockConfig { bank, increment, delay, decision_limit, window_limit, at_end, strikes } = given;
    let bank_ms = time("clock.bank", bank.as_ref(), 1)?;
    let (increment_ms, delay_ms) =
        (time("clock.increment", increment.as_ref(), 1)?, time("clock.delay", delay.as_ref(), 1)?);
    let decision_ms = time("clock.decision_limit", decision_limit.as_ref(), QUESTION_MS_MIN)?;
    if bank_ms.is_none() && decision_ms.is_none() {
        return Err(Refused::field("clock", "expected a `bank` or a `decision_limit`, found neither"));
    }
    for (field, given) in [("clock.increment", increment_ms), ("clock.delay", delay_ms)] {
        if given.is_some() && bank_ms.is_none() {
            return Err(Refused::field(field, "it goes with a `bank` alone, and there is none"));
        }
    }
    let rule = v1::TimeoutRule::try_from(*at_end).map_err(|_| {
        let what = "expected TIMEOUT_RULE_DEFAULT_ACTION or TIMEOUT_RULE_FORFEIT";
        Refused::field("clock.at_end", what)
    })?;
    let at_end = match rule {
        v1::TimeoutRule::Forfeit if *strikes > 0 => {
            return Err(Refused::field(
                "clock.strikes",
                "with TIMEOUT_RULE_FORFEIT the first time is the last",
            ));
        }
        v1::TimeoutRule::Forfeit => TimeoutRule::Forfeit,
        v1::TimeoutRule::Unspecified | v1::TimeoutRule::DefaultAction => {
            TimeoutRule::DefaultAction { strikes: *strikes }
        }
    };
    Ok(ClockTerms {
        bank_ms,
        increment_ms: increment_ms.unwrap_or(0),
        delay_ms: delay_ms.unwrap_or(0),
        decision_ms,
        window_ms: time("clock.window_limit", window_limit.as_ref(), QUESTION_MS_MIN)?,
        at_end,
    })
}

/// A time in whole milliseconds, at least so many.
pub(super) fn time(field: &'static str, given: Option<&Span>, least_ms: u64) -> Result<Option<u64>, Refused> {
    time_within(field, given, least_ms..=TIME_MS_MAX)
}

/// The time for which a match is to be adjourned.
///
/// # Errors
/// INVALID_FIELD for what is no time of as much as adjournments last.
pub(super) fn adjourn_for(given: Option<&Span>) -> Result<Option<u64>, Refused> {
    time_within("adjourn_for", given, ADJOURN_MS_MIN..=ADJOURN_MS_MAX)
}

/// The same, which has to be there.
///
/// # Errors
/// INVALID_FIELD also for none.
pub(super) fn adjourn_for_given(given: Option<&Span>) -> Result<u64, Refused> {
    adjourn_for(given)?.ok_or_else(|| Refused::field("adjourn_for", "expected a time, found none"))
}

/// The longest time to seek a match, in milliseconds; where none is given, as many seconds as may be.
///
/// # Errors
/// INVALID_FIELD for what is no time, and for one that is too long.
pub(super) fn seek_wait(given: Option<&Span>, seconds_max: u64) -> Result<u64, Refused> {
    let max_ms = seconds_max.saturating_mul(1_000);
    Ok(time_within("wait", given, 1..=max_ms)?.unwrap_or(max_ms))
}

/// A time in whole milliseconds, of these.
///
/// # Errors
/// INVALID_FIELD for what is none of them.
pub(super) fn time_within(
    field: &'static str,
    given: Option<&Span>,
    accepts: RangeInclusive<u64>,
) -> Result<Option<u64>, Refused> {
    let Some(&given) = given else { return Ok(None) };
    let time = Duration::try_from(given).ok().filter(|time| time.subsec_nanos() % 1_000_000 == 0);
    let ms = time.and_then(|time| u64::try_from(time.as_millis()).ok());
    match ms.filter(|ms| accepts.contains(ms)) {
        Some(ms) => Ok(Some(ms)),
        None => {
            let what = format!("expected whole milliseconds, {} to {}", accepts.start(), accepts.end());
            Err(Refused::field(field, what))
        }
    }
}

/// A time, from milliseconds; ten years and what they may be added to fit.
pub(super) fn span(ms: u64) -> Option<Span> {
    Span::try_from(Duration::from_millis(ms)).ok()
}

/// The clocks that a match was made with.
pub(super) fn config(terms: &ClockTerms) -> v1::ClockConfig {
    let some = |ms: u64| span(ms).filter(|_| ms > 0);
    let (rule, strikes) = match terms.at_end {
        TimeoutRule::DefaultAction { strikes } => (v1::TimeoutRule::DefaultAction, strikes),
        TimeoutRule::Forfeit => (v1::TimeoutRule::Forfeit, 0),
    };
    v1::ClockConfig {
        bank: terms.bank_ms.and_then(span),
        increment: some(terms.increment_ms),
        delay: some(terms.delay_ms),
        decision_limit: terms.decision_ms.and_then(span),
        window_limit: terms.window_ms.and_then(span),
        at_end: rule.into(),
        strikes,
    }
}

/// The seats' clocks; none in a match without.
pub(super) fn of_seats(host: &Host, course: &Course) -> Vec<v1::SeatClock> {
    let Some(terms) = course.header().clock else { return Vec::new() };
    let shown = |(index, clock): (usize, &SeatClock)| v1::SeatClock {
        bank: terms.bank_ms.and_then(|_| span(terms.banked_ms(clock))),
        strikes: clock.strikes,
        question_time: clock.question.map(|question| timestamp(question.at_ms)),
        answer_deadline: host.deadline_ms(course, Seat::new(index as u8)).map(timestamp),
    };
    course.clocks().iter().enumerate().map(shown).collect()
}

/// The time that a seat has for its question; `None` without one, or a limit.
pub(super) fn time_left(host: &Host, course: &Course, seat: Seat) -> Option<v1::TimeLeft> {
    let (left_ms, delay_ms) = host.time_left_ms(course, seat)?;
    Some(v1::TimeLeft { left: span(left_ms), server_delay: span(delay_ms) })
}
