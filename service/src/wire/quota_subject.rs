//! Whose quota it is that a call goes beyond.

use edgehill_proto::v1::{LimitName, QuotaSubject};

/// The one that has so much of what this limits.
pub(super) const fn of(limit: LimitName) -> QuotaSubject {
    match limit {
        LimitName::TurnChanges | LimitName::StandingPasses => QuotaSubject::Seat,
        LimitName::MatchLogBytes
        | LimitName::GroupMatches
        | LimitName::GroupEntrants
        | LimitName::RefereeActs
        | LimitName::AdjournSeconds => QuotaSubject::Match,
        LimitName::AccountKeys => QuotaSubject::Account,
        LimitName::ServerBotMatches | LimitName::ServerSeeks | LimitName::Accounts => QuotaSubject::Server,
        _ => QuotaSubject::Caller,
    }
}

/// Its name in `google.rpc.QuotaFailure`; `None` if no quota is at issue.
pub(super) const fn name(subject: QuotaSubject) -> Option<&'static str> {
    match subject {
        QuotaSubject::Unspecified => None,
        QuotaSubject::Caller => Some("caller"),
        QuotaSubject::Seat => Some("seat"),
        QuotaSubject::Match => Some("match"),
        QuotaSubject::Account => Some("account"),
        QuotaSubject::Server => Some("server"),
    }
}
