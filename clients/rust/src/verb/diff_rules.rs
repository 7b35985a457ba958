//! `edgehill diff-rules`: the effect of a change of the rules on recorded matches.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::Error;

/// Compare recorded matches as two builds replay them.
#[derive(Debug, clap::Args)]
pub(crate) struct DiffRules {
    /// An `edgehill` binary
    binary_a: PathBuf,
    /// Another
    binary_b: PathBuf,
    /// A folder with records (.edg)
    records: PathBuf,
}

impl DiffRules {
    pub(crate) fn run(&self, content: Option<&Path>, out: &mut dyn Write) -> Result<(), Error> {
        let records = records(&self.records)?;
        let mut differing = 0;
        for path in &records {
            let a = output_of(&self.binary_a, content, path)?;
            let b = output_of(&self.binary_b, content, path)?;
            if let Some(difference) = Difference::first(&a, &b) {
                differing += 1;
                writeln!(out, "{}: line {} differs", path.display(), difference.line)?;
                writeln!(out, "  a: {}", difference.a.unwrap_or("(nothing more)"))?;
                writeln!(out, "  b: {}", difference.b.unwrap_or("(nothing more)"))?;
            }
        }
        writeln!(out, "{differing} of {} records differ", records.len())?;
        if differing > 0 { Err(Error::Failed) } else { Ok(()) }
    }
}

/// The records in a folder, by name.
fn records(dir: &Path) -> Result<Vec<PathBuf>, Error> {
    let unreadable = |error| Error::Read { path: dir.to_owned(), error };
    let mut records = Vec::new();
    for entry in fs::read_dir(dir).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension == "edg") {
            records.push(path);
        }
    }
    records.sort();
    if records.is_empty() {
        return Err(Error::Usage(format!("{} has no records: their names end in .edg", dir.display())));
    }
    Ok(records)
}

/// Returns the output of `binary events --exact` for a record; if it can't, its complaint.
fn output_of(binary: &Path, content: Option<&Path>, record: &Path) -> Result<String, Error> {
    let mut command = Command::new(binary);
    if let Some(dir) = content {
        command.arg("--content").arg(dir);
    }
    let output = command.arg("events").arg("--exact").arg(record).output();
    let output = output.map_err(|error| Error::Run { path: binary.to_owned(), error })?;
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        let complaint = String::from_utf8_lossy(&output.stderr);
        text.push_str(&format!("failed ({}): {}\n", output.status, complaint.trim()));
    }
    Ok(text)
}

/// The first line in which two texts differ.
#[derive(PartialEq, Eq, Debug)]
struct Difference<'a> {
    /// Its number, from 1.
    line: usize,
    a: Option<&'a str>,
    b: Option<&'a str>,
}

impl<'a> Difference<'a> {
    fn first(a: &'a str, b: &'a str) -> Option<Self> {
        let (mut a, mut b) = (a.lines(), b.lines());
        for line in 1.. {
            match (a.next(), b.next()) {
                (None, None) => return None,
                (a, b) if a == b => {}
                (a, b) => return Some(Self { line, a, b }),
            }
        }
        None
    }
}
