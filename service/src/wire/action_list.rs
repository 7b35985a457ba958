//! Lists of actions as they are sent: in one of three encodings, or as a line.

use edgehill_engine::action::ActionId;
use edgehill_engine::catalogue::{Catalogue, LINE_BYTES_MAX, LIST_ACTIONS_MAX};
use edgehill_engine::table::ApplyMode;
use edgehill_proto::v1;
use v1::ErrorReason;
use v1::action_list::Encoding;

use super::{Refused, action};

/// Actions as they were sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Actions {
    /// Actions of the table, 1 to 256.
    Ids(Vec<ActionId>),
    /// A line of 1 to 256 bytes that is not all blanks: it can be read only against a state.
    Line(String),
}

/// Reads the field `actions` of an `ActionBatch`.
///
/// # Errors
/// EMPTY_LIST, LIST_TOO_LONG, LINE_TOO_LONG; UNKNOWN_ACTION with the index of the first action that the table does not have.
pub fn read(catalogue: &Catalogue, given: Option<&v1::ActionList>) -> Result<Actions, Refused> {
    match given.and_then(|list| list.encoding.as_ref()) {
        None => Err(empty("actions")),
        Some(Encoding::Line(line)) => read_line(line),
        Some(Encoding::Ids(given)) => {
            let ids = given.values.iter().map(|&id| action::by_id(catalogue, id));
            collect("actions.ids.values", ids)
        }
        Some(Encoding::Structures(given)) => {
            let structures = given.values.iter().enumerate().map(|(index, given)| {
                action::by_structure(catalogue, given, &format!("actions.structures.values[{index}]"))
            });
            collect("actions.structures.values", structures)
        }
        Some(Encoding::Notations(given)) => {
            let notations = given.values.iter().map(|notation| action::by_notation(catalogue, notation));
            collect("actions.notations.values", notations)
        }
    }
}

fn empty(path: &str) -> Refused {
    Refused::of(ErrorReason::EmptyList).violation(path, "expected at least one action")
}

/// The actions of the list at `path`, 1 to 256.
fn collect(
    path: &str,
    actions: impl ExactSizeIterator<Item = Result<ActionId, Refused>>,
) -> Result<Actions, Refused> {
    let count = actions.len();
    if count == 0 {
        return Err(empty(path));
    }
    if count > LIST_ACTIONS_MAX {
        let what = format!("expected at most {LIST_ACTIONS_MAX} actions, found {count}");
        return Err(Refused::of(ErrorReason::ListTooLong).violation(path, what));
    }
    let actions = actions.enumerate().map(|(index, action)| action.map_err(|refused| refused.at(index)));
    actions.collect::<Result<Vec<ActionId>, Refused>>().map(Actions::Ids)
}

fn read_line(line: &str) -> Result<Actions, Refused> {
    if line.len() > LINE_BYTES_MAX {
        let what = format!("expected at most {LINE_BYTES_MAX} bytes, found {}", line.len());
        return Err(Refused::of(ErrorReason::LineTooLong).violation("actions.line", what));
    }
    if line.trim().is_empty() {
        return Err(empty("actions.line"));
    }
    Ok(Actions::Line(line.to_owned()))
}

/// Reads the field `mode`.
///
/// # Errors
/// INVALID_FIELD for a value that this server does not know.
pub fn mode(given: i32) -> Result<ApplyMode, Refused> {
    match v1::ApplyMode::try_from(given) {
        Ok(v1::ApplyMode::Unspecified | v1::ApplyMode::Atomic) => Ok(ApplyMode::Atomic),
        Ok(v1::ApplyMode::UntilReveal) => Ok(ApplyMode::UntilReveal),
        Err(_) => Err(Refused::field("mode", "expected APPLY_MODE_ATOMIC or APPLY_MODE_UNTIL_REVEAL")),
    }
}
