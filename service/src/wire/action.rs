//! Actions as callers give them, in three encodings.

use edgehill_engine::action::ActionId;
use edgehill_engine::catalogue::Catalogue;
use edgehill_proto::v1;
use v1::ErrorReason;
use v1::action::Encoding;

use super::reference::{self, BadRef};
use super::{Refused, refused};

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
