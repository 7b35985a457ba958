//! Lists of matches, page by page ([`Pages`]).

use std::collections::VecDeque;

use edgehill_proto::v1::{ListRequest, MatchEntry, MatchStatus};
use futures_core::Stream;
use futures_util::stream::try_unfold;

use crate::client::{Client, MatchWire};
use crate::error::Error;
use crate::retry::until_answered;

/// The matches to list: those that satisfy all of it. The default is all matches.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Filter {
    /// Of this game.
    pub game: Option<String>,
    /// Of one of these statuses; none: of any.
    pub statuses: Vec<MatchStatus>,
    /// With a seat that is open to anyone.
    pub open_seats: bool,
    /// Of this seed group.
    pub group_id: Option<String>,
    /// Number to ask for at once; 0: as many as the server sends.
    pub page_size: u32,
}

/// Matches, newest first; pages are asked for as they are needed.
#[derive(Debug)]
pub struct Pages {
    client: Client,
    wire: Option<MatchWire>,
    request: ListRequest,
    page: VecDeque<MatchEntry>,
    last: bool,
}

impl Pages {
    pub(crate) fn new(client: Client, filter: Filter) -> Self {
        let request = ListRequest {
            game: filter.game.unwrap_or_default(),
            statuses: filter.statuses.into_iter().map(i32::from).collect(),
            open_seats: filter.open_seats,
            group_id: filter.group_id.unwrap_or_default(),
            page_size: filter.page_size,
            page_token: String::new(),
        };
        Self { client, wire: None, request, page: VecDeque::new(), last: false }
    }

    /// The next match; `None` after the last one.
    ///
    /// # Errors
    /// If the server refuses the list, or does not answer.
    pub async fn next(&mut self) -> Result<Option<MatchEntry>, Error> {
        loop {
            if let Some(entry) = self.page.pop_front() {
                return Ok(Some(entry));
            }
            if self.last {
                return Ok(None);
            }
            self.turn().await?;
        }
    }

    /// The matches as a stream.
    pub fn into_stream(self) -> impl Stream<Item = Result<MatchEntry, Error>> + Send {
        try_unfold(self, async |mut pages| Ok(pages.next().await?.map(|entry| (entry, pages))))
    }

    async fn turn(&mut self) -> Result<(), Error> {
        let wire = match &self.wire {
            Some(wire) => wire.clone(),
            None => self.wire.insert(self.client.match_wire(None)?).clone(),
        };
        let request = &self.request;
        let answer = until_answered(self.client.retry_policy(), || {
            let (mut wire, request) = (wire.clone(), request.clone());
            async move { wire.list(request).await }
        });
        let page = answer.await?;
        if !page.next_page_token.is_empty() && page.next_page_token == self.request.page_token {
            return Err(Error::Protocol("a list whose next page is the same page".to_owned()));
        }
        self.last = page.next_page_token.is_empty();
        self.request.page_token = page.next_page_token;
        self.page = page.matches.into();
        Ok(())
    }
}
