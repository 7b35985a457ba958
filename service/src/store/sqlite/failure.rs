//! The meaning of SQLite's errors to a store.

use std::path::Path;

use rusqlite::ErrorCode;

use super::super::error::{Error, Failure};

/// The failure that an error of SQLite is, while a store is in use.
pub(super) fn failure(path: &Path, error: &rusqlite::Error) -> Failure {
    let why = error.to_string();
    Failure(match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => corrupt(path, why),
        // Every key is looked up before it is used: a key that is taken all the same is one that a look-up can't find.
        Some(ErrorCode::ConstraintViolation) => corrupt(path, why),
        // After an error of the disk nobody knows what it has: only a restart reads what is really there.
        Some(ErrorCode::SystemIoFailure) => Error::Failed { why },
        Some(_) => Error::Unavailable { why },
        // A value that no statement of ours has written.
        None => corrupt(path, why),
    })
}

/// The error of a file that can't be opened.
pub(super) fn opening(path: &Path, error: &rusqlite::Error) -> Error {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => Error::NotAStore { path: path.to_owned() },
        Some(ErrorCode::DatabaseCorrupt) | None => corrupt(path, error.to_string()),
        Some(_) => Error::Open { path: path.to_owned(), why: error.to_string() },
    }
}

/// The file is damaged.
pub(super) fn corrupt(path: &Path, what: impl Into<String>) -> Error {
    Error::Corrupt { path: path.to_owned(), what: what.into() }
}
