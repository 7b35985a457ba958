//! Calls of referees ([`RefereeCalls`]): time, players, adjournments and results of matches.

use std::fmt;
use std::time::Duration;

use edgehill_proto::v1::{
    AddMatchTimeRequest, AdjournMatchRequest, CorrectMatchResultRequest, EndAdjournmentRequest, Match,
    ReplaceMatchPlayerRequest, VoidMatchRequest,
};

use crate::connection::Connection;
use crate::error::{Error, required};
use crate::join_request::JoinRequest;
use crate::retry::until_answered;
use crate::span::span;

/// Calls of referees, by the key of an account with the role [`AccountRole::Referee`](crate::v1::AccountRole::Referee). Each is made
/// with a request id, and repeated with it while the connection is down: it happens once. The reasons are for everybody to see.
#[derive(Copy, Clone, Debug)]
pub struct RefereeCalls<'a> {
    connection: &'a Connection,
}

/// A player to be replaced. The default is that of seat 0, by whoever is given the invitation.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Replacement {
    /// The seat, from 0.
    pub seat: u32,
    /// The account that alone may take the seat; `None`: whoever has the invitation.
    pub account: Option<String>,
    /// The new player's name for others, until they give one themselves.
    pub player: String,
    /// The reason; may be empty.
    pub reason: String,
}

/// A seat that is open for another player.
#[derive(Clone, PartialEq)]
pub struct ReplacedPlayer {
    /// The match.
    pub r#match: Match,
    /// The seat, from 0.
    pub seat: u32,
    /// The invitation to it, a secret; `None`: an account is to take it.
    pub invitation: Option<String>,
}

impl ReplacedPlayer {
    /// The taking of the seat, by the new player: add a name, and hand it to [`MatchCalls::join`](crate::MatchCalls::join).
    #[must_use]
    pub fn join_request(&self) -> JoinRequest {
        let match_id = self.r#match.config.as_ref().map_or("", |config| &config.match_id);
        let join = JoinRequest::of(match_id).seat(self.seat);
        match &self.invitation {
            Some(invitation) => join.invitation(invitation),
            None => join,
        }
    }
}

/// Without the invitation.
impl fmt::Debug for ReplacedPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { r#match, seat, .. } = self;
        f.debug_struct("ReplacedPlayer").field("match", r#match).field("seat", seat).finish_non_exhaustive()
    }
}

/// Makes one call until it has an answer.
macro_rules! call {
    ($calls:ident . $method:ident($request:expr)) => {{
        let wire = $calls.connection.referee_wire()?;
        let request = $request;
        let answer = until_answered($calls.connection.retry_policy(), $calls.connection.contact(), || {
            let (mut wire, request) = (wire.clone(), request.clone());
            async move { wire.$method(request).await }
        });
        answer.await
    }};
}

impl<'a> RefereeCalls<'a> {
    pub(crate) const fn new(connection: &'a Connection) -> Self {
        Self { connection }
    }

    /// Adds time to a seat's clock, in whole milliseconds: to its bank, if there is one, and to the limit of its question. `reason`
    /// may be empty.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn add_time(
        &self,
        match_id: &str,
        seat: u32,
        added: Duration,
        reason: &str,
    ) -> Result<Match, Error> {
        let request = AddMatchTimeRequest {
            match_id: match_id.to_owned(),
            request_id: self.connection.next_request_id(),
            seat,
            added: Some(span(added)?),
            reason: reason.to_owned(),
        };
        required(call!(self.add_match_time(request))?.r#match, "match")
    }

    /// Takes a seat from its player, for another one to go on with.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn replace_player(
        &self,
        match_id: &str,
        replacement: Replacement,
    ) -> Result<ReplacedPlayer, Error> {
        let Replacement { seat, account, player, reason } = replacement;
        let request = ReplaceMatchPlayerRequest {
            match_id: match_id.to_owned(),
            request_id: self.connection.next_request_id(),
            seat,
            account_id: account.unwrap_or_default(),
            player,
            reason,
        };
        let answer = call!(self.replace_match_player(request))?;
        let invitation = Some(answer.invitation).filter(|invitation| !invitation.is_empty());
        Ok(ReplacedPlayer { r#match: required(answer.r#match, "match")?, seat, invitation })
    }

    /// Adjourns a match with clocks for at most so long, in whole milliseconds, from a minute to 30 days: until a referee ends that
    /// or the time is over. `reason` may be empty.
    ///
    /// # Errors
    /// If the match has no clocks or is adjourned, the server refuses otherwise, or does not answer.
    pub async fn adjourn(&self, match_id: &str, longest: Duration, reason: &str) -> Result<Match, Error> {
        let request = AdjournMatchRequest {
            match_id: match_id.to_owned(),
            request_id: self.connection.next_request_id(),
            adjourn_for: Some(span(longest)?),
            reason: reason.to_owned(),
        };
        required(call!(self.adjourn_match(request))?.r#match, "match")
    }

    /// Ends the adjournment of a match, whoever has adjourned it: the match goes on. `reason` may be empty.
    ///
    /// # Errors
    /// If the match is not adjourned, the server refuses otherwise, or does not answer.
    pub async fn end_adjournment(&self, match_id: &str, reason: &str) -> Result<Match, Error> {
        let request = EndAdjournmentRequest {
            match_id: match_id.to_owned(),
            request_id: self.connection.next_request_id(),
            reason: reason.to_owned(),
        };
        required(call!(self.end_adjournment(request))?.r#match, "match")
    }

    /// Ends a match that is played. It does not count.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn void(&self, match_id: &str, reason: &str) -> Result<Match, Error> {
        let request = VoidMatchRequest {
            match_id: match_id.to_owned(),
            request_id: self.connection.next_request_id(),
            reason: reason.to_owned(),
        };
        required(call!(self.void_match(request))?.r#match, "match")
    }

    /// Corrects the result of a match that is finished: what each seat gets, in seat order. The result itself stays as it was.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn correct_result(
        &self,
        match_id: &str,
        returns: &[i32],
        reason: &str,
    ) -> Result<Match, Error> {
        let request = CorrectMatchResultRequest {
            match_id: match_id.to_owned(),
            request_id: self.connection.next_request_id(),
            returns: returns.to_vec(),
            reason: reason.to_owned(),
        };
        required(call!(self.correct_match_result(request))?.r#match, "match")
    }
}
