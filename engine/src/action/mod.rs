//! Actions and the action table: three bijective encodings of one small choice; the declaration of a game's actions
//! ([`actions!`](crate::actions)).
//!
//! Invariant: within an [`ActionTable`] ids, structures (verb and references) and notations are each unique.

mod declaration;

use std::collections::BTreeMap;
use std::fmt;

use arrayvec::ArrayVec;
use thiserror::Error;

use crate::reference::Ref;

pub use declaration::{ActionIndex, ActionThing, ActionsBuilder, DeclaredAction};

/// The most references that an action has.
pub const ACTION_REFS_MAX: usize = 2;

/// An index into a game's [`ActionTable`]; stable within a rules version.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ActionId(pub u16);

impl fmt::Display for ActionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// The effect of a verb on the flow.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum VerbKind {
    /// A choice of the game.
    Play,
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
    /// Its effect on the flow.
    pub kind: VerbKind,
    /// Meaning of the choice, in our words, for menus.
    pub title: &'static str,
    /// Roles of its actions' references, in order, such as `from` and `to`; an action may leave the last ones out.
    pub refs: &'static [&'static str],
}

/// One entry of an action table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActionDef {
    /// Index into [`ActionTable::verbs`].
    pub verb: u8,
    /// Things that it is about.
    pub refs: ArrayVec<Ref, ACTION_REFS_MAX>,
    /// One short word group, unique in the table, in lower case but for content ids.
    pub notation: String,
}

/// The error of an action table that could not be built; a fault of a game or its content, found on load.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ActionTableError {
    /// More than [`ActionTable::MAX`] actions.
    #[error("an action table has at most {} entries", ActionTable::MAX)]
    TooLarge,
    /// The same verb with the same references twice.
    #[error("action `{0}` stands twice in the table")]
    SameStructure(String),
    /// The same notation for two actions.
    #[error("two actions are written `{0}`")]
    SameNotation(String),
}

/// All actions that a game can ever offer.
#[derive(Clone, Debug, Default)]
pub struct ActionTable {
    verbs: Vec<Verb>,
    actions: Vec<ActionDef>,
    by_notation: BTreeMap<String, ActionId>,
    by_structure: BTreeMap<(u8, ArrayVec<Ref, ACTION_REFS_MAX>), ActionId>,
}

impl ActionTable {
    /// The most entries of a table: masks and compact logs rely on it.
    pub const MAX: usize = 4_096;

    /// Adds a verb; its actions follow by [`ActionTable::add`].
    pub fn verb(
        &mut self,
        id: &'static str,
        kind: VerbKind,
        title: &'static str,
        refs: &'static [&'static str],
    ) -> u8 {
        self.verbs.push(Verb { id, kind, title, refs });
        (self.verbs.len() - 1) as u8
    }

    /// Adds the next action, with the next id.
    ///
    /// # Errors
    /// If the table is full, or the action's structure or notation (letters of either case) is there already.
    pub fn add(
        &mut self,
        verb: u8,
        refs: &[Ref],
        notation: impl Into<String>,
    ) -> Result<ActionId, ActionTableError> {
        let notation = notation.into();
        if self.actions.len() == Self::MAX {
            return Err(ActionTableError::TooLarge);
        }
        let id = ActionId(self.actions.len() as u16);
        let refs: ArrayVec<Ref, ACTION_REFS_MAX> = refs.iter().copied().collect();
        if self.by_structure.insert((verb, refs.clone()), id).is_some() {
            return Err(ActionTableError::SameStructure(notation));
        }
        if self.by_notation.insert(notation.to_lowercase(), id).is_some() {
            return Err(ActionTableError::SameNotation(notation));
        }
        self.actions.push(ActionDef { verb, refs, notation });
        Ok(id)
    }

    /// Number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.actions.len()
    }

    /// Returns whether the table is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }

    /// The verbs, by index.
    #[must_use]
    pub fn verbs(&self) -> &[Verb] {
        &self.verbs
    }

    /// Every id, in order.
    pub fn ids(&self) -> impl Iterator<Item = ActionId> + use<> {
        (0..self.actions.len() as u16).map(ActionId)
    }

    /// The entry of an id, if the table has it.
    #[must_use]
    pub fn get(&self, id: ActionId) -> Option<&ActionDef> {
        self.actions.get(usize::from(id.0))
    }

    /// The verb of an action, if the table has it.
    #[must_use]
    pub fn verb_of(&self, id: ActionId) -> Option<&Verb> {
        self.get(id).map(|action| &self.verbs[usize::from(action.verb)])
    }

    /// The action that is written so; letters of either case, any run of blanks.
    #[must_use]
    pub fn parse(&self, notation: &str) -> Option<ActionId> {
        let words: Vec<&str> = notation.split_whitespace().collect();
        self.by_notation.get(&words.join(" ").to_lowercase()).copied()
    }

    /// The action with this verb and these references.
    #[must_use]
    pub fn find(&self, verb: &str, refs: &[Ref]) -> Option<ActionId> {
        let verb = self.verbs.iter().position(|v| v.id == verb)? as u8;
        let refs = ArrayVec::try_from(refs).ok()?;
        self.by_structure.get(&(verb, refs)).copied()
    }

    /// The notation of an action; ids outside the table print as `#id`.
    #[must_use]
    pub fn notation(&self, id: ActionId) -> String {
        self.get(id).map_or_else(|| id.to_string(), |action| action.notation.clone())
    }
}
