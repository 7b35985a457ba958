//! Requests that were answered: each happens once, and has the same outcome whenever it comes again.

use std::collections::HashMap;

use edgehill_engine::seat::Seat;
use serde::{Deserialize, Serialize};

use super::call::Call;
use super::error::MatchError;
use super::stored::{self, StoredError};
use crate::store::{BodyHash, Request, RequestId};

/// The number of requests of a seat that are remembered of drafts that were compacted: the last ones.
pub(super) const CALLS_KEPT: usize = 256;

/// A request with an id: it must not be executed twice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ask {
    /// The id that its sender chose.
    pub id: RequestId,
    /// The hash of what it asks for.
    pub body: BodyHash,
}

/// The outcome of a request.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CallOutcome {
    /// Number of actions taken, or taken back.
    pub actions: u32,
    /// The actions that were taken as the game writes them; empty unless a line was sent.
    pub line: String,
    /// The length of the sender's sequence before.
    pub before: u64,
}

impl CallOutcome {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        stored::to_bytes(self, 0)
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, StoredError> {
        stored::from_bytes(bytes)
    }
}

/// The requests of a match that were answered, by seat and id: all but those of drafts that were compacted, of which the last
/// are here ([`CALLS_KEPT`]).
#[derive(Debug, Default)]
pub(super) struct Answered {
    by_seat: Vec<HashMap<RequestId, Answer>>,
    /// Bytes of their ids and lines.
    text_bytes: usize,
}

/// A request that was answered.
#[derive(Debug)]
struct Answer {
    /// The method of its call.
    method: &'static str,
    body: BodyHash,
    outcome: CallOutcome,
}

impl Answered {
    /// Returns the answer to `ask`, if there was one.
    ///
    /// # Errors
    /// If the id was used for something else.
    pub(super) fn look_up(&self, seat: u8, ask: &Ask) -> Result<Option<&CallOutcome>, MatchError> {
        match self.by_seat.get(usize::from(seat)).and_then(|answered| answered.get(&ask.id)) {
            None => Ok(None),
            Some(answer) if answer.body == ask.body => Ok(Some(&answer.outcome)),
            Some(answer) => Err(MatchError::RequestReused { id: ask.id.clone(), method: answer.method }),
        }
    }

    /// The request of a seat that has this id, as it is stored.
    pub(super) fn request(&self, seat: Seat, id: &RequestId) -> Option<Request> {
        let Answer { body, outcome, .. } = self.answer(seat, id)?;
        Some(Request { id: id.clone(), body: *body, outcome: outcome.to_bytes() })
    }

    /// Returns whether the request of a seat took actions of its draft back by `UndoActions`.
    pub(super) fn is_undo(&self, seat: Seat, id: &RequestId) -> bool {
        let undo = Call::Undo { keep: None }.method();
        self.answer(seat, id).is_some_and(|answer| answer.method == undo)
    }

    fn answer(&self, seat: Seat, id: &RequestId) -> Option<&Answer> {
        self.by_seat.get(seat.index())?.get(id)
    }

    /// Forgets a request.
    pub(super) fn forget(&mut self, seat: Seat, id: &RequestId) {
        let Some(answered) = self.by_seat.get_mut(seat.index()) else { return };
        if let Some(answer) = answered.remove(id) {
            self.text_bytes -= id.as_bytes().len() + answer.outcome.line.capacity();
        }
    }

    pub(super) fn note(&mut self, seat: u8, method: &'static str, ask: Ask, outcome: CallOutcome) {
        let seat = usize::from(seat);
        if self.by_seat.len() <= seat {
            self.by_seat.resize_with(seat + 1, HashMap::new);
        }
        self.text_bytes += ask.id.as_bytes().len() + outcome.line.capacity();
        self.by_seat[seat].insert(ask.id, Answer { method, body: ask.body, outcome });
    }

    /// Returns about how many bytes it has in memory beside itself.
    pub(super) fn memory_bytes(&self) -> usize {
        // A map has room for as many again as it keeps, and a byte of its own for each.
        let one = size_of::<(RequestId, Answer)>() + 1;
        let kept: usize = self.by_seat.iter().map(|answered| answered.capacity() * 8 / 7 * one).sum();
        kept + self.text_bytes
    }
}
