//! A bot that is a program, as its user names it ([`BotConfig`]).

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use sha2::{Digest, Sha256};

pub(crate) use super::limits::ProcessLimits;
pub(crate) use super::log::LogConfig;

/// A bot that is a program, and the bounds within which it plays.
#[derive(Clone, Debug)]
pub(crate) struct BotConfig {
    /// Its name: that of the player, for others.
    pub name: String,
    /// The program: a path, or a name that is looked for in `PATH`.
    pub command: OsString,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Variables of its environment, beside those of the runner. Keys and tokens of the runner are taken out.
    pub env: Vec<(OsString, OsString)>,
    /// The folder that it runs in; `None`: that of the runner.
    pub folder: Option<PathBuf>,
    /// The memory and the processor time of its processes.
    pub limits: ProcessLimits,
    /// The time that it has from `hello` to `ready`.
    pub ready_time: Duration,
    /// The time that it has for an answer to a prompt. The clock of the match runs beside it.
    pub answer_time: Duration,
    /// The times that it may be started again in one match.
    pub restarts_max: u32,
    /// True to resign a match in which it may not be started again; otherwise the seat is left to the clock and the host.
    pub resigns_when_broken: bool,
    /// The place of its logs.
    pub log: LogConfig,
    /// The seed that the seeds of its processes follow from.
    pub seed: [u8; 32],
}

impl BotConfig {
    /// A number below 2 to the power of 53 for one process, which plays this seat after so many others have. No two have the same.
    pub(super) fn seed_of(&self, match_id: &str, seat: u32, restart: u32) -> u64 {
        let mut hasher = Sha256::new();
        hasher.update("edgehill/bot-seed/1");
        hasher.update(self.seed);
        hasher.update(seat.to_le_bytes());
        hasher.update(restart.to_le_bytes());
        hasher.update(match_id);
        let hash: [u8; 32] = hasher.finalize().into();
        u64::from_le_bytes(std::array::from_fn(|index| hash[index])) >> 11
    }
}
