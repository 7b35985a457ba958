//! Lines that a person types while other things happen ([`Lines`]).

use std::io::{self, BufRead, IsTerminal};
use std::thread;

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::error::Error;

/// The lines of the standard input, in order.
pub(super) struct Lines {
    lines: UnboundedReceiver<io::Result<String>>,
    /// True if a person types them, who has seen what was typed.
    pub typed: bool,
}

impl Lines {
    /// Reads them on a thread of its own: reading a terminal can't be given up.
    pub(super) fn of_stdin() -> Self {
        let (sender, lines) = unbounded_channel();
        thread::spawn(move || {
            for line in io::stdin().lock().lines() {
                if sender.send(line).is_err() {
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
