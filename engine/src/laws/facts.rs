//! What an observer heard, reduced to what the rules said: [`Fact`].
//!
//! How a run was cut into calls shows in the driver's own part of a stream (heads, drafts, takebacks) and nowhere else.

use crate::event::Stamp;
use crate::game::CONTRACT;
use crate::ledger::Rule;
use crate::reference::Refs;
use crate::table::Seen;
use crate::view::{Change, Changes};

/// An event without the driver's part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fact {
    pub(super) code: &'static str,
    pub(super) rule: Rule,
    pub(super) stamp: Option<Stamp>,
    pub(super) refs: Refs,
    pub(super) changes: Changes,
}

/// The facts among what was heard, in order; of the driver's own events only that a seat has committed is one.
pub(super) fn facts(heard: &[Seen]) -> Vec<Fact> {
    let rules = |seen: &&Seen| seen.rule != CONTRACT || seen.code == "committed";
    heard.iter().filter(rules).map(fact).collect()
}

fn fact(seen: &Seen) -> Fact {
    let board = |change: &&Change| {
        !matches!(change, Change::Known(_) | Change::Draft { .. } | Change::Calls(_) | Change::Head(_))
    };
    Fact {
        code: seen.code,
        rule: seen.rule,
        stamp: seen.stamp,
        refs: seen.form.refs.clone(),
        changes: seen.form.changes.iter().filter(board).cloned().collect(),
    }
}
