//! One event in the place of several ([`superseding`]).
//!
//! Changes of a view are absolute: folding is replacing. So the last change of each entry, taken over a run of events, leads
//! to the view at the end of the run from its beginning and from any moment within it.

use std::collections::HashMap;

use edgehill_proto::v1;
use prost::Message;
use v1::change::Entry;

use crate::matches::StreamHashBytes;

/// The event's code: to who reads it, actions were taken back.
const CODE: &str = "undo";
/// The event's rule: none of the game.
const RULE: &str = "contract";

/// The entry of a view that a change sets.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Key {
    Piece(u32),
    Group(Vec<u8>),
    Pile(u32),
    Marker(Vec<u8>),
    Arrow(Vec<u8>),
    Arrows,
    Known,
    TurnState,
}

/// Changes, of each entry the last one, in the order in which they were made.
#[derive(Default)]
struct LastChanges {
    changes: Vec<Option<v1::Change>>,
    places: HashMap<Key, usize>,
}

impl LastChanges {
    fn take(&mut self, change: v1::Change) {
        let Some(key) = change.entry.as_ref().and_then(key) else { return };
        if key == Key::Arrows {
            let changes = &mut self.changes;
            self.places.retain(|key, place| {
                let arrow = matches!(key, Key::Arrow(_));
                if arrow {
                    changes[*place] = None;
                }
                !arrow
            });
        }
        if let Some(before) = self.places.insert(key, self.changes.len()) {
            self.changes[before] = None;
        }
        self.changes.push(Some(change));
    }
}

/// The entry that a change sets; `None` for a draft, which is set as a whole at the end.
fn key(entry: &Entry) -> Option<Key> {
    Some(match entry {
        Entry::Piece(piece) => Key::Piece(piece.piece),
        Entry::PieceGone(piece) => Key::Piece(*piece),
        Entry::Group(group) => Key::Group(v1::PieceGroup { count: 0, ..*group }.encode_to_vec()),
        Entry::Pile(pile) => Key::Pile(pile.pile),
        Entry::Marker(marker) => Key::Marker(bytes(marker.key.as_ref())),
        Entry::MarkerGone(marker) => Key::Marker(marker.encode_to_vec()),
        Entry::Arrow(arrow) => Key::Arrow(bytes(arrow.key.as_ref())),
        Entry::ArrowGone(arrow) => Key::Arrow(arrow.encode_to_vec()),
        Entry::ArrowsCleared(_) => Key::Arrows,
        Entry::Known(_) => Key::Known,
        Entry::TurnState(_) => Key::TurnState,
        Entry::Draft(_) => return None,
    })
}

fn bytes<T: Message>(key: Option<&T>) -> Vec<u8> {
    key.map(Message::encode_to_vec).unwrap_or_default()
}

/// The event that takes the place of `events`, all of them in order and none left out, after which the observer's own draft
/// is `draft`. Folded over the view before any of them, it gives the view after the last. `stream_hash` is what the observer's running
/// hash came to with them.
pub(super) fn superseding(
    events: impl IntoIterator<Item = v1::Event>,
    draft: &[u16],
    stream_hash: StreamHashBytes,
) -> v1::Event {
    let mut last = LastChanges::default();
    events.into_iter().flat_map(|event| event.changes).for_each(|change| last.take(change));
    let draft = v1::DraftChange { keep: 0, add: draft.iter().copied().map(u32::from).collect() };
    let draft = v1::Change { entry: Some(Entry::Draft(draft)) };
    v1::Event {
        code: CODE.to_owned(),
        rule: RULE.to_owned(),
        changes: last.changes.into_iter().flatten().chain([draft]).collect(),
        stream_hash: stream_hash.to_vec(),
        ..v1::Event::default()
    }
}

/// The event at a number whose own is gone.
pub(super) fn superseded() -> v1::Event {
    v1::Event { code: CODE.to_owned(), rule: RULE.to_owned(), ..v1::Event::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(entries: Vec<Entry>) -> v1::Event {
        let changes = entries.into_iter().map(|entry| v1::Change { entry: Some(entry) }).collect();
        v1::Event { changes, ..v1::Event::default() }
    }

    fn arrow(kind: u32) -> Entry {
        let key = Some(v1::ArrowKey { kind, ..v1::ArrowKey::default() });
        Entry::Arrow(v1::Arrow { key, ..v1::Arrow::default() })
    }

    fn pile(pile: u32, count: u32) -> Entry {
        Entry::Pile(v1::CardPile { pile, count, ..v1::CardPile::default() })
    }

    fn group(kind: u32, count: u32) -> Entry {
        Entry::Group(v1::PieceGroup { kind, count, ..v1::PieceGroup::default() })
    }

    fn draft(keep: u32, add: &[u32]) -> Entry {
        Entry::Draft(v1::DraftChange { keep, add: add.to_vec() })
    }

    fn entries(event: v1::Event) -> Vec<Entry> {
        event.changes.into_iter().filter_map(|change| change.entry).collect()
    }

    #[test]
    fn the_last_change_of_each_entry_is_left() {
        let piece = |kind| Entry::Piece(v1::Piece { piece: 4, kind, ..v1::Piece::default() });
        let events = [
            event(vec![piece(1), pile(1, 5), group(7, 2), draft(0, &[1])]),
            event(vec![Entry::PieceGone(4), pile(2, 3), group(8, 1), draft(1, &[2])]),
            event(vec![piece(3), pile(1, 4), group(7, 0), draft(0, &[9])]),
        ];
        let one = superseding(events, &[9], [7; 32]);
        assert_eq!((&*one.code, &*one.rule, &*one.stream_hash), (CODE, RULE, &[7; 32][..]));
        let expected = [pile(2, 3), group(8, 1), piece(3), pile(1, 4), group(7, 0), draft(0, &[9])];
        assert_eq!(entries(one), expected);
    }

    #[test]
    fn arrows_that_were_cleared_stay_so() {
        let cleared = || Entry::ArrowsCleared(v1::ArrowsCleared {});
        let events = [event(vec![arrow(1), cleared(), arrow(2)]), event(vec![arrow(3), cleared(), arrow(1)])];
        assert_eq!(entries(superseding(events, &[], [0; 32])), [cleared(), arrow(1), draft(0, &[])]);
    }
}
