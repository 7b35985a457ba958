//! Lists of actions as they are sent: in one of three encodings, or as a line.

use edgehill_engine::catalogue::{Catalogue, LINE_BYTES_MAX, LIST_ACTIONS_MAX};
use edgehill_engine::action::ActionId;
use edgehill_engine::table::ApplyMode;
use edgehill_proto::v1;
use v1::ErrorReason;

use super::{Refused, action};

/// Actions as they were sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Actions {
    /// Actions of the table, 1 to 256.
    Ids(Vec<ActionId>),
    /// A line of 1 to 256 bytes that is not all blanks: it can be read only against a state.
    Line(String),
}

/// Reads the field `actions`.
///
/// # Errors
/// INVALID_FIELD if two encodings are filled; EMPTY_LIST, LIST_TOO_LONG, LINE_TOO_LONG; UNKNOWN_ACTION with the index of the
/// first action that the table does not have.
pub fn read(catalogue: &Catalogue, given: Option<&v1::Actions>) -> Result<Actions, Refused> {
    let empty = || Refused::of(ErrorReason::EmptyList).violation("actions", "expected at least one action");
    let v1::Actions { ids, structures, notations, line } = given.ok_or_else(empty)?;
    let forms = [
        ("ids", ids.is_empty()),
        ("structures", structures.is_empty()),
        ("notations", notations.is_empty()),
        ("line", line.is_empty()),
    ];
    let mut filled = forms.iter().filter(|(_, empty)| !empty).map(|(name, _)| *name);
    let form = filled.next().ok_or_else(empty)?;
    if let Some(other) = filled.next() {
        let all: Vec<&str> = [form, other].into_iter().chain(filled).collect();
        let what = format!("expected one encoding, found {}", all.join(" and "));
        return Err(Refused::field("actions", what));
    }
    if !line.is_empty() {
        return read_line(line);
    }
    let count = ids.len().max(structures.len()).max(notations.len());
    if count > LIST_ACTIONS_MAX {
        let what = format!("expected at most {LIST_ACTIONS_MAX} actions, found {count}");
        return Err(Refused::of(ErrorReason::ListTooLong).violation(format!("actions.{form}"), what));
    }
    let by_id = ids.iter().map(|&id| action::by_id(catalogue, id));
    let by_structure = structures
        .iter()
        .enumerate()
        .map(|(index, given)| action::by_structure(catalogue, given, &format!("actions.structures[{index}]")));
    let by_notation = notations.iter().map(|notation| action::by_notation(catalogue, notation));
    let actions = by_id.chain(by_structure).chain(by_notation).enumerate();
    let actions: Result<Vec<ActionId>, Refused> =
        actions.map(|(index, action)| action.map_err(|refused| refused.at(index))).collect();
    actions.map(Actions::Ids)
}

fn read_line(line: &str) -> Result<Actions, Refused> {
    if line.len() > LINE_BYTES_MAX {
        let what = format!("expected at most {LINE_BYTES_MAX} bytes, found {}", line.len());
        return Err(Refused::of(ErrorReason::LineTooLong).violation("actions.line", what));
    }
    if line.trim().is_empty() {
        return Err(Refused::of(ErrorReason::EmptyList).violation("actions.line", "expected at least one action"));
    }
    Ok(Actions::Line(line.to_owned()))
}

/// Reads the field `mode`.
///
/// # Errors
/// INVALID_FIELD for a value that this server does not know.
pub fn mode(given: i32) -> Result<ApplyMode, Refused> {
    match v1::ApplyMode::try_from(given) {
        Ok(v1::ApplyMode::Unspecified | v1::ApplyMode::Whole) => Ok(ApplyMode::Whole),
        Ok(v1::ApplyMode::UntilReveal) => Ok(ApplyMode::UntilReveal),
        Err(_) => Err(Refused::field("mode", "expected APPLY_MODE_ATOMIC or APPLY_MODE_UNTIL_REVEAL")),
    }
}
