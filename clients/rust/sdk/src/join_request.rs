//! The taking of a seat ([`JoinRequest`]).

use std::fmt;

use crate::client_secret::ClientSecret;
use crate::connection::Connection;
use edgehill_proto::v1::{JoinMatchRequest, ResponseOptions};

/// A seat to be taken.
#[derive(Clone, PartialEq)]
pub struct JoinRequest(JoinMatchRequest);

/// Without its secrets: the invitation and the entropy.
impl fmt::Debug for JoinRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let JoinMatchRequest { match_id, seat, .. } = &self.0;
        f.debug_struct("JoinRequest").field("match_id", match_id).field("seat", seat).finish_non_exhaustive()
    }
}

impl JoinRequest {
    /// The first open seat of this match.
    #[must_use]
    pub fn of(match_id: impl Into<String>) -> Self {
        Self(JoinMatchRequest { match_id: match_id.into(), ..JoinMatchRequest::default() })
    }

    /// This seat, from 0.
    #[must_use]
    pub fn seat(mut self, seat: u32) -> Self {
        self.0.seat = Some(seat);
        self
    }

    /// The seat of this invitation.
    #[must_use]
    pub fn invitation(mut self, invitation: impl Into<String>) -> Self {
        self.0.invitation = invitation.into();
        self
    }

    /// Adds these 32 bytes to the dice; [`entropy::fresh`](crate::entropy::fresh) makes some. Keep them: after the match they
    /// have to be found in its dice.
    #[must_use]
    pub fn entropy(mut self, entropy: [u8; 32]) -> Self {
        self.0.entropy = entropy.to_vec();
        self
    }

    /// Binds the seat to its entropy, where the match asks for it;
    /// [`entropy::commitment`](crate::entropy::commitment) makes it.
    #[must_use]
    pub fn entropy_commitment(mut self, commitment: [u8; 32]) -> Self {
        self.0.entropy_commitment = commitment.to_vec();
        self
    }

    /// Sets the player's name for others.
    #[must_use]
    pub fn player(mut self, name: impl Into<String>) -> Self {
        self.0.player = name.into();
        self
    }

    /// Sets the parts to send along, if the match begins with this call.
    #[must_use]
    pub const fn response_options(mut self, options: ResponseOptions) -> Self {
        self.0.response_options = Some(options);
        self
    }

    /// Under a request id of the caller's own: the same one gives the same token again, after a restart with the same
    /// [`Options::client_secret`](crate::Options::client_secret) too. Without one the client makes it.
    #[must_use]
    pub fn request_id(mut self, id: impl Into<String>) -> Self {
        self.0.request_id = id.into();
        self
    }

    /// Under this secret in place of the client's: whoever keeps it with the request id is given the same token from any client.
    #[must_use]
    pub fn client_secret(mut self, secret: &ClientSecret) -> Self {
        self.0.client_secret = secret.as_bytes().to_vec();
        self
    }

    /// The call of a client, with an id and the secret of its own if this has none.
    pub(crate) fn request(mut self, connection: &Connection) -> JoinMatchRequest {
        if self.0.request_id.is_empty() {
            self.0.request_id = connection.next_request_id();
        }
        if self.0.client_secret.is_empty() {
            self.0.client_secret = connection.client_secret().as_bytes().to_vec();
        }
        self.0
    }
}
