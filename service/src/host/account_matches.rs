//! The matches in which an account has a part ([`AccountMatch`]). No row tells: the logs of all matches are read for it, one after
//! another.

use std::collections::HashSet;

use super::Host;
use super::error::Error;
use super::listed::ListedCourse;
use crate::matches::Participation;
use crate::store::limits::PAGE_MATCHES_MAX;
use crate::store::{self, AccountId, ListedMatch, MatchId, Page, StoreFilter};

/// A match in which an account has a part.
#[derive(Clone, Debug)]
pub enum AccountMatch {
    /// The match as lists show it, and the part.
    Found(Box<ListedCourse>, Participation),
    /// A match whose row or log can't be read: nobody knows whether the account has a part in it.
    Unreadable(MatchId),
}

impl Host {
    /// The rows of the matches that were made before `before`, newest first, a page of them; and the match at which the next page
    /// begins, if there is one.
    ///
    /// # Errors
    /// If the store can't be read.
    pub async fn rows_before(
        &self,
        before: Option<MatchId>,
    ) -> Result<(Vec<ListedMatch>, Option<MatchId>), Error> {
        let listing =
            self.store().list(StoreFilter::default(), Page { before, limit: PAGE_MATCHES_MAX }).await?;
        Ok((listing.matches, listing.next))
    }

    /// The match of a row, if the account has a part in it.
    ///
    /// # Errors
    /// If the store can't be read.
    pub async fn account_match(
        &self,
        account: &AccountId,
        row: &ListedMatch,
    ) -> Result<Option<AccountMatch>, Error> {
        let log = match self.store().read(row.id, 0).await {
            // It tells what stands before the fault.
            Err(store::Error::Quarantined { .. }) => self.store().read_stopped(row.id).await,
            log => log,
        };
        let unreadable = || Ok(Some(AccountMatch::Unreadable(row.id)));
        let log = match log {
            Ok(log) => log,
            // It was deleted meanwhile.
            Err(store::Error::NotFound(_)) => return Ok(None),
            Err(
                store::Error::Quarantined { .. }
                | store::Error::SecretUnreadable
                | store::Error::Corrupt { .. },
            ) => return unreadable(),
            Err(error) => return Err(error.into()),
        };
        let Ok(part) = Participation::of(account, &log) else { return unreadable() };
        let Some(part) = part else { return Ok(None) };
        let Some(mut listed) = self.listed(row) else { return unreadable() };
        self.add_secret(&mut listed, &mut HashSet::new()).await?;
        Ok(Some(AccountMatch::Found(Box::new(listed), part)))
    }
}
