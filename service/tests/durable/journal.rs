//! The answers that clients got ([`Journal`]): on disk before a client goes on.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The outcome of a request of a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Did {
    /// These actions were taken.
    Actions(Vec<u32>),
    /// So many actions were taken back.
    Undone(u32),
    /// It gave up.
    Resigned,
}

/// An acknowledged request of a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Acknowledged {
    pub(crate) request: String,
    pub(crate) match_id: String,
    pub(crate) seat: u32,
    /// The number at which its sequence stood in the answer.
    pub(crate) seq: u64,
    pub(crate) did: Did,
}

/// An acknowledged request to make a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Made {
    pub(crate) request: String,
    pub(crate) game: String,
    pub(crate) match_id: String,
    pub(crate) commitment: Vec<u8>,
}

/// An acknowledged request to take a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Sat {
    pub(crate) request: String,
    pub(crate) match_id: String,
    pub(crate) seat: u32,
    pub(crate) token: String,
}

/// A file with a line for everything that was acknowledged.
#[derive(Debug)]
pub(crate) struct Journal {
    file: File,
    pub(crate) path: PathBuf,
}

impl Journal {
    pub(crate) fn open(path: PathBuf) -> Self {
        let file = OpenOptions::new().create(true).append(true).open(&path).unwrap();
        Self { file, path }
    }

    /// Writes a line, and returns when it is on disk.
    pub(crate) fn note(&mut self, line: &impl Serialize) {
        let mut bytes = serde_json::to_vec(line).unwrap();
        bytes.push(b'\n');
        self.file.write_all(&bytes).unwrap();
        self.file.sync_data().unwrap();
    }
}

/// Everything in a journal. The last line may be on its way into it.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Vec<T> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    whole.map(|line| serde_json::from_str(line).unwrap()).collect()
}
