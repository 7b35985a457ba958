//! Lines that a person types while other things happen ([`Lines`]).

use std::io::{self, BufRead, IsTerminal};
use std::thread;

use tokio::sync::mpsc::{Receiver, channel};

use crate::error::Error;

/// Lines that are read ahead; a file that is piped in may have any number.
const LINES_AHEAD: usize = 16;

/// The lines of the standard input, in order.
pub(super) struct Lines {
    lines: Receiver<io::Result<String>>,
    /// True if a person types them, who has seen what was typed.
    pub typed: bool,
}

impl Lines {
    /// Reads them on a thread of its own: reading a terminal can't be given up.
    pub(super) fn of_stdin() -> Self {
        let (sender, lines) = channel(LINES_AHEAD);
        thread::spawn(move || {
            for line in io::stdin().lock().lines() {
                if sender.blocking_send(line).is_err() {
                    return;
                }
            }
        });
        Self { lines, typed: io::stdin().is_terminal() }
    }

    /// The next line; `None` at the end of the input. It may be given up while it waits.
    pub(super) async fn next(&mut self) -> Result<Option<String>, Error> {
        self.lines.recv().await.transpose().map_err(Error::Input)
    }
}
