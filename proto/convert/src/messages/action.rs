//! Actions by their ids, and the action table.

use edgehill_engine::action::{ActionDef, ActionId, ActionTable, Verb, VerbKind};
use edgehill_proto::v1;

use super::reference;

/// Ids as numbers.
#[must_use]
pub fn ids(actions: &[ActionId]) -> Vec<u32> {
    actions.iter().map(|action| action.0.into()).collect()
}

/// Returns the effect of a verb on the flow.
#[must_use]
pub const fn kind(kind: VerbKind) -> v1::VerbKind {
    match kind {
        VerbKind::Play => v1::VerbKind::Play,
        VerbKind::Pass => v1::VerbKind::Pass,
        VerbKind::Done => v1::VerbKind::Done,
        VerbKind::Navigate => v1::VerbKind::Navigate,
    }
}

/// The verbs of an action table, by index.
#[must_use]
pub fn verbs(table: &ActionTable) -> Vec<v1::Verb> {
    let verb = |verb: &Verb| v1::Verb {
        id: verb.id.to_owned(),
        kind: kind(verb.kind).into(),
        title: verb.title.to_owned(),
        ref_roles: verb.refs.iter().map(|&role| role.to_owned()).collect(),
    };
    table.verbs().iter().map(verb).collect()
}

/// The entries of an action table, by id.
#[must_use]
pub fn defs(table: &ActionTable) -> Vec<v1::ActionDef> {
    let def = |(id, action): (ActionId, &ActionDef)| v1::ActionDef {
        id: id.0.into(),
        verb: action.verb.into(),
        refs: reference::all(&action.refs),
        notation: action.notation.clone(),
    };
    table.ids().filter_map(|id| Some((id, table.get(id)?))).map(def).collect()
}
