//! The meaning of SQLite's errors to a store.

use std::path::Path;

use rusqlite::ErrorCode;

use super::super::error::{Error, Failure};

/// The failure that an error of SQLite is, while a store is in use.
pub(super) fn failure(path: &Path, error: &rusqlite::Error) -> Failure {
    let why = words(error);
    Failure(match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => corrupt(path, why),
        // Every key is looked up before it is used: a key that is taken all the same is one that a look-up can't find.
        Some(ErrorCode::ConstraintViolation) => corrupt(path, why),
        // After an error of the disk nobody knows what it has, before the file was opened anew.
        Some(ErrorCode::SystemIoFailure) => Error::Failed { why },
        Some(_) => Error::Unavailable { why },
        // A value that no statement of ours has written.
        None => corrupt(path, why),
    })
}

/// The failure of a commit: if the disk failed, it may have all of the batch.
pub(super) fn commit_failure(path: &Path, error: &rusqlite::Error) -> Failure {
    match failure(path, error) {
        Failure(Error::Failed { why }) => Failure(Error::OutcomeUnknown { why }),
        other => other,
    }
}

/// SQLite's words, with its number, which says what the disk was asked for.
fn words(error: &rusqlite::Error) -> String {
    match error.sqlite_extended_error_code() {
        Some(code) => format!("{error} (SQLite's code {code})"),
        None => error.to_string(),
    }
}

/// The error of a file that can't be opened.
pub(super) fn opening(path: &Path, error: &rusqlite::Error) -> Error {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => Error::NotAStore { path: path.to_owned() },
        Some(ErrorCode::DatabaseCorrupt) | None => corrupt(path, words(error)),
        Some(_) => Error::Open { path: path.to_owned(), why: words(error) },
    }
}

/// The file is damaged.
pub(super) fn corrupt(path: &Path, what: impl Into<String>) -> Error {
    Error::Corrupt { path: path.to_owned(), what: what.into() }
}
