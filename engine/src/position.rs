//! Described positions: their fields as a game's own types, and the error of one that can't be accepted.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::RangeInclusive;

use serde::de::DeserializeOwned;
use serde_json::Value;
use thiserror::Error;

use crate::catalogue::Catalogue;
use crate::seat::Seat;

/// The error of a described position that is not accepted.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("position{}{field}: {expected}", if field.is_empty() { "" } else { ", field " })]
pub struct PositionError {
    /// Path of the field, such as `units.R[2]`; empty for the whole.
    pub field: String,
    /// Description of what is wrong and what would be accepted.
    pub expected: String,
}

impl PositionError {
    /// `field` is not as `expected` says.
    #[must_use]
    pub fn new(field: impl Into<String>, expected: impl Into<String>) -> Self {
        Self { field: field.into(), expected: expected.into() }
    }
}

/// The entries of a field by id.
pub type ById<T> = BTreeMap<String, T>;

/// Reads the fields of a position; a game's type refuses those that it does not know (`deny_unknown_fields`).
///
/// # Errors
/// Names the first field that does not fit its type, by its path.
pub fn fields<T: DeserializeOwned>(position: &Value) -> Result<T, PositionError> {
    if !position.is_object() {
        return Err(PositionError::new("", "an object is expected"));
    }
    serde_path_to_error::deserialize(position).map_err(|error| {
        let path = error.path().to_string();
        PositionError::new(path, in_json_words(error.into_inner().to_string()))
    })
}

/// Types of Rust as errors name them, each with the word for it in JSON.
const JSON_WORDS: [(&str, &str); 4] =
    [("i64", "a whole number"), ("a string", "text"), ("a sequence", "a list"), ("a map", "an object")];

fn in_json_words(error: String) -> String {
    let expected = |&(rust, json): &(&str, &str)| {
        let found = error.strip_suffix(rust)?;
        found.ends_with(", expected ").then(|| format!("{found}{json}"))
    };
    JSON_WORDS.iter().find_map(expected).unwrap_or(error)
}

/// The entries of a field by seat, each with its path.
///
/// # Errors
/// Names the entry whose key is no seat's id.
pub fn by_seat<'a, T>(
    catalogue: &Catalogue,
    field: &str,
    entries: &'a ById<T>,
) -> Result<Vec<(Seat, String, &'a T)>, PositionError> {
    let seat = |(id, value): (&String, &'a T)| {
        let path = format!("{field}.{id}");
        Ok((seat_of(catalogue, &path, id)?, path, value))
    };
    entries.iter().map(seat).collect()
}

/// The seat of an id.
///
/// # Errors
/// Names the field if no seat has the id.
pub fn seat_of(catalogue: &Catalogue, field: &str, id: &str) -> Result<Seat, PositionError> {
    let ids: Vec<&str> = catalogue.seats.iter().map(|seat| seat.id).collect();
    among(ids.iter().copied(), field, id, &format!("one of {}", ids.join(", ")))
        .map(|seat| Seat::new(seat as u8))
}

/// The place of an id in a list of them.
///
/// # Errors
/// Names the field if the list hasn't the id; `expected` are the words for its things.
pub fn among<'a>(
    ids: impl IntoIterator<Item = &'a str>,
    field: &str,
    id: &str,
    expected: &str,
) -> Result<usize, PositionError> {
    let place = ids.into_iter().position(|known| known == id);
    place.ok_or_else(|| PositionError::new(field, format!("`{id}`: {expected} is expected")))
}

/// The cards of a list of ids, each with its path.
///
/// # Errors
/// Names the first entry that is no card's id.
pub fn cards(
    catalogue: &Catalogue,
    field: &str,
    ids: &[String],
) -> Result<Vec<(String, u16)>, PositionError> {
    let card = |(index, id): (usize, &String)| {
        let path = format!("{field}[{index}]");
        let known = catalogue.cards.iter().map(|card| card.id.as_str());
        let card = among(known, &path, id, "a card's id")? as u16;
        Ok((path, card))
    };
    ids.iter().enumerate().map(card).collect()
}

/// A number within its bounds.
///
/// # Errors
/// Names the field and the bounds.
pub fn within<N: PartialOrd + Display>(
    bounds: RangeInclusive<N>,
    field: &str,
    number: N,
) -> Result<N, PositionError> {
    if bounds.contains(&number) {
        return Ok(number);
    }
    let (least, most) = (bounds.start(), bounds.end());
    Err(PositionError::new(field, format!("a whole number from {least} to {most} is expected")))
}
