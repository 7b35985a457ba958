//! A connection to the database ([`Connection`]), and one transaction on it ([`Session`]).

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use postgres::types::ToSql;
use postgres::{Row, Statement};

use super::super::error::{Error, Failure};
use super::client::Client;
use super::connecting::{ConnectError, PostgresServer};
use super::failure::{commit_failure, failure};
use super::fence::{Fence, HeldShards};

/// The values of a statement.
pub(super) type Values<'a> = &'a [&'a (dyn ToSql + Sync)];

/// Has the database end a transaction in which nothing was asked for five seconds. It holds the rows of shards, and a server that stands
/// still, or was cut off, in the midst of one would else keep every other from taking them over, until it is noticed that it is gone:
/// which takes hours, or for ever.
const IDLE: &str = "SET idle_in_transaction_session_timeout = '5s'";

/// A connection, with the statements that were prepared on it.
pub(super) struct Connection {
    client: Client,
    statements: HashMap<String, Statement>,
    /// The database has warned of something since this was taken down last.
    warned: Arc<AtomicBool>,
    /// The time in which the database has to answer.
    answer: Duration,
    name: Arc<Path>,
}

impl Connection {
    /// Connects to the database, at a host that has all that is known to be written there.
    pub(super) fn open(server: &PostgresServer, held: &HeldShards) -> Result<Self, ConnectError> {
        let warned = Arc::new(AtomicBool::new(false));
        let client = server.connect(&warned, held.written().as_ref())?;
        let (statements, answer) = (HashMap::new(), server.answer());
        let mut connection = Self { client, statements, warned, answer, name: server.name() };
        connection.wait_for_the_disk().map_err(ConnectError::Refused)?;
        connection.client.batch_execute(IDLE).map_err(ConnectError::Refused)?;
        Ok(connection)
    }

    pub(super) fn name(&self) -> &Path {
        &self.name
    }

    /// Has what is asked on it be answered within this time, or it is lost.
    pub(super) const fn answer_within(&mut self, within: Duration) {
        self.answer = within;
        self.client.answer_within(within);
    }

    /// Returns whether the database answers on it within this time.
    pub(super) fn is_there(&mut self, within: Duration) -> bool {
        self.client.answer_within(within);
        let is_there = self.client.check().is_ok();
        self.client.answer_within(self.answer);
        is_there
    }

    /// The connection itself, for what is no transaction of the store's.
    pub(super) const fn client(&mut self) -> &mut Client {
        &mut self.client
    }

    fn prepared(&mut self, sql: &str) -> Result<Statement, postgres::Error> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql)?;
        self.statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    /// The rows of a statement, which is a transaction of its own outside of one.
    pub(super) fn query(&mut self, sql: &str, values: Values<'_>) -> Result<Vec<Row>, postgres::Error> {
        let statement = self.prepared(sql)?;
        self.client.query(&statement, values)
    }

    /// Does a statement that is a transaction of its own, and commits with it; its rows. Unless the database itself refused it, its
    /// outcome is unknown.
    pub(super) fn commit_with(&mut self, sql: &str, values: Values<'_>) -> Result<Vec<Row>, CommitFailure> {
        let prepared = self.prepared(sql);
        let statement = prepared.map_err(|error| CommitFailure::Broken(failure(&self.name, &error)))?;
        self.warned.store(false, Ordering::Relaxed);
        match self.client.query(&statement, values) {
            Ok(rows) => {
                self.waited()?;
                Ok(rows)
            }
            Err(error) if is_unmet(&error) => Err(CommitFailure::Unmet),
            Err(error) => Err(CommitFailure::Broken(commit_failure(&self.name, &error))),
        }
    }

    /// Has each commit wait until it is on the disk, and on those of as many standbys as the database asks for, whatever the role's or
    /// the database's own setting is.
    fn wait_for_the_disk(&mut self) -> Result<(), postgres::Error> {
        let set = self.client.query_opt("SHOW synchronous_commit")?;
        if !set.is_some_and(|set| matches!(set.get(0), "on" | "remote_apply")) {
            self.client.batch_execute("SET synchronous_commit = on")?;
        }
        Ok(())
    }

    /// Checks that a commit has waited for as many standbys as it has to: the database warns of one that was told to wait no more.
    fn waited(&self) -> Result<(), Failure> {
        if !self.warned.swap(false, Ordering::Relaxed) {
            return Ok(());
        }
        let why =
            "the database has warned while it committed, and may not have waited for its standbys".to_owned();
        Err(Failure(Error::OutcomeUnknown { why }))
    }
}

/// The end of a commit, if not well.
#[derive(Debug)]
pub(super) enum CommitFailure {
    /// Its conditions are not met: nothing of it was done, and what it relied on has to be read again.
    Unmet,
    /// It failed.
    Broken(Failure),
}

impl CommitFailure {
    /// The failure that it is for those who do not try again.
    pub(super) fn into_failure(self) -> Failure {
        match self {
            Self::Broken(failure) => failure,
            Self::Unmet => {
                Failure(Error::Unavailable { why: "another server writes to the same rows".to_owned() })
            }
        }
    }
}

