//! The events of a session ([`PlayEvent`]).

use std::fmt;

use edgehill_proto::v1::{LegalActions, LegalDetail, Match, SeatUpdate, View};

use crate::refusal::ServerRefusal;

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
    /// The message itself.
    pub message: PlayMessage,
}

/// A message about a seat.
#[derive(Clone, PartialEq, Debug)]
pub enum PlayMessage {
    /// The channel is open: once, before anything else.
    Opened(Box<OpenedChannel>),
    /// Something has happened, a call was carried out, or the seat is to act.
    Update {
        /// The news since the last update of the channel, to be folded by
        /// [`ViewTracker::fold`](crate::ViewTracker::fold). Its legal actions are the prompt: the seat is asked for an
        /// action. None is given while a call of the seat has no answer.
        update: Box<SeatUpdate>,
        /// The request id of the call that was carried out.
        answers: Option<String>,
    },
    /// A call is refused; nothing has changed.
    Refused(Box<RefusedCall>),
    /// The channel is closed, and nothing more comes: on request, because the match has ended, or with the server's reason.
    Closed(Option<Box<ServerRefusal>>),
}

/// A channel that is open.
#[derive(Clone, PartialEq, Debug)]
pub struct OpenedChannel {
    /// The seat, from 0.
    pub seat: u32,
    /// The match; its `seq` is the number of the last event before the updates that follow, its state comes with the first
    /// of them.
    pub r#match: Match,
    /// The view at that number, where no cursor was given and the match has begun.
    pub view: Option<View>,
}

/// A call that is refused.
#[derive(Clone, PartialEq, Debug)]
pub struct RefusedCall {
    /// The request id of the call.
    pub request_id: String,
    /// The refusal.
    pub refusal: ServerRefusal,
    /// The legal actions of the seat, if it is still to act.
    pub legal_actions: Option<LegalActions>,
}

/// The way in which a channel is opened. The default is with the present view, events, and the ids of legal actions.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct OpenOptions {
    /// The number of the last event that the caller has; `None`: they have none, and get the present view.
    pub after_seq: Option<u64>,
    /// The detail that prompts give of each legal action.
    pub legal: LegalDetail,
    /// Sends the whole view with each prompt.
    pub include_view: bool,
    /// Sends no events.
    pub omit_events: bool,
    /// Sends phrases and events in words, too.
    pub include_text: bool,
}
