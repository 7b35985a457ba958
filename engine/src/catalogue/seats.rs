//! Players and stakes: seats, sides that nobody plays, scenarios; the parts that things take in procedures.

use super::ValueName;

/// A seat of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeatDef {
    /// Stable name in lower case.
    pub id: &'static str,
    /// Name in players' words.
    pub name: &'static str,
    /// A color for its things, as `#rrggbb`.
    pub color: &'static str,
    /// A hint for a picture of it, in a word, such as `crown`.
    pub emblem: &'static str,
}

/// A side of the conflict that nobody plays: its things have no owner, and their attribute `side` names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SideDef {
    /// Stable name in lower case.
    pub id: &'static str,
    /// Name in players' words.
    pub name: &'static str,
    /// A color for its things, as `#rrggbb`.
    pub color: &'static str,
    /// A hint for a picture of it, in a word.
    pub emblem: &'static str,
}

/// A scenario of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScenarioDef {
    /// Stable name in lower case.
    pub id: &'static str,
    /// Title in players' words.
    pub title: &'static str,
    /// How many of the game's seats, from the first, it is for.
    pub seats: usize,
    /// Lower bound of each seat's return, whatever the options.
    pub returns_min: i32,
    /// Upper bound of each seat's return.
    pub returns_max: i32,
}

impl ScenarioDef {
    /// A scenario that is won, drawn or lost: its returns are 1, 0 and -1.
    #[must_use]
    pub const fn won_or_lost(id: &'static str, title: &'static str, seats: usize) -> Self {
        Self { id, title, seats, returns_min: -1, returns_max: 1 }
    }
}

/// A role of procedures, as [`Context::roles`](crate::view::Procedure::roles) names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoleDef {
    /// Name in the context; the same role has the same name in every procedure.
    pub name: &'static str,
    /// Name in players' words.
    pub label: &'static str,
    /// Unit of its number, such as "in 6"; empty if it is none, or needs none.
    pub unit: &'static str,
    /// Names of numbers that stand for something: no and yes, a sentinel for none. Empty where all are plain.
    pub values: Vec<ValueName>,
    /// Makes its number a set: the sum of numbers of [`RoleDef::values`].
    pub bits: bool,
}

impl RoleDef {
    /// A role whose number needs no unit.
    #[must_use]
    pub const fn new(name: &'static str, label: &'static str) -> Self {
        Self { name, label, unit: "", values: Vec::new(), bits: false }
    }

    /// The same with a unit.
    #[must_use]
    pub fn unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// The same with names for its numbers.
    #[must_use]
    pub fn values(self, values: &[(i32, &str)]) -> Self {
        let values = values.iter().map(|&(number, name)| ValueName::new(number, name)).collect();
        Self { values, ..self }
    }

    /// The same for something that is so or is not: 1 or 0.
    #[must_use]
    pub fn flag(self) -> Self {
        Self { values: ValueName::no_and_yes(), ..self }
    }

    /// The same with a number that is a sum of these.
    #[must_use]
    pub fn bits(self, values: &[(i32, &str)]) -> Self {
        Self { bits: true, ..self.values(values) }
    }

    /// A number in this role in words: by its name, as a list of the members of a set, or as digits.
    #[must_use]
    pub fn value(&self, number: i32) -> String {
        if !self.bits {
            return ValueName::in_words(&self.values, number);
        }
        let members = self.values.iter().filter(|value| number & value.number != 0);
        let names: Vec<&str> = members.map(|value| value.name.as_str()).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(" and ") }
    }
}
