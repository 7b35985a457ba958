//! Events as one observer hears them.

use edgehill_engine::event::Stamp;
use edgehill_engine::table::Seen;
use edgehill_proto::v1;

use super::{Words, change, reference};

/// What an observer heard, as number `seq` of his sequence: the one that he heard first is number 1.
#[must_use]
pub fn of(seen: &Seen, seq: u64, words: Words<'_>) -> v1::Event {
    v1::Event {
        seq,
        code: seen.code.to_owned(),
        rule: seen.rule.id().to_owned(),
        stamp: seen.stamp.map(|Stamp { stream, n }| v1::Stamp { stream, n }),
        refs: reference::all(&seen.form.refs),
        changes: seen.form.changes.iter().filter_map(|one| change::of(one, words)).collect(),
        words: words.say(seen.code, &seen.form.refs),
    }
}

/// What an observer heard after number `after` of his sequence, in order: `seen` begins with number `after` + 1.
pub fn following<'a>(seen: &'a [Seen], after: u64, words: Words<'a>) -> impl Iterator<Item = v1::Event> + 'a {
    (after.saturating_add(1)..).zip(seen).map(move |(seq, one)| of(one, seq, words))
}
