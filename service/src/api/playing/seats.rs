//! Which seats are open in a stream ([`OpenSeats`]): each in one channel at most, the last that opened it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use edgehill_engine::seat::Seat;
use tokio_util::sync::CancellationToken;

use crate::store::MatchId;

type Claims = Mutex<HashMap<(MatchId, Seat), (u64, CancellationToken)>>;

/// The seats that are open in a stream.
#[derive(Clone, Default, Debug)]
pub(in crate::api) struct OpenSeats(Arc<Claims>);

/// A seat that is open here, until this is dropped or somebody opens it elsewhere.
#[derive(Debug)]
pub(super) struct OpenSeat {
    seats: OpenSeats,
    at: (MatchId, Seat),
    number: u64,
    taken: CancellationToken,
}

impl OpenSeats {
    /// Opens a seat here; wherever it was open, it is not any more.
    pub(super) fn open(&self, id: MatchId, seat: Seat) -> OpenSeat {
        let taken = CancellationToken::new();
        let mut claims = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before = claims.get(&(id, seat)).cloned();
        let number = before.as_ref().map_or(0, |(number, _)| number + 1);
        claims.insert((id, seat), (number, taken.clone()));
        drop(claims);
        if let Some((_, before)) = before {
            before.cancel();
        }
        OpenSeat { seats: self.clone(), at: (id, seat), number, taken }
    }
}

impl OpenSeat {
    /// Returns when the seat was opened elsewhere.
    pub(super) async fn taken(&self) {
        self.taken.cancelled().await;
    }
}

impl Drop for OpenSeat {
    fn drop(&mut self) {
        let mut claims = self.seats.0.lock().unwrap_or_else(PoisonError::into_inner);
        if claims.get(&self.at).is_some_and(|(number, _)| *number == self.number) {
            claims.remove(&self.at);
        }
    }
}
