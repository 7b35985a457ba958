//! The process group of a bot ([`ProcessGroup`]): the process that was started, and all that it has started.

use std::process::{Child, ExitStatus};
use std::sync::{Mutex, PoisonError};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// A process group. Its number is good until its first process has been waited for: then it may become another group's, so that
/// nothing is killed by it any more.
#[derive(Debug)]
pub(crate) struct ProcessGroup {
    leader: Pid,
    is_reaped: Mutex<bool>,
}

impl ProcessGroup {
    /// The group that `leader` leads.
    pub(crate) fn of(leader: &Child) -> Self {
        Self { leader: Pid::from_child(leader), is_reaped: Mutex::new(false) }
    }

    /// The number of the group, and of its first process.
    pub(super) const fn leader(&self) -> Pid {
        self.leader
    }

    /// Kills every process of the group.
    pub(crate) fn kill(&self) {
        let is_reaped = self.is_reaped.lock().unwrap_or_else(PoisonError::into_inner);
        if !*is_reaped {
            // That no process is left to be killed is as good.
            let _ = kill_process_group(self.leader, Signal::KILL);
        }
    }

    /// Waits until the first process has ended, kills those that it leaves behind, and returns how it ended. Blocks.
    pub(crate) fn wait(&self, mut leader: Child) -> ExitStatus {
        let ended = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        // The number stays the group's until `Child::wait`.
        let _ = rustix::io::retry_on_intr(|| waitid(WaitId::Pid(self.leader), ended));
        let mut is_reaped = self.is_reaped.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = kill_process_group(self.leader, Signal::KILL);
        let status = leader.wait().expect("a child of this process that nobody else waits for");
        *is_reaped = true;
        status
    }
}
