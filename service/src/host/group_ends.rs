//! When a seed group is over ([`GroupEnds`]): only then are the secrets of its dice told.

use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

use lru::LruCache;

use super::Host;
use crate::matches::{Course, Phase};

/// Number of groups that are remembered; of others it is found out again.
const GROUPS_MAX: NonZeroUsize = NonZeroUsize::new(4_096).unwrap();

/// The groups of which all matches are over, as far as somebody has looked. A match that is over stays so, so nothing here grows
/// old.
#[derive(Debug)]
pub(super) struct GroupEnds(Mutex<LruCache<String, ()>>);

impl Default for GroupEnds {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new(GROUPS_MAX)))
    }
}

impl GroupEnds {
    fn is_over(&self, group: &str) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(group).is_some()
    }

    fn note(&self, group: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).put(group.to_owned(), ());
    }
}

impl Host {
    /// Returns whether the secrets of a match's dice are open to everybody: it is over, so is all of its group, and the competition
    /// that it is of has published it. What [`Host::read`] shows has been looked at for that.
    #[must_use]
    pub fn reveals(&self, course: &Course) -> bool {
        self.reveals_to_players(course) && self.is_published(course)
    }

    /// Returns whether they are open to its players: it is over, and so is all of its group.
    #[must_use]
    pub fn reveals_to_players(&self, course: &Course) -> bool {
        let over = course.phase() == Phase::Over;
        over && course.header().group().is_none_or(|group| self.0.group_ends.is_over(&group.id))
    }

    /// The group of a match that is over, if it is not known whether all of it is.
    pub(super) fn group_to_look_at(&self, course: &Course) -> Option<String> {
        let over = course.phase() == Phase::Over;
        let group = course.header().group().filter(|_| over)?;
        (!self.0.group_ends.is_over(&group.id)).then(|| group.id.clone())
    }

    /// Looks whether all of a group is over. A match whose row can't be read counts as one that is not.
    pub(super) async fn look_at_group(&self, group: &str) {
        match self.0.reader.is_group_over(group).await {
            Ok(true) => self.0.group_ends.note(group),
            Ok(false) => {}
            Err(error) => {
                tracing::debug!(%group, %error, "a group's matches can't be read");
            }
        }
    }
}
