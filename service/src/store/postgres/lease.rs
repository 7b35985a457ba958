//! The lease of a server on the shards that it owns, as the database has it: [`Candidate`].
//!
//! A server has a row with the moment until which nobody else takes its shards, from its coming on. Who takes shards over deletes rows of
//! the past, so that an owner of before finds none to renew; and locks the shards first, so that of two who do it one sees the other's
//! claim. A shard goes from a server to another one that lives by the will of its owner alone.

use std::sync::Arc;
use std::time::Duration;

use postgres::Row;

use super::super::error::Failure;
use super::super::shards::Shard;
use super::failure::failure;
use super::fence::Fence;
use super::owners::{Member, Owners, ServerId};
use super::schema;
use super::session::{Begin, CommitFailure, Connection, Session};
use crate::clock::Clock;
use crate::entropy::{EntropyError, EntropySource};

/// The servers with a lease, each with its shards and their epochs.
const WITH_LEASE: &str = "SELECT servers.id, servers.address, array_agg(shards.shard), array_agg(shards.epoch), servers.leaving \
     FROM servers LEFT JOIN shards ON shards.server = servers.id GROUP BY servers.id, servers.address, servers.leaving";

/// The same, of those whose leases hold.
const OWNERS: &str = "SELECT servers.id, servers.address, array_agg(shards.shard), array_agg(shards.epoch), servers.leaving \
     FROM servers LEFT JOIN shards ON shards.server = servers.id WHERE servers.until > clock_timestamp() \
     GROUP BY servers.id, servers.address, servers.leaving";

/// Has a lease hold for its time from now on.
const RENEW: &str =
    "UPDATE servers SET until = clock_timestamp() + $2 * INTERVAL '1 second' WHERE id = $1 RETURNING id";

/// A shard, and the epoch since which it is its owner's.
pub(super) type Taken = (Shard, i64);

/// Shards that were claimed, with moments of the server's own steady clock.
#[derive(Debug)]
pub(super) struct Claimed {
    pub(super) taken: Vec<Taken>,
    /// From then on the lease holds for its time.
    pub(super) since: Duration,
    /// Since then a server whose lease has run out may have been gone; `None`: there is none.
    pub(super) gone_since: Option<Duration>,
}

/// A server that owns shards, or would.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// The name of this run of it.
    id: ServerId,
    /// The address at which others reach it.
    address: String,
    /// Seconds for which its lease holds.
    seconds: f64,
}

