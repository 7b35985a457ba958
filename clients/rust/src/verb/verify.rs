//! `edgehill verify`: every action by the rules, every outcome by the seed, every digest, the signature.

use std::io::Write;
use std::path::{Path, PathBuf};

use edgehill_convert::transcript;
use edgehill_engine::game::Node;
use edgehill_engine::record::{Record, RecordReport, verify};
use edgehill_engine::registry::Registry;
use edgehill_engine::signing::VerifyingKey;

use super::status;
use crate::error::Error;
use crate::match_file::MatchFile;
use crate::record_file::{self, Kept};
use crate::transcript_file;

/// Check records and match files.
#[derive(Debug, clap::Args)]
pub(crate) struct Verify {
    /// Records (.edg) or match files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// A server's public key, 64 hexadecimal digits: a record has to be signed with it, or with another that is named so. With
    /// --server the keys are that server's, of now and of before
    #[arg(long, value_name = "HEX")]
    signing_key: Vec<VerifyingKey>,
    /// A transcript (.edt): check its receipts, and what was shown in it against the record
    #[arg(long, value_name = "FILE")]
    receipt: Option<PathBuf>,
}

/// The answer to a check of one file.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    /// Nothing is wrong.
    Checked,
    /// Nothing contradicts anything, and parts of it could not be checked.
    Unchecked,
    /// Something is wrong.
    Wrong,
}

impl Verify {
    pub(crate) fn run(&self, registry: &Registry, out: &mut dyn Write) -> Result<(), Error> {
        self.run_with(registry, &self.signing_key, out)
    }

    /// As [`Verify::run`], with the keys of a server, of now and of before, besides those that were named.
    pub(crate) fn run_against(
        &self,
        server_keys: &[VerifyingKey],
        registry: &Registry,
        out: &mut dyn Write,
    ) -> Result<(), Error> {
        let signers = [&self.signing_key[..], server_keys].concat();
        self.run_with(registry, &signers, out)
    }

    fn run_with(
        &self,
        registry: &Registry,
        signers: &[VerifyingKey],
        out: &mut dyn Write,
    ) -> Result<(), Error> {
        let mut worst = Verdict::Checked;
        for path in &self.files {
            let verdict = match record_file::open(path, registry) {
                Ok(Kept::Record(record)) => {
                    let verdict = check_record(path, &record, registry, signers, out)?;
                    match &self.receipt {
                        Some(shown) => verdict.max(check_shown(shown, &record, registry, signers, out)?),
                        None => verdict,
                    }
                }
                Ok(Kept::Match(_)) if self.receipt.is_some() => {
                    return Err(Error::Usage("--receipt goes with a record that a server gave".to_owned()));
                }
                Ok(Kept::Match(file)) => check_match(path, &file, registry, signers, out)?,
                Err(Error::NotARecord { why, .. }) => {
                    writeln!(out, "{}: {why}", path.display())?;
                    Verdict::Wrong
                }
                Err(other) => return Err(other),
            };
            worst = worst.max(verdict);
        }
        match worst {
            Verdict::Checked => Ok(()),
            Verdict::Unchecked => Err(Error::Unchecked),
            Verdict::Wrong => Err(Error::Failed),
        }
    }
}

fn check_record(
    path: &Path,
    record: &Record,
    registry: &Registry,
    signers: &[VerifyingKey],
    out: &mut dyn Write,
) -> Result<Verdict, Error> {
    let game = registry.game(&record.header().game)?;
    let report = verify(game.as_ref(), record, signers);
    if let Some(seat) = record.given_up() {
        writeln!(out, "{}: {seat} gave up while the host could not play the match", path.display())?;
    }
    for adjournment in record.adjournments() {
        writeln!(out, "{}: {adjournment}", path.display())?;
    }
    for act in record.referee_acts() {
        writeln!(out, "{}: {act}", path.display())?;
    }
    for line in report.to_string().lines() {
        writeln!(out, "{}: {line}", path.display())?;
    }
    Ok(Verdict::of(&report))
}

/// Checks a transcript against a record of its match.
fn check_shown(
    path: &Path,
    record: &Record,
    registry: &Registry,
    signers: &[VerifyingKey],
    out: &mut dyn Write,
) -> Result<Verdict, Error> {
    let game = registry.game(&record.header().game)?;
    let report = transcript::check_against(&transcript_file::open(path)?, signers, record, game.as_ref());
    for line in report.to_string().lines() {
        writeln!(out, "{}: {line}", path.display())?;
    }
    Ok(match (report.is_consistent(), report.is_fully_checked()) {
        (false, _) => Verdict::Wrong,
        (true, false) => Verdict::Unchecked,
        (true, true) => Verdict::Checked,
    })
}

/// A match file is one's own, and nobody's word: it has to be consistent. And a script has to be used up when the match is over.
fn check_match(
    path: &Path,
    file: &MatchFile,
    registry: &Registry,
    signers: &[VerifyingKey],
    out: &mut dyn Write,
) -> Result<Verdict, Error> {
    let record = record_file::of(file.table.as_ref(), Vec::new())?;
    let verdict = check_record(path, &record, registry, signers, out)?;
    status::write(file.table.as_ref(), out)?;
    let used_up = file.chance_source.left_over() == 0 || file.table.node() != Node::Over;
    Ok(if verdict == Verdict::Wrong || !used_up { Verdict::Wrong } else { Verdict::Checked })
}

impl Verdict {
    const fn of(report: &RecordReport) -> Self {
        match (report.is_consistent(), report.is_fully_checked()) {
            (false, _) => Self::Wrong,
            (true, false) => Self::Unchecked,
            (true, true) => Self::Checked,
        }
    }
}
