//! The action table.

use edgehill_engine::action::{ACTION_REFS_MAX, ActionTable, VerbKind};
use edgehill_proto::v1;

use crate::values::Garbled;
use crate::values::reference::references;
use crate::values::text::{kept, kept_list};

/// The table of these verbs and entries.
pub(super) fn table(verbs: &[v1::Verb], action_defs: &[v1::ActionDef]) -> Result<ActionTable, Garbled> {
    let mut table = ActionTable::default();
    for verb in verbs {
        let kind = match verb.kind() {
            v1::VerbKind::Play | v1::VerbKind::Unspecified => VerbKind::Play,
            v1::VerbKind::Pass => VerbKind::Pass,
            v1::VerbKind::Done => VerbKind::Done,
            v1::VerbKind::Navigate => VerbKind::Navigate,
        };
        table.verb(kept(&verb.id), kind, kept(&verb.title), kept_list(&verb.ref_roles));
    }
    for action in action_defs {
        let verb = u8::try_from(action.verb).ok().filter(|&verb| usize::from(verb) < table.verbs().len());
        let verb = verb.ok_or_else(|| Garbled::new(format!("an action of verb {}", action.verb)))?;
        let refs = references(&action.refs)?;
        if refs.len() > ACTION_REFS_MAX {
            return Err(Garbled::new(format!("action `{}` about {} things", action.notation, refs.len())));
        }
        table.add(verb, &refs, action.notation.clone()).map_err(|error| Garbled::new(error.to_string()))?;
    }
    Ok(table)
}
