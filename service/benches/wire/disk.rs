//! The bound that the disk sets: no call is answered before a sync that began after it.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// Number of syncs that are timed.
const SYNCS: usize = 51;
/// Number of bytes written before each: about a batch of the store.
const BYTES: usize = 64 * 1024;

/// Returns the median time of a sync of a file in `folder` that does not grow.
pub(crate) fn sync(folder: &Path) -> Duration {
    let mut file = File::create(folder.join("sync")).expect("a new file");
    let block = vec![7; BYTES];
    let mut took = Vec::with_capacity(SYNCS);
    for _ in 0..=SYNCS {
        file.seek(SeekFrom::Start(0)).expect("the file's beginning");
        file.write_all(&block).expect("room for a block");
        let started = Instant::now();
        file.sync_all().expect("a sync");
        took.push(started.elapsed());
    }
    // The first has made the file larger.
    took.remove(0);
    took.sort();
    took[SYNCS / 2]
}
