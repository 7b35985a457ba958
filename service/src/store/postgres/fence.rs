//! The shards that a server may write to: [`HeldShards`], [`Fence`].
//!
//! The database has a row for each shard with an epoch, which is raised when a server takes the shard over, and when it is handed to
//! another one. Every transaction that writes locks the rows of its shards against that (`FOR SHARE`), and looks for the epochs of the
//! server that writes. So who was overtaken writes nothing any more, and who overtakes sees all that was written before.
//!
//! Of several nodes of a database one that was away may answer as if nothing had happened, until it finds that another one has taken its
//! place: it shows the past, and takes nothing. It is known by epochs and renewals that are less than what was committed.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use postgres::types::ToSql;

use super::super::error::{Error, Failure};
use super::super::shards::{SHARDS, Shard, ShardSet};
use super::connecting::ConnectError;
use super::failure::failure;
use super::lease;
use super::session::{CommitFailure, Connection, Session};

/// The epoch of a shard that the server does not own: no row has it.
const NOT_HELD: i64 = -1;

/// The number of no shard.
const NO_SHARD: i32 = -1;

/// Rows of shards that have these epochs, locked against those who would raise them.
pub(super) const HELD: &str = "SELECT shards.shard FROM shards \
     JOIN unnest($1::INT4[], $2::INT8[]) AS held (shard, epoch) \
     ON shards.shard = held.shard AND shards.epoch = held.epoch FOR SHARE OF shards";

/// Rows of shards of an earlier epoch than these, and the row of the shard that was renewed, if it was less often.
pub(super) const BEHIND: &str = "SELECT shards.shard FROM shards \
     LEFT JOIN unnest($1::INT4[], $2::INT8[]) AS held (shard, epoch) ON shards.shard = held.shard \
     WHERE shards.epoch < held.epoch OR shards.shard = $3 AND shards.renewals < $4 LIMIT 1";

/// The shards that a server owns, with the epochs at which they became its own. Copies are the same.
#[derive(Clone, Default, Debug)]
pub(super) struct HeldShards(Arc<Mutex<Held>>);

#[derive(Debug)]
struct Held {
    epochs: Vec<i64>,
    /// The shard that was renewed last, and how often it had been by then.
    renewed: (Shard, i64),
    /// How often something was committed here that each node of the database has to show.
    commits: u64,
}

impl Default for Held {
    fn default() -> Self {
        Self { epochs: vec![NOT_HELD; SHARDS], renewed: (Shard::OF_STORE, 0), commits: 0 }
    }
}

impl HeldShards {
    /// Takes all shards over from whoever had them, unless a server has a lease.
    pub(super) fn take_over(&self, connection: &mut Connection) -> Result<(), Failure> {
        let taken = lease::take_all(connection).map_err(CommitFailure::into_failure)?;
        self.take(taken.ok_or_else(|| overtaken(connection.name()))?);
        Ok(())
    }

    /// Owns these from now on, since the epochs beside them.
    pub(super) fn take(&self, taken: impl IntoIterator<Item = (Shard, i64)>) {
        let mut held = self.held();
        held.commits += 1;
        taken.into_iter().for_each(|(shard, epoch)| held.epochs[shard.index()] = epoch);
    }

    /// Owns a shard no more.
    pub(super) fn let_go(&self, shard: Shard) {
        self.held().epochs[shard.index()] = NOT_HELD;
    }

    /// The shards.
    pub(super) fn shards(&self) -> ShardSet {
        let held = self.held();
        Shard::all().filter(|shard| held.epochs[shard.index()] != NOT_HELD).collect()
    }

    /// The epoch since which a shard is the server's own.
    pub(super) fn epoch(&self, shard: Shard) -> Option<i64> {
        Some(self.held().epochs[shard.index()]).filter(|&epoch| epoch != NOT_HELD)
    }

    /// The fence of a transaction that writes to these shards.
    pub(super) fn fence(&self, shards: impl Iterator<Item = Shard>) -> Fence {
        let mut shards: Vec<Shard> = shards.collect();
        shards.sort_unstable();
        shards.dedup();
        let held = self.held();
        Fence {
            epochs: shards.iter().map(|shard| held.epochs[shard.index()]).collect(),
            shards: shards.into_iter().map(Shard::number).collect(),
        }
    }

    /// Commits something small, as who owns one of the shards, if there are any: what was committed before stays from then on.
    pub(super) fn commit_something(&self, connection: &mut Connection) -> Result<(), Failure> {
        let sql = "UPDATE shards SET renewals = renewals + 1 \
                   WHERE shard = $1 AND (epoch = $2 OR $2 IS NULL) RETURNING renewals";
        let first = self.shards().iter().next();
        let epoch = first.and_then(|shard| self.epoch(shard));
        let shard = first.unwrap_or(Shard::OF_STORE);
        let renewed = connection.commit_with(sql, &[&shard.number(), &epoch]);
        match renewed.map_err(CommitFailure::into_failure)?.first() {
            Some(row) => {
                let mut held = self.held();
                held.renewed = (shard, row.get(0));
                held.commits += 1;
                Ok(())
            }
            None if self.is_behind(connection)? => Err(behind()),
            None => Err(overtaken(connection.name())),
        }
    }

    /// How often something was committed that each node of the database has to show: one that has shown so much need not be asked again.
    pub(super) fn commits(&self) -> u64 {
        self.held().commits
    }

    /// The commits that each node has to show; `None`: nothing yet.
    pub(super) fn written(&self) -> Option<Arc<Written>> {
        let held = self.held();
        if held.commits == 0 {
            return None;
        }
        let epochs = Shard::all().map(|shard| (shard.number(), held.epochs[shard.index()]));
        let (shards, epochs) = epochs.filter(|&(_, epoch)| epoch != NOT_HELD).unzip();
        let (renewed, renewals) = held.renewed;
        Some(Arc::new(Written { shards, epochs, renewed: renewed.number(), renewals }))
    }

    /// Returns whether the node of a connection lacks something that was committed.
    pub(super) fn is_behind(&self, connection: &mut Connection) -> Result<bool, Failure> {
        let Some(written) = self.written() else { return Ok(false) };
        let lacks = connection.query(BEHIND, &written.values());
        Ok(!lacks.map_err(|error| failure(connection.name(), &error))?.is_empty())
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Commits of a server that each node of the database has to show: epochs of shards, and how often one was renewed.
#[derive(Debug)]
pub(super) struct Written {
    shards: Vec<i32>,
    epochs: Vec<i64>,
    renewed: i32,
    renewals: i64,
}

impl Written {
    /// The values of [`BEHIND`].
    pub(super) fn values(&self) -> [&(dyn ToSql + Sync); 4] {
        [&self.shards, &self.epochs, &self.renewed, &self.renewals]
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
        if held == self.shards.len() {
            return Ok(());
        }
        let (shards, epochs) = (self.shards.clone(), self.epochs.clone());
        let written = Written { shards, epochs, renewed: NO_SHARD, renewals: 0 };
        let is_behind = !session.rows(BEHIND, &written.values())?.is_empty();
        Err(CommitFailure::Broken(if is_behind { behind() } else { overtaken(&session.name()) }))
    }
}

/// A node of the database has answered that lacks what was committed: another one is to be found.
pub(super) fn behind() -> Failure {
    Failure(Error::Failed { why: ConnectError::Behind.to_string() })
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
