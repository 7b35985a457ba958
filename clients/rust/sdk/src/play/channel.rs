//! The session's side of one seat ([`ChannelState`]): how far it has come, and which of its calls have no answer.
//!
//! Invariants: events are given out once and in order; a call stays here until it has its answer, so that it can be sent
//! again; no prompt is given out while a call has no answer, since that answer decides whether the prompt still stands.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use edgehill_proto::v1::play_seats_request::{Call, Close, Open};
use edgehill_proto::v1::play_seats_response::{Message, Opened};
use edgehill_proto::v1::{
    ErrorReason, LegalActions, MatchState, PlaySeatsRequest, PlaySeatsResponse, Refusal, SeatUpdate,
};

use super::event::{OpenOptions, OpenedChannel, PlayMessage, RefusedCall};
use crate::answer_deadline;
use crate::error::Error;
use crate::match_watch::{following, is_empty, newer};
use crate::refusal::ServerRefusal;

/// One seat's side of a session.
pub(super) struct ChannelState {
    number: u32,
    open: Open,
    opened: bool,
    /// True if the server has refused to open it now, and it is tried again.
    waits_to_open: bool,
    closing: bool,
    /// True if the caller has, or was sent, a view that events can be folded over.
    has_view: bool,
    /// The last number that was given out.
    cursor: Option<u64>,
    state: Option<MatchState>,
    /// Calls without an answer, oldest first.
    unanswered: VecDeque<PlaySeatsRequest>,
    /// The legal actions of the seat, as far as is known: the last prompt that no accepted call has used up.
    prompt: Option<LegalActions>,
    /// True if it is kept back until the calls have their answers.
    held: bool,
    /// The number at which the sequence stood when it was given out.
    given_at: Option<u64>,
    /// The moment until which the seat may answer, by this machine's clock.
    answer_deadline: Option<Instant>,
}

/// The consequence of a message of the server.
pub(super) enum Next {
    /// The caller is given a message.
    Give(PlayMessage),
    /// Nothing that is new.
    Nothing,
    /// The channel is no more; the caller is given its last message.
    End(PlayMessage),
    /// The call of this id makes sense again after a while; of an empty one: to open the channel, and what came after that.
    Later(String, Duration),
    /// The server goes away: the stream has to be opened again.
    Lost,
}

impl ChannelState {
    pub(super) fn new(number: u32, token: String, options: OpenOptions) -> Self {
        let open = Open {
            seat_token: token,
            after_seq: options.after_seq,
            legal: options.legal.into(),
            include_view: options.include_view,
            omit_events: options.omit_events,
            include_text: options.include_text,
        };
        Self {
            number,
            open,
            opened: false,
            waits_to_open: false,
            closing: false,
            has_view: options.after_seq.is_some(),
            cursor: options.after_seq,
            state: None,
            unanswered: VecDeque::new(),
            prompt: None,
            held: false,
            given_at: None,
            answer_deadline: None,
        }
    }

    /// The moment until which the seat may answer its question; `None`: nothing is asked of it, or no clock runs for it.
    pub(super) const fn answer_deadline(&self) -> Option<Instant> {
        self.answer_deadline
    }

    /// Returns the requests that open the channel, at first or after the connection was lost, and the calls that have to
    /// be made again then.
    pub(super) fn requests(&self) -> Vec<PlaySeatsRequest> {
        let after_seq = if self.has_view { self.cursor } else { None };
        let open = Open { after_seq, ..self.open.clone() };
        let open = self.request(Call::Open(open));
        std::iter::once(open).chain(self.unanswered.iter().cloned()).collect()
    }

    /// A call, kept until it has an answer.
    pub(super) fn call(&mut self, request_id: String, call: Call) -> PlaySeatsRequest {
        let request = PlaySeatsRequest { channel: self.number, request_id, call: Some(call) };
        self.unanswered.push_back(request.clone());
        request
    }

    /// Returns the request that closes the channel.
    pub(super) fn close(&mut self) -> PlaySeatsRequest {
        self.closing = true;
        self.request(Call::Close(Close {}))
    }

