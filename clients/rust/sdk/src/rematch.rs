//! The match that follows a finished one ([`Rematch`]).

use std::fmt;

use edgehill_proto::v1::{Match, MatchConfig, MatchState, RematchMatchResponse};

use crate::error::{Error, required};
use crate::join_request::JoinRequest;

/// The match that follows a finished one, and one's seat in it.
#[derive(Clone, PartialEq)]
pub struct Rematch {
    /// All that was settled of the new match, with its id and its commitment.
    pub config: MatchConfig,
    /// How far it is.
    pub state: MatchState,
    /// One's seat in it, from 0.
    pub seat: u32,
    /// The invitation to the seat: a secret.
    pub invitation: String,
}

impl Rematch {
    pub(crate) fn of(answer: RematchMatchResponse) -> Result<Self, Error> {
        let RematchMatchResponse { r#match, seat, invitation } = answer;
        let Match { config, state, .. } = required(r#match, "match")?;
        let config = required(config, "match.config")?;
        Ok(Self { config, state: state.unwrap_or_default(), seat, invitation })
    }

    /// The taking of one's seat: add a player's name and entropy, and hand it to [`MatchCalls::join`](crate::MatchCalls::join).
    #[must_use]
    pub fn join_request(&self) -> JoinRequest {
        JoinRequest::of(&self.config.match_id).seat(self.seat).invitation(&self.invitation)
    }
}

/// Without the invitation.
impl fmt::Debug for Rematch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { config, seat, .. } = self;
        f.debug_struct("Rematch").field("config", config).field("seat", seat).finish_non_exhaustive()
    }
}
