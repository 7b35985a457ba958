//! The test for news of an observer ([`NewsCounters`]), without a look at the match.

use edgehill_engine::seat::{Observer, Seat};

/// For each observer a number that grows whenever there is something new for them: an event, a call of their
/// seat, a change of what everybody sees beside the game. What other seats do in secret does not move it.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct NewsCounters {
    seats: [u64; Seat::MAX],
    spectators: u64,
}

impl NewsCounters {
    pub(super) fn new(numbers: impl Iterator<Item = (Observer, u64)>) -> Self {
        let mut news = Self::default();
        for (observer, number) in numbers {
            match observer {
                Observer::Seat(seat) => news.seats[seat.index()] = number,
                Observer::Spectator => news.spectators = number,
            }
        }
        news
    }

    /// Those whose number is another one in `later`.
    pub fn changed(self, later: Self) -> impl Iterator<Item = Observer> {
        let seats = (0..Seat::MAX as u8).map(|index| Observer::Seat(Seat::new(index)));
        let observers = seats.chain([Observer::Spectator]);
        observers.filter(move |&observer| self.of(observer) != later.of(observer))
    }

    /// The number of `observer`.
    #[must_use]
    pub const fn of(&self, observer: Observer) -> u64 {
        match observer {
            Observer::Seat(seat) => self.seats[seat.index()],
            Observer::Spectator => self.spectators,
        }
    }
}
