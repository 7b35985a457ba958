//! The callers whose calls are counted together: [`CallerKey`].

use std::net::{IpAddr, Ipv6Addr};

use http::{Extensions, HeaderMap};
use tonic::metadata::MetadataMap;
use tonic::transport::server::TcpConnectInfo;

use crate::identity::{Accounts, Caller, subscriber};
use crate::store::AccountId;

/// An account, or a place on the network.
///
/// A seat's token does not count: whether it is good is known only after a look-up, and with made-up tokens
/// anybody could be as many callers as they like.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum CallerKey {
    /// Anyone who has the account's key, wherever they are.
    Account(AccountId),
    /// Anyone who calls from this address; of an IPv6 address the half that a subscriber is given.
    Address(IpAddr),
}

impl CallerKey {
    /// Returns the key of the caller who makes this call.
    pub(super) fn of(headers: &HeaderMap, extensions: &Extensions, accounts: &Accounts) -> Self {
        // The one header that matters, and not a copy of all.
        let mut metadata = MetadataMap::new();
        for value in headers.get_all(http::header::AUTHORIZATION) {
            if let Ok(value) = tonic::metadata::MetadataValue::try_from(value.as_bytes()) {
                metadata.append("authorization", value);
            }
        }
        if let Ok(Caller::Account { id, .. }) = Caller::from_metadata(&metadata, accounts) {
            return Self::Account(id);
        }
        let address = extensions.get::<TcpConnectInfo>().and_then(TcpConnectInfo::remote_addr);
        Self::Address(address.map_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED), |address| subscriber(address.ip())))
    }
}
