//! Acts on a server as a whole ([`ServerAct`]), which those do who run it: they have no account there.

use std::fmt;

use serde::{Deserialize, Serialize};

/// An act on a server as a whole. It stands in the log as the server's own, and what it has done is done when it is written down.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ServerAct {
    /// Accounts, limits and certificates were read again (SIGHUP).
    ConfigurationRead,
    /// The rules of another build have taken matches up (`edgehill-server replay-all`).
    MatchesTakenUp {
        /// Number of the matches.
        count: u64,
    },
    /// The store was sealed with another key (`edgehill-server rotate-key`).
    KeyRotated,
    /// Former keys were forgotten (`edgehill-server rotate-key --forget`).
    KeysForgotten {
        /// Number of the keys.
        count: u64,
    },
}

impl fmt::Display for ServerAct {
    /// The act in words for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ConfigurationRead => f.write_str("read accounts, limits and certificates again"),
            Self::MatchesTakenUp { count } => {
                write!(f, "took {count} matches up with the rules of this build")
            }
            Self::KeyRotated => f.write_str("sealed the store with another key"),
            Self::KeysForgotten { count } => write!(f, "forgot {count} former keys"),
        }
    }
}
