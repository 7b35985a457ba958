//! The failures that end the command ([`Failure`]), each with its exit code.

use std::fmt::Display;

use crate::store;

/// The failure that ends the command, in words for its caller.
#[derive(Debug)]
pub(super) enum Failure {
    /// Exit code 2: the arguments or the configuration are not accepted.
    Configuration(String),
    /// Exit code 1: it can't be done.
    Fault(String),
    /// Exit code 3: the store is damaged, or another file stands in its place.
    Damage(String),
}

impl Failure {
    pub(super) fn fault(what: impl Display) -> Self {
        Self::Fault(what.to_string())
    }

    pub(super) const fn exit_code(&self) -> u8 {
        match self {
            Self::Fault(_) => 1,
            Self::Configuration(_) => 2,
            Self::Damage(_) => 3,
        }
    }

    pub(super) fn words(&self) -> &str {
        match self {
            Self::Configuration(words) | Self::Fault(words) | Self::Damage(words) => words,
        }
    }
}

impl From<store::Error> for Failure {
    fn from(error: store::Error) -> Self {
        let words = format!("{}: {error}", error.reason());
        match error {
            store::Error::Corrupt { .. } | store::Error::Quarantined { .. } => Self::Damage(words),
            _ => Self::Fault(words),
        }
    }
}
