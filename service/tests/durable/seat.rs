//! A seat as its client knows it ([`Seat`]): the events that it has, the calls that it made, their outcomes.

use std::hash::{DefaultHasher, Hasher as _};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use edgehill_proto::v1::{self, ErrorReason};
use prost::Message as _;

use crate::history::{Answer, HistoryLine};
use crate::journal::{Acknowledged, Did, Journal};
use crate::message::{batch, ids};
use crate::process::by;
use crate::random::Random;
use crate::world::World;

/// A request of a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Ask {
    Action(u32),
    Undo,
}

/// A request as it is sent, as often as it takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Asked {
    pub(crate) request: String,
    pub(crate) ask: Ask,
    pub(crate) expected: Option<u64>,
}

/// The events of one observer, in order, each once.
#[derive(Clone, Default, Debug)]
pub(crate) struct Published {
    pub(crate) events: Vec<v1::Event>,
    /// The digest of all events up to each of them.
    digests: Vec<u64>,
}

impl Published {
    /// Takes the event that comes next.
    pub(crate) fn next(&mut self, event: v1::Event) {
        assert_eq!(event.seq, self.len() + 1, "a gap or a repetition");
        let mut hasher = DefaultHasher::new();
        hasher.write_u64(self.digests.last().copied().unwrap_or_default());
        hasher.write(&event.encode_to_vec());
        self.digests.push(hasher.finish());
        self.events.push(event);
    }

    /// Takes an event that may have come before, from elsewhere.
    pub(crate) fn again(&mut self, event: v1::Event) {
        if event.seq <= self.len() {
            assert_eq!(self.events[event.seq as usize - 1], event, "another event came before");
        } else {
            self.next(event);
        }
    }

    pub(crate) fn len(&self) -> u64 {
        self.events.len() as u64
    }

    /// The digest of the first so many events, which is the same for all who have seen the same; `None`: it has fewer.
    pub(crate) fn digest(&self, length: u64) -> Option<u64> {
        match length {
            0 => Some(0),
            _ => self.digests.get(length as usize - 1).copied(),
        }
    }

    /// Asserts that the events published are still those that are there.
    pub(crate) fn is_prefix_of(&self, now: &[v1::Event], what: &str) {
        assert!(now.len() >= self.events.len(), "{what}: {} events came, {} are left", self.len(), now.len());
        for (published, now) in self.events.iter().zip(now) {
            assert_eq!(published, now, "{what}: an event is not what it was");
        }
    }
}

/// A seat, and what its client has of it.
#[derive(Debug)]
pub(crate) struct Seat {
    pub(crate) match_id: String,
    pub(crate) number: u32,
    pub(crate) token: String,
    pub(crate) published: Arc<Mutex<Published>>,
    pub(crate) random: Random,
    pub(crate) world: Arc<World>,
    pub(crate) journal: Journal,
    pub(crate) asked: u64,
    /// The last request that was acknowledged, and what came of it.
    pub(crate) last: Option<(Asked, Did)>,
}

impl Seat {
    pub(crate) fn len(&self) -> u64 {
        self.published.lock().unwrap().len()
    }

    /// Takes the events of an answer at which the sequence stood at `seq`, as far as it has those before; the digest of all of them, if so.
    pub(crate) fn take(&self, events: Vec<v1::Event>, seq: u64) -> Option<u64> {
        let mut published = self.published.lock().unwrap();
        for event in events {
            if event.seq <= published.len() + 1 {
                published.again(event);
            }
        }
        published.digest(seq)
    }

    /// The time for which it thinks before its next call: none, once the world is about to stop.
    pub(crate) fn thought(&mut self) -> Duration {
        if self.world.is_stopping() {
            return Duration::ZERO;
        }
        Duration::from_micros(self.random.below(self.world.thought_max.as_micros() as usize) as u64)
    }

