//! The shards of a store, and who may write them: [`Shards`], [`Fence`].
//!
//! A match belongs to one of [`SHARDS`] shards, by its name. The database has a row for each with an epoch, which is raised when a
//! server takes the shard over. Every transaction that writes locks the rows of its shards against that (`FOR SHARE`), and looks
//! for the epochs of the server that writes. So who was overtaken writes nothing any more, and who overtakes sees all that was
//! written before.

use std::path::Path;

use super::super::error::{Error, Failure};
use super::super::names::MatchId;
use super::super::purpose::Purpose;
use super::lease;
use super::session::{CommitFailure, Connection, Session};

/// Number of shards. It is part of the schema.
pub(super) const SHARDS: i32 = 1_024;

/// The shard of what belongs to no match: acts of administration, competitions, outages, contents.
pub(super) const STORE_SHARD: i32 = 0;

/// Rows of shards that have these epochs, locked against those who would raise them.
pub(super) const HELD: &str = "SELECT shards.shard FROM shards \
     JOIN unnest($1::INT4[], $2::INT8[]) AS held (shard, epoch) \
     ON shards.shard = held.shard AND shards.epoch = held.epoch FOR SHARE OF shards";

/// The shard of a match.
fn shard_of(id: MatchId) -> i32 {
    static PURPOSE: Purpose = Purpose::new("edgehill store shard v1");
    let hash = PURPOSE.hash(id.as_bytes());
    i32::from(u16::from_le_bytes([hash[0], hash[1]])) % SHARDS
}

/// The shards that a server owns, with the epochs at which it took them over.
#[derive(Debug)]
pub(super) struct Shards(Vec<i64>);

impl Shards {
    /// Takes all shards over from whoever had them, unless that one has a lease which holds.
    pub(super) fn take_over(connection: &mut Connection) -> Result<Self, Failure> {
        let taken = lease::take(connection, None).map_err(CommitFailure::into_failure)?;
        let (shards, _) = taken.ok_or_else(|| overtaken(connection.name()))?;
        Ok(shards)
    }

    /// The shards with these epochs.
    pub(super) fn of(taken: impl Iterator<Item = (i32, i64)>) -> Self {
        let mut epochs = vec![0; SHARDS as usize];
        for (shard, epoch) in taken {
            if let Some(of_shard) = usize::try_from(shard).ok().and_then(|shard| epochs.get_mut(shard)) {
                *of_shard = epoch;
            }
        }
        Self(epochs)
    }

    /// The fence of a transaction that writes to these matches, and with `is_of_store` to what belongs to none.
    pub(super) fn fence(&self, matches: impl Iterator<Item = MatchId>, is_of_store: bool) -> Fence {
        let mut shards: Vec<i32> = matches.map(shard_of).chain(is_of_store.then_some(STORE_SHARD)).collect();
        shards.sort_unstable();
        shards.dedup();
        let epochs = shards.iter().map(|&shard| self.0[shard as usize]).collect();
        Fence { shards, epochs }
    }

    /// Commits something small, as who owns the shards: what was committed before stays from then on.
    pub(super) fn commit_something(&self, connection: &mut Connection) -> Result<(), Failure> {
        let sql = "UPDATE shards SET renewals = renewals + 1 WHERE shard = $1 AND epoch = $2 RETURNING shard";
        let epoch = self.0[STORE_SHARD as usize];
        let renewed =
            connection.commit_with(sql, &[&STORE_SHARD, &epoch]).map_err(CommitFailure::into_failure)?;
        match renewed.is_empty() {
            true => Err(overtaken(connection.name())),
            false => Ok(()),
        }
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

    /// Matches are found by it: another hash would need another schema.
    #[test]
    fn a_match_stays_in_its_shard() {
        let shards = [0, 1, 255].map(|byte| shard_of(MatchId::from_bytes([byte; 16])));
        assert_eq!(shards, [902, 72, 641]);
    }

    #[test]
    fn a_fence_names_each_shard_once_with_its_epoch() {
        let id = MatchId::from_bytes([1; 16]);
        let shards = Shards((0..i64::from(SHARDS)).map(|shard| shard + 7).collect());
        let shard = shard_of(id);
        let fence = Fence { shards: vec![shard], epochs: vec![i64::from(shard) + 7] };
        assert_eq!(shards.fence([id, id].into_iter(), false), fence);
        let fence = shards.fence([id].into_iter(), true);
        assert_eq!((fence.shards, fence.epochs), (vec![STORE_SHARD, shard], vec![7, i64::from(shard) + 7]));
    }
}
