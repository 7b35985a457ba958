//! Phrases.

use edgehill_engine::view::Phrase;
use edgehill_proto::v1;

use super::{TextMode, reference};

/// A phrase.
#[must_use]
pub fn of(phrase: &Phrase, text: TextMode<'_>) -> v1::Phrase {
    v1::Phrase {
        code: phrase.code.to_owned(),
        refs: reference::all(&phrase.refs),
        text: text.say(phrase.code, &phrase.refs),
    }
}
