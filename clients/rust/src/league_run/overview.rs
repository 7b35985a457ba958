//! The page of several competitions ([`write()`]).

use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

use edgehill_competition::export::overview::{self, OverviewRow};

use super::PlayedCompetition;
use crate::error::Error;
use crate::match_file::{Readers, replace};
use crate::verb::remote::league::words;

/// Writes the page that leads to those of the competitions, and says where it is.
///
/// # Errors
/// If it can't be written.
pub(super) fn write(folder: &Path, played: &[PlayedCompetition], out: &mut dyn Write) -> Result<(), Error> {
    let rows: Vec<_> = played.iter().map(row).collect();
    let path = folder.join("index.html");
    replace(&path, overview::page("Competitions", &rows).as_bytes(), Readers::Usual)?;
    Ok(writeln!(out, "{}", path.display())?)
}

fn row(played: &PlayedCompetition) -> OverviewRow {
    let PlayedCompetition { folder, competition, standings } = played;
    let settings = competition.settings.clone().unwrap_or_default();
    let winners: Vec<_> = standings.iter().filter(|row| row.rank == 1).collect();
    let score = winners.first().and_then(|row| row.score.as_ref());
    let own = folder.file_name().unwrap_or_default();
    OverviewRow {
        link: format!("{}/index.html", escaped(own.as_encoded_bytes())),
        name: settings.name,
        game: settings.game,
        format: words::format(competition),
        entrants: competition.entrant_count,
        winners: winners.iter().map(|row| row.name.clone()).collect(),
        score: score.map(|score| words::estimate(score, 3)).unwrap_or_default(),
    }
}

/// A folder's name in a link (RFC 3986, 2.1).
fn escaped(name: &[u8]) -> String {
    let mut link = String::with_capacity(name.len());
    for &byte in name {
        match byte {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'-' | b'.' | b'_' | b'~' => link.push(byte.into()),
            _ => write!(link, "%{byte:02X}").expect("a text takes all that is written to it"),
        }
    }
    link
}
