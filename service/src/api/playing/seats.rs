//! The seats that are open in a stream ([`OpenSeats`]): each in one channel at most, the last that opened it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use edgehill_engine::seat::Seat;
use tokio_util::sync::CancellationToken;

use super::opener::Opener;
use crate::store::MatchId;

/// The seats that are open in a stream.
#[derive(Clone, Default, Debug)]
pub(in crate::api) struct OpenSeats(Arc<Mutex<Claims>>);

/// The channel that has each seat.
#[derive(Default, Debug)]
struct Claims {
    open: HashMap<(MatchId, Seat), Claim>,
    /// Counts the openings of all seats, so that no two of them are taken for each other.
    count: u64,
}

/// The claim of a channel to a seat.
#[derive(Debug)]
struct Claim {
    number: u64,
    opener: Option<Opener>,
    lost: CancellationToken,
}

/// A seat that is open here, until this is dropped or somebody opens it elsewhere.
#[derive(Debug)]
pub(super) struct OpenSeat {
    seats: OpenSeats,
    at: (MatchId, Seat),
    number: u64,
    lost: CancellationToken,
}

impl OpenSeats {
    /// Opens a seat here; wherever it was open, it is not any more. It is lost, too, when `draining` is cancelled. `None`: a channel that
    /// goes on has lost it to another one ([`Opener::takes_from`]).
    pub(super) fn open(
        &self,
        (id, seat): (MatchId, Seat),
        opener: Option<Opener>,
        draining: &CancellationToken,
    ) -> Option<OpenSeat> {
        let lost = draining.child_token();
        let mut claims = self.claims();
        let before = claims.open.get(&(id, seat));
        let takes = |opener: Opener, before: &Claim| opener.takes_from(before.opener.as_ref());
        if before.zip(opener).is_some_and(|(before, opener)| !takes(opener, before)) {
            return None;
        }
        claims.count += 1;
        let number = claims.count;
        let before = claims.open.insert((id, seat), Claim { number, opener, lost: lost.clone() });
        drop(claims);
        if let Some(before) = before {
            before.lost.cancel();
        }
        Some(OpenSeat { seats: self.clone(), at: (id, seat), number, lost })
    }

    /// A number that no other channel has that was opened here.
    pub(super) fn next_number(&self) -> u64 {
        let mut claims = self.claims();
        claims.count += 1;
        claims.count
    }

    fn claims(&self) -> MutexGuard<'_, Claims> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenSeat {
    /// Returns when the seat was opened elsewhere, or the server begins to stop.
    pub(super) async fn lost(&self) {
        self.lost.cancelled().await;
    }
}

impl Drop for OpenSeat {
    fn drop(&mut self) {
        let mut claims = self.seats.claims();
        if claims.open.get(&self.at).is_some_and(|claim| claim.number == self.number) {
            claims.open.remove(&self.at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_opening_that_was_taken_over_takes_nothing_away_from_later_ones() {
        let (seats, draining) = (OpenSeats::default(), CancellationToken::new());
        let open = || seats.open((MatchId::from_bytes([1; 16]), Seat::new(0)), None, &draining).unwrap();
        let first = open();
        let second = open();
        assert!(first.lost.is_cancelled() && !second.lost.is_cancelled());
        drop(second);
        let third = open();
        drop(first);
        let _fourth = open();
        assert!(third.lost.is_cancelled(), "the seat is open twice");
    }
}
