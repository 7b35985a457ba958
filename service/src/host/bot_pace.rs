//! The pace of house bots that play alone ([`BotPace`]).

use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::clock::Clock;

/// Lets turns begin one after the other, so many a second: nobody waits for bots that play alone, and all that they do is kept.
#[derive(Debug)]
pub(super) struct BotPace {
    /// `None`: as many as they like.
    interval: Option<Duration>,
    /// When the next turn may begin, by the clock's own count.
    next: Mutex<Duration>,
}

impl BotPace {
    pub(super) fn new(turns_per_second: Option<NonZeroU32>) -> Self {
        let interval = turns_per_second.map(|turns| Duration::from_secs(1) / turns.get());
        Self { interval, next: Mutex::new(Duration::ZERO) }
    }

    /// Returns when the caller's turn may begin.
    pub(super) async fn turn(&self, clock: &dyn Clock) {
        let Some(interval) = self.interval else { return };
        let at = {
            let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
            let at = clock.elapsed().max(*next);
            *next = at.saturating_add(interval);
            at
        };
        clock.reach(at).await;
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Waker};

    use super::*;
    use crate::clock::ManualClock;

    #[test]
    fn so_many_turns_begin_in_a_second_however_many_wait() {
        let clock = ManualClock::new(0);
        let pace = BotPace::new(NonZeroU32::new(4));
        let mut context = Context::from_waker(Waker::noop());
        let mut turns: Vec<_> = (0..20).map(|_| Box::pin(pace.turn(&clock))).collect();
        for begun in [1, 5, 9] {
            turns.retain_mut(|turn| turn.as_mut().poll(&mut context).is_pending());
            assert_eq!(turns.len(), 20 - begun);
            clock.advance(Duration::from_secs(1));
        }
        // Time in which nobody plays is not saved up.
        drop(turns);
        clock.advance(Duration::from_secs(60));
        assert!(pin!(pace.turn(&clock)).poll(&mut context).is_ready());
        assert!(pin!(pace.turn(&clock)).poll(&mut context).is_pending());
    }

    #[test]
    fn without_a_pace_nobody_waits() {
        let (clock, pace) = (ManualClock::new(0), BotPace::new(None));
        let mut context = Context::from_waker(Waker::noop());
        for _ in 0..1_000 {
            assert!(pin!(pace.turn(&clock)).poll(&mut context).is_ready());
        }
    }
}
