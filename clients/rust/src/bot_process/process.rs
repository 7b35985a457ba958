//! A bot's process with its pipes ([`BotProcess`]).
//!
//! Each pipe has a thread of its own, so that none of them holds up the others. The queues between are bounded: a bot that writes
//! faster than it is read waits, one that does not read is found out by [`BotProcess::tell`].

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver as LineReceiver, SyncSender, TrySendError, sync_channel};
use std::thread;

use tokio::sync::{mpsc, watch};

use super::config::BotConfig;
use super::from_bot::LINE_BYTES_MAX;
use super::group::ProcessGroup;
use super::limits::ProcessLimits;
use super::log::BotLog;
use super::to_bot::ToBot;
use crate::error::Error;

/// Lines that may wait until a bot reads them, beside those in the pipe: more than the faults that a process is forgiven, each of which is told.
const UNREAD_LINES_MAX: usize = 256;
/// Lines of a bot that may wait until the runner reads them.
const UNHEARD_LINES_MAX: usize = 16;
/// Variables that are the runner's alone.
const SECRETS: [&str; 5] =
    ["EDGEHILL_KEY", "EDGEHILL_TOKEN", "EDGEHILL_CA", "EDGEHILL_CERT", "EDGEHILL_CERT_KEY"];

/// A line that a bot has written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Written {
    /// A line, without its end.
    Line(Vec<u8>),
    /// One without an end within [`LINE_BYTES_MAX`]. Nothing is read after it.
    TooLong,
}

/// A process of a bot. It is killed when this is dropped, with all that it has started.
pub(super) struct BotProcess {
    group: Arc<ProcessGroup>,
    limits: ProcessLimits,
    input: Option<SyncSender<String>>,
    status: watch::Receiver<Option<ExitStatus>>,
}

impl BotProcess {
    /// Starts the program of a bot, and returns it with the lines that it writes.
    ///
    /// # Errors
    /// If it can't be started, or not within its limits.
    pub(super) fn start(
        config: &BotConfig,
        log: &Arc<BotLog>,
    ) -> Result<(Self, mpsc::Receiver<Written>), Error> {
        let program = program(&config.command);
        let failed = |error| Error::Run { path: PathBuf::from(&program), error };
        let mut command = Command::new(&program);
        for secret in SECRETS {
            command.env_remove(secret);
        }
        command.args(&config.args).envs(config.env.iter().cloned());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A group of its own: Ctrl-C in the terminal is for the runner, and all of it is killed as one.
        command.process_group(0);
        if let Some(folder) = &config.folder {
            command.current_dir(folder);
        }
        let child = command.spawn().map_err(failed)?;
        Self::look_after(child, config.limits, log).map_err(failed)
    }

    fn look_after(
        mut child: Child,
        limits: ProcessLimits,
        log: &Arc<BotLog>,
    ) -> io::Result<(Self, mpsc::Receiver<Written>)> {
        let group = Arc::new(ProcessGroup::of(&child));
        let limited = limits.set(group.leader());
        let stdin = child.stdin.take().expect("it is piped");
        let stdout = child.stdout.take().expect("it is piped");
        let stderr = child.stderr.take().expect("it is piped");
        let (end, status) = watch::channel(None);
        let waits = Arc::clone(&group);
        let waiter = thread::Builder::new().name("bot-end".to_owned());
        if let Err(error) = waiter.spawn(move || end.send_replace(Some(waits.wait(child)))) {
            group.kill();
            return Err(error);
        }
        let (input, lines) = sync_channel(UNREAD_LINES_MAX);
        let (written, output) = mpsc::channel(UNHEARD_LINES_MAX);
        // From here on, what fails drops it, and with it the process.
        let process = Self { group, limits, input: Some(input), status };
        limited?;
        let log = Arc::clone(log);
        thread::Builder::new().name("bot-input".to_owned()).spawn(move || write_lines(stdin, &lines))?;
        thread::Builder::new().name("bot-output".to_owned()).spawn(move || read_lines(stdout, &written))?;
        thread::Builder::new().name("bot-log".to_owned()).spawn(move || log.copy(stderr))?;
        Ok((process, output))
    }

    /// Hands over a line; false if so many wait already that the bot does not seem to read them.
    #[must_use]
    pub(super) fn tell(&self, line: &ToBot<'_>) -> bool {
        let Some(input) = &self.input else { return true };
        // Of one that has closed its end, its own end says more.
        !matches!(input.try_send(line.line()), Err(TrySendError::Full(_)))
    }

    /// Ends its input, once it has read what was told.
    pub(super) fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits until it has ended, in its own way or killed. May be given up, and called again.
    pub(super) async fn ended(&self) -> ExitStatus {
        let mut status = self.status.clone();
        let status = status.wait_for(Option::is_some).await;
        status.ok().and_then(|status| *status).expect("the thread that waits for it says how it ended")
    }

    /// Kills it, and all that it has started.
    pub(super) fn kill(&self) {
        self.group.kill();
    }

    /// True if it has more memory than it may, as far as can be seen.
    pub(super) fn is_over_memory(&self) -> bool {
        self.limits.is_over_memory(self.group.leader())
    }

    /// True if its memory is bounded.
    pub(super) const fn has_memory_limit(&self) -> bool {
        self.limits.memory_bytes.is_some()
    }
}

impl Drop for BotProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A program that is named by a path is found where the runner runs, whatever folder it is to run in itself.
fn program(command: &OsStr) -> std::ffi::OsString {
    let path = Path::new(command);
    if path.components().count() < 2 {
        return command.to_owned();
    }
    std::path::absolute(path).map_or_else(|_| command.to_owned(), PathBuf::into_os_string)
}

fn write_lines(mut stdin: ChildStdin, lines: &LineReceiver<String>) {
    for line in lines {
        if stdin.write_all(line.as_bytes()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: ChildStdout, written: &mpsc::Sender<Written>) {
    let mut reader = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let read = Read::by_ref(&mut reader).take(LINE_BYTES_MAX as u64 + 1).read_until(b'\n', &mut line);
        let next = match read {
            Ok(0) | Err(_) => return,
            Ok(_) if line.last() == Some(&b'\n') => {
                line.pop();
                Written::Line(line)
            }
            Ok(_) if line.len() > LINE_BYTES_MAX => Written::TooLong,
            // Its output ends within a line, which is none.
            Ok(_) => return,
        };
        let is_last = next == Written::TooLong;
        if written.blocking_send(next).is_err() || is_last {
            return;
        }
    }
}
