//! The events published to an observer, reduced to what the rules said: [`Fact`].
//!
//! The way a run was cut into calls shows in the driver's own part of a stream (heads, drafts, takebacks) and
//! nowhere else.

use crate::catalogue::Catalogue;
use crate::event::ChanceRef;
use crate::game::CONTRACT;
use crate::ledger::Rule;
use crate::reference::Refs;
use crate::render;
use crate::table::ObservedEvent;
use crate::view::{Change, Changes};

use super::outline_difference::outline_difference;

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

/// Names the first event that one of two lists has otherwise, and its field; `None` if they have the same facts.
pub(super) fn fact_difference(catalogue: &Catalogue, left: &[Fact], right: &[Fact]) -> Option<String> {
    let about = |fact: &Fact| -> String {
        let ids: Vec<String> = fact.refs.iter().map(|&what| catalogue.id_of(what)).collect();
        ids.join(", ")
    };
    let Some((a, b)) = left.iter().zip(right).find(|(a, b)| a != b) else {
        let more = if left.len() > right.len() { left } else { right };
        let extra = more.get(left.len().min(right.len()))?;
        return Some(format!("event `{}` about {} in one of them only", extra.code, about(extra)));
    };
    Some(if a.code != b.code {
        format!(
            "event `{}` about {} in the one, `{}` about {} in the other",
            a.code,
            about(a),
            b.code,
            about(b)
        )
    } else if a.refs != b.refs {
        format!("the refs of event `{}` are {} in the one, {} in the other", a.code, about(a), about(b))
    } else if a.changes != b.changes {
        let (left, right) = (render::changes(catalogue, &a.changes), render::changes(catalogue, &b.changes));
        format!("the changes of event `{}` differ:\n{}", a.code, outline_difference(&left, &right))
    } else {
        format!("the rule or the draw of event `{}` differs", a.code)
    })
}
