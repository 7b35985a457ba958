//! Calls on matches that need no seat ([`Matches`]).

use std::fmt;

use edgehill_proto::v1::{
    CreateResponse, GetRecordRequest, GetRecordResponse, GetRequest, GetResponse, JoinResponse, Observer,
    ViewMoment, ViewRequest, ViewResponse,
};

use crate::client::Client;
use crate::error::Error;
use crate::join::Join;
use crate::new_match::NewMatch;
use crate::pages::{Filter, Pages};
use crate::retry::until_answered;
use crate::seat::Seat;
use crate::watch::Watch;

/// Calls on matches that need no seat: by the account's key, or by nobody in particular.
#[derive(Copy, Clone, Debug)]
pub struct Matches<'a> {
    client: &'a Client,
}

/// A seat that was taken.
#[derive(Clone)]
pub struct Joined {
    /// The seat, to play it.
    pub seat: Seat,
    /// All that the server said: the seat's number, the match's terms and state, how things stand.
    pub response: JoinResponse,
}

/// Without the token.
impl fmt::Debug for Joined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Joined").field("seat", &self.response.seat).finish_non_exhaustive()
    }
}

/// The way to look at a match. The default is the caller's own view, now, without words.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Look {
    /// Through whose eyes; `None`: the caller's own.
    pub observer: Option<Observer>,
    /// The beginning, number 0, in place of the present moment.
    pub start: bool,
    /// Phrases in words too.
    pub words: bool,
}

impl Look {
    pub(crate) fn request(self, match_id: &str) -> ViewRequest {
        let moment = if self.start { ViewMoment::Start } else { ViewMoment::Now };
        ViewRequest {
            match_id: match_id.to_owned(),
            observer: self.observer,
            moment: moment.into(),
            words: self.words,
        }
    }
}

impl<'a> Matches<'a> {
    pub(crate) const fn of(client: &'a Client) -> Self {
        Self { client }
    }

    /// Makes a match. It seats nobody but house bots, and draws nothing.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn create(&self, new: NewMatch) -> Result<CreateResponse, Error> {
        let wire = self.client.match_wire(None)?;
        let request = new.request(|| self.client.next_request_id());
        let answer = until_answered(self.client.retry_policy(), || {
            let (mut wire, request) = (wire.clone(), request.clone());
            async move { wire.create(request).await }
        });
        answer.await
    }

    /// Takes a seat.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn join(&self, join: Join) -> Result<Joined, Error> {
        let wire = self.client.match_wire(None)?;
        let request = join.request(|| self.client.next_request_id());
        let answer = until_answered(self.client.retry_policy(), || {
            let (mut wire, request) = (wire.clone(), request.clone());
            async move { wire.join(request).await }
        });
        let response = answer.await?;
        let seat = self.client.seat(request.match_id, response.seat_token.clone());
        Ok(Joined { seat, response })
    }

    /// A match's terms and state.
    ///
    /// # Errors
    /// If the server has no such match, or does not answer.
    pub async fn get(&self, match_id: &str) -> Result<GetResponse, Error> {
        let wire = self.client.match_wire(None)?;
        let answer = until_answered(self.client.retry_policy(), || {
            let mut wire = wire.clone();
            let request = GetRequest { match_id: match_id.to_owned() };
            async move { wire.get(request).await }
        });
        answer.await
    }

    /// Matches that satisfy `filter`, newest first.
    #[must_use]
    pub fn list(&self, filter: Filter) -> Pages {
        Pages::new(self.client.clone(), filter)
    }

    /// Returns the view of a spectator, or with a referee's key of any observer.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn view(&self, match_id: &str, look: Look) -> Result<ViewResponse, Error> {
        let wire = self.client.match_wire(None)?;
        let request = look.request(match_id);
        let answer = until_answered(self.client.retry_policy(), || {
            let (mut wire, request) = (wire.clone(), request.clone());
            async move { wire.view(request).await }
        });
        answer.await
    }

    /// Returns the events published to a spectator, from the present view on.
    #[must_use]
    pub fn watch(&self, match_id: impl Into<String>) -> Watch {
        Watch::new(self.client.clone(), match_id.into(), None)
    }

    /// The record of a match that is over.
    ///
    /// # Errors
    /// If the match is not over, or the server does not answer.
    pub async fn record(&self, match_id: &str) -> Result<GetRecordResponse, Error> {
        let wire = self.client.match_wire(None)?;
        let answer = until_answered(self.client.retry_policy(), || {
            let mut wire = wire.clone();
            let request = GetRecordRequest { match_id: match_id.to_owned() };
            async move { wire.get_record(request).await }
        });
        answer.await
    }
}
