//! Entries of a catalogue and their attributes.

use edgehill_engine::catalogue::{
    Attribute, AttributeDef, AttributeKind, AttributeScope, AttributeValue, CatalogEntry, ValueName,
};
use edgehill_proto::v1;

use crate::messages::{reference, rule};

/// Entries, in order.
pub(super) fn all(entries: &[CatalogEntry]) -> Vec<v1::CatalogEntry> {
    entries.iter().map(of).collect()
}

/// An entry.
pub(super) fn of(entry: &CatalogEntry) -> v1::CatalogEntry {
    v1::CatalogEntry {
        id: entry.id.clone(),
        name: entry.name.clone(),
        confidence: rule::confidence(entry.confidence).into(),
        rules_text: entry.rules_text.clone(),
        values: value_names(&entry.values),
        attributes: attributes(&entry.attributes),
    }
}

/// Names of numbers, in order.
pub(super) fn value_names(values: &[ValueName]) -> Vec<v1::ValueName> {
    let name = |value: &ValueName| v1::ValueName {
        number: value.number,
        name: value.name.clone(),
        what: value.what.map(reference::of),
    };
    values.iter().map(name).collect()
}

/// Attributes, in order.
pub(super) fn attributes(attributes: &[Attribute]) -> Vec<v1::Attribute> {
    let attribute = |attribute: &Attribute| v1::Attribute {
        index: attribute.def.into(),
        values: attribute.values.iter().map(value).collect(),
        confidence: rule::confidence(attribute.confidence).into(),
    };
    attributes.iter().map(attribute).collect()
}

/// A value of an attribute, or a cell of a chart.
pub(super) fn value(value: &AttributeValue) -> v1::AttributeValue {
    use v1::attribute_value::Value;
    let value = match value {
        AttributeValue::Number(number) => Value::Number(*number),
        AttributeValue::Text(text) => Value::Text(text.clone()),
        AttributeValue::Reference(what) => Value::Reference(reference::of(*what)),
    };
    v1::AttributeValue { value: Some(value) }
}

/// The declaration of an attribute.
pub(super) fn attribute_def(def: &AttributeDef) -> v1::AttributeDef {
    let kind = match def.kind {
        AttributeKind::Number => v1::AttributeKind::Number,
        AttributeKind::Text => v1::AttributeKind::Text,
        AttributeKind::Reference => v1::AttributeKind::Reference,
    };
    v1::AttributeDef {
        id: def.id.to_owned(),
        label: def.label.to_owned(),
        kind: kind.into(),
        unit: def.unit.to_owned(),
        many: def.many,
        values: value_names(&def.values),
        scopes: def.on.iter().map(|&scope| scope_of(scope).into()).collect(),
    }
}

const fn scope_of(scope: AttributeScope) -> v1::AttributeScope {
    match scope {
        AttributeScope::Spaces => v1::AttributeScope::Spaces,
        AttributeScope::Mats => v1::AttributeScope::Mats,
        AttributeScope::Tracks => v1::AttributeScope::Tracks,
        AttributeScope::Boxes => v1::AttributeScope::Boxes,
        AttributeScope::Piles => v1::AttributeScope::Piles,
        AttributeScope::Kinds => v1::AttributeScope::Kinds,
        AttributeScope::Pieces => v1::AttributeScope::Pieces,
        AttributeScope::Cards => v1::AttributeScope::Cards,
        AttributeScope::Markers => v1::AttributeScope::Markers,
    }
}
