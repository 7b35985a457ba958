//! The meaning of PostgreSQL's errors to a store.

use std::path::Path;

use postgres::error::SqlState;

use super::super::error::{Error, Failure};

/// The failure that an error is in a transaction that was not committed: none of it was done.
pub(super) fn failure(name: &Path, error: &postgres::Error) -> Failure {
    let why = words(error);
    Failure(match error.code() {
        Some(code) if is_damage(code) => corrupt(name, why),
        Some(code) if is_gone(code) => Error::Failed { why },
        Some(_) => Error::Unavailable { why },
        None => Error::Failed { why },
    })
}

/// The failure of a commit: unless the database itself refused it, nobody knows whether it happened.
pub(super) fn commit_failure(name: &Path, error: &postgres::Error) -> Failure {
    match failure(name, error) {
        Failure(Error::Failed { why }) => Failure(Error::OutcomeUnknown { why }),
        other => other,
    }
}

/// The error of a database that can't be opened.
pub(super) fn opening(name: &Path, error: &postgres::Error) -> Error {
    match error.code() {
        Some(code) if is_damage(code) => corrupt(name, words(error)),
        _ => Error::Open { path: name.to_owned(), why: words(error) },
    }
}

/// The database is damaged.
pub(super) fn corrupt(name: &Path, what: impl Into<String>) -> Error {
    Error::Corrupt { path: name.to_owned(), what: what.into() }
}

/// A value that no statement of ours has written.
pub(super) fn foreign(name: &Path, what: &str) -> Failure {
    Failure(corrupt(name, what))
}

fn is_damage(code: &SqlState) -> bool {
    [SqlState::DATA_CORRUPTED, SqlState::INDEX_CORRUPTED].contains(code)
}

/// Returns whether the connection is of no use any more: the database stops, starts, or is no primary.
fn is_gone(code: &SqlState) -> bool {
    let gone = [
        SqlState::ADMIN_SHUTDOWN,
        SqlState::CRASH_SHUTDOWN,
        SqlState::CANNOT_CONNECT_NOW,
        SqlState::READ_ONLY_SQL_TRANSACTION,
        SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
        SqlState::IDLE_SESSION_TIMEOUT,
    ];
    // Class 08: of connections; 58: of the system below, such as its disk.
    gone.contains(code) || code.code().starts_with("08") || code.code().starts_with("58")
}

/// PostgreSQL's words, with its code.
fn words(error: &postgres::Error) -> String {
    match error.as_db_error() {
        Some(said) => format!("{} (PostgreSQL's code {})", said.message(), said.code().code()),
        None => {
            let below = std::error::Error::source(error).map(|below| format!(": {below}"));
            format!("{error}{}", below.unwrap_or_default())
        }
    }
}
