//! The number of files that the process may have open: a connection is one.

use rustix::process::{Resource, getrlimit, setrlimit};

/// Files beside connections: the store, its log, telemetry, what the runtime has.
const RESERVE: u64 = 128;

/// Raises the number as far as this process may, and returns how many connections there is room for.
pub(super) fn room_for_connections() -> u32 {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        tracing::warn!(%error, "the limit of open files was not raised");
    }
    let files = getrlimit(Resource::Nofile).current;
    files.map_or(u32::MAX, |files| u32::try_from(files.saturating_sub(RESERVE).max(1)).unwrap_or(u32::MAX))
}
