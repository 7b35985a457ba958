//! When a seed group is over ([`GroupEnds`]): only then are the secrets of its dice told.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

use lru::LruCache;

use super::Host;
use super::error::Error;
use crate::matches::{Course, Phase};
use crate::store::MatchId;

/// Number of groups that are remembered; of others it is found out again.
const GROUPS_MAX: NonZeroUsize = NonZeroUsize::new(4_096).unwrap();

/// The progress of a group, as far as somebody has looked.
#[derive(Clone, Debug)]
enum Ends {
    /// These matches of it are over.
    Some(HashSet<MatchId>),
    /// All are.
    All,
}

/// The knowledge of groups with matches that are over. A match that is over stays so, so nothing here grows old.
#[derive(Debug)]
pub(super) struct GroupEnds(Mutex<LruCache<String, Ends>>);

impl Default for GroupEnds {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new(GROUPS_MAX)))
    }
}

impl GroupEnds {
    fn is_over(&self, group: &str) -> bool {
        let mut ends = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        matches!(ends.get(group), Some(Ends::All))
    }

    fn known(&self, group: &str) -> HashSet<MatchId> {
        let mut ends = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match ends.get(group) {
            Some(Ends::Some(over)) => over.clone(),
            Some(Ends::All) | None => HashSet::new(),
        }
    }

    fn note(&self, group: &str, ends: Ends) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.put(group.to_owned(), ends);
    }
}

impl Host {
    /// Returns whether the secrets of a match's dice are open to everybody: it is over, and so is all of its
    /// group. What [`Host::read`] shows has been looked at for that.
    #[must_use]
    pub fn reveals(&self, course: &Course) -> bool {
        let over = course.phase() == Phase::Over;
        over && course.header().group().is_none_or(|group| self.0.group_ends.is_over(&group.id))
    }

    /// The group of a match that is over, if it is not known whether all of it is.
    pub(super) fn group_to_look_at(&self, course: &Course) -> Option<String> {
        let over = course.phase() == Phase::Over;
        let group = course.header().group().filter(|_| over)?;
        (!self.0.group_ends.is_over(&group.id)).then(|| group.id.clone())
    }

    /// Looks whether all of a group is over. A match that can't be read counts as one that is not.
    pub(super) async fn look_at_group(&self, group: &str) {
        if let Err(error) = self.find_group_end(group).await {
            tracing::debug!(target: "edgehill::host", %group, %error, "a group's matches can't be read");
        }
    }

    async fn find_group_end(&self, group: &str) -> Result<(), Error> {
        let Some(members) = self.members(group).await? else { return Ok(()) };
        let mut over = self.0.group_ends.known(group);
        for id in members {
            if over.contains(&id) {
                continue;
            }
            if !self.look(id, |content| Ok(content.course().phase() == Phase::Over)).await? {
                self.0.group_ends.note(group, Ends::Some(over));
                return Ok(());
            }
            over.insert(id);
        }
        self.0.group_ends.note(group, Ends::All);
        Ok(())
    }
}
