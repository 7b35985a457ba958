//! `edgehill-server stats`: what a store holds, in figures.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::json;

use super::file_of;
use crate::command::args::Form;
use crate::command::failure::Failure;
use crate::command::say;
use crate::config::Config;
use crate::store::{self, StoreContents, StoredStatus};

/// Says how much the store holds, whether or not a server has it open.
pub(crate) fn stats(config: &Config, form: Form) -> Result<(), Failure> {
    let file = file_of(config)?;
    let contents = store::contents(&file)?;
    say(&if form.json { as_json(&contents) } else { as_text(&file, &contents) })
}

const fn name(status: StoredStatus) -> &'static str {
    match status {
        StoredStatus::Open => "open",
        StoredStatus::Running => "running",
        StoredStatus::Over => "over",
        StoredStatus::Abandoned => "abandoned",
    }
}

fn as_text(file: &Path, contents: &StoreContents) -> String {
    let StoreContents { schema, file_bytes, free_bytes, wal_bytes, appends, append_bytes, .. } = contents;
    let mut text = format!("{}: schema {schema}\n", file.display());
    let _ = writeln!(text, "file           {file_bytes} bytes, of which {free_bytes} hold nothing");
    let _ = writeln!(text, "log beside it  {wal_bytes} bytes");
    let _ = writeln!(text, "appends        {appends} of {append_bytes} bytes");
    let total: u64 = contents.matches.iter().map(|of| of.count).sum();
    let _ = writeln!(text, "matches        {total}, {} in quarantine", contents.quarantined);
    for of in &contents.matches {
        let _ = writeln!(text, "  {} {} {}", of.game, name(of.status), of.count);
    }
    text
}

fn as_json(contents: &StoreContents) -> String {
    let matches = contents
        .matches
        .iter()
        .map(|of| json!({"game": of.game, "status": name(of.status), "count": of.count}))
        .collect::<Vec<_>>();
    let contents = json!({
        "schema": contents.schema,
        "file_bytes": contents.file_bytes,
        "free_bytes": contents.free_bytes,
        "wal_bytes": contents.wal_bytes,
        "appends": contents.appends,
        "append_bytes": contents.append_bytes,
        "matches": matches,
        "quarantined": contents.quarantined,
    });
    format!("{contents:#}\n")
}
