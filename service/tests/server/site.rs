//! A store with an operator in its accounts file, for servers that are started on it one after the other.

use std::fs;
use std::path::PathBuf;

use tonic::{Response, Status};

use crate::process::{Running, key_of, start};

pub(crate) struct Site {
    folder: tempfile::TempDir,
    /// The key of the operator `chief`.
    pub(crate) chief: String,
}

impl Site {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (chief, lines) = key_of("chief", "operator", folder.path().join("store").to_str().unwrap());
        fs::write(folder.path().join("accounts.toml"), lines).unwrap();
        Self { folder, chief }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn start(&self) -> Running {
        let [store, accounts] = ["store", "accounts.toml"].map(|name| self.path(name));
        start(&["--store", store.to_str().unwrap(), "--accounts", accounts.to_str().unwrap()], &[])
    }
}

/// The answer of a call that is not refused.
pub(crate) fn said<T>(answer: Result<Response<T>, Status>) -> T {
    answer.unwrap().into_inner()
}
