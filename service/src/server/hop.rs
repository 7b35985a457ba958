//! The word of a server about who calls, to the server that it hands the call on to: [`Hop`].
//!
//! A call goes from server to server once at most. The one that hands it on adds the address that it was called from, and a hash of that
//! under the key that all of them hold: nobody else is believed.

use std::net::IpAddr;

use http::{HeaderName, HeaderValue, Request};
use subtle::ConstantTimeEq;

use super::peer::Peer;
use crate::identity::ServerKey;

/// The header with the address that a call came from.
const CALLED_FROM: HeaderName = HeaderName::from_static("edgehill-called-from");

/// The header with the hash that vouches for it.
const VOUCHED: HeaderName = HeaderName::from_static("edgehill-vouched");

/// The means by which servers vouch for callers to one another. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Hop(ServerKey);

impl Hop {
    /// Vouches with this key.
    pub(super) const fn new(key: ServerKey) -> Self {
        Self(key)
    }

    /// Says where a call came from, to a server that it is handed on to.
    pub(super) fn vouch<B>(&self, request: &mut Request<B>) {
        let Some(peer) = request.extensions().get::<Peer>() else { return };
        let address = peer.address.to_string();
        let hash = hex::encode(self.0.hash_called_from(&peer.address));
        let headers = request.headers_mut();
        for (name, value) in [(CALLED_FROM, address), (VOUCHED, hash)] {
            if let Ok(value) = HeaderValue::try_from(value) {
                headers.insert(name, value);
            }
        }
    }

    /// Takes the word of another server: the call has come from where that one was called from. Returns whether there is such a word;
    /// headers that nobody vouches for are dropped.
    pub(super) fn take_word<B>(&self, request: &mut Request<B>) -> bool {
        let headers = request.headers_mut();
        let (Some(address), Some(vouched)) = (headers.remove(CALLED_FROM), headers.remove(VOUCHED)) else {
            return false;
        };
        let Some(address) = address.to_str().ok().and_then(|text| text.parse::<IpAddr>().ok()) else {
            return false;
        };
        let hash = hex::encode(self.0.hash_called_from(&address));
        let is_vouched = bool::from(vouched.as_bytes().ct_eq(hash.as_bytes()));
        if is_vouched && let Some(peer) = request.extensions_mut().get_mut::<Peer>() {
            peer.stands_for(address);
        }
        is_vouched
    }
}

#[cfg(test)]
mod tests {
    use tokio_util::sync::CancellationToken;

    use super::*;

    fn request(from: IpAddr) -> Request<()> {
        let mut request = Request::new(());
        request.extensions_mut().insert(Peer::new(from, CancellationToken::new()));
        request
    }

    fn address(request: &Request<()>) -> IpAddr {
        request.extensions().get::<Peer>().unwrap().address
    }

    /// The call as it comes to the next server, from this one's address.
    fn handed_on(mut request: Request<()>, hop: &Hop) -> Request<()> {
        hop.vouch(&mut request);
        let server = IpAddr::from([10, 0, 0, 2]);
        request.extensions_mut().insert(Peer::new(server, CancellationToken::new()));
        request
    }

    #[test]
    fn a_server_is_believed_and_nobody_else() {
        let [ours, other] = [1, 2].map(|byte| Hop::new(ServerKey::from_bytes([byte; 32])));
        let client = IpAddr::from([192, 0, 2, 7]);
        let mut request_of_ours = handed_on(request(client), &ours);
        assert!(ours.take_word(&mut request_of_ours));
        assert_eq!(address(&request_of_ours), client);
        assert!(request_of_ours.headers().is_empty());
        let mut foreign = handed_on(request(client), &other);
        assert!(!ours.take_word(&mut foreign));
        assert_ne!(address(&foreign), client);
        assert!(foreign.headers().is_empty());
        // The word is about one address.
        let mut changed = handed_on(request(client), &ours);
        changed.headers_mut().insert(CALLED_FROM, HeaderValue::from_static("192.0.2.8"));
        assert!(!ours.take_word(&mut changed));
        assert!(!ours.take_word(&mut request(client)));
    }

    #[test]
    fn a_client_says_nothing_of_itself_through_a_server() {
        let ours = Hop::new(ServerKey::from_bytes([1; 32]));
        let mut lying = request(IpAddr::from([192, 0, 2, 7]));
        lying.headers_mut().insert(CALLED_FROM, HeaderValue::from_static("198.51.100.9"));
        lying.headers_mut().insert(VOUCHED, HeaderValue::from_static("00"));
        let mut handed = handed_on(lying, &ours);
        assert!(ours.take_word(&mut handed));
        assert_eq!(address(&handed), IpAddr::from([192, 0, 2, 7]));
    }
}
