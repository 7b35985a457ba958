//! The bytes of matches: what one counts as in memory, held against what is allocated for it, and what one leaves that is over.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod counted;
mod left;
mod playing;

use dhat::{HeapStats, Profiler};
use tokio::sync::{Mutex, MutexGuard};

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

/// Whoever counts bytes does so alone in the process.
static COUNTING: Mutex<()> = Mutex::const_new(());

/// Counts the bytes that are allocated, until it is dropped.
struct Counting {
    _profiler: Profiler,
    _alone: MutexGuard<'static, ()>,
}

impl Counting {
    async fn begin() -> Self {
        let alone = COUNTING.lock().await;
        Self { _profiler: Profiler::builder().testing().build(), _alone: alone }
    }

    /// Bytes that have been allocated since then and not freed.
    fn bytes(&self) -> usize {
        HeapStats::get().curr_bytes
    }
}
