//! Actions in their three encodings, and the action table.

use edgehill_engine::action::{ActionDef, ActionId, ActionTable, Verb, VerbKind};
use edgehill_engine::catalogue::Catalogue;
use edgehill_proto::v1;
use v1::ErrorReason;
use v1::action::Encoding;

use super::reference::{self, BadRef};
use super::{Refused, refused};

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

/// Reads one action of the field `action`, in whichever encoding it comes.
///
/// # Errors
/// INVALID_FIELD if there is none, UNKNOWN_ACTION if the table does not have it.
pub fn read(catalogue: &Catalogue, given: Option<&v1::Action>) -> Result<ActionId, Refused> {
    match given.and_then(|action| action.encoding.as_ref()) {
        None => Err(Refused::field("action", "expected an id, a structure or a notation")),
        Some(Encoding::Id(id)) => by_id(catalogue, *id),
        Some(Encoding::Structure(structure)) => by_structure(catalogue, structure, "action.structure"),
        Some(Encoding::Notation(notation)) => by_notation(catalogue, notation),
    }
}

/// The action of an id.
///
/// # Errors
/// UNKNOWN_ACTION.
pub(super) fn by_id(catalogue: &Catalogue, id: u32) -> Result<ActionId, Refused> {
    let action =
        u16::try_from(id).ok().map(ActionId).filter(|&action| catalogue.actions.get(action).is_some());
    action.ok_or_else(|| {
        let count = catalogue.actions.len();
        unknown(format!("action {id}: the table has {count} actions, from 0"))
    })
}

/// The action of a verb and references; `path` is the structure's own.
///
/// # Errors
/// UNKNOWN_ACTION, or INVALID_FIELD for a reference that names nothing.
pub(super) fn by_structure(
    catalogue: &Catalogue,
    given: &v1::ActionStructure,
    path: &str,
) -> Result<ActionId, Refused> {
    let verb = refused::shown(&given.verb);
    if !catalogue.actions.verbs().iter().any(|known| known.id == given.verb) {
        let known: Vec<&str> = catalogue.actions.verbs().iter().map(|verb| verb.id).collect();
        return Err(unknown(format!("verb `{verb}`: the table has {}", known.join(", "))));
    }
    let none = || unknown(format!("no action `{verb}` of the table has these references"));
    let mut refs = Vec::new();
    for (index, what) in given.refs.iter().enumerate() {
        refs.push(reference::read(what).map_err(|bad| match bad {
            BadRef::Unset => Refused::field(format!("{path}.refs[{index}]"), bad.to_string()),
            BadRef::Unknown => none(),
        })?);
    }
    catalogue.actions.find(&given.verb, &refs).ok_or_else(none)
}

/// The action that is written so.
///
/// # Errors
/// UNKNOWN_ACTION.
pub(super) fn by_notation(catalogue: &Catalogue, notation: &str) -> Result<ActionId, Refused> {
    let action = catalogue.actions.parse(notation);
    action.ok_or_else(|| unknown(format!("no action of the table is written `{}`", refused::shown(notation))))
}

fn unknown(message: String) -> Refused {
    Refused::new(ErrorReason::UnknownAction, message)
}
