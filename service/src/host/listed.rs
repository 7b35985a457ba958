//! A match as lists show it ([`ListedCourse`]): from its row in the store, without its log, whether it is in memory or not.

use std::collections::HashSet;

use super::Host;
use super::error::Error;
use crate::matches::{Course, DiceSecret, Overview, WhyClosed};
use crate::store::{self, ListedMatch};

/// The knowledge that a list has of a match: its row in the store.
#[derive(Clone, Debug)]
pub struct ListedCourse {
    course: Course,
    why: Option<WhyClosed>,
    dice_secret: Option<DiceSecret>,
}

impl ListedCourse {
    /// Returns what lists know of it.
    #[must_use]
    pub const fn course(&self) -> &Course {
        &self.course
    }

    /// Returns the reason that it can only be read, if it can't be played.
    #[must_use]
    pub const fn why_closed(&self) -> Option<&WhyClosed> {
        self.why.as_ref()
    }

    /// The secret of its dice, if everybody may see it.
    pub(crate) const fn dice_secret(&self) -> Option<&DiceSecret> {
        self.dice_secret.as_ref()
    }
}

impl Host {
    /// A match as its row says that it is; `None` if the row can't be read. The secret of its dice is still to come.
    pub(super) fn listed(&self, row: &ListedMatch) -> Option<ListedCourse> {
        let overview = Overview::from_bytes(&row.overview).ok()?;
        let quarantine = row.quarantine.clone().or_else(|| self.0.stopped.why(row.id));
        let why = match quarantine {
            Some(quarantine) => Some(WhyClosed::Stopped { reason: quarantine.reason }),
            None => self.0.reader.why_closed(&overview.header),
        };
        let course = Course::listed(row.id, row.revision, row.summary.lengths.clone(), overview);
        Some(ListedCourse { course, why, dice_secret: None })
    }

    /// Adds the secret of a match's dice where everybody may see it. `looked_at` are the groups that were looked at already.
    pub(super) async fn add_secret(
        &self,
        listed: &mut ListedCourse,
        looked_at: &mut HashSet<String>,
    ) -> Result<(), Error> {
        if let Some(group) = self.group_to_look_at(&listed.course).filter(|group| !looked_at.contains(group))
        {
            self.look_at_group(&group).await;
            looked_at.insert(group);
        }
        let is_stopped = matches!(listed.why, Some(WhyClosed::Stopped { .. }));
        if is_stopped || !self.reveals(&listed.course) || !listed.course.has_begun() {
            return Ok(());
        }
        match self.0.reader.dice_secret(listed.course.id(), listed.course.header()).await {
            Ok(secret) => listed.dice_secret = Some(secret),
            Err(Error::Store(damage @ (store::Error::Corrupt { .. } | store::Error::SecretUnreadable))) => {
                // As whoever opens the match finds it.
                let quarantine = self.unreadable(listed.course.id(), &damage);
                listed.why = Some(WhyClosed::Stopped { reason: quarantine.reason.clone() });
                self.0.stopped.note(listed.course.id(), quarantine);
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }
}
