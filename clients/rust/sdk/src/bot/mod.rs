//! Bots of a client ([`ClientBot`]), and the loops that play them ([`run_bot`], [`run_bots`]).

mod random_bot;
mod run;

use std::time::{Duration, Instant};

use edgehill_proto::v1::{MatchConfig, SeatUpdate, View};

use crate::answer_deadline;

pub use random_bot::RandomBot;
pub use run::{BotReport, run_bot, run_bots};

/// The turn that a bot is asked about: its seat is to act.
#[derive(Copy, Clone, Debug)]
pub struct Turn<'a> {
    /// All that was settled when the match was made.
    pub config: &'a MatchConfig,
    /// The seat, from 0.
    pub seat: u32,
    /// The number of the last event that is in the view.
    pub seq: u64,
    /// The view of the seat; `None` for a bot that does not look at it.
    pub view: Option<&'a View>,
    /// The ids of the actions that it may take, at least one.
    pub legal: &'a [u32],
    /// The moment until which it may answer, by this machine's clock; `None`: no clock runs for it. The server's word, at the moment
    /// at which it came.
    pub answer_deadline: Option<Instant>,
}

impl Turn<'_> {
    /// The time that is left for the decision, so that it is less with each call; `None`: no clock runs for it. Leave room for the way.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        self.answer_deadline.map(answer_deadline::left)
    }
}

/// A player of one seat of one match, in the client's program.
pub trait ClientBot: Send {
    /// True if it looks at the view. One that does not spares the server the events.
    fn looks(&self) -> bool {
        true
    }

    /// Takes note of an update of its seat, before it is asked: for bots that keep a memory of events. Does nothing unless it
    /// is implemented.
    fn on_event(&mut self, update: &SeatUpdate) {
        let _ = update;
    }

    /// Chooses ids of actions, at least one, the first of them one of `turn.legal`. They are taken as one;
    /// so more than one is for bots that know which actions follow without anything being revealed between them.
    fn choose(&mut self, turn: &Turn<'_>) -> Vec<u32>;
}

impl<B: ClientBot + ?Sized> ClientBot for Box<B> {
    fn looks(&self) -> bool {
        (**self).looks()
    }

    fn on_event(&mut self, update: &SeatUpdate) {
        (**self).on_event(update);
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Vec<u32> {
        (**self).choose(turn)
    }
}
