//! Described positions: the error that a game gives for one that it can't accept.

use thiserror::Error;

/// The error of a described position that is not accepted.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("position{}{field}: {expected}", if field.is_empty() { "" } else { ", field " })]
pub struct PositionError {
    /// Path of the field, such as `units.R[2]`; empty for the whole.
    pub field: String,
    /// Description of what is wrong and what would be accepted.
    pub expected: String,
}

impl PositionError {
    /// `field` is not as `expected` says.
    #[must_use]
    pub fn new(field: impl Into<String>, expected: impl Into<String>) -> Self {
        Self { field: field.into(), expected: expected.into() }
    }
}