/// The owners that rows tell of ([`OWNERS`]), and the shards of one of them.
fn read(rows: &[Row], of: ServerId) -> (Owners, Vec<Taken>) {
    let (mut members, mut taken) = (Vec::with_capacity(rows.len()), Vec::new());
    for row in rows {
        let id = ServerId(row.get::<_, &[u8]>(0).try_into().unwrap_or_default());
        // One that owns nothing has a single shard, which is none.
        let (shards, epochs): (Vec<Option<i32>>, Vec<Option<i64>>) = (row.get(2), row.get(3));
        let owned = shards.into_iter().zip(epochs);
        let owned: Vec<Taken> =
            owned.filter_map(|(shard, epoch)| Some((Shard::new(shard?)?, epoch?))).collect();
        let shards = owned.iter().map(|&(shard, _)| shard).collect();
        members.push(Member { id, address: Arc::from(row.get::<_, &str>(1)), shards, leaving: row.get(4) });
        if id == of {
            taken = owned;
        }
    }
    (Owners::new(members), taken)
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
        Ok(Self { id: ServerId(id), address: address.to_owned(), seconds: lease.as_secs_f64() })
    }

    pub(super) const fn id(&self) -> ServerId {
        self.id
    }

    /// The servers whose leases hold, and the shards of this one.
    pub(super) fn owners(&self, connection: &mut Connection) -> Result<(Owners, Vec<Taken>), Failure> {
        let rows = connection.query(OWNERS, &[]);
        let rows = rows.map_err(|error| failure(connection.name(), &error))?;
        Ok(read(&rows, self.id))
    }

    /// Claims the free shards that are this server's to claim; `None`: another one was in the way.
    pub(super) fn claim(
        &self,
        connection: &mut Connection,
        clock: &dyn Clock,
    ) -> Result<Option<Claimed>, Failure> {
        match self.try_claim(connection, clock) {
            // Another one does the same.
            Err(CommitFailure::Unmet) => Ok(None),
            ended => ended.map(Some).map_err(CommitFailure::into_failure),
        }
    }

    fn try_claim(&self, connection: &mut Connection, clock: &dyn Clock) -> Result<Claimed, CommitFailure> {
        let session = Session::new(connection, Begin::Write(Fence::default()));
        // Since when they may have had no owner: each has renewed its lease as long before that ran out as it holds.
        let lapsed = "SELECT EXTRACT(EPOCH FROM max(clock_timestamp() - until))::FLOAT8 FROM servers \
                      WHERE until <= clock_timestamp()";
        let (asked, lapsed) = (clock.elapsed(), session.rows(lapsed, &[])?);
        let lapsed = lapsed.first().and_then(|row| row.get::<_, Option<f64>>(0));
        let gone_since = lapsed.map(|seconds| {
            let gone = Duration::try_from_secs_f64(seconds.max(0.0) + self.seconds).unwrap_or_default();
            asked.saturating_sub(gone)
        });
        lock_all(&session)?;
        let sql = "INSERT INTO servers (id, address, until) VALUES ($1, $2, clock_timestamp()) ON CONFLICT DO NOTHING";
        session.run(sql, &[&self.bytes(), &self.address])?;
        // Whose lease was not over when those of the past were ended may renew it yet.
        let (owners, _) = read(&session.rows(WITH_LEASE, &[])?, self.id);
        let shards: Vec<i32> = owners.to_claim(self.id).iter().map(Shard::number).collect();
        let sql =
            "UPDATE shards SET epoch = epoch + 1, server = $1 WHERE shard = ANY($2) RETURNING shard, epoch";
        let taken = taken(&session.rows(sql, &[&self.bytes(), &shards])?);
        // Last: on a busy database all before it may take as long as a lease.
        let since = clock.elapsed();
        session.run(RENEW, &[&self.bytes(), &self.seconds])?;
        session.commit()?;
        // The owner of before may have been of an earlier schema.
        schema::fill_shards(connection).map_err(|error| failure(connection.name(), &error))?;
        Ok(Claimed { taken, since, gone_since })
    }

    /// Has a lease from now on, on nothing.
    pub(super) fn enter(&self, connection: &mut Connection) -> Result<(), Failure> {
        let sql = "INSERT INTO servers (id, address, until) VALUES ($1, $2, clock_timestamp() + $3 * INTERVAL '1 second') \
                   ON CONFLICT (id) DO UPDATE SET until = excluded.until RETURNING id";
        let entered = connection.commit_with(sql, &[&self.bytes(), &self.address, &self.seconds]);
        entered.map(drop).map_err(CommitFailure::into_failure)
    }

    /// Has the lease hold for its time from now on; returns whether it was there to be renewed.
    pub(super) fn renew(&self, connection: &mut Connection) -> Result<bool, Failure> {
        let renewed = connection.commit_with(RENEW, &[&self.bytes(), &self.seconds]);
        Ok(!renewed.map_err(CommitFailure::into_failure)?.is_empty())
    }

    /// Has others hand nothing to this server any more.
    pub(super) fn withdraw(&self, connection: &mut Connection) -> Result<(), Failure> {
        let sql = "UPDATE servers SET leaving = true WHERE id = $1 RETURNING id";
        connection.commit_with(sql, &[&self.bytes()]).map(drop).map_err(CommitFailure::into_failure)
    }

    /// Hands shards over to a server whose lease holds, and that is not to stop; returns whether that is so, and they were this one's since
    /// those epochs. Transactions that hold one of them end before.
    pub(super) fn hand_over(
        &self,
        connection: &mut Connection,
        shards: &[Taken],
        to: ServerId,
    ) -> Result<bool, Failure> {
        let sql = "UPDATE shards SET epoch = shards.epoch + 1, server = servers.id \
                   FROM servers, unnest($2::INT4[], $3::INT8[]) AS held (shard, epoch) \
                   WHERE servers.id = $1 AND servers.until > clock_timestamp() AND NOT servers.leaving \
                     AND shards.shard = held.shard AND shards.epoch = held.epoch AND shards.server = $4 \
                   RETURNING shards.shard";
        let (numbers, epochs) = columns(shards);
        let handed = connection.commit_with(sql, &[&&to.0[..], &numbers, &epochs, &self.bytes()]);
        Ok(handed.map_err(CommitFailure::into_failure)?.len() == shards.len())
    }

    /// Takes up shards that are this server's in the database since these epochs, and raises these: what it has been handed stays so once that is
    /// committed, and what it could not hand over is not handed over late. Returns them since their new epochs; those that are another's
    /// by now are left out.
    pub(super) fn take_up(
        &self,
        connection: &mut Connection,
        shards: &[Taken],
    ) -> Result<Vec<Taken>, Failure> {
        let sql = "UPDATE shards SET epoch = shards.epoch + 1 FROM unnest($1::INT4[], $2::INT8[]) AS handed (shard, epoch) \
                   WHERE shards.shard = handed.shard AND shards.epoch = handed.epoch AND shards.server = $3 \
                   RETURNING shards.shard, shards.epoch";
        let (numbers, epochs) = columns(shards);
        let rows = connection.commit_with(sql, &[&numbers, &epochs, &self.bytes()]);
        Ok(taken(&rows.map_err(CommitFailure::into_failure)?))
    }

    fn bytes(&self) -> &[u8] {
        &self.id.0
    }

    /// Gives the lease back, and all shards with it.
    pub(super) fn leave(&self, connection: &mut Connection) -> Result<(), Failure> {
        let left = connection.commit_with("DELETE FROM servers WHERE id = $1 RETURNING id", &[&self.bytes()]);
        left.map(drop).map_err(CommitFailure::into_failure)
    }
}

