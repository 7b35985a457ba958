//! Lists of matches, newest first. They are made of rows alone: no match is read for a list.

use std::collections::HashSet;

use super::Host;
use super::error::Error;
use super::listed::ListedCourse;
use crate::matches::{EndedBy, Phase, WhyClosed};
use crate::store::{AccountId, ListedMatch, MatchId, Page, StoreFilter, StoredStatus};

/// Number of rows that one call looks at: a filter that few pass does not read the whole store.
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
    /// With a seat that is kept for this account, and that it can still take.
    pub invited: Option<AccountId>,
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
    /// Its row can't be read: all that can be said.
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
        show: impl Fn(&ListedCourse) -> T,
    ) -> Result<ListPage<T>, Error> {
        let group = match &filter.group {
            None => None,
            Some(id) => match self.0.reader.group_id(id) {
                None => return Ok(ListPage { matches: Vec::new(), next: None }),
                Some(id) => Some(id.match_id().to_string()),
            },
        };
        let rows = StoreFilter {
            game: filter.game.clone(),
            scenario: None,
            status: match filter.invited {
                // Those that wait for their seats.
                Some(_) if filter.states.is_none() => Some(StoredStatus::Open),
                _ => filter.states.as_ref().and_then(one_status),
            },
            with_open_seats: filter.open_seats,
            group,
            shards: None,
        };
        let (mut matches, mut before, mut looked, mut groups) = (Vec::new(), before, 0, HashSet::new());
        loop {
            let left = size - matches.len();
            let listing = self.store().list(rows.clone(), Page { before, limit: left.max(1) }).await?;
            looked += listing.matches.len();
            for row in listing.matches {
                matches.extend(self.entry(filter, row, &mut groups, &show).await?);
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
        row: ListedMatch,
        groups: &mut HashSet<String>,
        show: &impl Fn(&ListedCourse) -> T,
    ) -> Result<Option<ListEntry<T>>, Error> {
        let Some(mut listed) = self.listed(&row) else {
            let admits = filter.states.as_ref().is_none_or(|states| states.quarantined);
            return Ok(admits.then(|| ListEntry::Stopped(Box::new(row))));
        };
        if !filter.admits(&listed) {
            return Ok(None);
        }
        self.add_secret(&mut listed, groups).await?;
        Ok(filter.admits(&listed).then(|| ListEntry::Shown(show(&listed))))
    }
}

impl ListFilter {
    /// Returns whether a match is to be listed whose row was found.
    fn admits(&self, listed: &ListedCourse) -> bool {
        let course = listed.course();
        let in_state = self.states.as_ref().is_none_or(|states| states.contain(listed));
        let open = !self.open_seats || (course.phase() != Phase::Over && !course.open_seats().is_empty());
        let kept_for = |account: &AccountId| {
            let mut kept = course.header().seats_kept_for(account.as_bytes());
            course.phase() == Phase::Waiting && kept.any(|seat| course.free_seats().contains(seat))
        };
        in_state && open && self.invited.as_ref().is_none_or(kept_for)
    }
}

impl ListStates {
    fn contain(&self, listed: &ListedCourse) -> bool {
        let course = listed.course();
        match listed.why_closed() {
            Some(WhyClosed::Stopped { .. }) => self.quarantined,
            // A match that is over needs no rules.
            Some(why) if why.is_unplayable() && course.phase() != Phase::Over => self.unplayable,
            _ => match course.result() {
                Some((result, _)) if result.ended_by.has_result() => self.finished,
                Some((result, _)) => self.ended_by.contains(&result.ended_by),
                None => self.phases.contains(&course.phase()),
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
