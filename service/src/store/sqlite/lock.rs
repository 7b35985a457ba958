//! One process at a time: [`Lock`].

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use super::super::error::Error;

/// Held while a store is open; the operating system lets it go when the process ends, however it does.
#[derive(Debug)]
pub(super) struct Lock(File);

impl Lock {
    /// Locks the file beside `store` that is there for it.
    pub(super) fn take(store: &Path) -> Result<Self, Error> {
        let path = beside(store, ".lock");
        let open = |why: std::io::Error| Error::Open { path: path.clone(), why: why.to_string() };
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(open)?;
        match file.try_lock() {
            Ok(()) => Ok(Self(file)),
            Err(TryLockError::WouldBlock) => Err(Error::Locked { path }),
            Err(TryLockError::Error(why)) => Err(open(why)),
        }
    }
}

impl Drop for Lock {
    /// Closing the file is not enough: a child that this process is just starting holds a copy of it for a moment.
    fn drop(&mut self) {
        // A lock that can't be let go goes with the process.
        let _ = self.0.unlock();
    }
}

/// The file beside `store` whose name ends so.
pub(super) fn beside(store: &Path, ending: &str) -> PathBuf {
    let mut name = store.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}
