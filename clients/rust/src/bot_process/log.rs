//! The log of a bot in one match ([`BotLog`]): its standard error, its `log` lines, and notes of the runner.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::error::Error;

/// The place and the size of logs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LogConfig {
    /// The folder with a file for each match and seat; `None`: nothing is kept.
    pub folder: Option<PathBuf>,
    /// The most bytes that a bot may write into one file. Notes of the runner, a few lines for each process, come to them.
    pub bytes_max: u64,
}

/// The log of one seat of one match. It takes what it gets without end, and keeps the beginning.
#[derive(Debug)]
pub(super) struct BotLog(Mutex<Option<Kept>>);

#[derive(Debug)]
struct Kept {
    file: File,
    bytes_max: u64,
    bytes: u64,
    is_cut: bool,
    /// True where the next byte begins a line.
    at_start: bool,
}

impl BotLog {
    /// The log with this name, at the end of the file where there is one.
    ///
    /// # Errors
    /// If the file can't be written.
    pub(super) fn open(config: &LogConfig, name: &str) -> Result<Self, Error> {
        let Some(folder) = &config.folder else { return Ok(Self(Mutex::new(None))) };
        let file = open(folder, name)?;
        let kept = Kept { file, bytes_max: config.bytes_max, bytes: 0, is_cut: false, at_start: true };
        Ok(Self(Mutex::new(Some(kept))))
    }

    /// Keeps what a bot has written to its standard error, as it is.
    pub(super) fn bytes(&self, bytes: &[u8]) {
        self.with(|kept| kept.bounded(bytes));
    }

    /// Keeps a `log` line.
    pub(super) fn line(&self, text: &str) {
        // One line, whatever is in it.
        let text = text.replace(['\n', '\r'], " ");
        self.with(|kept| {
            kept.start_line()?;
            kept.bounded(format!("log: {text}\n").as_bytes())
        });
    }

    /// Keeps a note of the runner.
    pub(super) fn note(&self, text: &str) {
        self.with(|kept| {
            kept.start_line()?;
            writeln!(kept.file, "== {text}")
        });
    }

    /// Copies standard error to its end. Blocks.
    pub(super) fn copy(&self, mut from: impl Read) {
        let mut buffer = [0; 8_192];
        loop {
            match from.read(&mut buffer) {
                Ok(0) => return,
                Ok(count) => self.bytes(&buffer[..count]),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    }

    /// A log that can't be written any more, as on a full disk, ends there: the match goes on.
    fn with(&self, write: impl FnOnce(&mut Kept) -> std::io::Result<()>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.as_mut().is_some_and(|kept| write(kept).is_err()) {
            *kept = None;
        }
    }
}

impl Kept {
    /// Writes as much as there is room for; the first time that there is not enough, a line that says so.
    fn bounded(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        let room = usize::try_from(self.bytes_max - self.bytes).unwrap_or(usize::MAX);
        let written = &bytes[..bytes.len().min(room)];
        self.file.write_all(written)?;
        self.bytes += written.len() as u64;
        if let Some(last) = written.last() {
            self.at_start = *last == b'\n';
        }
        if written.len() < bytes.len() && !self.is_cut {
            self.is_cut = true;
            self.start_line()?;
            writeln!(self.file, "== cut here: the bot has written more than {} bytes", self.bytes_max)?;
        }
        Ok(())
    }

    fn start_line(&mut self) -> std::io::Result<()> {
        if !std::mem::replace(&mut self.at_start, true) {
            writeln!(self.file)?;
        }
        Ok(())
    }
}

fn open(folder: &Path, name: &str) -> Result<File, Error> {
    let path = folder.join(format!("{name}.log"));
    let failed = |error| Error::Write { path: path.clone(), error };
    fs::create_dir_all(folder).map_err(failed)?;
    File::options().create(true).append(true).open(&path).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(bytes_max: u64, write: impl FnOnce(&BotLog)) -> String {
        let folder = tempfile::tempdir().expect("a folder");
        let config = LogConfig { folder: Some(folder.path().to_owned()), bytes_max };
        write(&BotLog::open(&config, "m-0").expect("it is opened"));
        fs::read_to_string(folder.path().join("m-0.log")).expect("it is there")
    }

    #[test]
    fn lines_and_errors_and_notes_stand_in_their_order() {
        let text = kept(1_000, |log| {
            log.note("starts");
            log.bytes(b"half a line");
            log.line("two\nlines");
            log.copy(&b"more\n"[..]);
            log.note("ends");
        });
        assert_eq!(text, "== starts\nhalf a line\nlog: two lines\nmore\n== ends\n");
    }

    #[test]
    fn a_flood_is_cut_once_and_notes_go_on() {
        let text = kept(10, |log| {
            (0..1_000).for_each(|_| log.bytes(b"flood "));
            log.line("more");
            log.note("killed");
        });
        assert_eq!(text, "flood floo\n== cut here: the bot has written more than 10 bytes\n== killed\n");
    }
}
