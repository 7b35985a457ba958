//! Files with what a server has shown of a match: transcripts (`.edt`).

use std::fs;
use std::path::Path;

use edgehill_client::Transcript;

use crate::error::Error;
use crate::match_file::{Readers, replace};

/// Reads a transcript.
pub(crate) fn open(path: &Path) -> Result<Transcript, Error> {
    let text = fs::read_to_string(path).map_err(|error| Error::Read { path: path.to_owned(), error })?;
    let not_a_transcript = |why| Error::NotATranscript { path: path.to_owned(), why };
    Transcript::parse(&text).map_err(|error| not_a_transcript(error.to_string()))
}

/// Writes a transcript as a whole. What it shows is its observer's alone.
pub(crate) fn write(transcript: &Transcript, path: &Path) -> Result<(), Error> {
    replace(path, transcript.to_text().as_bytes(), Readers::Owner)
}
