//! Events without the words that a call may ask for ([`without`]).

use crate::v1::change::Entry;
use crate::v1::{Event, Phrase};

/// The event as it was published: without its number, and without words.
pub(super) fn without(event: &Event) -> Event {
    let mut bare = Event { seq: 0, text: String::new(), ..event.clone() };
    for change in &mut bare.changes {
        match &mut change.entry {
            Some(Entry::TurnState(turn_state)) => {
                turn_state.prompt.iter_mut().for_each(silence);
                turn_state.warnings.iter_mut().for_each(silence);
                turn_state.entitlements.iter_mut().filter_map(|one| one.what.as_mut()).for_each(silence);
            }
            Some(Entry::Known(known)) => {
                known.known.iter_mut().flat_map(|set| &mut set.facts).for_each(silence);
            }
            _ => {}
        }
    }
    bare
}

fn silence(phrase: &mut Phrase) {
    phrase.text.clear();
}
