//! The state that a run keeps in its folder, so that it is gone on with ([`RunState`]), and the outcomes of its bots ([`Reports`]).

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::bot_process::SeatReport;
use crate::error::Error;
use crate::match_file::{Readers, replace};

/// The keys and the competition of a run. The file is its owner's alone.
pub(super) struct RunState {
    path: PathBuf,
    kept: Kept,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    /// By account.
    keys: BTreeMap<String, String>,
    competition: Option<String>,
}

impl RunState {
    /// The state that the run in this folder has kept; that of a new one, if it has kept none.
    ///
    /// # Errors
    /// If its file can't be read.
    pub(super) fn open(folder: &Path) -> Result<Self, Error> {
        let path = folder.join("run.json");
        let kept = match fs::read_to_string(&path) {
            Ok(text) => serde_json::from_str(&text).map_err(|error| {
                Error::Usage(format!("{} is not the state of a run: {error}", path.display()))
            })?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Kept::default(),
            Err(error) => return Err(Error::Read { path, error }),
        };
        Ok(Self { path, kept })
    }

    pub(super) fn key(&self, account: &str) -> Option<&str> {
        self.kept.keys.get(account).map(String::as_str)
    }

    pub(super) fn competition(&self) -> Option<&str> {
        self.kept.competition.as_deref()
    }

    pub(super) fn keep_key(&mut self, account: &str, key: &str) -> Result<(), Error> {
        self.kept.keys.insert(account.to_owned(), key.to_owned());
        self.write()
    }

    pub(super) fn keep_competition(&mut self, id: &str) -> Result<(), Error> {
        self.kept.competition = Some(id.to_owned());
        self.write()
    }

    fn write(&self) -> Result<(), Error> {
        let text = json!(self.kept).to_string();
        replace(&self.path, text.as_bytes(), Readers::Owner)
    }
}

/// The outcomes of matches for a bot, a line of JSON each, behind those that are there.
pub(super) struct Reports {
    path: PathBuf,
    file: File,
    bot: String,
}

impl Reports {
    /// # Errors
    /// If the file can't be written.
    pub(super) fn open(folder: &Path, bot: &str) -> Result<Self, Error> {
        let path = folder.join("bots.jsonl");
        let opened = OpenOptions::new().create(true).append(true).open(&path);
        let file = opened.map_err(|error| Error::Write { path: path.clone(), error })?;
        Ok(Self { path, file, bot: bot.to_owned() })
    }

    pub(super) fn write(&mut self, report: &SeatReport) -> Result<(), Error> {
        let report: Value = serde_json::from_str(&report.to_json()).expect("a line of JSON");
        let line = json!({ "bot": self.bot, "report": report });
        // In one write, since other bots have the file open, too.
        let written = self.file.write_all(format!("{line}\n").as_bytes());
        written.map_err(|error| Error::Write { path: self.path.clone(), error })
    }
}
