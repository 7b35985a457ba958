//! Events on their way: written when they are published, and read again when they are sent.

use edgehill_convert::messages::{TextMode, event, written};
use edgehill_engine::table::ObservedEvent;
use edgehill_proto::v1;

/// Returns an event published to an observer, as number `seq` of their sequence.
pub(crate) fn of(seen: &ObservedEvent, seq: u64, words: TextMode<'_>) -> v1::Event {
    let mut bytes = Vec::new();
    written::event(seen, &mut bytes);
    event::read(&bytes, seq, words).expect("an event that was just written")
}

/// Returns the events published to an observer after number `after` of their sequence: `seen` begins with
/// number `after` + 1.
pub(crate) fn following<'a>(
    seen: &'a [ObservedEvent],
    after: u64,
    words: TextMode<'a>,
) -> impl Iterator<Item = v1::Event> + 'a {
    (after + 1..).zip(seen).map(move |(seq, one)| of(one, seq, words))
}
