//! Matches that are made together ([`CreateAll`]).
//!
//! Invariant: all of them become durable, or nothing. Whatever can be refused is looked at before anything is written, since a
//! batch goes on where an operation is refused.

use std::collections::{BTreeMap, BTreeSet};

use super::entry::{Append, Appended, Create};
use super::error::{Error, Failure, Trouble};
use super::limits::{BULK_APPENDS_MAX, BULK_BYTES_MAX, BULK_CREATES_MAX};
use super::names::MatchId;
use super::rows::RowsMut;
use super::store_ops::StoreOps;

/// Matches that are made together, with what happens in them at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CreateAll {
    /// The matches, at least one. The first alone may have requests, which stand for all.
    pub creates: Vec<Create>,
    /// Appends to these matches, those of each in order from revision 0 on. They answer no requests, and replace nothing.
    pub appends: Vec<Append>,
}

impl CreateAll {
    pub(super) fn check(&self) -> Result<(), Error> {
        let invalid = |what| Err(Error::Invalid { what });
        Error::bound("matches that are made together", self.creates.len(), BULK_CREATES_MAX)?;
        Error::bound("appends to matches that are made together", self.appends.len(), BULK_APPENDS_MAX)?;
        Error::bound("matches that are made together, in bytes", self.weight(), BULK_BYTES_MAX)?;
        if self.creates.is_empty() {
            return invalid("at least one match is made");
        }
        let (mut revisions, mut secrets) = (BTreeMap::new(), BTreeSet::new());
        for (index, create) in self.creates.iter().enumerate() {
            create.check()?;
            if index > 0 && !create.requests.is_empty() {
                return invalid("of matches that are made together the first alone has requests");
            }
            if revisions.insert(create.id, 0).is_some() {
                return invalid("matches that are made together have names of their own");
            }
            if !create.secrets.iter().all(|(id, _)| secrets.insert(id)) {
                return invalid("matches that are made together bring a secret once");
            }
        }
        for append in &self.appends {
            append.check()?;
            if !append.requests.is_empty() || append.replaces.is_some() {
                return invalid("an append to a match that is being made answers and replaces nothing");
            }
            match revisions.get_mut(&append.id) {
                Some(revision) if *revision == append.expected => *revision += 1,
                _ => return invalid("an append follows the match that is made with it, in order"),
            }
        }
        Ok(())
    }

    /// Bytes that it takes while it waits.
    pub(super) fn weight(&self) -> usize {
        let creates = self.creates.iter().map(Create::weight).sum::<usize>();
        creates + self.appends.iter().map(Append::weight).sum::<usize>()
    }

    /// The matches that it makes.
    pub(super) fn ids(&self) -> impl Iterator<Item = MatchId> {
        self.creates.iter().map(|create| create.id)
    }
}

impl<R: RowsMut> StoreOps<'_, R> {
    /// Creates matches, unless their request did so before: all of them or none.
    pub(super) fn create_all(&mut self, create: &CreateAll) -> Result<Appended, Trouble> {
        let CreateAll { creates, appends } = create;
        let Some((first, others)) = creates.split_first() else {
            return Err(Error::Invalid { what: "at least one match is made" }.into());
        };
        if let Some(stored) = self.created_before(first)? {
            return Ok(Appended::Repeated(stored));
        }
        creates.iter().try_for_each(|create| self.check_creation(create))?;
        // From here on nothing is refused: what still goes wrong takes the whole batch back.
        let broken = |why: &str| Trouble::Broken(Failure(Error::Unavailable { why: why.to_owned() }));
        let at = self.write_creation(first)?;
        for create in others {
            self.write_creation(create)?;
        }
        for append in appends {
            match self.append(append) {
                Ok(Appended::Written(_)) => {}
                Err(Trouble::Broken(failure)) => return Err(Trouble::Broken(failure)),
                _ => return Err(broken("an append to a match that was just made is refused")),
            }
        }
        Ok(Appended::Written(at))
    }
}
