//! The part of the machine that this process has, as the system tells it; where it does not, nothing is told.

#[cfg(target_os = "linux")]
use procfs::WithCurrentSystemInfo as _;

/// Bytes of physical memory.
#[cfg(target_os = "linux")]
pub(super) fn memory_bytes() -> Option<u64> {
    Some(procfs::process::Process::myself().ok()?.stat().ok()?.rss_bytes().get())
}

/// Seconds of processors, in the program and in the system for it.
#[cfg(target_os = "linux")]
pub(super) fn cpu_seconds() -> Option<[(&'static str, f64); 2]> {
    let stat = procfs::process::Process::myself().ok()?.stat().ok()?;
    let seconds = |ticks: u64| ticks as f64 / procfs::ticks_per_second() as f64;
    Some([("user", seconds(stat.utime)), ("system", seconds(stat.stime))])
}

/// Files and connections.
#[cfg(target_os = "linux")]
pub(super) fn open_files() -> Option<u64> {
    Some(procfs::process::Process::myself().ok()?.fd_count().ok()? as u64)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn memory_bytes() -> Option<u64> {
    None
}

#[cfg(not(target_os = "linux"))]
pub(super) fn cpu_seconds() -> Option<[(&'static str, f64); 2]> {
    None
}

#[cfg(not(target_os = "linux"))]
pub(super) fn open_files() -> Option<u64> {
    None
}
