//! The policy of a competition: what it allows, and what it costs ([`Policy`]). The driver and the server keep to it; the standings read
//! two rules of it.

use std::num::NonZeroU16;

use serde::{Deserialize, Serialize};

/// The calls that bots may make beside playing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AllowedCalls {
    /// Lists of legal actions.
    pub legal_lists: bool,
    /// Explanations of refusals by the rules.
    pub explanations: bool,
    /// Undoing drafts.
    pub undo: bool,
    /// Analysis: what-if and playouts on the server.
    pub analysis: bool,
    /// House bots as entrants.
    pub house_bots: bool,
}

impl Default for AllowedCalls {
    /// All but analysis.
    fn default() -> Self {
        Self { legal_lists: true, explanations: true, undo: true, analysis: false, house_bots: true }
    }
}

/// The cost of an illegal action.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IllegalActionCost {
    /// It is refused, and costs the time that it took.
    Refusal,
    /// This many in a match forfeit it.
    ForfeitAfter(NonZeroU16),
}

/// The cost of a question whose time ran out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimeoutCost {
    /// The game's default action is played.
    DefaultAction,
    /// The default action is played, and this many in a match forfeit it; 1 for the first.
    ForfeitAfter(NonZeroU16),
}

/// The way in which forfeited matches count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ForfeitRule {
    /// As lost on the board: for points, tie-breaks, statistics and ratings. A bot that runs out of time is a weak bot.
    Played,
    /// For points alone, as a bye does: tie-breaks, statistics and ratings leave them out.
    Unplayed,
}

/// The way in which results against entrants count that were withdrawn or disqualified.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WithdrawalRule {
    /// As they are.
    ResultsStand,
    /// For nothing, those before the withdrawal with them: fair where everybody would have met them, in a round robin or a gauntlet.
    ResultsAnnulled,
}

/// The moment from which anybody may read the records and seeds of matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Publication {
    /// The end of their round.
    AfterEachRound,
    /// The end of the competition.
    AtTheEnd,
    /// Never: the entrants have their own.
    Never,
}

/// The policy of a competition: what it allows, what it costs, and what it shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Policy {
    /// The calls that are allowed.
    pub calls: AllowedCalls,
    /// The cost of illegal actions.
    pub illegal_actions: IllegalActionCost,
    /// The cost of timeouts.
    pub timeouts: TimeoutCost,
    /// The way in which forfeited matches count.
    pub forfeits: ForfeitRule,
    /// The way in which results against those count who left.
    pub withdrawals: WithdrawalRule,
    /// Seconds by which spectators see matches late, at most a day.
    pub spectator_delay_s: u32,
    /// Events by which spectators see matches late, at most 10,000.
    pub spectator_delay_events: u32,
    /// Seconds after which an entrant who has not taken their seat of a match forfeits it by absence: 1 to a week.
    pub absence_s: u32,
    /// The moment at which records and seeds are published.
    pub publication: Publication,
}

impl Default for Policy {
    /// Bots may look at lists and explanations, undo, and be the server's own; a match is lost by its rules or its clock alone, or by who does
    /// not come within ten minutes; spectators see all at once, and records are published at the end.
    fn default() -> Self {
        Self {
            calls: AllowedCalls::default(),
            illegal_actions: IllegalActionCost::Refusal,
            timeouts: TimeoutCost::DefaultAction,
            forfeits: ForfeitRule::Played,
            withdrawals: WithdrawalRule::ResultsStand,
            spectator_delay_s: 0,
            spectator_delay_events: 0,
            absence_s: 600,
            publication: Publication::AtTheEnd,
        }
    }
}
