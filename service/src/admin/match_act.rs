//! Acts on matches ([`MatchAct`]), as the log of acts has them: the match's own log has them, too, without the account.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::matches::RefereeAct;
use crate::store::{AccountId, MatchId};

/// An act on a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MatchAct {
    /// The match.
    pub id: [u8; 16],
    /// The act.
    pub what: MatchActKind,
}

/// The kind of an act on a match, with what goes with it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum MatchActKind {
    /// A referee's.
    Referee {
        /// The act.
        act: RefereeAct,
        /// The reason; may be empty.
        reason: String,
        /// The account that alone may take the seat which it opens.
        account: Option<AccountId>,
    },
    /// An operator takes a match back that is not theirs.
    Abort,
    /// A referee looks at the view of a seat while the match runs.
    View {
        /// The seat.
        seat: u8,
    },
    /// A referee reads the record while the match runs.
    Record,
    /// A match that was closed to play is opened again.
    Release,
}

impl MatchAct {
    /// The match.
    #[must_use]
    pub const fn match_id(&self) -> MatchId {
        MatchId::from_bytes(self.id)
    }

    /// The account that it is about, if it is about one.
    #[must_use]
    pub const fn account(&self) -> Option<&AccountId> {
        match &self.what {
            MatchActKind::Referee { account, .. } => account.as_ref(),
            MatchActKind::Abort
            | MatchActKind::View { .. }
            | MatchActKind::Record
            | MatchActKind::Release => None,
        }
    }
}

impl fmt::Display for MatchAct {
    /// The act in words for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = self.match_id();
        let (act, reason, account) = match &self.what {
            MatchActKind::Referee { act, reason, account } => (act, reason, account),
            MatchActKind::Abort => return write!(f, "took the match {id} back"),
            MatchActKind::View { seat } => {
                return write!(f, "looked at the view of seat {seat} of the running match {id}");
            }
            MatchActKind::Record => return write!(f, "read the record of the running match {id}"),
            MatchActKind::Release => return write!(f, "released the match {id}"),
        };
        match act {
            RefereeAct::AddTime { seat, added_ms } => {
                write!(f, "gave the clock of seat {seat} of the match {id} {added_ms} ms")?;
            }
            RefereeAct::ReplacePlayer { seat, .. } => {
                write!(f, "replaced the player of seat {seat} of the match {id}")?;
                if let Some(account) = account {
                    write!(f, " by {}", account.as_bytes().escape_ascii())?;
                }
            }
            RefereeAct::Void => write!(f, "voided the match {id}")?,
            RefereeAct::CorrectResult { returns } => {
                write!(f, "corrected the result of the match {id} to {returns:?}")?;
            }
            RefereeAct::Adjourn { longest_ms } => {
                write!(f, "adjourned the match {id} for at most {longest_ms} ms")?;
            }
            RefereeAct::EndAdjournment => write!(f, "ended the adjournment of the match {id}")?,
        }
        if reason.is_empty() { Ok(()) } else { write!(f, ": {reason}") }
    }
}
