//! The updates of an observer, as they come ([`MatchWatch`]).
//!
//! Invariant: events come in the order of their numbers, each once, whatever becomes of the connection.

use edgehill_proto::v1::{
    Event, LegalActions, LegalDetail, MatchState, MatchStatus, Observer, SeatUpdate, WatchMatchRequest,
    WatchMatchResponse,
};
use futures_core::Stream;
use futures_util::stream::try_unfold;
use tonic::{Status, Streaming};

use crate::connection::Connection;
use crate::error::Error;
use crate::resumed_stream::{ResumedStream, StreamSession, unsendable};

/// A stream of an observer's updates, each to be folded by [`ViewTracker::fold`](crate::ViewTracker::fold). It is opened with
/// its first update, and again, after the last number that it has given out, whenever the connection is lost.
#[derive(Debug)]
pub struct MatchWatch(ResumedStream<MatchSession>);

#[derive(Debug)]
struct MatchSession {
    token: Option<String>,
    request: WatchMatchRequest,
    status: MatchStatus,
    state: Option<MatchState>,
    /// The last prompt, with the number at which it was given out.
    prompt: Option<(u64, LegalActions)>,
}

impl StreamSession for MatchSession {
    type Response = WatchMatchResponse;
    type News = SeatUpdate;

    async fn open(&self, connection: &Connection) -> Result<Streaming<WatchMatchResponse>, Status> {
        let wire = connection.match_wire(self.token.as_deref());
        let mut wire = wire.map_err(|error| unsendable(&error))?;
        Ok(wire.watch_match(self.request.clone()).await?.into_inner())
    }

    fn take(&mut self, response: WatchMatchResponse) -> Result<Option<SeatUpdate>, Error> {
        response.update.map(|update| self.accept(update)).transpose().map(Option::flatten)
    }

    fn is_over(&self, ended: bool) -> bool {
        ended && matches!(self.status, MatchStatus::Finished | MatchStatus::Aborted | MatchStatus::Expired)
    }
}

impl MatchSession {
    /// Returns the part of an update that is new: a stream that was opened again says some things again.
    fn accept(&mut self, mut update: SeatUpdate) -> Result<Option<SeatUpdate>, Error> {
        self.status = update.status();
        update.events = match &update.view {
            // It has these events in it, and nothing is to be folded over what came before.
            Some(_) => newer(&mut self.request.after_seq, update.seq, update.events),
            None => following(&mut self.request.after_seq, update.events)?,
        };
        update.state = update.state.filter(|state| self.state.as_ref() != Some(state));
        if update.state.is_some() {
            self.state.clone_from(&update.state);
        }
        if let Some(legal) = update.legal_actions.take() {
            let prompt = Some((update.seq, legal.clone()));
            if self.prompt != prompt {
                self.prompt = prompt;
                update.legal_actions = Some(legal);
            }
        }
        Ok((!is_empty(&update)).then_some(update))
    }
}

impl MatchWatch {
    pub(crate) fn new(connection: Connection, match_id: String, token: Option<String>) -> Self {
        let session = MatchSession {
            token,
            request: WatchMatchRequest { match_id, ..WatchMatchRequest::default() },
            status: MatchStatus::Unspecified,
            state: None,
            prompt: None,
        };
        Self(ResumedStream::new(connection, session))
    }

    /// After this number, in place of from the present view on; 0: all events.
    #[must_use]
    pub const fn after(mut self, seq: u64) -> Self {
        self.0.session.request.after_seq = Some(seq);
        self
    }

    /// As this observer sees it, in place of the caller's own seat.
    #[must_use]
    pub const fn observer(mut self, observer: Observer) -> Self {
        self.0.session.request.observer = Some(observer);
        self
    }

    /// Sends phrases and events in words, too.
    #[must_use]
    pub const fn include_text(mut self) -> Self {
        self.0.session.request.include_text = true;
        self
    }

    /// Sends the legal actions in this detail whenever the seat comes to be to act; only of the caller's own seat.
    #[must_use]
    pub const fn legal(mut self, detail: LegalDetail) -> Self {
        self.0.session.request.legal = detail as i32;
        self
    }

    /// The last number that was given out: where another [`MatchWatch`] would go on. `None` before there was a view.
    #[must_use]
    pub const fn cursor(&self) -> Option<u64> {
        self.0.session.request.after_seq
    }

    /// Returns the next update; `None` after the last event of a match that is finished, aborted or expired.
    ///
    /// It may be given up while it waits, and called again.
    ///
    /// # Errors
    /// If the server refuses, or can't be reached for as long as the client's retry policy lasts. To call it again tries
    /// again.
    pub async fn next(&mut self) -> Result<Option<SeatUpdate>, Error> {
        self.0.next().await
    }

    /// Returns the updates as a stream.
    pub fn into_stream(self) -> impl Stream<Item = Result<SeatUpdate, Error>> + Send {
        try_unfold(self, async |mut watch| Ok(watch.next().await?.map(|update| (update, watch))))
    }
}

/// True if an update says nothing that is new.
pub(crate) fn is_empty(update: &SeatUpdate) -> bool {
    update.events.is_empty()
        && update.view.is_none()
        && update.legal_actions.is_none()
        && update.state.is_none()
        && update.apply_result.is_none()
}

/// The events after a cursor, which is moved on to the view at `seq` that they come with.
pub(crate) fn newer(cursor: &mut Option<u64>, seq: u64, mut events: Vec<Event>) -> Vec<Event> {
    events.retain(|event| cursor.is_none_or(|seen| event.seq > seen));
    *cursor = (*cursor).max(Some(seq));
    events
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
