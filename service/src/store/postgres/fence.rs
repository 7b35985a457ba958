//! The shards that a server may write to: [`HeldShards`], [`Fence`].
//!
//! The database has a row for each shard with an epoch, which is raised when a server takes the shard over, and when it is handed to
//! another one. Every transaction that writes locks the rows of its shards against that (`FOR SHARE`), and looks for the epochs of the
//! server that writes. So who was overtaken writes nothing any more, and who overtakes sees all that was written before.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::super::error::{Error, Failure};
use super::super::shards::{SHARDS, Shard, ShardSet};
use super::lease;
use super::session::{CommitFailure, Connection, Session};

/// The epoch of a shard that the server does not own: no row has it.
const NOT_HELD: i64 = -1;

/// Rows of shards that have these epochs, locked against those who would raise them.
pub(super) const HELD: &str = "SELECT shards.shard FROM shards \
     JOIN unnest($1::INT4[], $2::INT8[]) AS held (shard, epoch) \
     ON shards.shard = held.shard AND shards.epoch = held.epoch FOR SHARE OF shards";

/// The shards that a server owns, with the epochs at which they became its own. Copies are the same.
#[derive(Clone, Debug)]
pub(super) struct HeldShards(Arc<Mutex<Vec<i64>>>);

impl Default for HeldShards {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(vec![NOT_HELD; SHARDS])))
    }
}

impl HeldShards {
    /// Takes all shards over from whoever had them, unless a server has a lease.
    pub(super) fn take_over(connection: &mut Connection) -> Result<Self, Failure> {
        let taken = lease::take_all(connection).map_err(CommitFailure::into_failure)?;
        let taken = taken.ok_or_else(|| overtaken(connection.name()))?;
        let held = Self::default();
        held.take(taken);
        Ok(held)
    }

    /// Owns these from now on, since the epochs beside them.
    pub(super) fn take(&self, taken: impl IntoIterator<Item = (Shard, i64)>) {
        let mut epochs = self.epochs();
        taken.into_iter().for_each(|(shard, epoch)| epochs[shard.index()] = epoch);
    }

    /// Owns a shard no more.
    pub(super) fn let_go(&self, shard: Shard) {
        self.epochs()[shard.index()] = NOT_HELD;
    }

    /// The shards.
    pub(super) fn shards(&self) -> ShardSet {
        let epochs = self.epochs();
        Shard::all().filter(|shard| epochs[shard.index()] != NOT_HELD).collect()
    }

    /// The epoch since which a shard is the server's own.
    pub(super) fn epoch(&self, shard: Shard) -> Option<i64> {
        Some(self.epochs()[shard.index()]).filter(|&epoch| epoch != NOT_HELD)
    }

    /// The fence of a transaction that writes to these shards.
    pub(super) fn fence(&self, shards: impl Iterator<Item = Shard>) -> Fence {
        let mut shards: Vec<Shard> = shards.collect();
        shards.sort_unstable();
        shards.dedup();
        let epochs = self.epochs();
        Fence {
            epochs: shards.iter().map(|shard| epochs[shard.index()]).collect(),
            shards: shards.into_iter().map(Shard::number).collect(),
        }
    }

    /// Commits something small, as who owns one of the shards, if there are any: what was committed before stays from then on.
    pub(super) fn commit_something(&self, connection: &mut Connection) -> Result<(), Failure> {
        let sql = "UPDATE shards SET renewals = renewals + 1 \
                   WHERE shard = $1 AND (epoch = $2 OR $2 IS NULL) RETURNING shard";
        let first = self.shards().iter().next();
        let epoch = first.and_then(|shard| self.epoch(shard));
        let shard = first.unwrap_or(Shard::OF_STORE).number();
        let renewed = connection.commit_with(sql, &[&shard, &epoch]).map_err(CommitFailure::into_failure)?;
        match renewed.is_empty() {
            true => Err(overtaken(connection.name())),
            false => Ok(()),
        }
    }

    fn epochs(&self) -> MutexGuard<'_, Vec<i64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The shards of a transaction, ascending, and their epochs.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Fence {
    pub(super) shards: Vec<i32>,
    pub(super) epochs: Vec<i64>,
}

impl Fence {
    /// Holds that the server owns the shards, until the transaction ends.
    pub(super) fn hold(&self, session: &Session<'_>) -> Result<(), CommitFailure> {
        let held = session.rows(HELD, &[&self.shards, &self.epochs])?.len();
        match held == self.shards.len() {
            true => Ok(()),
            false => Err(CommitFailure::Broken(overtaken(&session.name()))),
        }
    }
}

/// Another server has taken shards over.
fn overtaken(name: &Path) -> Failure {
    Failure(Error::Locked { path: name.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_names_each_shard_once_with_its_epoch() {
        let [three, nine] = [3, 9].map(|number| Shard::new(number).unwrap());
        let held = HeldShards::default();
        held.take(Shard::all().map(|shard| (shard, i64::from(shard.number()) + 7)));
        let fence = held.fence([nine, three, nine].into_iter());
        assert_eq!(fence, Fence { shards: vec![3, 9], epochs: vec![10, 16] });
        held.let_go(nine);
        assert_eq!(held.fence([nine].into_iter()).epochs, [NOT_HELD]);
        assert_eq!((held.shards().len(), held.epoch(nine)), (SHARDS - 1, None));
    }
}
