//! The news of a session ([`PlayEvent`]).

use std::fmt;

use edgehill_proto::v1::{self, Accepted, Event, LegalList, MatchState, MatchConfig, View};

use crate::refused::Refused;

/// One seat within a session.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Channel(pub(super) u32);

impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "channel {}", self.0)
    }
}

/// Something new about one seat.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayEvent {
    /// The seat's channel.
    pub channel: Channel,
    /// The news itself.
    pub what: What,
}

/// The news about a seat.
#[derive(Clone, PartialEq, Debug)]
pub enum What {
    /// The channel is open: once, before anything else.
    Opened(Box<Opened>),
    /// Something has happened, a call was carried out, or an action is owed.
    Update(Box<Update>),
    /// A call is refused; nothing has changed.
    Refused(Box<CallRefused>),
    /// The channel is closed, and nothing more comes: on request, because the match is over, or with the server's reason.
    Closed(Option<Box<Refused>>),
}

/// A channel that is open.
#[derive(Clone, PartialEq, Debug)]
pub struct Opened {
    /// The seat, from 0.
    pub seat: u32,
    /// The match's terms.
    pub terms: MatchConfig,
    /// The number of the last event before what follows.
    pub seq: u64,
    /// The view at `seq`, where no cursor was given and the match has begun.
    pub view: Option<View>,
}

/// The news for a seat since the last news of its channel.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Update {
    /// The number of the last event that is in it.
    pub seq: u64,
    /// Events, in order.
    pub events: Vec<Event>,
    /// The request id of the call that was carried out.
    pub answers: Option<String>,
    /// The result of that call.
    pub accepted: Option<Accepted>,
    /// The seat owes an action: what it may do. Not given while a call of the seat has no answer.
    pub prompt: Option<LegalList>,
    /// The match's state, if it has changed.
    pub state: Option<MatchState>,
    /// The view at `seq`, in place of one that was kept.
    pub view: Option<View>,
}

impl Update {
    /// Returns whether it says nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.events.is_empty()
            && self.accepted.is_none()
            && self.prompt.is_none()
            && self.state.is_none()
            && self.view.is_none()
    }
}

/// A call that is refused.
#[derive(Clone, PartialEq, Debug)]
pub struct CallRefused {
    /// The request id of the call.
    pub request_id: String,
    /// The refusal.
    pub refused: Refused,
    /// The legal actions of the seat, if it is still to act.
    pub prompt: Option<LegalList>,
}

/// The way in which a channel is opened. The default is with the present view, events, and the ids of legal actions.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Opening {
    /// The number of the last event that the caller has; `None`: they have none, and get the present view.
    pub after: Option<u64>,
    /// The detail that prompts give of each legal action.
    pub legal: v1::LegalDetail,
    /// The whole view with each prompt.
    pub views: bool,
    /// No events.
    pub no_events: bool,
    /// Phrases and events in words too.
    pub words: bool,
}
