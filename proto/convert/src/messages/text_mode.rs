//! The choice of saying phrases and events in words, too ([`TextMode`]).

use std::fmt;

use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::reference::Ref;
use edgehill_engine::render;
use edgehill_proto::v1;
use v1::change::Entry;

use crate::values;

/// Fills the fields for words, or leaves them empty.
#[derive(Copy, Clone)]
pub struct TextMode<'a>(Option<&'a Catalogue>);

impl<'a> TextMode<'a> {
    /// Leaves them empty.
    pub const OFF: TextMode<'static> = TextMode(None);

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
    pub(super) fn say(self, code: &str, refs: &[Ref]) -> String {
        self.0.map_or_else(String::new, |catalogue| render::say(catalogue, code, refs))
    }

    /// Fills them in an event that was written without.
    pub(super) fn add_to(self, event: &mut v1::Event) {
        if self.0.is_none() {
            return;
        }
        event.text = self.say_message(&event.code, &event.refs);
        for change in &mut event.changes {
            match &mut change.entry {
                Some(Entry::TurnState(turn_state)) => {
                    let owed = turn_state.entitlements.iter_mut().filter_map(|one| one.what.as_mut());
                    self.add_to_phrases(
                        turn_state.prompt.iter_mut().chain(owed).chain(&mut turn_state.warnings),
                    );
                }
                Some(Entry::Known(known)) => {
                    self.add_to_phrases(known.known.iter_mut().flat_map(|set| &mut set.facts));
                }
                _ => {}
            }
        }
    }

    fn add_to_phrases<'p>(self, phrases: impl Iterator<Item = &'p mut v1::Phrase>) {
        for phrase in phrases {
            phrase.text = self.say_message(&phrase.code, &phrase.refs);
        }
    }

    fn say_message(self, code: &str, refs: &[v1::Ref]) -> String {
        // Messages that were written here can be read here.
        let refs: Result<Vec<Ref>, _> = refs.iter().map(values::reference).collect();
        self.say(code, &refs.unwrap_or_default())
    }
}

impl fmt::Debug for TextMode<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TextMode").field(&self.0.map(|catalogue| catalogue.id)).finish()
    }
}
