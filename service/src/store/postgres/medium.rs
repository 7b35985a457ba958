//! The database as what is written to: [`DatabaseMedium`].
//!
//! It counts as *settled* while its last commit was answered. After one whose outcome is unknown nobody reads either, until the server has
//! connected anew, still owns its shards, and has committed something: what the database shows from then on stays.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::super::error::{Error, Failure};
use super::super::faults::Moment;
use super::super::index::Indexes;
use super::super::line::Waiting;
use super::super::operation::Operation;
use super::super::shards::{Shard, ShardSet};
use super::super::store_ops::StoreOps;
use super::super::writer::{self, Committed, Medium, Shared, injected};
use super::connecting::PostgresServer;
use super::failure::failure;
use super::fence::HeldShards;
use super::session::{Begin, CommitFailure, Connection, Session};
use super::tables::{Done, Tables};
use super::{PostgresOptions, schema};

/// A database that is open.
#[derive(Debug)]
pub(super) struct DatabaseMedium {
    name: Arc<Path>,
    server: PostgresServer,
    /// `None`: it was lost.
    connection: Option<Connection>,
    shards: HeldShards,
    options: PostgresOptions,
    indexes: Arc<Indexes>,
    settled: Arc<AtomicBool>,
}

impl DatabaseMedium {
    /// Connects to the database, brings its schema up to date, and takes the shards over; if it has them already (`are_taken`), only
    /// makes sure of them.
    pub(super) fn open(
        server: PostgresServer,
        options: PostgresOptions,
        (shards, are_taken): (HeldShards, bool),
        shared: &Shared,
        settled: Arc<AtomicBool>,
    ) -> Result<Self, Error> {
        let name = server.name();
        let mut connection = Connection::open(&server, &shards).map_err(|error| error.opening(&name))?;
        schema::settle(&mut connection)?;
        let open = |failure: Failure| match failure {
            Failure(Error::Failed { why } | Error::Unavailable { why } | Error::OutcomeUnknown { why }) => {
                Error::Open { path: name.to_path_buf(), why }
            }
            Failure(error) => error,
        };
        // A commit of its own: whatever stood in the database before stays.
        if !are_taken {
            shards.take_over(&mut connection).map_err(open)?;
        }
        shards.commit_something(&mut connection).map_err(open)?;
        let tables = Tables::new(Session::new(&mut connection, Begin::Look), true);
        shared.counters.set_quarantined(tables.quarantined().map_err(open)?);
        tables.roll_back().map_err(open)?;
        settled.store(true, Ordering::Release);
        let indexes = Arc::clone(&shared.indexes);
        Ok(Self { name, server, connection: Some(connection), shards, options, indexes, settled })
    }

    /// Does the operations in one transaction, and tries to do their appends in one statement, unless it is careful. Where it fails the
    /// transaction may still be open.
    fn commit_batch(&mut self, batch: &[Waiting], is_careful: bool) -> Result<Committed, CommitFailure> {
        let operations = batch.len();
        self.options.faults.at(Moment::Begin { operations }).map_err(injected)?;
        let connection = self.connection.as_mut().ok_or_else(lost)?;
        let held = self.shards.shards();
        let owned = batch.iter().map(|waiting| &waiting.operation).filter(|operation| owns(&held, operation));
        let matches = owned.clone().flat_map(Operation::matches_written);
        // Rows of all servers are held by a shard of the one that writes.
        let is_of_all = owned.clone().any(Operation::is_of_all);
        let is_of_store = owned.clone().any(Operation::is_of_store);
        let others = [is_of_store.then_some(Shard::OF_STORE), held.iter().next().filter(|_| is_of_all)];
        let fence = self.shards.fence(matches.map(Shard::of).chain(others.into_iter().flatten()));
        let mut tables = Tables::new(Session::new(connection, Begin::Write(fence)), is_careful);
        let unix_ms = self.options.clock.unix_ms();
        let mut ops = StoreOps { rows: &mut tables, indexes: &self.indexes, unix_ms };
        let ran = writer::run(&mut ops, batch, |operation| (!owns(&held, operation)).then(not_owned))
            .and_then(|(ended, quarantines)| {
                let quarantined = if quarantines { Some(tables.quarantined()?) } else { None };
                self.options.faults.at(Moment::Commit { operations }).map_err(injected)?;
                Ok((ended, quarantined))
            });
        match ran {
            Ok((ended, quarantined)) => {
                let Done { is_changed, appends } = tables.commit()?;
                Ok(Committed { ended, is_changed, appends, quarantined })
            }
            Err(_) if tables.is_unmet() => Err(CommitFailure::Unmet),
            Err(failure) => Err(CommitFailure::Broken(failure)),
        }
    }

