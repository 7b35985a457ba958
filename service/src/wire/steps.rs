//! Lists of steps as they are sent: in one of three encodings, or as a line.

use edgehill_engine::catalogue::{Catalogue, LINE_BYTES_MAX, LIST_STEPS_MAX};
use edgehill_engine::step::StepId;
use edgehill_engine::table::ListMode;
use edgehill_proto::v1;
use v1::Reason;

use super::{Refused, step};

/// Steps as they were sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Steps {
    /// Steps of the table, 1 to 256.
    Ids(Vec<StepId>),
    /// A line of 1 to 256 bytes that is not all blanks: it can be read only against a state.
    Line(String),
}

/// Reads the field `steps`.
///
/// # Errors
/// INVALID_FIELD if two encodings are filled; EMPTY_LIST, LIST_TOO_LONG, LINE_TOO_LONG; UNKNOWN_STEP with the index of the
/// first step that the table does not have.
pub fn read(catalogue: &Catalogue, given: Option<&v1::Steps>) -> Result<Steps, Refused> {
    let empty = || Refused::of(Reason::EmptyList).violation("steps", "expected at least one step");
    let v1::Steps { ids, structures, notations, line } = given.ok_or_else(empty)?;
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
        return Err(Refused::field("steps", what));
    }
    if !line.is_empty() {
        return read_line(line);
    }
    let count = ids.len().max(structures.len()).max(notations.len());
    if count > LIST_STEPS_MAX {
        let what = format!("expected at most {LIST_STEPS_MAX} steps, found {count}");
        return Err(Refused::of(Reason::ListTooLong).violation(format!("steps.{form}"), what));
    }
    let by_id = ids.iter().map(|&id| step::by_id(catalogue, id));
    let by_structure = structures
        .iter()
        .enumerate()
        .map(|(index, given)| step::by_structure(catalogue, given, &format!("steps.structures[{index}]")));
    let by_notation = notations.iter().map(|notation| step::by_notation(catalogue, notation));
    let steps = by_id.chain(by_structure).chain(by_notation).enumerate();
    let steps: Result<Vec<StepId>, Refused> =
        steps.map(|(index, step)| step.map_err(|refused| refused.at(index))).collect();
    steps.map(Steps::Ids)
}

fn read_line(line: &str) -> Result<Steps, Refused> {
    if line.len() > LINE_BYTES_MAX {
        let what = format!("expected at most {LINE_BYTES_MAX} bytes, found {}", line.len());
        return Err(Refused::of(Reason::LineTooLong).violation("steps.line", what));
    }
    if line.trim().is_empty() {
        return Err(Refused::of(Reason::EmptyList).violation("steps.line", "expected at least one step"));
    }
    Ok(Steps::Line(line.to_owned()))
}

/// Reads the field `mode`.
///
/// # Errors
/// INVALID_FIELD for a value that this server does not know.
pub fn mode(given: i32) -> Result<ListMode, Refused> {
    match v1::ListMode::try_from(given) {
        Ok(v1::ListMode::Unspecified | v1::ListMode::Whole) => Ok(ListMode::Whole),
        Ok(v1::ListMode::UntilReveal) => Ok(ListMode::UntilReveal),
        Err(_) => Err(Refused::field("mode", "expected LIST_MODE_WHOLE or LIST_MODE_UNTIL_REVEAL")),
    }
}
