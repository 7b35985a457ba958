//! Steps and the step table: three bijective encodings of one small choice.
//!
//! Invariant: within a [`StepTable`] ids, structures (verb and references) and notations are each unique.

use std::collections::BTreeMap;
use std::fmt;

use arrayvec::ArrayVec;
use thiserror::Error;

use crate::reference::Ref;

/// The most references that a step has.
pub const STEP_REFS_MAX: usize = 2;

/// An index into a game's [`StepTable`]; stable within a rules version.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StepId(pub u16);

impl fmt::Display for StepId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// What a verb does to the flow.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum VerbKind {
    /// A choice of the game.
    Act,
    /// Declines a window or an offer of the rules.
    Pass,
    /// Ends one's own segment, or commits a sealed draft.
    Done,
    /// Moves the attention, not the game (`pick`): samplers may leave it out, and it is listed last.
    Navigate,
}

/// A verb, shared by procedures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verb {
    /// Stable name in lower case, such as `march`.
    pub id: &'static str,
    /// What it does to the flow.
    pub kind: VerbKind,
    /// What choosing it means, in our words, for menus.
    pub title: &'static str,
}

/// One entry of a step table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepDef {
    /// Index into [`StepTable::verbs`].
    pub verb: u8,
    /// What it is about.
    pub refs: ArrayVec<Ref, STEP_REFS_MAX>,
    /// One short word group, unique in the table, in lower case but for content ids.
    pub notation: String,
}

/// Why a step table could not be built; a fault of a game or its content, found on load.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum StepTableError {
    /// More than [`StepTable::MAX`] steps.
    #[error("a step table has at most {} entries", StepTable::MAX)]
    TooLarge,
    /// The same verb with the same references twice.
    #[error("step `{0}` stands twice in the table")]
    SameStructure(String),
    /// The same notation for two steps.
    #[error("two steps are written `{0}`")]
    SameNotation(String),
}

/// All steps that a game can ever offer.
#[derive(Clone, Debug, Default)]
pub struct StepTable {
    verbs: Vec<Verb>,
    steps: Vec<StepDef>,
    by_notation: BTreeMap<String, StepId>,
    by_structure: BTreeMap<(u8, ArrayVec<Ref, STEP_REFS_MAX>), StepId>,
}

impl StepTable {
    /// The most entries of a table: masks and compact logs rely on it.
    pub const MAX: usize = 4_096;

    /// Adds a verb; its steps follow by [`StepTable::add`].
    pub fn verb(&mut self, id: &'static str, kind: VerbKind, title: &'static str) -> u8 {
        self.verbs.push(Verb { id, kind, title });
        (self.verbs.len() - 1) as u8
    }

    /// Adds the next step, with the next id.
    ///
    /// # Errors
    /// If the table is full, or the step's structure or notation (letters of either case) is there already.
    pub fn add(
        &mut self,
        verb: u8,
        refs: &[Ref],
        notation: impl Into<String>,
    ) -> Result<StepId, StepTableError> {
        let notation = notation.into();
        if self.steps.len() == Self::MAX {
            return Err(StepTableError::TooLarge);
        }
        let id = StepId(self.steps.len() as u16);
        let refs: ArrayVec<Ref, STEP_REFS_MAX> = refs.iter().copied().collect();
        if self.by_structure.insert((verb, refs.clone()), id).is_some() {
            return Err(StepTableError::SameStructure(notation));
        }
        if self.by_notation.insert(notation.to_lowercase(), id).is_some() {
            return Err(StepTableError::SameNotation(notation));
        }
        self.steps.push(StepDef { verb, refs, notation });
        Ok(id)
    }

    /// Number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether the table is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The verbs, by index.
    #[must_use]
    pub fn verbs(&self) -> &[Verb] {
        &self.verbs
    }

    /// Every id, in order.
    pub fn ids(&self) -> impl Iterator<Item = StepId> + use<> {
        (0..self.steps.len() as u16).map(StepId)
    }

    /// The entry of an id, if the table has it.
    #[must_use]
    pub fn get(&self, id: StepId) -> Option<&StepDef> {
        self.steps.get(usize::from(id.0))
    }

    /// The verb of a step, if the table has it.
    #[must_use]
    pub fn verb_of(&self, id: StepId) -> Option<&Verb> {
        self.get(id).map(|step| &self.verbs[usize::from(step.verb)])
    }

    /// The step that is written so; letters of either case, any run of blanks.
    #[must_use]
    pub fn parse(&self, notation: &str) -> Option<StepId> {
        let words: Vec<&str> = notation.split_whitespace().collect();
        self.by_notation.get(&words.join(" ").to_lowercase()).copied()
    }

    /// The step with this verb and these references.
    #[must_use]
    pub fn find(&self, verb: &str, refs: &[Ref]) -> Option<StepId> {
        let verb = self.verbs.iter().position(|v| v.id == verb)? as u8;
        let refs = ArrayVec::try_from(refs).ok()?;
        self.by_structure.get(&(verb, refs)).copied()
    }

    /// The notation of a step; ids outside the table print as `#id`.
    #[must_use]
    pub fn notation(&self, id: StepId) -> String {
        self.get(id).map_or_else(|| id.to_string(), |step| step.notation.clone())
    }
}