    /// As [`Self::commit_batch`]; where that fails the connection is in no transaction any more, or is lost.
    fn try_batch(&mut self, batch: &[Waiting], is_careful: bool) -> Result<Committed, CommitFailure> {
        let ended = self.commit_batch(batch, is_careful);
        let is_lost = |error: &Error| matches!(error, Error::OutcomeUnknown { .. } | Error::Failed { .. });
        match &ended {
            Ok(_) => {}
            Err(CommitFailure::Broken(Failure(error))) if is_lost(error) => {}
            Err(_) => {
                let connection = self.connection.as_mut().ok_or_else(lost)?;
                let rolled_back = connection.client().batch_execute("ROLLBACK");
                rolled_back.map_err(|error| failure(connection.name(), &error))?;
            }
        }
        ended
    }
}

impl Medium for DatabaseMedium {
    fn name(&self) -> &Path {
        &self.name
    }

    fn commit(&mut self, batch: &[Waiting]) -> Result<Committed, Failure> {
        let mut ended = self.try_batch(batch, false);
        if matches!(ended, Err(CommitFailure::Unmet)) {
            // The appends that these indexes have did not happen.
            let matches = batch.iter().flat_map(|waiting| waiting.operation.matches());
            matches.for_each(|id| self.indexes.forget(id));
            ended = self.try_batch(batch, true);
        }
        ended.map_err(|failure| {
            let Failure(error) = failure.into_failure();
            if matches!(error, Error::OutcomeUnknown { .. } | Error::Failed { .. } | Error::Locked { .. }) {
                self.settled.store(false, Ordering::Release);
            }
            Failure(error)
        })
    }

    fn compact(&mut self) -> Result<(), Failure> {
        self.options.faults.at(Moment::Begin { operations: 0 }).map_err(injected)?;
        let connection = self.connection.as_mut().ok_or_else(lost)?;
        for table in ["appends", "matches", "overviews", "creations", "acts", "competition_events"] {
            let ran = connection.client().batch_execute_unhurried(&format!("VACUUM FULL {table}"));
            ran.map_err(|error| failure(connection.name(), &error))?;
        }
        Ok(())
    }

    fn try_write(&mut self, _: usize) -> Result<(), Failure> {
        self.options.faults.at(Moment::Begin { operations: 0 }).map_err(injected)?;
        self.options.faults.at(Moment::Commit { operations: 0 }).map_err(injected)?;
        let connection = self.connection.as_mut().ok_or_else(lost)?;
        self.shards.commit_something(connection)?;
        self.settled.store(true, Ordering::Release);
        Ok(())
    }

    /// Connects; its content is known once something was committed there ([`Medium::try_write`]).
    fn reopen(&mut self) -> Result<(), Failure> {
        self.connection = None;
        let name = self.server.name();
        let connected = Connection::open(&self.server, &self.shards);
        let connected = connected.map_err(|error| {
            let Failure(error) = error.failure(&name);
            // As long as it can't be reached it is tried again.
            Failure(match error {
                Error::Unavailable { why } => Error::Failed { why },
                other => other,
            })
        });
        self.connection = Some(connected?);
        Ok(())
    }

    fn fault_below(&self) -> Option<String> {
        None
    }

    fn end(&mut self) {
        self.connection = None;
    }
}

/// Returns whether all that an operation writes belongs to these shards.
fn owns(held: &ShardSet, operation: &Operation) -> bool {
    operation.matches_written().into_iter().all(|id| held.has(id))
        && (!operation.is_of_store() || held.contains(Shard::OF_STORE))
}

/// The error of an operation on what another server owns: that one does it.
fn not_owned() -> Error {
    Error::Unavailable { why: "another server owns the match".to_owned() }
}

/// The failure of a connection that is not there.
fn lost() -> Failure {
    Failure(Error::Failed { why: "the database is not connected".to_owned() })
}
