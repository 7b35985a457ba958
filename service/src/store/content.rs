//! Contents of games that are kept with the matches that are played with them: [`KeptContent`].

use super::error::Error;
use super::limits::{CONTENT_BYTES_MAX, TEXT_BYTES_MAX};

/// A game's content, so that matches go on with it when new ones are made with another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptContent {
    /// The game's id.
    pub game: String,
    /// The hash of the content's meaning.
    pub hash: [u8; 32],
    /// Its files, in the service's own form.
    pub files: Vec<u8>,
}

impl KeptContent {
    pub(super) fn check(&self) -> Result<(), Error> {
        Error::bound("a game's id", self.game.len(), TEXT_BYTES_MAX)?;
        Error::bound("a game's content", self.files.len(), CONTENT_BYTES_MAX)
    }
}
