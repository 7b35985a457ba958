//! The knowledge of a session about one seat ([`Line`]): how far it has come, and which of its calls have no answer.
//!
//! Invariants: events are given out once and in order; a call stays here until it has its answer, so that it can be sent
//! again; no prompt is given out while a call has no answer, since that answer decides whether the prompt still stands.

use std::collections::VecDeque;
use std::time::Duration;

use edgehill_proto::v1::play_request::Call;
use edgehill_proto::v1::play_response::Message;
use edgehill_proto::v1::{self, LegalList, MatchState, Open, PlayRequest, PlayResponse, ErrorReason, Refusal};

use super::news::{CallRefused, Opened, Opening, Update, What};
use crate::error::Error;
use crate::refused::Refused;
use crate::watch::following;

/// One seat's side of a session.
pub(super) struct Line {
    number: u32,
    open: Open,
    opened: bool,
    closing: bool,
    /// True if the caller has, or was sent, a view that events can be folded over.
    has_view: bool,
    /// The last number that was given out.
    cursor: Option<u64>,
    state: Option<MatchState>,
    /// Calls without an answer, oldest first.
    unanswered: VecDeque<PlayRequest>,
    /// The legal actions of the seat, as far as is known: the last prompt that no accepted call has used up.
    prompt: Option<LegalList>,
    /// True if it is kept back until the calls have their answers.
    held: bool,
    /// The number at which the sequence stood when it was given out.
    given_at: Option<u64>,
}

/// The consequence of a message of the server.
pub(super) enum Next {
    /// The caller is told.
    Tell(What),
    /// Nothing that is new.
    Nothing,
    /// The channel is no more; the caller is told.
    End(What),
    /// The call of this id makes sense again after a while.
    Later(String, Duration),
    /// The server goes away: the stream has to be opened again.
    Lost,
}

impl Line {
    pub(super) fn new(number: u32, token: String, opening: Opening) -> Self {
        let open = Open {
            seat_token: token,
            after_seq: opening.after,
            legal: opening.legal.into(),
            views: opening.views,
            no_events: opening.no_events,
            words: opening.words,
        };
        Self {
            number,
            open,
            opened: false,
            closing: false,
            has_view: opening.after.is_some(),
            cursor: opening.after,
            state: None,
            unanswered: VecDeque::new(),
            prompt: None,
            held: false,
            given_at: None,
        }
    }

    /// Returns the requests that open the channel, at first or after the connection was lost, and what has to
    /// be said again then.
    pub(super) fn requests(&self) -> Vec<PlayRequest> {
        let after_seq = if self.has_view { self.cursor } else { None };
        let open = Open { after_seq, ..self.open.clone() };
        let open = self.request(Call::Open(open));
        std::iter::once(open).chain(self.unanswered.iter().cloned()).collect()
    }

    /// A call, kept until it has an answer.
    pub(super) fn call(&mut self, request_id: String, call: Call) -> PlayRequest {
        let request = PlayRequest { channel: self.number, request_id, call: Some(call) };
        self.unanswered.push_back(request.clone());
        request
    }

    /// Returns the request that closes the channel.
    pub(super) fn close(&mut self) -> PlayRequest {
        self.closing = true;
        self.request(Call::Close(v1::Close {}))
    }

    /// Returns whether the caller wants it closed.
    pub(super) const fn is_closing(&self) -> bool {
        self.closing
    }

    /// The call of this id, if it has no answer.
    pub(super) fn unanswered(&self, request_id: &str) -> Option<&PlayRequest> {
        self.unanswered.iter().find(|call| call.request_id == request_id)
    }

    /// Returns what follows from a message of the server.
    pub(super) fn take(&mut self, response: PlayResponse) -> Result<Next, Error> {
        let PlayResponse { channel: _, request_id, message } = response;
        match message {
            Some(Message::Opened(opened)) => Ok(self.opened(*opened)),
            Some(Message::Update(update)) => self.update(request_id, update),
            Some(Message::Refusal(refusal)) if request_id.is_empty() => Ok(closed(Some(refusal))),
            Some(Message::Refusal(refusal)) => Ok(self.refused(request_id, refusal)),
            Some(Message::Closed(message)) => Ok(closed(message.refusal)),
            // Something that a later version of the wire has.
            None => Ok(Next::Nothing),
        }
    }

    const fn request(&self, call: Call) -> PlayRequest {
        PlayRequest { channel: self.number, request_id: String::new(), call: Some(call) }
    }

