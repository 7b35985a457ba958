//! The one encoding under every SHA-256 of this module.
//!
//! A message is a tag and then fields in a fixed order. The tag is raw ASCII, and no tag is the beginning of
//! another. A field of fixed width (32 bytes, or a number as le32) is written as it is; a text is
//! le32(length in bytes) and its UTF-8; a list is le32(count) and its elements. Hence no two different lists
//! of fields give the same message.

use sha2::{Digest, Sha256};

use super::Error;

/// Bytes of UTF-8 in an id, a game's name, a rules version or an account at most.
pub const TEXT_BYTES_MAX: usize = 256;

/// A message being hashed.
#[derive(Clone)]
pub(super) struct Message(Sha256);

impl Message {
    pub(super) fn new(tag: &'static str) -> Self {
        Self(Sha256::new_with_prefix(tag))
    }

    pub(super) fn bytes32(mut self, bytes: &[u8; 32]) -> Self {
        self.0.update(bytes);
        self
    }

    pub(super) fn le32(mut self, number: u32) -> Self {
        self.0.update(number.to_le_bytes());
        self
    }

    /// Adds a text; `field` names it in the error.
    pub(super) fn text(mut self, field: &'static str, text: &str) -> Result<Self, Error> {
        let refused = Error::TextLength { field, bytes: text.len() };
        if !(1..=TEXT_BYTES_MAX).contains(&text.len()) {
            return Err(refused);
        }
        let length = u32::try_from(text.len()).map_err(|_| refused)?;
        self.0.update(length.to_le_bytes());
        self.0.update(text);
        Ok(self)
    }

    /// Adds a text of any length, an empty one too.
    pub(super) fn long_text(mut self, text: &str) -> Self {
        // All that is hashed so is far below 2^32 bytes: ids of a catalogue and positions of a bounded size.
        self.0.update((text.len() as u32).to_le_bytes());
        self.0.update(text);
        self
    }

    pub(super) fn digest(self) -> [u8; 32] {
        self.0.finalize().into()
    }
}
