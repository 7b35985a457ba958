//! A seat as its client knows it ([`Seat`]), and what is kept of that for the end ([`SeatLog`]).

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use edgehill_proto::v1::{self, ErrorReason};

use crate::calls::by;
use crate::message::{batch, ids};
use crate::random::Random;
use crate::world::World;

/// The longest that a player thinks, and the shortest of those who take their time.
const THOUGHT_MAX_MS: usize = 400;
const LONG_THOUGHT_MS: usize = 20_000;

/// A request of a seat.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Ask {
    Action(u32),
    Undo,
    Resign,
}

/// A request as it is sent, as often as it takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Asked {
    pub(crate) request: String,
    pub(crate) ask: Ask,
    pub(crate) expected: Option<u64>,
}

/// A request that was answered: the number of actions that were taken or taken back, and the last number of the seat's sequence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Acknowledged {
    pub(crate) asked: Asked,
    pub(crate) actions: u32,
    pub(crate) seq: u64,
}

/// The events of one observer, in order, each once.
#[derive(Clone, Default, Debug)]
pub(crate) struct Published(pub(crate) Vec<v1::Event>);

impl Published {
    /// Takes the event that comes next.
    pub(crate) fn next(&mut self, event: v1::Event) {
        assert_eq!(event.seq, self.len() + 1, "a gap or a repetition");
        self.0.push(event);
    }

    /// Takes an event that may have come before, from elsewhere, or before one that is missing.
    pub(crate) fn again(&mut self, event: v1::Event) {
        match event.seq.cmp(&(self.len() + 1)) {
            std::cmp::Ordering::Less => {
                assert_eq!(self.0[event.seq as usize - 1], event, "another event came before");
            }
            std::cmp::Ordering::Equal => self.0.push(event),
            std::cmp::Ordering::Greater => {}
        }
    }

    pub(crate) fn len(&self) -> u64 {
        self.0.len() as u64
    }
}

/// The part of a seat that is kept.
#[derive(Debug)]
pub(crate) struct SeatLog {
    pub(crate) match_id: String,
    pub(crate) number: u32,
    pub(crate) token: String,
    published: Mutex<Published>,
    acknowledged: Mutex<Vec<Acknowledged>>,
}

impl SeatLog {
    pub(crate) fn new(match_id: String, number: u32, token: String) -> Self {
        Self { match_id, number, token, published: Mutex::default(), acknowledged: Mutex::default() }
    }

    pub(crate) fn published(&self) -> MutexGuard<'_, Published> {
        self.published.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn acknowledged(&self) -> MutexGuard<'_, Vec<Acknowledged>> {
        self.acknowledged.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A seat, and what its client has of it.
pub(crate) struct Seat {
    pub(crate) world: Arc<World>,
    pub(crate) log: Arc<SeatLog>,
    pub(crate) random: Random,
    asked: u64,
    /// The actions that it takes before it gives up.
    left: u32,
}

impl Seat {
    pub(crate) fn new(world: Arc<World>, log: Arc<SeatLog>, random: Random, left: u32) -> Self {
        Self { world, log, random, asked: 0, left }
    }

    pub(crate) fn len(&self) -> u64 {
        self.log.published().len()
    }

    /// The time for which it thinks before its next call: now and then so long that its clock may run out.
    pub(crate) fn thought(&mut self) -> Duration {
        let longest = if self.random.percent(2) { LONG_THOUGHT_MS } else { THOUGHT_MAX_MS };
        Duration::from_millis(self.random.below(longest) as u64)
    }

    /// Chooses what to ask, of these legal actions, where its sequence stands at this number.
    pub(crate) fn choose(&mut self, legal: &[u32], seq: u64) -> Asked {
        self.asked += 1;
        self.left = self.left.saturating_sub(1);
        let ask = match () {
            () if self.left == 0 => Ask::Resign,
            () if self.random.percent(8) => Ask::Undo,
            () => Ask::Action(*self.random.pick(legal).expect("whoever is to act has an action")),
        };
        let expected = (ask != Ask::Resign).then_some(seq);
        Asked { request: format!("r{}", self.asked), ask, expected }
    }

    /// Notes what came of a request. A request that was answered before came to the same.
    pub(crate) fn acknowledge(&self, asked: &Asked, actions: u32, seq: u64) {
        if let Ask::Action(_) = asked.ask {
            assert_eq!(actions, 1, "{asked:?}");
        }
        let SeatLog { match_id, number, .. } = &*self.log;
        self.world.assert_durable(match_id, Some(*number), seq);
        let mut acknowledged = self.log.acknowledged();
        if let Some(before) = acknowledged.iter().find(|before| before.asked.request == asked.request) {
            assert_eq!((&before.asked, before.actions), (asked, actions), "another outcome than before");
            assert!(before.seq <= seq, "{asked:?}: the sequence has shrunk from {} to {seq}", before.seq);
            return;
        }
        self.world.note(format_args!("{match_id} {number} {asked:?} {actions} {seq}"));
        acknowledged.push(Acknowledged { asked: asked.clone(), actions, seq });
    }

    /// Takes the events that came, of which none is there before it is durable.
    pub(crate) fn take(&self, events: Vec<v1::Event>, in_order: bool) {
        let SeatLog { match_id, number, .. } = &*self.log;
        let mut published = self.log.published();
        for event in events {
            self.world.assert_durable(match_id, Some(*number), event.seq);
            if in_order { published.next(event) } else { published.again(event) }
        }
    }

    /// The last request that was answered.
    pub(crate) fn last(&self) -> Option<Asked> {
        self.log.acknowledged().last().map(|last| last.asked.clone())
    }
}

/// A request of a seat as it is sent.
pub(crate) fn apply(log: &SeatLog, asked: &Asked, action: u32) -> tonic::Request<v1::ApplyActionsRequest> {
    let request = v1::ApplyActionsRequest {
        match_id: log.match_id.clone(),
        request_id: asked.request.clone(),
        batch: Some(v1::ActionBatch { expected_seq: asked.expected, ..batch(ids(&[action])) }),
        response_options: Some(v1::ResponseOptions {
            include_events: true,
            ..v1::ResponseOptions::default()
        }),
    };
    by(&log.token, request)
}

/// The same to take back.
pub(crate) fn undo(log: &SeatLog, asked: &Asked) -> tonic::Request<v1::UndoActionsRequest> {
    let request = v1::UndoActionsRequest {
        match_id: log.match_id.clone(),
        request_id: asked.request.clone(),
        span: Some(v1::UndoSpan { expected_seq: asked.expected, ..v1::UndoSpan::default() }),
        response_options: Some(v1::ResponseOptions {
            include_events: true,
            ..v1::ResponseOptions::default()
        }),
    };
    by(&log.token, request)
}

/// The same to give up.
pub(crate) fn resign(log: &SeatLog, asked: &Asked) -> tonic::Request<v1::ResignMatchRequest> {
    let request = v1::ResignMatchRequest {
        match_id: log.match_id.clone(),
        request_id: asked.request.clone(),
        response_options: Some(v1::ResponseOptions {
            include_events: true,
            ..v1::ResponseOptions::default()
        }),
    };
    by(&log.token, request)
}

/// Refusals that a client who plays at random has to expect: there was nothing to take back, something came first, the clock among
/// it, or the match is over.
pub(crate) fn is_expected(refusal: &v1::Refusal) -> bool {
    matches!(
        refusal.reason(),
        ErrorReason::NothingToUndo
            | ErrorReason::StaleSequence
            | ErrorReason::MatchFinished
            | ErrorReason::Committed
    )
}
