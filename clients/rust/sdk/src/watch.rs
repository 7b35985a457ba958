//! The events published to an observer, as they come ([`Watch`]).
//!
//! Invariant: events come in the order of their numbers, each once, whatever becomes of the connection.

use edgehill_proto::v1::watch_response::Item;
use edgehill_proto::v1::{Event, EventBatch, MatchState, MatchStatus, Observer, WatchRequest, WatchResponse};
use futures_core::Stream;
use futures_util::stream::try_unfold;
use tokio::time::timeout;
use tonic::{Status, Streaming};

use crate::client::Client;
use crate::error::Error;
use crate::fold::ViewTracker;
use crate::retry::{Outage, late};

/// A message of the watch.
#[derive(Clone, PartialEq, Debug)]
pub enum Heard {
    /// The match's state: it holds until the next one.
    State(Box<MatchState>),
    /// A view to fold what follows over: once, when no cursor was given.
    View(Box<ViewTracker>),
    /// The next events, at least one.
    Events(Vec<Event>),
}

/// A stream of what an observer hears. It opens with its first item, and again, after the last number that it has given
/// out, whenever the connection is lost.
#[derive(Debug)]
pub struct Watch {
    client: Client,
    token: Option<String>,
    request: WatchRequest,
    stream: Option<Streaming<WatchResponse>>,
    state: Option<MatchState>,
    outage: Option<Outage>,
    done: bool,
}

impl Watch {
    pub(crate) fn new(client: Client, match_id: String, token: Option<String>) -> Self {
        let request = WatchRequest { match_id, ..WatchRequest::default() };
        Self { client, token, request, stream: None, state: None, outage: None, done: false }
    }

    /// After this number, in place of from the present view on; 0: all events.
    #[must_use]
    pub const fn after(mut self, seq: u64) -> Self {
        self.request.after_seq = Some(seq);
        self
    }

    /// Through these eyes, in place of the caller's own.
    #[must_use]
    pub const fn observer(mut self, observer: Observer) -> Self {
        self.request.observer = Some(observer);
        self
    }

    /// Phrases and events in words too.
    #[must_use]
    pub const fn words(mut self) -> Self {
        self.request.words = true;
        self
    }

    /// The last number that was given out: where another [`Watch`] would go on. `None` before there was a view.
    #[must_use]
    pub const fn cursor(&self) -> Option<u64> {
        self.request.after_seq
    }

    /// Returns the next message; `None` after the last event of a match that is over.
    ///
    /// It may be given up while it waits, and called again.
    ///
    /// # Errors
    /// If the server refuses, or can't be reached for as long as the client's retry_policy lasts. To call it again tries
    /// again.
    pub async fn next(&mut self) -> Result<Option<Heard>, Error> {
        loop {
            if self.done {
                return Ok(None);
            }
            let lost = match self.receive().await {
                Ok(Some(response)) => {
                    self.outage = None;
                    match self.accept(response)? {
                        Some(published) => return Ok(Some(published)),
                        None => continue,
                    }
                }
                Ok(None) if self.is_over() => {
                    self.done = true;
                    continue;
                }
                Ok(None) => Status::unavailable("the stream ended before the match"),
                Err(status) => status,
            };
            self.stream = None;
            let retry_policy = self.client.retry_policy();
            let outage = self.outage.get_or_insert_with(|| Outage::new(retry_policy));
            if let Err(error) = outage.pause(lost).await {
                self.outage = None;
                return Err(error);
            }
        }
    }

    /// Returns the messages as a stream.
    pub fn into_stream(self) -> impl Stream<Item = Result<Heard, Error>> + Send {
        try_unfold(self, async |mut watch| Ok(watch.next().await?.map(|published| (published, watch))))
    }

    async fn receive(&mut self) -> Result<Option<WatchResponse>, Status> {
        if self.stream.is_none() {
            let retry_policy = self.client.retry_policy();
            let wire = self.client.match_wire(self.token.as_deref());
            let mut wire = wire.map_err(|error| Status::invalid_argument(error.to_string()))?;
            let opened = timeout(retry_policy.attempt, wire.watch(self.request.clone())).await;
            self.stream = Some(opened.map_err(|_| late(retry_policy))??.into_inner());
        }
        match &mut self.stream {
            Some(stream) => stream.message().await,
            None => Ok(None),
        }
    }

    /// Returns the part of an item that is new.
    fn accept(&mut self, response: WatchResponse) -> Result<Option<Heard>, Error> {
        match response.item {
            Some(Item::State(state)) => {
                // A stream that was opened again begins with a state, too.
                let new = self.state.as_ref() != Some(&state);
                self.state = Some(state.clone());
                Ok(new.then_some(Heard::State(Box::new(state))))
            }
            Some(Item::Snapshot(snapshot)) => {
                self.request.after_seq = Some(snapshot.seq);
                Ok(Some(Heard::View(Box::new(ViewTracker::from(*snapshot)))))
            }
            Some(Item::Events(batch)) => self.events(batch),
            // Something that a later version of the wire has.
            None => Ok(None),
        }
    }

    fn events(&mut self, batch: EventBatch) -> Result<Option<Heard>, Error> {
        let events = following(&mut self.request.after_seq, batch.events)?;
        Ok((!events.is_empty()).then_some(Heard::Events(events)))
    }

    fn is_over(&self) -> bool {
        self.state.as_ref().is_some_and(|state| state.status() == MatchStatus::Finished)
    }
}

/// The events after a cursor, which is moved on; those that it has passed are left out.
///
/// # Errors
/// If there is a gap before or between them.
pub(crate) fn following(cursor: &mut Option<u64>, mut events: Vec<Event>) -> Result<Vec<Event>, Error> {
    let seen = cursor.unwrap_or(0);
    events.retain(|event| event.seq > seen);
    let mut last = seen;
    for event in &events {
        if event.seq != last + 1 {
            return Err(Error::Protocol(format!("event {} after event {last}", event.seq)));
        }
        last = event.seq;
    }
    if !events.is_empty() {
        *cursor = Some(last);
    }
    Ok(events)
}
