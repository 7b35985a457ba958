//! The encoding of what matches publish ([`MessageEncoder`]), and what it gave, read again to be sent ([`event`], [`view_at`]).

use edgehill_convert::messages::{self, TextMode};
use edgehill_engine::reference::Ref;
use edgehill_engine::seat::Observer;
use edgehill_engine::table::ObservedEvent;
use edgehill_engine::view::View;
use edgehill_proto::{fold, receipts, v1};
use prost::Message;

use super::superseding;
use crate::matches::{
    ClosedMatch, Encoder, LiveMatch, MatchError, PublishedEvent, PublishedEvents, StreamHashBytes,
};

/// Encodes what matches publish as messages of `edgehill.v1`.
#[derive(Copy, Clone, Debug)]
pub struct MessageEncoder;

impl Encoder for MessageEncoder {
    fn write_event(&self, seen: &ObservedEvent, to: &mut Vec<u8>) {
        messages::written::event(seen, to);
    }

    fn check_event(&self, bytes: &[u8]) -> Result<(), String> {
        v1::Event::decode(bytes).map(drop).map_err(|error| error.to_string())
    }

    fn superseding(&self, events: &[&[u8]], draft: &[u16], stream_hash: StreamHashBytes) -> Vec<u8> {
        let events = events.iter().map(|bytes| decoded(bytes));
        superseding::superseding(events, draft, stream_hash).encode_to_vec()
    }

    fn superseded(&self) -> Vec<u8> {
        superseding::superseded().encode_to_vec()
    }

    fn stream_start(&self, match_id: &str, observer: Observer) -> StreamHashBytes {
        *receipts::StreamHash::start(match_id, &messages::observer::of(observer)).as_bytes()
    }

    fn stream_hash(&self, before: StreamHashBytes, event: &[u8]) -> StreamHashBytes {
        *receipts::StreamHash::from(before).after(&decoded(event)).as_bytes()
    }

    fn view(&self, view: &View) -> Vec<u8> {
        messages::view::of(view, TextMode::OFF).encode_to_vec()
    }

    fn check_view(&self, bytes: &[u8]) -> Result<(), String> {
        v1::View::decode(bytes).map(drop).map_err(|error| error.to_string())
    }

    fn reference(&self, what: Ref) -> Vec<u8> {
        messages::reference::of(what).encode_to_vec()
    }
}

fn decoded(bytes: &[u8]) -> v1::Event {
    v1::Event::decode(bytes).expect("it was written here, or checked")
}

/// The event of an observer's sequence, as it is sent.
#[must_use]
pub fn event(published: &PublishedEvent<'_>, words: TextMode<'_>) -> v1::Event {
    messages::event::read(&published.bytes, published.seq, words)
        .expect("it was written by `MessageEncoder`, or checked by it when it was read from the log")
}

/// The view of `observer` at number `seq` of their sequence, of a match that can only be read: all that was published to them until then,
/// folded over their view of the beginning. `None` if it has not begun.
#[must_use]
pub fn view_at(closed: &ClosedMatch, observer: Observer, seq: u64) -> Option<v1::View> {
    let first = closed.start(observer).and_then(|bytes| messages::view::read(bytes).ok())?;
    Some(folded(first, closed.published(), (observer, seq), TextMode::OFF))
}

/// The same of a match that can be played, in these words.
///
/// # Errors
/// If it has not begun.
pub fn live_view_at(
    live: &LiveMatch,
    observer: Observer,
    seq: u64,
    words: TextMode<'_>,
) -> Result<v1::View, MatchError> {
    let first = messages::view::of(&live.first_view(observer)?, words);
    Ok(folded(first, live.published(), (observer, seq), words))
}

/// A view of the beginning with the events up to a number folded over it.
fn folded(
    mut view: v1::View,
    published: &PublishedEvents,
    (observer, seq): (Observer, u64),
    words: TextMode<'_>,
) -> v1::View {
    for one in published.since(observer, 0).take_while(|one| one.seq <= seq) {
        for change in event(&one, words).changes {
            fold::change(&mut view, &change);
        }
    }
    view
}
