//! The callers whose use of the server is counted together: [`CallerKey`].

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

use http::Extensions;

use super::subscriber;
use crate::store::AccountId;

/// An account, or a place on the network.
///
/// A seat's token does not count: whether it is good is known only after a look-up, and with made-up tokens
/// anybody could be as many callers as they like.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum CallerKey {
    /// Anyone who has the account's key, wherever they are.
    Account(AccountId),
    /// Anyone who calls from this address; of an IPv6 address the half that a subscriber is given.
    Address(IpAddr),
}

impl CallerKey {
    /// The callers from this place.
    #[must_use]
    pub fn at(address: IpAddr) -> Self {
        Self::Address(subscriber(address))
    }

    /// The caller of a call, as the server's door has found them. Those of whom it knows nothing are one.
    #[must_use]
    pub fn of_call(extensions: &Extensions) -> Self {
        extensions.get::<Self>().cloned().unwrap_or(Self::Address(IpAddr::V6(Ipv6Addr::UNSPECIFIED)))
    }
}

impl fmt::Display for CallerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Account(id) => id.as_bytes().escape_ascii().fmt(f),
            Self::Address(address) => address.fmt(f),
        }
    }
}
