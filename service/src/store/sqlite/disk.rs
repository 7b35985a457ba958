//! The disk's own word on why a write failed: SQLite keeps the operating system's error to itself.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use super::lock::beside;

/// The least that SQLite writes.
const PAGE_BYTES: usize = 4_096;

/// The error that a write of a page meets now, beside the store at `path` and as far from a file's beginning as the write-ahead log
/// has come; `None` if it meets none.
pub(super) fn error_now(path: &Path) -> Option<io::Error> {
    let log_bytes = fs::metadata(beside(path, "-wal")).map_or(0, |log| log.len());
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
