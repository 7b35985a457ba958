//! Calls on matches that need no seat ([`MatchCalls`]).

use std::fmt;

use edgehill_proto::v1::{
    AbortMatchRequest, CreateMatchResponse, GetMatchRequest, GetReceiptRequest, GetViewResponse, Invitation,
    JoinMatchResponse, Match, MatchConfig, MatchState, Observer, Receipt,
};

use crate::account_watch::AccountWatch;
use crate::connection::Connection;
use crate::error::{Error, required};
use crate::join_request::JoinRequest;
use crate::match_seek::{MatchSeek, SeekRequest};
use crate::match_watch::MatchWatch;
use crate::new_match::NewMatch;
use crate::new_matches::NewMatches;
use crate::pages::{MatchFilter, MatchPages};
use crate::record::{self, ExportedRecord};
use crate::retry::until_answered;
use crate::seat_handle::SeatHandle;
use crate::view_options::ViewOptions;

/// Calls on matches that need no seat: by the account's key, or by nobody in particular.
#[derive(Copy, Clone, Debug)]
pub struct MatchCalls<'a> {
    connection: &'a Connection,
}

/// A match that was made.
#[derive(Clone, PartialEq)]
pub struct CreatedMatch {
    /// All that was settled, with the match's id and its commitment.
    pub config: MatchConfig,
    /// How far it is.
    pub state: MatchState,
    /// One for each seat that needs one: secrets that let their holders take a seat.
    pub invitations: Vec<Invitation>,
    /// The secret that aborts the match: [`MatchCalls::abort`].
    pub creator_token: String,
}

impl CreatedMatch {
    fn of(answer: CreateMatchResponse) -> Result<Self, Error> {
        let CreateMatchResponse { r#match, invitations, creator_token } = answer;
        let Match { config, state, .. } = required(r#match, "match")?;
        let config = required(config, "match.config")?;
        Ok(Self { config, state: state.unwrap_or_default(), invitations, creator_token })
    }

    /// The match's id.
    #[must_use]
    pub fn match_id(&self) -> &str {
        &self.config.match_id
    }

    /// The invitation of this seat, if it needs one.
    #[must_use]
    pub fn invitation(&self, seat: u32) -> Option<&str> {
        self.invitations.iter().find(|one| one.seat == seat).map(|one| one.invitation.as_str())
    }
}

/// Without its secrets.
impl fmt::Debug for CreatedMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CreatedMatch").field("config", &self.config).finish_non_exhaustive()
    }
}

/// A seat that was taken.
#[derive(Clone)]
pub struct JoinedSeat {
    /// The seat, to play it.
    pub handle: SeatHandle,
    /// The server's answer: the seat's number, the match, and how things stand for the seat.
    pub response: JoinMatchResponse,
}

/// Without the token.
impl fmt::Debug for JoinedSeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JoinedSeat").field("seat", &self.response.seat).finish_non_exhaustive()
    }
}

/// Makes one call until it has an answer.
macro_rules! call {
    ($calls:ident . $method:ident($request:expr)) => {{
        let wire = $calls.connection.match_wire(None)?;
        let request = $request;
        let answer = until_answered($calls.connection.retry_policy(), $calls.connection.contact(), || {
            let (mut wire, request) = (wire.clone(), request.clone());
            async move { wire.$method(request).await }
        });
        answer.await
    }};
}

impl<'a> MatchCalls<'a> {
    pub(crate) const fn new(connection: &'a Connection) -> Self {
        Self { connection }
    }

    /// Makes a match. It seats nobody but house bots, and draws nothing.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn create(&self, new: NewMatch) -> Result<CreatedMatch, Error> {
        CreatedMatch::of(call!(self.create_match(new.request(self.connection)))?)
    }

    /// Makes several matches, all of them or none, with whole seed groups. They come in the order in which they were named.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn create_all(&self, new: NewMatches) -> Result<Vec<CreatedMatch>, Error> {
        let request = new.request(self.connection);
        let asked = request.matches.len();
        let created = call!(self.create_matches(request))?.created;
        if created.len() != asked {
            return Err(Error::Protocol(format!("{} of {asked} matches", created.len())));
        }
        created.into_iter().map(CreatedMatch::of).collect()
    }

    /// Takes a seat.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn join(&self, join: JoinRequest) -> Result<JoinedSeat, Error> {
        let request = join.request(self.connection);
        let match_id = request.match_id.clone();
        let response = call!(self.join_match(request))?;
        let handle = SeatHandle::new(self.connection.clone(), match_id, response.seat_token.clone());
        Ok(JoinedSeat { handle, response })
    }

    /// Seeks somebody to play with. Nothing is asked before the first look for news.
    #[must_use]
    pub fn seek(&self, seek: SeekRequest) -> MatchSeek {
        MatchSeek::new(self.connection.clone(), seek)
    }

    /// Takes a match back before it has begun: by the creator token that [`CreatedMatch`] has or, without one, by the key of
    /// the account that made it.
    ///
    /// # Errors
    /// If the match has begun, the server refuses otherwise, or does not answer.
    pub async fn abort(&self, match_id: &str, creator_token: Option<&str>) -> Result<Match, Error> {
        let request = AbortMatchRequest {
            match_id: match_id.to_owned(),
            request_id: self.connection.next_request_id(),
            creator_token: creator_token.unwrap_or_default().to_owned(),
        };
        required(call!(self.abort_match(request))?.r#match, "match")
    }

    /// A match's config and state.
    ///
    /// # Errors
    /// If the server has no such match, or does not answer.
    pub async fn get(&self, match_id: &str) -> Result<Match, Error> {
        let request = GetMatchRequest { match_id: match_id.to_owned() };
        required(call!(self.get_match(request))?.r#match, "match")
    }

    /// Matches that satisfy `filter`, newest first.
    #[must_use]
    pub fn list(&self, filter: MatchFilter) -> MatchPages {
        MatchPages::new(self.connection.clone(), filter)
    }

    /// Returns the view of a spectator, or with a referee's key of any observer.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn view(&self, match_id: &str, options: ViewOptions) -> Result<GetViewResponse, Error> {
        call!(self.get_view(options.request(match_id)))
    }

    /// Watches a match as a spectator, from the present view on.
    #[must_use]
    pub fn watch(&self, match_id: impl Into<String>) -> MatchWatch {
        MatchWatch::new(self.connection.clone(), match_id.into(), None)
    }

    /// Watches all matches in which the client's account has a part, from now on.
    #[must_use]
    pub fn watch_account(&self) -> AccountWatch {
        AccountWatch::new(self.connection.clone())
    }

    /// The server's signed word for what it has published to spectators or, with a referee's key, to any observer. A
    /// [`Transcript`](crate::Transcript) of it has the same hash.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn receipt(&self, match_id: &str, observer: Observer) -> Result<Receipt, Error> {
        let request = GetReceiptRequest { match_id: match_id.to_owned(), observer: Some(observer) };
        required(call!(self.get_receipt(request))?.receipt, "receipt")
    }

    /// Exports the record of a match that is finished.
    ///
    /// # Errors
    /// If the match is not finished, or the server does not answer.
    pub async fn record(&self, match_id: &str) -> Result<ExportedRecord, Error> {
        record::export(self.connection, None, match_id).await
    }
}
