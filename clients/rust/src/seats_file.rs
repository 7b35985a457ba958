//! The seats that one has taken in a match of a server, kept between two calls of the command ([`SeatsFile`]).
//!
//! The match itself is the server's. The file has what only its owner should have: the tokens of seats, and notes that the
//! dice are checked by after the match (docs/dice.md).

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::match_file::{Readers, replace};

const FORMAT: &str = "edgehill server match 1";

/// The content of the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    format: String,
    server: String,
    match_id: String,
    game: String,
    /// The hash by which the server bound itself to its dice, in hexadecimal digits; empty for a chosen seed.
    commitment: String,
    seats: Vec<OwnSeat>,
    /// The token that aborts the match before it has begun: a secret of its creator; empty for all others.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    creator_token: String,
}

/// A seat that one has taken.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OwnSeat {
    /// Its number, from 0.
    pub seat: u32,
    /// The token that it is played with: a secret.
    pub token: String,
    /// The entropy that it added to the dice, in hexadecimal digits; empty: nothing.
    pub entropy: String,
}

/// One's seats of a match.
pub(crate) struct SeatsFile {
    path: PathBuf,
    stored: Stored,
}

impl SeatsFile {
    /// A match without seats so far; nothing is written before [`SeatsFile::save`].
    pub(crate) fn new(path: &Path, server: &str, match_id: &str, game: &str, commitment: &[u8]) -> Self {
        let stored = Stored {
            format: FORMAT.to_owned(),
            server: server.to_owned(),
            match_id: match_id.to_owned(),
            game: game.to_owned(),
            commitment: hex::encode(commitment),
            seats: Vec::new(),
            creator_token: String::new(),
        };
        Self { path: path.to_owned(), stored }
    }

    /// Reads a file back.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let text = fs::read_to_string(path).map_err(|error| Error::Read { path: path.to_owned(), error })?;
        let not_a_match = |why: String| Error::NotAMatch { path: path.to_owned(), why };
        let stored: Stored = serde_json::from_str(&text).map_err(|error| not_a_match(error.to_string()))?;
        if stored.format != FORMAT {
            return Err(not_a_match(format!(
                "its format is `{}`, and `{FORMAT}` is read here",
                stored.format
            )));
        }
        Ok(Self { path: path.to_owned(), stored })
    }

    /// The server of a file of this form, whatever else is in it; `None` for any other text.
    pub(crate) fn server_of(text: &str) -> Option<String> {
        let stored: Stored = serde_json::from_str(text).ok()?;
        (stored.format == FORMAT).then_some(stored.server)
    }

    /// Writes the file, for its owner's eyes.
    pub(crate) fn save(&self) -> Result<(), Error> {
        let text =
            serde_json::to_string_pretty(&self.stored).map_err(|error| Error::Fault(error.to_string()))?;
        replace(&self.path, text.as_bytes(), Readers::Owner)
    }

    /// Adds a seat; one that is there already is replaced.
    pub(crate) fn add(&mut self, seat: OwnSeat) {
        self.stored.seats.retain(|own| own.seat != seat.seat);
        self.stored.seats.push(seat);
        self.stored.seats.sort_by_key(|own| own.seat);
    }

    /// Keeps the token that aborts the match.
    pub(crate) fn keep_creator_token(&mut self, token: &str) {
        token.clone_into(&mut self.stored.creator_token);
    }

    /// The token that aborts the match, if its creator's.
    pub(crate) fn creator_token(&self) -> Option<&str> {
        Some(self.stored.creator_token.as_str()).filter(|token| !token.is_empty())
    }

    /// Takes a seat out that was given back.
    pub(crate) fn remove(&mut self, seat: u32) {
        self.stored.seats.retain(|own| own.seat != seat);
    }

    /// Returns the server on which the match is played.
    pub(crate) fn server(&self) -> &str {
        &self.stored.server
    }

    /// The match.
    pub(crate) fn match_id(&self) -> &str {
        &self.stored.match_id
    }

    /// The seats that one has.
    pub(crate) fn seats(&self) -> &[OwnSeat] {
        &self.stored.seats
    }

    /// Returns the path of the file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}
