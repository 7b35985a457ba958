//! The reasons for which a caller is not let through: [`Error`].

use thiserror::Error;

use super::role::{AccountRoles, Role};
use super::text::TextError;

/// The reason for which a caller is not let through. None of these repeats what the caller sent.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Error {
    /// The call needs a key or a token, and has none.
    #[error("this needs {needed}, sent as metadata `authorization: Bearer ...`, and the call has none")]
    Missing {
        /// The key or token that it needs.
        needed: &'static str,
    },
    /// There is more than one.
    #[error("`authorization` stands {0} times in the metadata, at most once is taken")]
    Repeated(usize),
    /// It is not of the form that is taken.
    #[error("`authorization` is `Bearer`, one space, and a seat token (ehs_...) or an account key (ehk_...)")]
    Malformed,
    /// An invitation in place of a token.
    #[error(
        "an invitation goes into the field `invitation` of `Join`, not into the metadata; `Join` gives the seat's token"
    )]
    Invitation,
    /// It was mistyped or cut.
    #[error("`authorization` can't be read: {0}")]
    Mistyped(#[from] TextError),
    /// It is well made, and this server did not give it out or has revoked it.
    #[error("this server did not give out this {0}, or has revoked it")]
    NotGivenOut(&'static str),
    /// The account's key was good until a moment that is over.
    #[error("this account key has expired; whoever looks after the server gives out another")]
    Expired,
    /// The account may do nothing for now.
    #[error("the account is suspended")]
    Suspended,
    /// The account does not have the role.
    #[error("this needs an account with the role `{needed}`; this one has {has}")]
    RoleMissing {
        /// The role.
        needed: Role,
        /// The roles that it has.
        has: AccountRoles,
    },
    /// A seat's token where an account's key is needed.
    #[error("a seat token plays its seat and nothing else; this needs {needed}")]
    SeatOnly {
        /// The key that the call needs.
        needed: &'static str,
    },
    /// Something else than a seat's token where one is needed.
    #[error("an account's key plays no seat; this needs the seat token that `Join` gave")]
    NotASeat,
    /// The token is another match's.
    #[error("the seat token is for another match")]
    OtherMatch,
}

impl Error {
    /// The stable name of the reason: BAD_TOKEN or NOT_ALLOWED, as in docs/errors.md.
    #[must_use]
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::Missing { .. }
            | Self::Repeated(_)
            | Self::Malformed
            | Self::Invitation
            | Self::Mistyped(_)
            | Self::Expired
            | Self::NotGivenOut(_) => "BAD_TOKEN",
            Self::Suspended
            | Self::RoleMissing { .. }
            | Self::SeatOnly { .. }
            | Self::NotASeat
            | Self::OtherMatch => "NOT_ALLOWED",
        }
    }
}
