//! Whether phrases and events are said in words too ([`Words`]).

use std::fmt;

use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::reference::Ref;
use edgehill_engine::render;

/// Fills the fields for words, or leaves them empty.
#[derive(Copy, Clone)]
pub struct Words<'a>(Option<&'a Catalogue>);

impl<'a> Words<'a> {
    /// Leaves them empty.
    pub const OFF: Words<'static> = Words(None);

    /// Fills them in the words of this game.
    #[must_use]
    pub const fn of(catalogue: &'a Catalogue) -> Self {
        Self(Some(catalogue))
    }

    /// Fills them if a call asked for words.
    #[must_use]
    pub const fn wanted(catalogue: &'a Catalogue, wanted: bool) -> Self {
        if wanted { Self::of(catalogue) } else { Self(None) }
    }

    /// A code and its references in words, or nothing.
    pub(super) fn say(self, code: &'static str, refs: &[Ref]) -> String {
        self.0.map_or_else(String::new, |catalogue| render::say(catalogue, code, refs))
    }
}

impl fmt::Debug for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Words").field(&self.0.map(|catalogue| catalogue.id)).finish()
    }
}