    /// True if the caller wants it closed.
    pub(super) const fn is_closing(&self) -> bool {
        self.closing
    }

    /// The call of this id, if it has no answer.
    pub(super) fn unanswered(&self, request_id: &str) -> Option<&PlaySeatsRequest> {
        self.unanswered.iter().find(|call| call.request_id == request_id)
    }

    /// Returns the consequence of a message of the server.
    pub(super) fn take(&mut self, response: PlaySeatsResponse) -> Result<Next, Error> {
        let PlaySeatsResponse { channel: _, request_id, message } = response;
        match message {
            Some(Message::Opened(opened)) => Ok(self.opened(*opened)),
            Some(Message::Update(update)) => self.update(request_id, update),
            Some(Message::Refusal(refusal)) if request_id.is_empty() => Ok(self.not_opened(refusal)),
            Some(Message::Refusal(refusal)) => Ok(self.refused(request_id, refusal)),
            Some(Message::Closed(message)) => Ok(closed(message.refusal)),
            // A message of a later version of the wire.
            None => Ok(Next::Nothing),
        }
    }

    const fn request(&self, call: Call) -> PlaySeatsRequest {
        PlaySeatsRequest { channel: self.number, request_id: String::new(), call: Some(call) }
    }

    fn opened(&mut self, opened: Opened) -> Next {
        let Opened { seat, r#match, view } = opened;
        let r#match = r#match.unwrap_or_default();
        let seq = r#match.seq;
        self.waits_to_open = false;
        let again = std::mem::replace(&mut self.opened, true);
        if self.has_view {
            // The cursor is the caller's or this channel's own, and nothing is new.
            self.cursor = self.cursor.max(Some(seq));
        } else {
            self.cursor = Some(seq);
            self.has_view = view.is_some();
        }
        if !again {
            return Next::Give(PlayMessage::Opened(Box::new(OpenedChannel { seat, r#match, view })));
        }
        match view {
            Some(view) => {
                let status = self.state.as_ref().map_or(0, |state| state.status);
                let update = SeatUpdate { seq, status, view: Some(view), ..SeatUpdate::default() };
                Next::Give(PlayMessage::Update { update: Box::new(update), answers: None })
            }
            None => Next::Nothing,
        }
    }

    fn update(&mut self, request_id: String, mut update: SeatUpdate) -> Result<Next, Error> {
        self.answer_deadline = answer_deadline::of(&update, Instant::now());
        update.events = if update.view.is_some() || self.open.omit_events {
            newer(&mut self.cursor, update.seq, update.events)
        } else {
            following(&mut self.cursor, update.events)?
        };
        self.has_view |= update.view.is_some();
        let seq = self.cursor.unwrap_or(0);
        if seq < update.seq {
            let why = format!("an update at {} without the events after {seq}", update.seq);
            return Err(Error::Protocol(why));
        }
        let answers =
            (self.is_answered_by(&request_id, &update) && self.answered(&request_id)).then_some(request_id);
        if answers.is_none() {
            // The result of a call that has its answer already: it was made again.
            update.apply_result = None;
        } else {
            // The call has used the prompt up: if the seat is to act again, the server says so anew.
            self.set_prompt(None, seq);
        }
        if update.state.as_ref().is_some_and(|state| state.adjournment.is_some()) {
            // The seat is asked anew when the match goes on.
            self.set_prompt(None, seq);
        }
        if let Some(legal) = update.legal_actions.take() {
            self.set_prompt(Some(legal), seq);
        }
        update.legal_actions = self.due_prompt(seq);
        update.seq = seq;
        update.state = update.state.filter(|state| self.state.as_ref() != Some(state));
        if update.state.is_some() {
            self.state.clone_from(&update.state);
        }
        Ok(if answers.is_none() && is_empty(&update) {
            Next::Nothing
        } else {
            Next::Give(PlayMessage::Update { update: Box::new(update), answers })
        })
    }

    /// True if an update is the last part of the answer to the call of this id: an answer with many events comes in several
    /// updates, of which the last has the result of actions.
    fn is_answered_by(&self, request_id: &str, update: &SeatUpdate) -> bool {
        let call = self.unanswered(request_id).and_then(|request| request.call.as_ref());
        let acts = matches!(call, Some(Call::Apply(_) | Call::Undo(_)));
        !acts || update.apply_result.is_some()
    }

    fn set_prompt(&mut self, prompt: Option<LegalActions>, seq: u64) {
        // Another decision never comes without an event: at the same number it is the same prompt again, of a stream that was
        // opened again.
        let again = self.given_at == Some(seq) && self.prompt == prompt;
        self.held = prompt.is_some() && !again;
        if prompt.is_none() {
            self.given_at = None;
        }
        self.prompt = prompt;
    }

    /// The prompt, if it is time to give it out.
    fn due_prompt(&mut self, seq: u64) -> Option<LegalActions> {
        if !self.held || !self.unanswered.is_empty() {
            return None;
        }
        self.held = false;
        self.given_at = Some(seq);
        self.prompt.clone()
    }

    /// The seat is not opened: it is tried again where the caller has only asked too fast. Or there is nothing to close: a server
    /// that closes a channel itself may say so instead of `closed`.
    fn not_opened(&mut self, refusal: Refusal) -> Next {
        if self.closing && refusal.reason() == ErrorReason::UnknownChannel {
            return closed(None);
        }
        match (refusal.reason(), wait(&ServerRefusal::from(refusal.clone()))) {
            (ErrorReason::RateLimited, Some(wait)) => {
                self.waits_to_open = true;
                Next::Later(String::new(), wait)
            }
            _ => closed(Some(refusal)),
        }
    }

    fn refused(&mut self, request_id: String, refusal: Refusal) -> Next {
        let refusal = ServerRefusal::from(refusal);
        if self.waits_to_open && (wait(&refusal).is_some() || refusal.reason() == ErrorReason::UnknownChannel)
        {
            // It came behind the request to open, and is made again with it.
            return Next::Nothing;
        }
        let is_last = self.unanswered.back().is_some_and(|call| call.request_id == request_id);
        // Made again, a call would come after those that were made after it: so only the last one is.
        if let (true, Some(wait)) = (is_last, wait(&refusal)) {
            return Next::Later(request_id, wait);
        }
        if !self.answered(&request_id) {
            return Next::Nothing;
        }
        if refusal.reason() == ErrorReason::Adjourned {
            self.set_prompt(None, self.cursor.unwrap_or(0));
        }
        let gone = matches!(refusal.reason(), ErrorReason::NotYourTurn | ErrorReason::MatchFinished);
        if gone || refusal.reason() == ErrorReason::Adjourned {
            self.answer_deadline = None;
        }
        let legal_actions = self.prompt.clone().filter(|_| self.unanswered.is_empty() && !gone);
        if legal_actions.is_some() {
            self.held = false;
            self.given_at = self.cursor;
        }
        Next::Give(PlayMessage::Refused(Box::new(RefusedCall { request_id, refusal, legal_actions })))
    }

    /// Takes a call off the list of those without an answer; true if it was on it.
    fn answered(&mut self, request_id: &str) -> bool {
        let place = self.unanswered.iter().position(|call| call.request_id == request_id);
        place.and_then(|place| self.unanswered.remove(place)).is_some()
    }
}

fn closed(refusal: Option<Refusal>) -> Next {
    let refusal = refusal.map(ServerRefusal::from);
    match refusal.as_ref().map(ServerRefusal::reason) {
        Some(ErrorReason::Draining | ErrorReason::StoreUnavailable) => Next::Lost,
        _ => Next::End(PlayMessage::Closed(refusal.map(Box::new))),
    }
}

/// Returns the time to wait before a refused call is made again, if that makes sense.
fn wait(refusal: &ServerRefusal) -> Option<Duration> {
    match (refusal.reason(), refusal.retry_after()) {
        (ErrorReason::RateLimited | ErrorReason::StoreUnavailable | ErrorReason::Draining, wait) => {
            Some(wait.unwrap_or(Duration::from_millis(50)))
        }
        _ => None,
    }
}
