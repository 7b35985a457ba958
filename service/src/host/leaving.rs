//! Giving seats and matches back before they have begun.

use super::Host;
use super::error::Error;
use super::slot::Content;
use crate::identity::{CreatorToken, SeatToken, TokenHash};
use crate::matches::{Course, MatchError};
use crate::store::{AccountId, MatchId, RequestId};

/// A match to take back.
#[derive(Clone, Debug)]
pub struct AbortMatch {
    /// The match.
    pub id: MatchId,
    /// The request's id.
    pub request: RequestId,
    /// The account that asks; `None` for a caller without one.
    pub account: Option<AccountId>,
    /// The token that its creator was given.
    pub token: Option<CreatorToken>,
    /// True for a caller who may take back every match.
    pub operator: bool,
}

impl Host {
    /// Gives a seat back, unless the request did so before, and shows the match then, once it is durable.
    ///
    /// # Errors
    /// If the token is not the seat's, the match has begun, and what `show` refuses.
    pub async fn leave<T>(
        &self,
        token: &SeatToken,
        request: &RequestId,
        show: impl FnMut(&Content) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let slot = self.0.slots.of(token.match_id());
        let mut locked = self.lock(&slot).await?;
        let hash = self.key().hash_seat_token(token);
        if !left_before(locked.content()?.course(), hash, request) {
            let seat = self.check_token(locked.content()?.course(), token)?;
            let (request, now_ms) = (request.as_bytes().to_vec(), self.now_ms());
            self.commit(&mut locked, |live| {
                live.leave(seat, request, now_ms).map(|change| ((), Some(change)))
            })
            .await?;
        }
        let mark = locked.mark();
        drop(locked);
        slot.durable(mark).await?;
        self.read(token.match_id(), show).await
    }

    /// Takes a match back, unless the request did so before, and shows it then, once it is durable. `written` writes down that an
    /// operator does so whose match it is not: it is waited for once it is known that they can, and before it is done.
    ///
    /// # Errors
    /// If the caller has not made it, it has begun, `written` fails, and what `show` refuses.
    pub async fn abort<T>(
        &self,
        wanted: &AbortMatch,
        written: impl Future<Output = Result<(), Error>>,
        show: impl FnMut(&Content) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let slot = self.0.slots.of(wanted.id);
        let mut locked = self.lock(&slot).await?;
        let course = locked.content()?.course();
        let is_creator = self.is_creator(course, wanted);
        if !is_creator && !wanted.operator {
            return Err(MatchError::NotTheCreator.into());
        }
        if course.aborted() != Some(wanted.request.as_bytes()) {
            if !is_creator {
                match locked.content()? {
                    Content::Live(live) => live.check_abort()?,
                    Content::Closed(closed) => closed.check_abort()?,
                }
                written.await?;
            }
            let (request, now_ms) = (wanted.request.as_bytes().to_vec(), self.now_ms());
            let act = |content: &mut Content| {
                let change = match content {
                    Content::Live(live) => live.abort(request, now_ms),
                    Content::Closed(closed) => closed.abort(request, now_ms),
                };
                Ok(((), Some(change?)))
            };
            self.commit_any(&mut locked, act).await?;
        }
        let mark = locked.mark();
        drop(locked);
        slot.durable(mark).await?;
        self.read(wanted.id, show).await
    }

    fn is_creator(&self, course: &Course, wanted: &AbortMatch) -> bool {
        let account = wanted.account.as_ref().map(AccountId::as_bytes);
        let creator = account.is_some_and(|account| account == course.header().creator);
        let token = wanted.token.as_ref().is_some_and(|token| *token == self.key().creator_token(&wanted.id));
        creator || token
    }
}

/// Returns whether this request has given the seat of this token back.
fn left_before(course: &Course, token: TokenHash, request: &RequestId) -> bool {
    course.left().iter().any(|left| TokenHash(left.token) == token && left.request == request.as_bytes())
}
