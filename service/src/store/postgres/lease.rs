//! The lease of a server on the shards, as the database has it: [`Candidate`].
//!
//! Who owns the shards has a row with the moment until which nobody else takes them. Who takes them over deletes rows of the past, so
//! that an owner of before finds none to renew; and locks the shards first, so that of two who do it one sees the other's.

use std::sync::Arc;
use std::time::Duration;

use super::super::error::Failure;
use super::failure::failure;
use super::fence::{Fence, STORE_SHARD, Shards};
use super::session::{Begin, CommitFailure, Connection, Session};
use crate::clock::Clock;
use crate::entropy::{EntropyError, EntropySource};

/// A server that owns the shards, or would.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// The name of this run of it.
    id: [u8; 16],
    /// The address at which others reach it.
    address: String,
    /// Seconds for which its lease holds.
    seconds: f64,
}

/// The address of the server whose lease holds, if any does.
pub(super) fn owner(connection: &mut Connection) -> Result<Option<Arc<str>>, Failure> {
    let sql = "SELECT servers.address FROM shards JOIN servers ON servers.id = shards.server \
               WHERE shards.shard = $1 AND servers.until > clock_timestamp()";
    let rows = connection.query(sql, &[&STORE_SHARD]);
    let rows = rows.map_err(|error| failure(connection.name(), &error))?;
    Ok(rows.first().map(|row| row.get::<_, &str>(0).into()))
}

impl Candidate {
    /// A server that others reach at `address`, whose lease holds for so long.
    pub(super) fn new(
        address: &str,
        lease: Duration,
        entropy: &dyn EntropySource,
    ) -> Result<Self, EntropyError> {
        let mut id = [0; 16];
        entropy.fill(&mut id)?;
        Ok(Self { id, address: address.to_owned(), seconds: lease.as_secs_f64() })
    }

    /// Takes all shards over, if no lease holds; with the moment of `clock` from which on the lease holds for its time.
    pub(super) fn claim(
        &self,
        connection: &mut Connection,
        clock: &dyn Clock,
    ) -> Result<Option<(Shards, Duration)>, Failure> {
        match take(connection, Some((self, clock))) {
            // Another one does the same.
            Err(CommitFailure::Unmet) => Ok(None),
            ended => ended.map_err(CommitFailure::into_failure),
        }
    }

    /// Has the lease hold for its time from now on; returns whether it was there to be renewed.
    pub(super) fn renew(&self, connection: &mut Connection) -> Result<bool, Failure> {
        let sql = "UPDATE servers SET until = clock_timestamp() + $2 * INTERVAL '1 second' WHERE id = $1 RETURNING id";
        let renewed = connection.commit_with(sql, &[&self.id(), &self.seconds]);
        Ok(!renewed.map_err(CommitFailure::into_failure)?.is_empty())
    }

    fn id(&self) -> &[u8] {
        &self.id
    }

    /// Gives the lease back.
    pub(super) fn leave(&self, connection: &mut Connection) -> Result<(), Failure> {
        let left = connection.commit_with("DELETE FROM servers WHERE id = $1 RETURNING id", &[&self.id()]);
        left.map(drop).map_err(CommitFailure::into_failure)
    }
}

/// Takes all shards over for a server with a lease, or for one without, which the next one overtakes; `None`: a lease holds. Beside the
/// shards the moment of the server's clock at which its lease began, 0 without one.
pub(super) fn take(
    connection: &mut Connection,
    by: Option<(&Candidate, &dyn Clock)>,
) -> Result<Option<(Shards, Duration)>, CommitFailure> {
    let session = Session::new(connection, Begin::Write(Fence::default()));
    // First, and in their order: of two who do it one waits for the other, and then sees its lease.
    session.rows("SELECT shard FROM shards ORDER BY shard FOR UPDATE", &[])?;
    // An owner who renews its lease just now is waited for, too: its row is of the past no more, or gone.
    session.run("DELETE FROM servers WHERE until <= clock_timestamp()", &[])?;
    if !session.rows("SELECT id FROM servers LIMIT 1", &[])?.is_empty() {
        session.roll_back()?;
        return Ok(None);
    }
    let sql = "UPDATE shards SET epoch = epoch + 1, server = $1 RETURNING shard, epoch";
    let rows = session.rows(sql, &[&by.map(|(candidate, _)| candidate.id())])?;
    let shards = Shards::of(rows.iter().map(|row| (row.get(0), row.get(1))));
    // Last: on a busy database all before it may take as long as a lease.
    let mut since = Duration::ZERO;
    if let Some((candidate, clock)) = by {
        since = clock.elapsed();
        let sql = "INSERT INTO servers (id, address, until) \
                   VALUES ($1, $2, clock_timestamp() + $3 * INTERVAL '1 second')";
        session.run(sql, &[&candidate.id(), &candidate.address, &candidate.seconds])?;
    }
    session.commit()?;
    Ok(Some((shards, since)))
}
