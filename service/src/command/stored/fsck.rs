//! `edgehill-server fsck`: a look through all of a store.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::json;

use super::{check_named, file_of, wait_for};
use crate::command::args::Form;
use crate::command::failure::Failure;
use crate::command::say;
use crate::config::Config;
use crate::server::database;
use crate::store::{self, FsckReport, PostgresStore, ReportedMatch};

/// Says what is damaged in the store, whether or not a server has it open.
///
/// # Errors
/// [`Failure::Damage`] if anything is.
pub(crate) fn fsck(config: &Config, form: Form) -> Result<(), Failure> {
    check_named(config)?;
    let report = match database(config).map_err(Failure::fault)? {
        Some(server) => wait_for(async { Ok(PostgresStore::open_to_read(&server)?.fsck().await?) })?,
        None => store::fsck(file_of(config)?)?,
    };
    let name = config.store_name().unwrap_or_default();
    say(&if form.json { as_json(&report) } else { as_text(&name, &report) })?;
    if report.is_sound() {
        return Ok(());
    }
    let words =
        "the store is damaged: keep it, and restore a backup or release what is whole (docs/store.md)";
    Err(Failure::Damage(words.to_owned()))
}

/// The matches of which something is to be said.
fn noteworthy(report: &FsckReport) -> impl Iterator<Item = &ReportedMatch> {
    report.matches.iter().filter(|found| found.fault.is_some() || found.quarantine.is_some())
}

fn as_text(store: &Path, report: &FsckReport) -> String {
    let mut text =
        format!("{}: schema {}, {} matches\n", store.display(), report.schema, report.matches.len());
    for complaint in &report.complaints {
        let _ = writeln!(text, "the file: {complaint}");
    }
    if report.strays > 0 {
        let _ = writeln!(text, "appends of no match's log: {}", report.strays);
    }
    for found in noteworthy(report) {
        let _ = write!(text, "match {}", found.id);
        if !found.game.is_empty() {
            let _ = write!(text, " ({})", found.game);
        }
        if let Some(fault) = &found.fault {
            let whole = found
                .whole_to
                .map_or("nothing".to_owned(), |revision| format!("its log to revision {revision}"));
            let _ = write!(text, ": {}: {fault}; whole is {whole}", fault.reason());
        }
        if let Some(quarantine) = &found.quarantine {
            let _ = write!(text, "; in quarantine: {}", quarantine.reason);
        }
        text.push('\n');
    }
    text.push_str(if report.is_sound() { "sound\n" } else { "damaged\n" });
    text
}

fn as_json(report: &FsckReport) -> String {
    let matches = noteworthy(report).map(|found| {
        json!({
            "id": found.id.to_string(),
            "game": found.game,
            "revision": found.revision,
            "whole_to": found.whole_to,
            "fault": found.fault.as_ref().map(|fault| json!({"reason": fault.reason(), "detail": fault.to_string()})),
            "quarantine": found.quarantine.as_ref().map(|quarantine| &quarantine.reason),
        })
    });
    let report = json!({
        "sound": report.is_sound(),
        "schema": report.schema,
        "complaints": report.complaints,
        "strays": report.strays,
        "match_count": report.matches.len(),
        "matches": matches.collect::<Vec<_>>(),
    });
    format!("{report:#}\n")
}
