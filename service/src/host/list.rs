//! Lists of matches, newest first.

use super::Host;
use super::error::Error;
use super::slot::Content;
use crate::matches::{EndedBy, Phase, WhyClosed};
use crate::store::{self, ListedMatch, MatchId, Page, StoreFilter, StoredStatus};

/// Number of matches that one call looks at: a filter that few pass does not read the whole store.
const LOOK_AT_MAX: usize = 1_000;

/// The matches to list.
#[derive(Clone, Default, Debug)]
pub struct ListFilter {
    /// Of this game.
    pub game: Option<String>,
    /// In one of these. `None`: in any.
    pub states: Option<ListStates>,
    /// With a seat that is open to anyone.
    pub open_seats: bool,
    /// Of this seed group.
    pub group: Option<String>,
}

/// States to list.
#[derive(Clone, Default, Debug)]
pub struct ListStates {
    /// The phases of a match that can be played.
    pub phases: Vec<Phase>,
    /// Matches that are over with a result.
    pub finished: bool,
    /// Matches that ended so, without a result.
    pub ended_by: Vec<EndedBy>,
    /// Matches that are not over and whose rules are not there.
    pub unplayable: bool,
    /// Matches that are stopped.
    pub quarantined: bool,
}

/// A match in a list.
#[derive(Clone, Debug)]
pub enum ListEntry<T> {
    /// The value that was shown of it.
    Shown(T),
    /// It is stopped and can't be read: all that can be said.
    Stopped(Box<ListedMatch>),
}

/// A part of a list.
#[derive(Clone, Debug)]
pub struct ListPage<T> {
    /// The matches.
    pub matches: Vec<ListEntry<T>>,
    /// The match at which the next part begins.
    pub next: Option<MatchId>,
}

impl Host {
    /// Matches that pass a filter, newest first, those made before `before`.
    ///
    /// # Errors
    /// If the store can't be read.
    pub async fn list<T>(
        &self,
        filter: &ListFilter,
        before: Option<MatchId>,
        size: usize,
        show: impl Fn(&Content) -> T,
    ) -> Result<ListPage<T>, Error> {
        let rows = StoreFilter {
            game: filter.game.clone(),
            scenario: None,
            status: filter.states.as_ref().and_then(one_status),
            with_open_seats: filter.open_seats,
        };
        let (mut matches, mut before, mut looked) = (Vec::new(), before, 0);
        loop {
            let left = size - matches.len();
            let listing = self.store().list(rows.clone(), Page { before, limit: left.max(1) }).await?;
            looked += listing.matches.len();
            for listed in listing.matches {
                matches.extend(self.entry(filter, listed, &show).await?);
            }
            before = listing.next;
            if before.is_none() || matches.len() >= size || looked >= LOOK_AT_MAX {
                return Ok(ListPage { matches, next: before });
            }
        }
    }

    async fn entry<T>(
        &self,
        filter: &ListFilter,
        listed: ListedMatch,
        show: &impl Fn(&Content) -> T,
    ) -> Result<Option<ListEntry<T>>, Error> {
        let shown = self
            .read(listed.id, |content| Ok(filter.admits(content).then(|| ListEntry::Shown(show(content)))))
            .await;
        match shown {
            // Its log is not whole, so there is nothing to read.
            Err(Error::Store(store::Error::Quarantined { quarantine, .. })) => {
                let states = filter.states.as_ref();
                let admits = filter.group.is_none() && states.is_none_or(|states| states.quarantined);
                let listed = ListedMatch { quarantine: Some(quarantine), ..listed };
                Ok(admits.then(|| ListEntry::Stopped(Box::new(listed))))
            }
            other => other,
        }
    }
}

impl ListFilter {
    fn admits(&self, content: &Content) -> bool {
        let course = content.course();
        let of_group = self
            .group
            .as_ref()
            .is_none_or(|group| course.header().group().is_some_and(|terms| terms.id == *group));
        let in_state = self.states.as_ref().is_none_or(|states| states.contain(content));
        let open = !self.open_seats || (course.phase() != Phase::Over && !course.open_seats().is_empty());
        of_group && in_state && open
    }
}

impl ListStates {
    fn contain(&self, content: &Content) -> bool {
        match content {
            Content::Closed(closed) if matches!(closed.why(), WhyClosed::Stopped { .. }) => self.quarantined,
            // A match that is over needs no rules.
            Content::Closed(closed) if closed.course().phase() != Phase::Over => self.unplayable,
            Content::Closed(_) | Content::Live(_) => match content.course().result() {
                Some((result, _)) if result.ended_by.has_result() => self.finished,
                Some((result, _)) => self.ended_by.contains(&result.ended_by),
                None => self.phases.contains(&content.course().phase()),
            },
        }
    }
}

/// The one status of rows that all wanted states have, if there is one.
fn one_status(states: &ListStates) -> Option<StoredStatus> {
    if states.unplayable || states.quarantined {
        return None;
    }
    let status = |phase: &Phase| match phase {
        Phase::Waiting | Phase::Revealing => StoredStatus::Open,
        Phase::Running => StoredStatus::Running,
        Phase::Over => StoredStatus::Over,
    };
    let over = states.finished.then_some(StoredStatus::Over);
    let without = (!states.ended_by.is_empty()).then_some(StoredStatus::Abandoned);
    let mut statuses = states.phases.iter().map(status).chain(over).chain(without);
    let first = statuses.next()?;
    statuses.all(|other| other == first).then_some(first)
}
