//! Entries of a catalogue, and their attributes.

use edgehill_engine::catalogue::{
    Attribute, AttributeDef, AttributeKind, AttributeScope, AttributeValue, CatalogEntry, ValueName,
};
use edgehill_engine::content::Confidence;
use edgehill_proto::v1;
use v1::attribute_value::Value;

use super::all;
use crate::values::reference::reference;
use crate::values::text::kept;
use crate::values::{Garbled, index};

/// The entry of a thing that has to have one.
pub(super) fn of(message: Option<&v1::CatalogEntry>) -> Result<CatalogEntry, Garbled> {
    entry(message.ok_or_else(|| Garbled::missing("entry"))?)
}

/// An entry.
pub(super) fn entry(entry: &v1::CatalogEntry) -> Result<CatalogEntry, Garbled> {
    Ok(CatalogEntry {
        id: entry.id.clone(),
        name: entry.name.clone(),
        confidence: confidence(entry.confidence()),
        rules_text: entry.rules_text.clone(),
        values: value_names(&entry.values)?,
        attributes: attributes(&entry.attributes)?,
    })
}

/// Names of numbers, in order.
pub(super) fn value_names(values: &[v1::ValueName]) -> Result<Vec<ValueName>, Garbled> {
    all(values, |value| {
        Ok(ValueName {
            number: value.number,
            name: value.name.clone(),
            what: value.what.as_ref().map(reference).transpose()?,
        })
    })
}

/// A level of confidence.
pub(super) const fn confidence(level: v1::Confidence) -> Confidence {
    match level {
        v1::Confidence::Official => Confidence::Official,
        v1::Confidence::PublicSecondary => Confidence::PublicSecondary,
        v1::Confidence::Inferred => Confidence::Inferred,
        v1::Confidence::House => Confidence::House,
        // A level that a later version of the wire has between these is no surer than the least of them.
        v1::Confidence::Reconstructed | v1::Confidence::Unspecified => Confidence::Reconstructed,
    }
}

/// Attributes, in order.
pub(super) fn attributes(attributes: &[v1::Attribute]) -> Result<Vec<Attribute>, Garbled> {
    all(attributes, |attribute| {
        Ok(Attribute {
            def: index(attribute.index)?,
            values: all(&attribute.values, value)?,
            confidence: confidence(attribute.confidence()),
        })
    })
}

/// A value of an attribute, or a cell of a chart.
pub(super) fn value(value: &v1::AttributeValue) -> Result<AttributeValue, Garbled> {
    Ok(match value.value.as_ref().ok_or_else(|| Garbled::missing("value"))? {
        Value::Number(number) => AttributeValue::Number(*number),
        Value::Text(text) => AttributeValue::Text(text.clone()),
        Value::Reference(what) => AttributeValue::Reference(reference(what)?),
    })
}

/// The declaration of an attribute.
pub(super) fn attribute_def(def: &v1::AttributeDef) -> Result<AttributeDef, Garbled> {
    let kind = match def.kind() {
        v1::AttributeKind::Number => AttributeKind::Number,
        v1::AttributeKind::Text => AttributeKind::Text,
        v1::AttributeKind::Reference => AttributeKind::Reference,
        v1::AttributeKind::Unspecified => return Err(Garbled::missing("kind")),
    };
    Ok(AttributeDef {
        id: kept(&def.id),
        label: kept(&def.label),
        kind,
        unit: kept(&def.unit),
        // A list of a later version of the wire is none of this build's.
        on: def.scopes().filter_map(scope).collect(),
        many: def.many,
        values: value_names(&def.values)?,
    })
}

const fn scope(scope: v1::AttributeScope) -> Option<AttributeScope> {
    Some(match scope {
        v1::AttributeScope::Spaces => AttributeScope::Spaces,
        v1::AttributeScope::Mats => AttributeScope::Mats,
        v1::AttributeScope::Tracks => AttributeScope::Tracks,
        v1::AttributeScope::Boxes => AttributeScope::Boxes,
        v1::AttributeScope::Piles => AttributeScope::Piles,
        v1::AttributeScope::Kinds => AttributeScope::Kinds,
        v1::AttributeScope::Pieces => AttributeScope::Pieces,
        v1::AttributeScope::Cards => AttributeScope::Cards,
        v1::AttributeScope::Markers => AttributeScope::Markers,
        v1::AttributeScope::Unspecified => return None,
    })
}
