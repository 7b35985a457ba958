//! The encoding of what matches publish ([`MessageEncoder`]), and what it gave, read again to be sent ([`event`], [`present_view`]).

use edgehill_convert::messages::{self, TextMode};
use edgehill_engine::reference::Ref;
use edgehill_engine::seat::Observer;
use edgehill_engine::table::ObservedEvent;
use edgehill_engine::view::View;
use edgehill_proto::{fold, receipts, v1};
use prost::Message;

use super::superseding;
use crate::matches::{ClosedMatch, Encoder, PublishedEvent, StreamHashBytes};

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

/// The present view of a match that can only be read: all that was published to `observer`, folded over their view of the beginning.
/// `None` if it has not begun.
#[must_use]
pub fn present_view(closed: &ClosedMatch, observer: Observer) -> Option<v1::View> {
    let mut view = closed.start(observer).and_then(|bytes| messages::view::read(bytes).ok())?;
    for one in closed.published().since(observer, 0) {
        for change in event(&one, TextMode::OFF).changes {
            fold::change(&mut view, &change);
        }
    }
    Some(view)
}
