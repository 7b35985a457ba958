//! The disk below a store: how large its files are, and its own word on why a write failed, since SQLite keeps the operating system's error
//! to itself.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use super::lock::beside;

/// The least that SQLite writes.
const PAGE_BYTES: usize = 4_096;

/// Bytes of the store at `path`, and of its write-ahead log; 0 for what is not there.
pub(super) fn sizes(path: &Path) -> (u64, u64) {
    let bytes = |file: &Path| fs::metadata(file).map_or(0, |file| file.len());
    (bytes(path), bytes(&beside(path, "-wal")))
}

/// The error that a write of a page meets now, beside the store at `path` and as far from a file's beginning as the write-ahead log
/// has come; `None` if it meets none.
pub(super) fn error_now(path: &Path) -> Option<io::Error> {
    let (_, log_bytes) = sizes(path);
    let trial = beside(path, ".trial");
    let tried = File::create(&trial).and_then(|file| {
        file.write_all_at(&[0; PAGE_BYTES], log_bytes)?;
        file.sync_all()
    });
    // One that stays is written over by the next.
    let _ = fs::remove_file(&trial);
    tried.err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sound_disk_has_no_error_and_keeps_no_trial() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("matches.db");
        assert!(error_now(&path).is_none());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn the_error_is_the_operating_systems() {
        let error = error_now(Path::new("/nowhere/matches.db")).unwrap();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