impl From<Failure> for CommitFailure {
    fn from(failure: Failure) -> Self {
        Self::Broken(failure)
    }
}

/// Returns whether an error is that of a statement whose conditions are not met ([`super::appends`]), or of a transaction that another one
/// was in the way of.
fn is_unmet(error: &postgres::Error) -> bool {
    use postgres::error::SqlState;
    let unmet = [
        SqlState::DIVISION_BY_ZERO,
        SqlState::UNIQUE_VIOLATION,
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::T_R_DEADLOCK_DETECTED,
    ];
    error.code().is_some_and(|code| unmet.contains(code))
}

/// The way in which a transaction begins.
#[derive(Debug)]
pub(super) enum Begin {
    /// To look at one moment.
    Look,
    /// To write to shards, for as long as the server owns them.
    Write(Fence),
}

/// A transaction, which begins with the first statement of it.
pub(super) struct Session<'a> {
    connection: RefCell<&'a mut Connection>,
    begin: Begin,
    begun: Cell<bool>,
}

impl<'a> Session<'a> {
    pub(super) const fn new(connection: &'a mut Connection, begin: Begin) -> Self {
        Self { connection: RefCell::new(connection), begin, begun: Cell::new(false) }
    }

    /// Returns whether anything was asked of it.
    pub(super) const fn is_begun(&self) -> bool {
        self.begun.get()
    }

    /// The database's name.
    pub(super) fn name(&self) -> Arc<Path> {
        Arc::clone(&self.connection.borrow().name)
    }

    /// The fence of a transaction that writes.
    pub(super) const fn fence(&self) -> Option<&Fence> {
        match &self.begin {
            Begin::Look => None,
            Begin::Write(fence) => Some(fence),
        }
    }

    /// The failure that an error of a statement in it is.
    fn failed(&self, error: &postgres::Error) -> CommitFailure {
        match is_unmet(error) {
            true => CommitFailure::Unmet,
            false => CommitFailure::Broken(failure(&self.connection.borrow().name, error)),
        }
    }

    /// Begins it, unless it has begun: a transaction that writes holds its fence from then on.
    pub(super) fn begin(&self) -> Result<(), CommitFailure> {
        if self.begun.replace(true) {
            return Ok(());
        }
        let sql = match self.begin {
            Begin::Look => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
            Begin::Write(_) => "BEGIN",
        };
        let begun = self.connection.borrow_mut().client.batch_execute(sql);
        begun.map_err(|error| self.failed(&error))?;
        match &self.begin {
            Begin::Write(fence) => fence.hold(self),
            Begin::Look => Ok(()),
        }
    }

    /// The rows of a statement in it.
    pub(super) fn rows(&self, sql: &str, values: Values<'_>) -> Result<Vec<Row>, CommitFailure> {
        self.begin()?;
        let rows = self.connection.borrow_mut().query(sql, values);
        rows.map_err(|error| self.failed(&error))
    }

    /// Does a statement in it; returns how many rows that concerns.
    pub(super) fn run(&self, sql: &str, values: Values<'_>) -> Result<u64, CommitFailure> {
        self.begin()?;
        let mut connection = self.connection.borrow_mut();
        let connection: &mut Connection = &mut connection;
        let ran =
            connection.prepared(sql).and_then(|statement| connection.client.execute(&statement, values));
        ran.map_err(|error| match is_unmet(&error) {
            true => CommitFailure::Unmet,
            false => CommitFailure::Broken(failure(&connection.name, &error)),
        })
    }

    /// Does a statement that is the whole transaction, if nothing was asked of it before; else one in it.
    pub(super) fn whole(&self, sql: &str, values: Values<'_>) -> Result<(), CommitFailure> {
        match self.is_begun() {
            true => self.rows(sql, values).map(drop),
            false => self.connection.borrow_mut().commit_with(sql, values).map(drop),
        }
    }

    /// Commits it.
    pub(super) fn commit(self) -> Result<(), CommitFailure> {
        if !self.begun.get() {
            return Ok(());
        }
        let connection = self.connection.into_inner();
        connection.warned.store(false, Ordering::Relaxed);
        match connection.client.batch_execute("COMMIT") {
            Ok(()) => Ok(connection.waited()?),
            Err(error) if is_unmet(&error) => Err(CommitFailure::Unmet),
            Err(error) => Err(CommitFailure::Broken(commit_failure(&connection.name, &error))),
        }
    }

    /// Takes it back.
    pub(super) fn roll_back(self) -> Result<(), Failure> {
        if !self.begun.get() {
            return Ok(());
        }
        let connection = self.connection.into_inner();
        let rolled = connection.client.batch_execute("ROLLBACK");
        rolled.map_err(|error| failure(&connection.name, &error))
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").field("name", &self.name).finish_non_exhaustive()
    }
}

impl fmt::Debug for Session<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("begin", &self.begin)
            .field("begun", &self.begun)
            .finish_non_exhaustive()
    }
}