    /// Chooses what to ask, of these legal actions.
    pub(crate) fn choose(&mut self, legal: &[u32], expected: Option<u64>) -> Asked {
        self.asked += 1;
        let ask =
            if self.random.percent(8) { Ask::Undo } else { Ask::Action(*self.random.pick(legal).unwrap()) };
        Asked { request: format!("r{}", self.asked), ask, expected }
    }

    /// Notes what came of a request. A request that was acknowledged before came to the same.
    pub(crate) fn acknowledge(&mut self, asked: &Asked, count: u32, seq: u64) {
        let did = match asked.ask {
            Ask::Action(action) => {
                assert_eq!(count, 1, "{asked:?}");
                Did::Actions(vec![action])
            }
            Ask::Undo => Did::Undone(count),
        };
        if let Some((last, before)) = &self.last
            && last.request == asked.request
        {
            assert_eq!(*before, did, "{asked:?} had another outcome before");
            return;
        }
        let line = Acknowledged {
            request: asked.request.clone(),
            match_id: self.match_id.clone(),
            seat: self.number,
            seq,
            did: did.clone(),
        };
        self.journal.note(&line);
        self.last = Some((asked.clone(), did));
        self.world.acknowledged();
    }

    /// Notes a try of a request in the history: when it began, and what was answered just now.
    pub(crate) fn tried(&self, asked: &Asked, begin: Instant, answer: Answer<'_>) {
        let action = match asked.ask {
            Ask::Action(action) => Some(action),
            Ask::Undo => None,
        };
        self.note(&asked.request, action, false, asked.expected, begin, answer);
    }

    /// The same of a request to give up.
    pub(crate) fn resigned(&self, request: &str, begin: Instant, answer: Answer<'_>) {
        self.note(request, None, true, None, begin, answer);
    }

    fn note(
        &self,
        request: &str,
        action: Option<u32>,
        resigns: bool,
        expected: Option<u64>,
        begin: Instant,
        answer: Answer<'_>,
    ) {
        let Some(history) = &self.world.history else { return };
        history.note(&HistoryLine::Call {
            r#match: &self.match_id,
            seat: self.number,
            request,
            action,
            resigns,
            expected,
            begin: history.at(begin),
            end: (!matches!(answer, Answer::Unknown)).then(|| history.at(Instant::now())),
            answer,
        });
    }

    /// Notes in the history how long its sequence was, as a call said that began then.
    pub(crate) fn looked(&self, length: u64, begin: Instant) {
        let Some(history) = &self.world.history else { return };
        history.note(&HistoryLine::Look {
            r#match: &self.match_id,
            observer: &self.number.to_string(),
            length,
            seen: None,
            begin: history.at(begin),
            end: history.at(Instant::now()),
        });
    }

    pub(crate) fn apply(&self, asked: &Asked, action: u32) -> tonic::Request<v1::ApplyActionsRequest> {
        let request = v1::ApplyActionsRequest {
            match_id: self.match_id.clone(),
            request_id: asked.request.clone(),
            batch: Some(v1::ActionBatch { expected_seq: asked.expected, ..batch(ids(&[action])) }),
            response_options: Some(v1::ResponseOptions {
                include_events: true,
                ..v1::ResponseOptions::default()
            }),
        };
        by(&self.token, request)
    }

    pub(crate) fn undo(&self, asked: &Asked) -> tonic::Request<v1::UndoActionsRequest> {
        let request = v1::UndoActionsRequest {
            match_id: self.match_id.clone(),
            request_id: asked.request.clone(),
            span: Some(v1::UndoSpan { expected_seq: asked.expected, ..v1::UndoSpan::default() }),
            response_options: Some(v1::ResponseOptions {
                include_events: true,
                ..v1::ResponseOptions::default()
            }),
        };
        by(&self.token, request)
    }
}

/// Refusals that a client who plays at random has to expect: there was nothing to take back, something came first, or the
/// match is over.
pub(crate) fn is_expected(refusal: &v1::Refusal) -> bool {
    matches!(
        refusal.reason(),
        ErrorReason::NothingToUndo | ErrorReason::StaleSequence | ErrorReason::MatchFinished
    )
}
