//! Typed facts of entries: what may be known of a card or a space, declared once a game, and what is.
//!
//! Invariant: values are of the declared kind, and exactly one unless the declaration allows many.

use crate::content::Confidence;
use crate::reference::Ref;

use super::ValueName;

/// The kind of an attribute's values.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum AttributeKind {
    /// A whole number. Yes and no are 1 and 0.
    Number,
    /// Some words, or one of the game's stable words.
    Text,
    /// Something else of the catalogue.
    Reference,
}

/// The lists of the catalogue whose entries can carry an attribute.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum AttributeScope {
    /// Spaces.
    Spaces,
    /// Mats.
    Mats,
    /// Tracks.
    Tracks,
    /// Boxes of tracks.
    Boxes,
    /// Piles.
    Piles,
    /// Kinds of pieces.
    Kinds,
    /// Named pieces.
    Pieces,
    /// Cards.
    Cards,
    /// Kinds of markers.
    Markers,
}

/// The declaration of an attribute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AttributeDef {
    /// Stable name in lower case with hyphens.
    pub id: &'static str,
    /// Name in players' words.
    pub label: &'static str,
    /// Kind of its values.
    pub kind: AttributeKind,
    /// Unit of its numbers, such as "in 6"; empty if there is none.
    pub unit: &'static str,
    /// Lists whose entries can carry it.
    pub on: Vec<AttributeScope>,
    /// Allows any number of values; else there is exactly one.
    pub many: bool,
    /// Names of numbers that stand for something, such as no and yes; empty where all are plain.
    pub values: Vec<ValueName>,
}

impl AttributeDef {
    /// A declaration of single values without a unit.
    #[must_use]
    pub fn new(id: &'static str, label: &'static str, kind: AttributeKind, on: &[AttributeScope]) -> Self {
        Self { id, label, kind, unit: "", on: on.to_vec(), many: false, values: Vec::new() }
    }

    /// A declaration of something that is so or is not: a number, 1 or 0, with names for both.
    #[must_use]
    pub fn flag(id: &'static str, label: &'static str, on: &[AttributeScope]) -> Self {
        Self { values: ValueName::no_and_yes(), ..Self::new(id, label, AttributeKind::Number, on) }
    }

    /// The same with a unit.
    #[must_use]
    pub fn unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// The same with any number of values.
    #[must_use]
    pub fn many(self) -> Self {
        Self { many: true, ..self }
    }
}

/// A value of an attribute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AttributeValue {
    /// A whole number.
    Number(i32),
    /// Some words.
    Text(String),
    /// Something else of the catalogue.
    Reference(Ref),
}

impl AttributeValue {
    /// The kind that it is of.
    #[must_use]
    pub const fn kind(&self) -> AttributeKind {
        match self {
            Self::Number(_) => AttributeKind::Number,
            Self::Text(_) => AttributeKind::Text,
            Self::Reference(_) => AttributeKind::Reference,
        }
    }
}

impl From<i32> for AttributeValue {
    fn from(number: i32) -> Self {
        Self::Number(number)
    }
}

impl From<u8> for AttributeValue {
    fn from(number: u8) -> Self {
        Self::Number(number.into())
    }
}

impl From<i8> for AttributeValue {
    fn from(number: i8) -> Self {
        Self::Number(number.into())
    }
}

impl From<i16> for AttributeValue {
    fn from(number: i16) -> Self {
        Self::Number(number.into())
    }
}

impl From<u16> for AttributeValue {
    fn from(number: u16) -> Self {
        Self::Number(number.into())
    }
}

impl From<bool> for AttributeValue {
    fn from(yes: bool) -> Self {
        Self::Number(yes.into())
    }
}

impl From<&str> for AttributeValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for AttributeValue {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Ref> for AttributeValue {
    fn from(what: Ref) -> Self {
        Self::Reference(what)
    }
}

/// A fact of an entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attribute {
    /// Index into [`Catalogue::attributes`](super::Catalogue::attributes).
    pub def: u16,
    /// Values, in order; exactly one unless the declaration allows many.
    pub values: Vec<AttributeValue>,
    /// Level of the content's field that it comes from.
    pub confidence: Confidence,
}

impl Attribute {
    /// A fact with one value.
    #[must_use]
    pub fn new(def: u16, value: impl Into<AttributeValue>, confidence: Confidence) -> Self {
        Self { def, values: vec![value.into()], confidence }
    }

    /// A fact with any number of values.
    #[must_use]
    pub fn list<V: Into<AttributeValue>>(
        def: u16,
        values: impl IntoIterator<Item = V>,
        confidence: Confidence,
    ) -> Self {
        Self { def, values: values.into_iter().map(Into::into).collect(), confidence }
    }

    /// The first value, if it is a number.
    #[must_use]
    pub fn number(&self) -> Option<i32> {
        match self.values.first() {
            Some(AttributeValue::Number(number)) => Some(*number),
            _ => None,
        }
    }
}
