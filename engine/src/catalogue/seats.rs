//! Players and stakes: seats, scenarios; the parts that things take in procedures.

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

/// A role of procedures, as [`Context::roles`](crate::view::Procedure::roles) names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoleDef {
    /// Name in the context; the same role has the same name in every procedure.
    pub name: &'static str,
    /// Name in players' words.
    pub label: &'static str,
    /// Unit of its number, such as "in 6"; empty if it is none, or needs none.
    pub unit: &'static str,
}

impl RoleDef {
    /// A role whose number needs no unit.
    #[must_use]
    pub const fn new(name: &'static str, label: &'static str) -> Self {
        Self { name, label, unit: "" }
    }

    /// The same with a unit.
    #[must_use]
    pub const fn unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }
}
