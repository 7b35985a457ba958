//! The lines of the runner to a bot ([`ToBot`]).
//!
//! Their fields are written in the order in which they stand here, without blanks: docs/line-protocol.md promises it to bots
//! that have no JSON library.

use prost_reflect::DynamicMessage;
use serde::Serialize;

/// The version of the protocol.
pub(super) const PROTOCOL: u32 = 1;

/// A line to a bot.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(super) enum ToBot<'a> {
    /// The match that is to be played: the first line.
    Hello(Hello<'a>),
    /// The game in full, with its action table.
    Catalog {
        /// `Game`.
        game: DynamicMessage,
        /// `ActionDef`, each at the place of its id.
        actions: Vec<DynamicMessage>,
    },
    /// The view of the seat, before the prompt that it belongs to.
    View {
        /// Number of the last event that is in it.
        seq: u64,
        /// `View`.
        view: DynamicMessage,
        /// The board in words.
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// Events of the seat's sequence.
    Update {
        /// Number of the last of them.
        seq: u64,
        /// `Event`.
        events: Vec<DynamicMessage>,
    },
    /// The state of the match.
    State {
        /// `MatchState`.
        state: DynamicMessage,
    },
    /// The seat is to act.
    Decide {
        /// Number of the prompt, from 1 in each match.
        prompt: u64,
        /// Number of the first legal actions that move the game; those after them move the attention only.
        choices: usize,
        /// Ids of the legal actions.
        legal: &'a [u32],
        /// The notation of each.
        notations: Vec<&'a str>,
        /// Milliseconds that are left; `None`: no clock runs.
        left_ms: Option<u64>,
        /// Number of the last event of the seat's sequence.
        seq: u64,
        /// `LegalAction`, each in full.
        #[serde(skip_serializing_if = "Option::is_none")]
        actions: Option<Vec<DynamicMessage>>,
    },
    /// A call of the bot is refused, and nothing has changed.
    Refused {
        /// The prompt that it answered.
        prompt: Option<u64>,
        /// The reason, as docs/errors.md names it, or `STALE_PROMPT`.
        reason: String,
        /// One sentence.
        message: String,
        /// The rules that the action would violate.
        rules: Vec<&'a str>,
        /// `Refusal`; `None` if the runner refused.
        refusal: Option<DynamicMessage>,
    },
    /// A line of the bot is none of the protocol.
    Fault {
        /// The fault, and what would be accepted.
        message: String,
    },
    /// The match is over.
    Over {
        /// Its status, such as `FINISHED`.
        status: &'a str,
        /// The seat's return; `None` without a result.
        r#return: Option<i32>,
        /// The return of each seat.
        returns: &'a [i32],
        /// `MatchState`.
        state: DynamicMessage,
    },
    /// Nothing follows: the bot is to end.
    Bye {
        /// The reason.
        reason: Bye,
    },
}

/// The match that is to be played.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Hello<'a> {
    /// [`PROTOCOL`].
    pub protocol: u32,
    /// The match's id.
    #[serde(rename = "match")]
    pub match_id: &'a str,
    /// The game's id.
    pub game: &'a str,
    /// The number of its rules version.
    pub rules: u32,
    /// The hash of its content, in hexadecimal digits.
    pub content: String,
    /// The scenario's id.
    pub scenario: &'a str,
    /// The seat, from 0.
    pub seat: u32,
    /// Ids of the seats that play.
    pub seats: Vec<&'a str>,
    /// A number below 2 to the power of 53 for the bot's own randomness.
    pub seed: u64,
    /// Number of processes that have played the seat before.
    pub restart: u32,
    /// `OptionValue`.
    pub options: Vec<DynamicMessage>,
    /// `ClockConfig`; `None` without clocks.
    pub clock: Option<DynamicMessage>,
}

/// The reason for which a bot is to end.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Bye {
    /// The match is over.
    Over,
    /// The runner was told to stop; the match goes on.
    Stopped,
    /// The seat is not, or no more, this runner's to play.
    Left,
}

impl ToBot<'_> {
    /// The line, with its end.
    pub(super) fn line(&self) -> String {
        let mut line =
            serde_json::to_string(self).expect("the keys are text and nothing refuses to be written");
        line.push('\n');
        line
    }
}
