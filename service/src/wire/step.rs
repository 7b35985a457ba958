//! Steps in their three encodings, and the step table.

use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::step::{StepDef, StepId, StepTable, Verb, VerbKind};
use edgehill_proto::v1;
use v1::Reason;
use v1::step::Encoding;

use super::reference::{self, BadRef};
use super::{Refused, refused};

/// Ids as numbers.
#[must_use]
pub fn ids(steps: &[StepId]) -> Vec<u32> {
    steps.iter().map(|step| step.0.into()).collect()
}

/// What a verb does to the flow.
#[must_use]
pub const fn kind(kind: VerbKind) -> v1::VerbKind {
    match kind {
        VerbKind::Act => v1::VerbKind::Act,
        VerbKind::Pass => v1::VerbKind::Pass,
        VerbKind::Done => v1::VerbKind::Done,
        VerbKind::Navigate => v1::VerbKind::Navigate,
    }
}

/// A whole step table.
#[must_use]
pub fn table(table: &StepTable) -> v1::StepTable {
    let verb = |verb: &Verb| v1::Verb {
        id: verb.id.to_owned(),
        kind: kind(verb.kind).into(),
        title: verb.title.to_owned(),
    };
    let entry = |step: &StepDef| v1::StepDef {
        verb: step.verb.into(),
        refs: reference::all(&step.refs),
        notation: step.notation.clone(),
    };
    v1::StepTable {
        verbs: table.verbs().iter().map(verb).collect(),
        steps: table.ids().filter_map(|id| table.get(id)).map(entry).collect(),
        first_id: 0,
        // At most 4,096.
        total: table.len() as u32,
    }
}

/// Reads one step of the field `step`, in whichever encoding it comes.
///
/// # Errors
/// INVALID_FIELD if there is none, UNKNOWN_STEP if the table does not have it.
pub fn read(catalogue: &Catalogue, given: Option<&v1::Step>) -> Result<StepId, Refused> {
    match given.and_then(|step| step.encoding.as_ref()) {
        None => Err(Refused::field("step", "expected an id, a structure or a notation")),
        Some(Encoding::Id(id)) => by_id(catalogue, *id),
        Some(Encoding::Structure(structure)) => by_structure(catalogue, structure, "step.structure"),
        Some(Encoding::Notation(notation)) => by_notation(catalogue, notation),
    }
}

/// The step of an id.
///
/// # Errors
/// UNKNOWN_STEP.
pub(super) fn by_id(catalogue: &Catalogue, id: u32) -> Result<StepId, Refused> {
    let step = u16::try_from(id).ok().map(StepId).filter(|&step| catalogue.steps.get(step).is_some());
    step.ok_or_else(|| {
        let count = catalogue.steps.len();
        unknown(format!("step {id}: the table has {count} steps, from 0"))
    })
}

/// The step of a verb and references; `path` is the structure's own.
///
/// # Errors
/// UNKNOWN_STEP, or INVALID_FIELD for a reference that names nothing.
pub(super) fn by_structure(
    catalogue: &Catalogue,
    given: &v1::StepStructure,
    path: &str,
) -> Result<StepId, Refused> {
    let verb = refused::shown(&given.verb);
    if !catalogue.steps.verbs().iter().any(|known| known.id == given.verb) {
        let known: Vec<&str> = catalogue.steps.verbs().iter().map(|verb| verb.id).collect();
        return Err(unknown(format!("verb `{verb}`: the table has {}", known.join(", "))));
    }
    let none = || unknown(format!("no step `{verb}` of the table has these references"));
    let mut refs = Vec::new();
    for (index, what) in given.refs.iter().enumerate() {
        refs.push(reference::read(what).map_err(|bad| match bad {
            BadRef::Unset => Refused::field(format!("{path}.refs[{index}]"), bad.to_string()),
            BadRef::Unknown => none(),
        })?);
    }
    catalogue.steps.find(&given.verb, &refs).ok_or_else(none)
}

/// The step that is written so.
///
/// # Errors
/// UNKNOWN_STEP.
pub(super) fn by_notation(catalogue: &Catalogue, notation: &str) -> Result<StepId, Refused> {
    let step = catalogue.steps.parse(notation);
    step.ok_or_else(|| unknown(format!("no step of the table is written `{}`", refused::shown(notation))))
}

fn unknown(message: String) -> Refused {
    Refused::new(Reason::UnknownStep, message)
}
