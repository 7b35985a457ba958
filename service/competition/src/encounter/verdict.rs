//! Verdicts: the closed set of ways in which a match of a competition counts ([`Verdict`]).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Encounter, EntrantId, ParseWordError};
use crate::pair_score::MatchOutcome;

/// The reason for which an entrant has forfeited a match.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ForfeitReason {
    /// Its time ran out: written `time`.
    Time,
    /// It sent more illegal actions than the policy forgives: written `illegal actions`.
    IllegalActions,
    /// It did not come, or was withdrawn or disqualified before the match began: written `absence`.
    Absence,
}

impl ForfeitReason {
    /// Every reason.
    pub const ALL: [Self; 3] = [Self::Time, Self::IllegalActions, Self::Absence];
}

impl fmt::Display for ForfeitReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Time => "time",
            Self::IllegalActions => "illegal actions",
            Self::Absence => "absence",
        })
    }
}

impl FromStr for ForfeitReason {
    type Err = ParseWordError;

    fn from_str(text: &str) -> Result<Self, ParseWordError> {
        let expected = ParseWordError { expected: "one of time, illegal actions and absence" };
        Self::ALL.into_iter().find(|reason| reason.to_string() == text).ok_or(expected)
    }
}

/// The way in which a match counts. There is no other: a host that can say none of the rest says void.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// This entrant won: written `win #1`.
    Win(EntrantId),
    /// This entrant lost, so that the other has won: written `loss #1`.
    Loss(EntrantId),
    /// Nobody won: written `draw`.
    Draw,
    /// This entrant lost without being beaten: written `forfeit #1 by time`.
    Forfeit {
        /// The one that has lost.
        entrant: EntrantId,
        /// The reason.
        reason: ForfeitReason,
    },
    /// Both lost without being beaten: written `both forfeit by absence`.
    BothForfeit(ForfeitReason),
    /// In a game for one, this entrant's score: written `score #1 17`.
    Score {
        /// The one that has played.
        entrant: EntrantId,
        /// The return that they got.
        score: i32,
    },
    /// The host took the match back; it counts for nothing: written `void`.
    Void,
}

impl Verdict {
    const EXPECTED: ParseWordError = ParseWordError {
        expected: "a verdict such as `win #1`, `loss #1`, `draw`, `forfeit #1 by time`, `both forfeit by absence`, `score #1 17` or `void`",
    };

    /// The verdict of a match that was played to its end: won by the higher return, or a score. [`None`] if there is not a return for each
    /// seat, or if neither one nor two have played.
    #[must_use]
    pub fn of_returns(seats: &[EntrantId], returns: &[i32]) -> Option<Self> {
        match (seats, returns) {
            (&[entrant], &[score]) => Some(Self::Score { entrant, score }),
            (&[one, other], &[own, others]) => Some(match MatchOutcome::of_returns(own, others) {
                MatchOutcome::Win => Self::Win(one),
                MatchOutcome::Draw => Self::Draw,
                MatchOutcome::Loss => Self::Win(other),
            }),
            _ => None,
        }
    }

    /// Returns the outcome of the match for an entrant of the encounter: [`None`] for a match that is void, or was played by one alone,
    /// and for those who are not of the encounter.
    #[must_use]
    pub fn outcome_for(self, entrant: EntrantId, encounter: Encounter) -> Option<MatchOutcome> {
        encounter.opponent_of(entrant)?;
        let lost_by = |loser| if loser == entrant { MatchOutcome::Loss } else { MatchOutcome::Win };
        match self {
            Self::Win(winner) => Some(lost_by(winner).for_the_other()),
            Self::Loss(loser) | Self::Forfeit { entrant: loser, .. } => Some(lost_by(loser)),
            Self::Draw => Some(MatchOutcome::Draw),
            Self::BothForfeit(_) => Some(MatchOutcome::Loss),
            Self::Score { .. } | Self::Void => None,
        }
    }

    /// Returns the entrant that the verdict names, if it names one.
    #[must_use]
    pub const fn about(self) -> Option<EntrantId> {
        match self {
            Self::Win(entrant)
            | Self::Loss(entrant)
            | Self::Forfeit { entrant, .. }
            | Self::Score { entrant, .. } => Some(entrant),
            Self::Draw | Self::BothForfeit(_) | Self::Void => None,
        }
    }

    /// Returns whether it was decided by a forfeit.
    #[must_use]
    pub const fn is_forfeit(self) -> bool {
        matches!(self, Self::Forfeit { .. } | Self::BothForfeit(_))
    }

    /// Returns whether this entrant has forfeited.
    #[must_use]
    pub fn is_forfeit_of(self, by: EntrantId) -> bool {
        match self {
            Self::Forfeit { entrant, .. } => entrant == by,
            Self::BothForfeit(_) => true,
            _ => false,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(entrant) => write!(f, "win {entrant}"),
            Self::Loss(entrant) => write!(f, "loss {entrant}"),
            Self::Draw => f.write_str("draw"),
            Self::Forfeit { entrant, reason } => write!(f, "forfeit {entrant} by {reason}"),
            Self::BothForfeit(reason) => write!(f, "both forfeit by {reason}"),
            Self::Score { entrant, score } => write!(f, "score {entrant} {score}"),
            Self::Void => f.write_str("void"),
        }
    }
}

impl FromStr for Verdict {
    type Err = ParseWordError;

    fn from_str(text: &str) -> Result<Self, ParseWordError> {
        let no_verdict = |_| Self::EXPECTED;
        if let Some(reason) = text.strip_prefix("both forfeit by ") {
            return Ok(Self::BothForfeit(reason.parse()?));
        }
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        match word {
            "draw" if word == text => Ok(Self::Draw),
            "void" if word == text => Ok(Self::Void),
            "win" => Ok(Self::Win(rest.parse().map_err(no_verdict)?)),
            "loss" => Ok(Self::Loss(rest.parse().map_err(no_verdict)?)),
            "forfeit" => {
                let (entrant, reason) = rest.split_once(" by ").ok_or(Self::EXPECTED)?;
                Ok(Self::Forfeit { entrant: entrant.parse().map_err(no_verdict)?, reason: reason.parse()? })
            }
            "score" => {
                let (entrant, written) = rest.split_once(' ').ok_or(Self::EXPECTED)?;
                let score: i32 = written.parse().map_err(|_| Self::EXPECTED)?;
                if score.to_string() != written {
                    return Err(Self::EXPECTED);
                }
                Ok(Self::Score { entrant: entrant.parse().map_err(no_verdict)?, score })
            }
            _ => Err(Self::EXPECTED),
        }
    }
}
