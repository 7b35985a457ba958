//! The moment until which a seat may answer its question, by this machine's own clock.

use std::time::{Duration, Instant};

use edgehill_proto::v1::SeatUpdate;

/// The deadline that an update tells, which has just come; `None`: nothing is asked of the seat, or no clock runs for it. A time that no
/// clock of this machine reaches is as good as none.
pub(crate) fn of(update: &SeatUpdate, now: Instant) -> Option<Instant> {
    let left = update.time_left.as_ref()?.left?;
    // None is less than nothing.
    now.checked_add(Duration::try_from(left).unwrap_or_default())
}

/// The time that is left until a deadline, at least none.
pub(crate) fn left(deadline: Instant) -> Duration {
    left_at(deadline, Instant::now())
}

fn left_at(deadline: Instant, now: Instant) -> Duration {
    deadline.saturating_duration_since(now)
}

#[cfg(test)]
mod tests {
    use edgehill_proto::prost_types;
    use edgehill_proto::v1::TimeLeft;

    use super::*;

    fn update(left: Option<prost_types::Duration>) -> SeatUpdate {
        SeatUpdate { time_left: Some(TimeLeft { left, server_delay: None }), ..SeatUpdate::default() }
    }

    fn seconds(seconds: i64) -> Option<prost_types::Duration> {
        Some(prost_types::Duration { seconds, nanos: 0 })
    }

    #[test]
    fn time_that_is_left_is_less_later() {
        let now = Instant::now();
        let deadline = of(&update(seconds(10)), now).expect("a deadline");
        assert_eq!(left_at(deadline, now), Duration::from_secs(10));
        assert_eq!(left_at(deadline, now + Duration::from_millis(2_500)), Duration::from_millis(7_500));
        assert_eq!(left_at(deadline, now + Duration::from_secs(60)), Duration::ZERO);
    }

    #[test]
    fn no_time_is_told_without_a_clock_or_by_numbers_that_no_clock_has() {
        let now = Instant::now();
        assert_eq!(of(&SeatUpdate::default(), now), None);
        assert_eq!(of(&update(None), now), None);
        assert_eq!(of(&update(seconds(i64::MAX)), now), None);
        assert_eq!(of(&update(seconds(-5)), now), Some(now));
    }
}
