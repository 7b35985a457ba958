//! Whose quota it is that a call goes beyond ([`QuotaSubject`]).

use edgehill_proto::v1::LimitName;

/// The one whose quota it is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum QuotaSubject {
    /// The caller's: their account or, without one, their address.
    Caller,
    /// A seat's.
    Seat,
    /// A match's.
    Match,
    /// An account's that the call is about.
    Account,
    /// All callers' together.
    Server,
}

impl QuotaSubject {
    /// The one that has so much of what this limits.
    #[must_use]
    pub const fn of(limit: LimitName) -> Self {
        match limit {
            LimitName::TurnChanges | LimitName::StandingPasses => Self::Seat,
            LimitName::MatchLogBytes
            | LimitName::GroupMatches
            | LimitName::GroupEntrants
            | LimitName::RefereeActs
            | LimitName::AdjournSeconds => Self::Match,
            LimitName::AccountKeys => Self::Account,
            LimitName::ServerBotMatches | LimitName::ServerSeeks | LimitName::Accounts => Self::Server,
            _ => Self::Caller,
        }
    }

    /// Its name in `google.rpc.QuotaFailure`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Caller => "caller",
            Self::Seat => "seat",
            Self::Match => "match",
            Self::Account => "account",
            Self::Server => "server",
        }
    }
}
