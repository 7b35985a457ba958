//! The other end of a connection ([`Peer`]), and who calls through it ([`Proxies`]).

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use http::{Extensions, HeaderMap, HeaderName};
use ipnet::IpNet;
use tokio_util::sync::CancellationToken;
use tonic::metadata::MetadataMap;

use crate::config::Proxy;
use crate::identity::{Accounts, Caller, CallerKey};

/// The other end of a connection, known to every call that comes over it.
#[derive(Clone, Debug)]
pub struct Peer {
    /// Its address.
    pub address: IpAddr,
    /// Breaks the connection when it is cancelled.
    pub(super) connection: CancellationToken,
    /// The connection is another server's, which hands on what comes from the address.
    is_handed_on: bool,
}

impl Peer {
    /// The other end of a connection, which breaks when that is cancelled.
    pub(super) const fn new(address: IpAddr, connection: CancellationToken) -> Self {
        Self { address, connection, is_handed_on: false }
    }

    /// Takes a call for one from this address, which another server hands on.
    pub(super) const fn stands_for(&mut self, address: IpAddr) {
        self.address = address;
        self.is_handed_on = true;
    }
}

/// The proxies that say for whom they call.
#[derive(Clone, Default, Debug)]
pub(super) struct Proxies {
    networks: Vec<IpNet>,
    header: Option<HeaderName>,
}

/// A call's caller, and the way that it came.
#[derive(Clone, Debug)]
pub(super) struct CameFrom {
    pub caller: CallerKey,
    /// The token that breaks the connection; `None`: it is a proxy's or another server's, or not known.
    pub connection: Option<CancellationToken>,
}

impl Proxies {
    /// The proxies of the configuration, which has been checked.
    pub(super) fn new(config: &Proxy) -> Self {
        let networks = config.addresses.iter().filter_map(|text| crate::config::network(text)).collect();
        Self { networks, header: config.header.as_ref().and_then(|name| name.parse().ok()) }
    }

    /// Returns whether a proxy calls from this address.
    pub(super) fn has(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.networks.iter().any(|network| network.contains(&address))
    }

    /// The caller of a call, and how it came.
    pub(super) fn came_from(
        &self,
        headers: &HeaderMap,
        extensions: &Extensions,
        accounts: &Accounts,
    ) -> CameFrom {
        let peer = extensions.get::<Peer>();
        let address = peer.map_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED), |peer| peer.address);
        let caller =
            account(headers, accounts).unwrap_or_else(|| CallerKey::at(self.client(address, headers)));
        let own = peer.filter(|peer| !peer.is_handed_on && !self.has(peer.address));
        CameFrom { caller, connection: own.map(|peer| peer.connection.clone()) }
    }

    /// The address of a call's client: that of the peer, unless it is a proxy. Each proxy adds the address that it was called
    /// from at the end, so that the last one that is no proxy's is the client's, and what stands before is their own word.
    fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let Some(header) = self.header.as_ref().filter(|_| self.has(peer)) else { return peer };
        let values = headers.get_all(header).iter().rev();
        let entries = values.flat_map(|value| value.to_str().unwrap_or_default().rsplit(','));
        let mut client = peer;
        for address in entries.map_while(|entry| entry_address(entry.trim())) {
            client = address;
            if !self.has(client) {
                break;
            }
        }
        client
    }
}

/// An address as proxies write it: some with the port.
fn entry_address(text: &str) -> Option<IpAddr> {
    let with_port = || text.parse().ok().map(|address: SocketAddr| address.ip());
    text.parse().ok().or_else(with_port)
}

/// The account whose key comes with a call.
fn account(headers: &HeaderMap, accounts: &Accounts) -> Option<CallerKey> {
    // The one header that matters, and not a copy of all.
    let mut metadata = MetadataMap::new();
    for value in headers.get_all(http::header::AUTHORIZATION) {
        if let Ok(value) = tonic::metadata::MetadataValue::try_from(value.as_bytes()) {
            metadata.append("authorization", value);
        }
    }
    match Caller::from_metadata(&metadata, accounts) {
        Ok(Caller::Account { id, .. }) => Some(CallerKey::Account(id)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(peer: &str, forwarded: &[&str]) -> String {
        let config = Proxy {
            addresses: vec!["127.0.0.1".to_owned(), "10.0.0.0/8".to_owned()],
            header: Some("x-forwarded-for".to_owned()),
        };
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", value.parse().unwrap());
        }
        Proxies::new(&config).client(peer.parse().unwrap(), &headers).to_string()
    }

    #[test]
    fn a_client_is_whom_the_last_proxy_names_and_nobody_names_themselves() {
        for (peer, forwarded, expected) in [
            ("192.0.2.1", &["198.51.100.7"][..], "192.0.2.1"),
            ("127.0.0.1", &["198.51.100.7"], "198.51.100.7"),
            ("::ffff:127.0.0.1", &["198.51.100.7:4711"], "198.51.100.7"),
            ("127.0.0.1", &["203.0.113.9, 198.51.100.7"], "198.51.100.7"),
            ("127.0.0.1", &["203.0.113.9", "198.51.100.7"], "198.51.100.7"),
            ("127.0.0.1", &["203.0.113.9, 198.51.100.7, 10.1.2.3"], "198.51.100.7"),
            ("127.0.0.1", &["10.1.2.4, 10.1.2.3"], "10.1.2.4"),
            ("127.0.0.1", &["203.0.113.9, nobody, 10.1.2.3"], "10.1.2.3"),
            ("127.0.0.1", &["nobody"], "127.0.0.1"),
            ("127.0.0.1", &[], "127.0.0.1"),
        ] {
            assert_eq!(client(peer, forwarded), expected, "{forwarded:?} from {peer}");
        }
        let nobody = Proxies::default();
        assert_eq!(
            nobody.client(IpAddr::from([127, 0, 0, 1]), &HeaderMap::new()),
            IpAddr::from([127, 0, 0, 1])
        );
    }
}
