//! Lists of matches, page by page ([`MatchPages`]).

use std::collections::VecDeque;

use edgehill_proto::v1::{ListMatchesRequest, Match, MatchStatus};
use futures_core::Stream;
use futures_util::stream::try_unfold;

use crate::connection::{Connection, MatchWire};
use crate::error::Error;
use crate::retry::until_answered;

/// The matches to list: those that satisfy all of it. The default is all matches.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MatchFilter {
    /// Of this game.
    pub game: Option<String>,
    /// Of one of these statuses; none: of any.
    pub statuses: Vec<MatchStatus>,
    /// With a seat that is open to anyone.
    pub open_seats: bool,
    /// Of this seed group.
    pub group_id: Option<String>,
    /// With a seat that is kept for the client's account, and that it can still take.
    pub invited: bool,
    /// Number to ask for at once; 0: as many as the server sends.
    pub page_size: i32,
}

/// Matches, newest first; pages are asked for as they are needed.
#[derive(Debug)]
pub struct MatchPages {
    connection: Connection,
    wire: Option<MatchWire>,
    request: ListMatchesRequest,
    page: VecDeque<Match>,
    last: bool,
}

impl MatchPages {
    pub(crate) fn new(connection: Connection, filter: MatchFilter) -> Self {
        let request = ListMatchesRequest {
            game: filter.game.unwrap_or_default(),
            statuses: filter.statuses.into_iter().map(i32::from).collect(),
            open_seats: filter.open_seats,
            group_id: filter.group_id.unwrap_or_default(),
            page_size: filter.page_size,
            page_token: String::new(),
            invited: filter.invited,
        };
        Self { connection, wire: None, request, page: VecDeque::new(), last: false }
    }

    /// The next match; `None` after the last one.
    ///
    /// # Errors
    /// If the server refuses the list, or does not answer.
    pub async fn next(&mut self) -> Result<Option<Match>, Error> {
        loop {
            if let Some(one) = self.page.pop_front() {
                return Ok(Some(one));
            }
            if self.last {
                return Ok(None);
            }
            self.turn().await?;
        }
    }

    /// The matches as a stream.
    pub fn into_stream(self) -> impl Stream<Item = Result<Match, Error>> + Send {
        try_unfold(self, async |mut pages| Ok(pages.next().await?.map(|one| (one, pages))))
    }

    async fn turn(&mut self) -> Result<(), Error> {
        let wire = match &self.wire {
            Some(wire) => wire.clone(),
            None => self.wire.insert(self.connection.match_wire(None)?).clone(),
        };
        let request = &self.request;
        let answer = until_answered(self.connection.retry_policy(), self.connection.contact(), || {
            let (mut wire, request) = (wire.clone(), request.clone());
            async move { wire.list_matches(request).await }
        });
        let page = answer.await?;
        match next_token(&self.request.page_token, page.next_page_token)? {
            Some(token) => self.request.page_token = token,
            None => self.last = true,
        }
        self.page = page.matches.into();
        Ok(())
    }
}

/// The token of the page after the one that `token` asked for; `None` after the last one.
///
/// # Errors
/// If it is the same page again: the list would never end.
pub(crate) fn next_token(token: &str, next: String) -> Result<Option<String>, Error> {
    if next.is_empty() {
        return Ok(None);
    }
    if next == token {
        return Err(Error::Protocol("a list whose next page is the same page".to_owned()));
    }
    Ok(Some(next))
}