    fn opened(&mut self, opened: v1::Opened) -> Next {
        let v1::Opened { seat, terms, seq, view } = opened;
        let again = std::mem::replace(&mut self.opened, true);
        if self.has_view {
            // The cursor is the caller's or this line's own, and nothing is new.
            self.cursor = self.cursor.max(Some(seq));
        } else {
            self.cursor = Some(seq);
            self.has_view = view.is_some();
        }
        if !again {
            return Next::Tell(What::Opened(Box::new(Opened {
                seat,
                terms: terms.unwrap_or_default(),
                seq,
                view,
            })));
        }
        match view {
            Some(view) => {
                Next::Tell(What::Update(Box::new(Update { seq, view: Some(view), ..Update::default() })))
            }
            None => Next::Nothing,
        }
    }

    fn update(&mut self, request_id: String, update: v1::Update) -> Result<Next, Error> {
        let events = following(&mut self.cursor, update.events)?;
        if update.view.is_some() || self.open.no_events {
            self.cursor = self.cursor.max(Some(update.seq));
            self.has_view |= update.view.is_some();
        } else if self.cursor.unwrap_or(0) < update.seq {
            let seen = self.cursor.unwrap_or(0);
            return Err(Error::Protocol(format!(
                "an update at {} without the events after {seen}",
                update.seq
            )));
        }
        let seq = self.cursor.unwrap_or(0);
        // An answer with many events comes in several updates, the last of which says that the call was accepted.
        let accepted = update.accepted.filter(|_| self.answered(&request_id));
        let answers = accepted.as_ref().map(|_| request_id);
        if answers.is_some() {
            // The call has used the prompt up: if the seat owes another action, the server says so anew.
            self.set_prompt(None, seq);
        }
        if let Some(prompt) = update.prompt {
            self.set_prompt(Some(prompt.legal.unwrap_or_default()), seq);
        }
        let state = update.state.filter(|state| self.state.as_ref() != Some(state));
        if state.is_some() {
            self.state.clone_from(&state);
        }
        let prompt = self.due_prompt(seq);
        let update = Update { seq, events, answers, accepted, prompt, state, view: update.view };
        Ok(if update.is_empty() { Next::Nothing } else { Next::Tell(What::Update(Box::new(update))) })
    }

    fn set_prompt(&mut self, prompt: Option<LegalList>, seq: u64) {
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
    fn due_prompt(&mut self, seq: u64) -> Option<LegalList> {
        if !self.held || !self.unanswered.is_empty() {
            return None;
        }
        self.held = false;
        self.given_at = Some(seq);
        self.prompt.clone()
    }

    fn refused(&mut self, request_id: String, refusal: Refusal) -> Next {
        let refused = Refused::from(refusal);
        let is_last = self.unanswered.back().is_some_and(|call| call.request_id == request_id);
        // Made again, a call would come after those that were made after it: so only the last one is.
        if let (true, Some(wait)) = (is_last, wait(&refused)) {
            return Next::Later(request_id, wait);
        }
        if !self.answered(&request_id) {
            return Next::Nothing;
        }
        let gone = matches!(refused.reason(), ErrorReason::NotYourTurn | ErrorReason::MatchFinished);
        let prompt = self.prompt.clone().filter(|_| self.unanswered.is_empty() && !gone);
        if prompt.is_some() {
            self.held = false;
            self.given_at = self.cursor;
        }
        Next::Tell(What::Refused(Box::new(CallRefused { request_id, refused, prompt })))
    }

    /// Takes a call off the list of those without an answer; whether it was on it.
    fn answered(&mut self, request_id: &str) -> bool {
        let place = self.unanswered.iter().position(|call| call.request_id == request_id);
        place.and_then(|place| self.unanswered.remove(place)).is_some()
    }
}

fn closed(refusal: Option<Refusal>) -> Next {
    let refused = refusal.map(Refused::from);
    match refused.as_ref().map(Refused::reason) {
        Some(ErrorReason::Draining | ErrorReason::StoreUnavailable) => Next::Lost,
        _ => Next::End(What::Closed(refused.map(Box::new))),
    }
}

/// Returns the time to wait before a refused call is made again, if that makes sense.
fn wait(refused: &Refused) -> Option<Duration> {
    match (refused.reason(), refused.retry_after()) {
        (ErrorReason::RateLimited | ErrorReason::StoreUnavailable | ErrorReason::Draining, wait) => {
            Some(wait.unwrap_or(Duration::from_millis(50)))
        }
        _ => None,
    }
}
