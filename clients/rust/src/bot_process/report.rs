//! The outcome of a match for a bot ([`SeatReport`]).

use std::fmt;
use std::time::Duration;

use edgehill_client::v1::{MatchState, MatchStatus};
use serde::Serialize;

use super::wire_json::json;

/// The outcome of a match for a bot, with how it has kept to the protocol.
#[derive(Clone, Debug, Default)]
pub(crate) struct SeatReport {
    /// The match's id.
    pub match_id: String,
    /// The game's id.
    pub game: String,
    /// The bot's seat, from 0.
    pub seat: u32,
    /// The seat's id.
    pub seat_id: String,
    /// The way in which the bot came away from it.
    pub outcome: SeatOutcome,
    /// The match's state, as it was last told.
    pub state: Option<MatchState>,
    /// The reason for the last restart, or for the outcome; empty: there is none.
    pub reason: String,
    /// Number of actions that were taken.
    pub actions: u64,
    /// Number of times that the bot was started again.
    pub restarts: u32,
    /// Number of calls that were refused.
    pub refusals: u64,
    /// Number of lines that were none of the protocol.
    pub faults: u64,
    /// The longest time that an answer has taken.
    pub slowest_answer: Duration,
}

/// The way in which a bot came away from a match.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SeatOutcome {
    /// The match is over.
    Over,
    /// The bot was to be started again more often than it may. The seat is left to the clock and the host, or has resigned.
    Broken,
    /// The seat can't be played here any more: another one plays it.
    Left,
    /// The seat could not be taken.
    NotTaken,
    /// The runner was told to stop. The match goes on.
    #[default]
    Stopped,
}

impl SeatReport {
    /// The status of the match, such as `FINISHED`.
    fn status(&self) -> &'static str {
        status_name(self.state.as_ref().map_or(MatchStatus::Unspecified, MatchState::status))
    }

    /// The return of each seat; none without a result.
    fn returns(&self) -> &[i32] {
        self.state.as_ref().map_or(&[], returns)
    }

    /// As one line of JSON, without its end.
    pub(crate) fn to_json(&self) -> String {
        #[derive(Serialize)]
        struct Line<'a> {
            r#match: &'a str,
            game: &'a str,
            seat: u32,
            seat_id: &'a str,
            outcome: SeatOutcome,
            status: &'a str,
            r#return: Option<i32>,
            returns: &'a [i32],
            result: Option<prost_reflect::DynamicMessage>,
            reason: &'a str,
            actions: u64,
            restarts: u32,
            refusals: u64,
            faults: u64,
            slowest_answer_ms: u128,
        }
        let line = Line {
            r#match: &self.match_id,
            game: &self.game,
            seat: self.seat,
            seat_id: &self.seat_id,
            outcome: self.outcome,
            status: self.status(),
            r#return: self.returns().get(self.seat as usize).copied(),
            returns: self.returns(),
            result: self.state.as_ref().and_then(|state| state.result.as_ref()).map(json),
            reason: &self.reason,
            actions: self.actions,
            restarts: self.restarts,
            refusals: self.refusals,
            faults: self.faults,
            slowest_answer_ms: self.slowest_answer.as_millis(),
        };
        serde_json::to_string(&line).expect("the keys are text and nothing refuses to be written")
    }
}

/// One line in words.
impl fmt::Display for SeatReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { match_id, game, seat_id, outcome, reason, .. } = self;
        write!(f, "{match_id}  {game} {seat_id}: ")?;
        match (outcome, self.returns().get(self.seat as usize)) {
            (SeatOutcome::Over, Some(own)) => write!(f, "over, return {own}")?,
            (SeatOutcome::Over, None) => write!(f, "over, {}", self.status().to_lowercase())?,
            (SeatOutcome::Broken, _) => write!(f, "broken")?,
            (SeatOutcome::Left, _) => write!(f, "left")?,
            (SeatOutcome::NotTaken, _) => write!(f, "not taken")?,
            (SeatOutcome::Stopped, _) => write!(f, "stopped")?,
        }
        let Self { actions, restarts, refusals, faults, .. } = self;
        write!(f, "; {actions} actions, {restarts} restarts, {refusals} refusals, {faults} faults")?;
        write!(f, ", slowest answer {} ms", self.slowest_answer.as_millis())?;
        if reason.is_empty() { Ok(()) } else { write!(f, " ({reason})") }
    }
}

/// The name of a status without its prefix.
pub(super) fn status_name(status: MatchStatus) -> &'static str {
    status.as_str_name().trim_start_matches("MATCH_STATUS_")
}

/// The returns of a match: as a referee has corrected them, or those of its result; none without a result.
pub(super) fn returns(state: &MatchState) -> &[i32] {
    match (&state.result, state.corrected_returns.as_slice()) {
        (None, _) => &[],
        (Some(result), []) => &result.returns,
        (Some(_), corrected) => corrected,
    }
}

/// True if a match of this status is played no more.
pub(super) const fn has_ended(status: MatchStatus) -> bool {
    match status {
        MatchStatus::Finished
        | MatchStatus::Aborted
        | MatchStatus::Expired
        | MatchStatus::Unplayable
        | MatchStatus::Quarantined => true,
        MatchStatus::Unspecified | MatchStatus::Waiting | MatchStatus::Revealing | MatchStatus::Running => {
            false
        }
    }
}
