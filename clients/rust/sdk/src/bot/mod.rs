//! Players ([`Bot`]), and what drives them ([`run_bot`], [`run_bots`]).

mod random;
mod run;

use edgehill_proto::v1::{MatchConfig, View};

pub use random::Random;
pub use run::{BotReport, run_bot, run_bots};

/// The turn that a bot is asked about: its seat is to act.
#[derive(Copy, Clone, Debug)]
pub struct Turn<'a> {
    /// The match's terms.
    pub terms: &'a MatchConfig,
    /// The seat, from 0.
    pub seat: u32,
    /// The number of the last event that is in the view.
    pub seq: u64,
    /// The view of the seat; `None` for a bot that does not want to.
    pub view: Option<&'a View>,
    /// The ids of the actions that it may take, at least one.
    pub legal: &'a [u32],
}

/// A player of one seat of one match.
pub trait Bot: Send {
    /// Returns whether it looks at the view. One that does not saves the server sending what changes in it.
    fn looks(&self) -> bool {
        true
    }

    /// Chooses what to do: ids of actions, at least one, the first of them one of `turn.legal`. They are taken as one;
    /// so more than one is for bots that know which actions follow without anything being revealed between them.
    fn choose(&mut self, turn: &Turn<'_>) -> Vec<u32>;
}

impl<B: Bot + ?Sized> Bot for Box<B> {
    fn looks(&self) -> bool {
        (**self).looks()
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Vec<u32> {
        (**self).choose(turn)
    }
}
