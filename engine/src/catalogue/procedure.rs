//! Codes of the game with their names among players: procedures with their stages, and other stable words.

use super::ValueName;

/// A stable word of the game, such as a kind of border or the result of an order, and its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodeDef {
    /// The word, as views and other entries write it.
    pub id: &'static str,
    /// Name in players' words.
    pub name: &'static str,
}

/// A procedure that can be under way, as [`Procedure::frame`](crate::view::Procedure::frame) names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProcedureDef {
    /// Name in the view.
    pub name: &'static str,
    /// Name in players' words.
    pub label: &'static str,
    /// Names of its stages, by number; empty if it has but one, or counts.
    pub stages: Vec<ValueName>,
    /// The thing that its stage counts, in players' words; empty if stages have names, or there is but one.
    pub counts: &'static str,
}

impl ProcedureDef {
    /// A procedure of one stage, 0.
    #[must_use]
    pub const fn new(name: &'static str, label: &'static str) -> Self {
        Self { name, label, stages: Vec::new(), counts: "" }
    }

    /// The same with stages, numbered from 0.
    #[must_use]
    pub fn with_stages(self, names: &[&str]) -> Self {
        let stages = (0..).zip(names).map(|(number, name)| ValueName::new(number, *name)).collect();
        Self { stages, ..self }
    }

    /// The same with a stage that counts something.
    #[must_use]
    pub fn counting(self, counts: &'static str) -> Self {
        Self { counts, ..self }
    }

    /// The name of a stage, if it has one.
    #[must_use]
    pub fn stage(&self, stage: u8) -> Option<&str> {
        self.stages.iter().find(|name| name.number == i32::from(stage)).map(|name| name.name.as_str())
    }
}
