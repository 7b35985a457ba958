//! Events on one line.

use super::words;
use crate::catalogue::Catalogue;
use crate::game::CONTRACT;
use crate::table::ObservedEvent;

/// Writes in words what was published to an observer, with its rule and the draw that it rests on.
///
/// The chance_ref is written as stream and count (of a draw from a bag, its epoch), `dice 2/17`, as docs/dice.md counts them.
#[must_use]
pub fn event(catalogue: &Catalogue, seen: &ObservedEvent) -> String {
    let text = words::say(catalogue, seen.code, &seen.form.refs);
    let mut parts = Vec::new();
    if seen.rule != CONTRACT {
        parts.push(words::rule(seen.rule));
    }
    parts.extend(seen.chance_ref.map(|chance_ref| format!("dice {}/{}", chance_ref.stream, chance_ref.n)));
    format!("{text}{}", words::parenthesis(&parts))
}