/// Locks all shards against other claims, and ends the leases that have run out.
fn lock_all(session: &Session<'_>) -> Result<(), CommitFailure> {
    // In their order: of two who do it one waits for the other, and then sees its claim.
    session.rows("SELECT shard FROM shards ORDER BY shard FOR UPDATE", &[])?;
    // An owner who renews its lease just now is waited for, too: its row is of the past no more, or gone.
    session.run("DELETE FROM servers WHERE until <= clock_timestamp()", &[])?;
    Ok(())
}

fn columns(shards: &[Taken]) -> (Vec<i32>, Vec<i64>) {
    shards.iter().map(|&(shard, epoch)| (shard.number(), epoch)).unzip()
}

fn taken(rows: &[Row]) -> Vec<Taken> {
    rows.iter().filter_map(|row| Some((Shard::new(row.get(0))?, row.get(1)))).collect()
}

/// Takes all shards over for a server without a lease, which the next one overtakes; `None`: a server has one.
pub(super) fn take_all(connection: &mut Connection) -> Result<Option<Vec<Taken>>, CommitFailure> {
    let session = Session::new(connection, Begin::Write(Fence::default()));
    lock_all(&session)?;
    if !session.rows("SELECT id FROM servers LIMIT 1", &[])?.is_empty() {
        session.roll_back()?;
        return Ok(None);
    }
    let sql = "UPDATE shards SET epoch = epoch + 1, server = NULL RETURNING shard, epoch";
    let taken = taken(&session.rows(sql, &[])?);
    session.commit()?;
    Ok(Some(taken))
}
