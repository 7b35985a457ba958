//! The events published to an observer, reduced to what the rules said: [`Fact`].
//!
//! The way a run was cut into calls shows in the driver's own part of a stream (heads, drafts, takebacks) and
//! nowhere else.

use crate::event::ChanceRef;
use crate::game::CONTRACT;
use crate::ledger::Rule;
use crate::reference::Refs;
use crate::table::ObservedEvent;
use crate::view::{Change, Changes};

/// An event without the driver's part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fact {
    pub(super) code: &'static str,
    pub(super) rule: Rule,
    pub(super) chance_ref: Option<ChanceRef>,
    pub(super) refs: Refs,
    pub(super) changes: Changes,
}

/// The facts among what was published, in order; of the driver's own events only that a seat has committed is one.
pub(super) fn facts(published: &[ObservedEvent]) -> Vec<Fact> {
    let rules = |seen: &&ObservedEvent| seen.rule != CONTRACT || seen.code == "committed";
    published.iter().filter(rules).map(fact).collect()
}

fn fact(seen: &ObservedEvent) -> Fact {
    let board = |change: &&Change| {
        !matches!(change, Change::Known(_) | Change::Draft { .. } | Change::Calls(_) | Change::TurnState(_))
    };
    Fact {
        code: seen.code,
        rule: seen.rule,
        chance_ref: seen.chance_ref,
        refs: seen.form.refs.clone(),
        changes: seen.form.changes.iter().filter(board).cloned().collect(),
    }
}
