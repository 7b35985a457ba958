//! References, places, seats, rules and phrases.

use edgehill_engine::ledger::Rule;
use edgehill_engine::reference::{Location, Ref, Refs};
use edgehill_engine::seat::{Seat, SeatSet};
use edgehill_engine::view::Phrase;
use edgehill_proto::v1;
use v1::location::Place;
use v1::r#ref::What;

use super::text::kept;
use super::{Garbled, index};

/// A seat of any game.
///
/// # Errors
/// If no server sends it.
pub fn seat(number: u32) -> Result<Seat, Garbled> {
    match u8::try_from(number) {
        Ok(index) if usize::from(index) < Seat::MAX => Ok(Seat::new(index)),
        _ => Err(Garbled::new(format!("seat {number}"))),
    }
}

pub(super) fn seats(numbers: &[u32]) -> Result<SeatSet, Garbled> {
    numbers.iter().map(|&number| seat(number)).collect()
}

pub(super) fn owner(number: Option<u32>) -> Result<Option<Seat>, Garbled> {
    number.map(seat).transpose()
}

/// A reference, whether or not a game has what it names.
///
/// # Errors
/// If no server sends it.
pub fn reference(what: &v1::Ref) -> Result<Ref, Garbled> {
    Ok(match what.what.ok_or_else(|| Garbled::missing("what"))? {
        What::Space(i) => Ref::Space(index(i)?),
        What::Mat(i) => Ref::Mat(index(i)?),
        What::Track(i) => Ref::Track(index(i)?),
        What::Pile(i) => Ref::Pile(index(i)?),
        What::Piece(i) => Ref::Piece(index(i)?),
        What::Card(i) => Ref::Card(index(i)?),
        What::Seat(i) => Ref::Seat(seat(i)?),
        What::Kind(i) => Ref::Kind(index(i)?),
        What::Marker(i) => Ref::Marker(index(i)?),
        What::Number(number) => Ref::Number(number),
    })
}

pub(super) fn references(refs: &[v1::Ref]) -> Result<Refs, Garbled> {
    refs.iter().map(reference).collect()
}

pub(super) fn at(at: Option<&v1::Location>) -> Result<Location, Garbled> {
    Ok(match at.and_then(|at| at.place).ok_or_else(|| Garbled::missing("at"))? {
        Place::Space(i) => Location::Space(index(i)?),
        Place::Mat(i) => Location::Mat(index(i)?),
        Place::Track(i) => Location::Track(index(i)?),
        Place::Pile(i) => Location::Pile(index(i)?),
        Place::Piece(i) => Location::Piece(index(i)?),
        Place::Card(i) => Location::Card(index(i)?),
        Place::Seat(i) => Location::Seat(seat(i)?),
    })
}

/// A place that need not be there.
pub(super) fn origin(place: Option<&v1::Location>) -> Result<Option<Location>, Garbled> {
    place.map(|place| at(Some(place))).transpose()
}

pub(super) fn rule(id: &str) -> Result<Rule, Garbled> {
    let fits = !id.is_empty()
        && id.len() <= 16
        && id.starts_with(|first: char| first.is_ascii_alphanumeric())
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'-');
    if fits { Ok(Rule::new(kept(id))) } else { Err(Garbled::new(format!("rule `{id}`"))) }
}

pub(super) fn phrase(phrase: &v1::Phrase) -> Result<Phrase, Garbled> {
    Ok(Phrase { code: kept(&phrase.code), refs: references(&phrase.refs)? })
}

pub(super) fn phrases(phrases: &[v1::Phrase]) -> Result<Vec<Phrase>, Garbled> {
    phrases.iter().map(phrase).collect()
}
