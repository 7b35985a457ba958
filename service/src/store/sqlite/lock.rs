//! One process at a time: [`Lock`].

use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::super::error::Error;
use super::failure::corrupt;

/// Held while a store is open, on its folder and on the file itself: neither can be taken away from under the process that
/// holds it, as a file that is there for the lock alone could be. The folder's comes first, since it is there before the file,
/// and stays locked if all that is in it is removed; the file's holds as well where a link leads to it from another folder.
///
/// Both are locks of the operating system that belong to an open file (`flock`): it lets them go when the process ends,
/// however it does, and they are none of those that SQLite takes (`fcntl`). But closing any open file of the store lets all
/// of SQLite's locks on it go, so this has to outlive every connection.
#[derive(Debug)]
pub(super) struct Lock {
    folder: File,
    file: Option<File>,
}

impl Lock {
    /// Locks the folder of `store`, which need not be there yet.
    pub(super) fn take(store: &Path) -> Result<Self, Error> {
        Ok(Self { folder: lock(folder_of(store), store)?, file: None })
    }

    /// Locks the file itself as well, before anything else opens it.
    pub(super) fn take_file(&mut self, store: &Path) -> Result<(), Error> {
        self.file = Some(lock(store, store)?);
        Ok(())
    }

    /// Checks that the file which is locked is still the one at `store`, so that no other is opened in its place.
    pub(super) fn check_file(&self, store: &Path) -> Result<(), Error> {
        let open = |why: io::Error| Error::Open { path: store.to_owned(), why: why.to_string() };
        let name = |file: &fs::Metadata| (file.dev(), file.ino());
        let Some(file) = &self.file else { return Ok(()) };
        match fs::metadata(store) {
            Ok(there) if name(&file.metadata().map_err(open)?) == name(&there) => Ok(()),
            Ok(_) => Err(corrupt(store, "another file stands in its place")),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(corrupt(store, "it was removed")),
            Err(error) => Err(open(error)),
        }
    }
}

impl Drop for Lock {
    /// Closing the files is not enough: a child that this process is just starting holds copies of them for a moment.
    fn drop(&mut self) {
        for file in self.file.iter().chain([&self.folder]) {
            // A lock that can't be let go goes with the process.
            let _ = file.unlock();
        }
    }
}

/// Locks what is at `path` for the sake of `store`.
fn lock(path: &Path, store: &Path) -> Result<File, Error> {
    let open = |why: io::Error| Error::Open { path: path.to_owned(), why: why.to_string() };
    let file = File::open(path).map_err(open)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::Locked { path: store.to_owned() }),
        Err(TryLockError::Error(why)) => Err(open(why)),
    }
}

/// The folder that `store` is in.
pub(super) fn folder_of(store: &Path) -> &Path {
    store.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The file beside `store` whose name ends so.
pub(super) fn beside(store: &Path, ending: &str) -> PathBuf {
    let mut name = store.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}
