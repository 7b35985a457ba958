//! The history of a run: each try of a call with its begin, its end and its answer, and each look at what there is, as lines of JSON
//! that `service/tests/histories` reads.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use serde::Serialize;

/// A line of it. Moments are nanoseconds since the begin of the run, on a clock that only goes on.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum HistoryLine<'a> {
    /// A try of a request of a seat.
    Call {
        r#match: &'a str,
        seat: u32,
        request: &'a str,
        /// The action that was asked for; `None`: to take back what is not final.
        action: Option<u32>,
        /// To give up, whatever else is asked.
        resigns: bool,
        /// The number that the seat's sequence had to stand at.
        expected: Option<u64>,
        begin: u64,
        /// `None`: there was no answer.
        end: Option<u64>,
        answer: Answer<'a>,
    },
    /// A try of a request that makes a match, or takes a seat of one.
    Once {
        /// The request, by its caller's name.
        request: &'a str,
        /// The match or the seat that it came to; `None`: there was no answer.
        came_to: Option<&'a str>,
        begin: u64,
        end: Option<u64>,
    },
    /// A look at how many events an observer has.
    Look {
        r#match: &'a str,
        observer: &'a str,
        length: u64,
        /// The digest of those events, if they were seen with it.
        seen: Option<u64>,
        begin: u64,
        end: u64,
    },
    /// The record of a match that is over: what each seat did for good, in order.
    Record { r#match: &'a str, commits: Vec<(usize, Vec<u32>)>, resigned: Vec<usize>, begin: u64, end: u64 },
}

/// The answer to a try.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Answer<'a> {
    /// So many actions were taken, or taken back; with that the seat's sequence stood at this number. The digest of its events, if the seat
    /// has all of them by now.
    Done { count: u32, seq: u64, seen: Option<u64> },
    /// It was refused for this reason.
    Refused(&'a str),
    /// There was none: it may have happened, or may yet.
    Unknown,
}

/// The history that is being written.
#[derive(Debug)]
pub(crate) struct History {
    began: Instant,
    path: PathBuf,
    file: Mutex<BufWriter<File>>,
}

impl History {
    /// A new one, in a file of this folder.
    pub(crate) fn new(folder: &Path) -> Self {
        let path = folder.join("history.jsonl");
        let file = Mutex::new(BufWriter::new(File::create(&path).unwrap()));
        Self { began: Instant::now(), path, file }
    }

    /// A moment as lines have it.
    pub(crate) fn at(&self, moment: Instant) -> u64 {
        moment.duration_since(self.began).as_nanos() as u64
    }

    pub(crate) fn note(&self, line: &HistoryLine<'_>) {
        let mut bytes = serde_json::to_vec(line).unwrap();
        bytes.push(b'\n');
        self.file.lock().unwrap().write_all(&bytes).unwrap();
    }

    /// Notes a try of a request that makes a match, or takes a seat: when it began, and what it came to just now.
    pub(crate) fn once(&self, request: &str, begin: Instant, came_to: Option<&str>) {
        let end = came_to.map(|_| self.at(Instant::now()));
        self.note(&HistoryLine::Once { request, came_to, begin: self.at(begin), end });
    }

    /// The file, with all that was noted in it.
    pub(crate) fn written(&self) -> &Path {
        self.file.lock().unwrap().flush().unwrap();
        &self.path
    }
}
