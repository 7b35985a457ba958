//! The memory and the processor time that a bot may use up ([`ProcessLimits`]).

use std::io;

use rustix::process::Pid;

/// The limits of a bot's process. They are kept on Linux; elsewhere they are refused.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct ProcessLimits {
    /// Bytes of memory that its process group may have, all processes together; `None`: as much as there is.
    pub memory_bytes: Option<u64>,
    /// Seconds of processor time that each of its processes may use; `None`: as many as it takes.
    pub cpu_seconds: Option<u64>,
}

impl ProcessLimits {
    /// Sets them on a process that was just started. What it starts inherits them.
    ///
    /// # Errors
    /// If the system does not take them.
    #[cfg(target_os = "linux")]
    pub(super) fn set(&self, process: Pid) -> io::Result<()> {
        use rustix::process::{Resource, Rlimit, prlimit};
        if let Some(bytes) = self.memory_bytes {
            // Private memory that can be written, by process: it fails within the process as soon as it is asked for. Address space
            // (`Resource::As`) would be too coarse: runtimes reserve far more of it than they use.
            prlimit(Some(process), Resource::Data, Rlimit { current: Some(bytes), maximum: Some(bytes) })?;
        }
        if let Some(seconds) = self.cpu_seconds {
            let limit = Rlimit { current: Some(seconds), maximum: Some(seconds.saturating_add(1)) };
            prlimit(Some(process), Resource::Cpu, limit)?;
        }
        Ok(())
    }

    /// As on Linux, where they can be kept.
    ///
    /// # Errors
    /// If there are any.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn set(&self, _process: Pid) -> io::Result<()> {
        if *self == Self::default() {
            return Ok(());
        }
        Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "limits of memory and processor time are kept on Linux only",
        ))
    }

    /// True if the processes of a group have more memory than they may, as far as can be seen.
    pub(super) fn is_over_memory(&self, group: Pid) -> bool {
        self.memory_bytes.is_some_and(|bytes| resident_bytes(group).is_some_and(|resident| resident > bytes))
    }
}

/// Bytes of memory that the processes of a group have now; `None` if it can't be seen.
#[cfg(target_os = "linux")]
fn resident_bytes(group: Pid) -> Option<u64> {
    use procfs::WithCurrentSystemInfo as _;
    let group = group.as_raw_nonzero().get();
    // A process that ends while it is looked at has none.
    let stats = procfs::process::all_processes().ok()?.filter_map(|process| process.ok()?.stat().ok());
    Some(stats.filter(|stat| stat.pgrp == group).map(|stat| stat.rss_bytes().get()).sum())
}

#[cfg(not(target_os = "linux"))]
fn resident_bytes(_group: Pid) -> Option<u64> {
    None
}
